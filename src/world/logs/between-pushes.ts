/**
 * Limited reads beside pushes to another stream, all of whose entries lie in the middle of what was pushed long ago: neither end of that
 * changes, whether the new entries are taken, refused or not shown yet.
 */
import type { RelativeStream } from "../../arbitraries/streams.ts";
import { expecting } from "../../harness/expect.ts";
import { type Finding, together } from "../../harness/finding.ts";
import { type Assertion, type Fixture, fixture } from "../../harness/scope.ts";
import { limitDifferences } from "../../model/log-answer.ts";
import { type Direction, limited, type Stream } from "../../model/logs.ts";
import { range } from "./asks.ts";
import { type Dataset, RUN_LABEL, SET_LABEL, store } from "./datasets.ts";
import { selection } from "./range-query.ts";
import { visible, wholeRange } from "./reading.ts";

const CLAUSE = "logs-4.1";
const SECOND = 1_000_000_000n;

/** Entries at either end. */
const ENDS = 10;
/** Entries of a push in between: more than a limited read answers. */
const BETWEEN = 25;
const ROUNDS = 2;

/** Where the second end begins, and the pushes between the ends do, in seconds of the set. */
const LAST = 400n;
const MIDDLE = 100n;

function end(from: bigint): RelativeStream["entries"] {
  return Array.from({ length: ENDS }, (_, index) => ({ offset: (from + BigInt(index)) * SECOND + 3n, line: `end ${from} ${index}` }));
}

/** Pushed early in a run: its reads are asked when a service may have put it away. */
export const bothEnds: Fixture<Dataset> = fixture("logs", "a stream whose two ends lie minutes apart", async (scope) =>
  visible(scope, await store(scope, "both-ends", { pushes: [[{ labels: { svc_colour: "ends" }, entries: [...end(1n), ...end(LAST)] }]] })),
);

/** What is pushed in between, one stream a round. */
function between({ anchor, name }: Dataset, runId: string, round: number): Stream {
  return {
    labels: { [RUN_LABEL]: runId, [SET_LABEL]: name, svc_colour: `between ${round}` },
    entries: Array.from({ length: BETWEEN }, (_, index) => ({
      ts: anchor + (MIDDLE + BigInt(index)) * SECOND + BigInt(round) + 7n,
      line: `between ${round} ${index}`,
    })),
  };
}

/** All of one end, and no more. */
function nearEnd(dataset: Dataset, pushed: readonly Stream[], direction: Direction): Assertion {
  const near = limited(dataset.streams, ENDS, direction);
  return expecting({
    clauses: CLAUSE,
    of: dataset,
    ask: range({ ...wholeRange(dataset), limit: ENDS, direction }),
    expect: (streams) => limitDifferences(near, [...dataset.streams, ...pushed], streams).map((one) => ({ ...one, clause: CLAUSE })),
    input: {
      limit: ENDS,
      direction,
      while: "entries with timestamps between the oldest and the newest entry of this stream were pushed to another stream",
    },
  });
}

/** The ends are answered before the pushes, beside them and right after each; a read that is wrong before them is wrong by itself. */
export const endsBesidePushes: Assertion = async (scope) => {
  const dataset = await scope.use(bothEnds);
  await scope.untilAfterWrite(dataset, scope.settle.deadlineMs);
  const directions = ["backward", "forward"] as const;
  const before = together(
    await Promise.all(directions.map((direction) => selection(dataset, { cut: { limit: ENDS, direction } }, CLAUSE)(scope))),
  );
  if (before.differences.length > 0) return before;
  const pushes = Array.from({ length: ROUNDS }, (_, round) => between(dataset, scope.run.runId, round));
  const reads = directions.map((direction) => nearEnd(dataset, pushes, direction));
  const both: Assertion = async (later) => together(await Promise.all(reads.map((read) => read(later))));
  const findings: Finding[] = [];
  for (const stream of pushes) {
    const [beside] = await Promise.all([both(scope), scope.logs.push([stream])]);
    findings.push(beside, await both(scope));
  }
  return together(findings);
};
