/** Tests concurrent pushes to one stream and to several streams, and reads during pushes. */
import { type Answered, isAnswered, isPassing, isSuccess, statusOf } from "../client/exchange.ts";
import { Inconclusive } from "../client/inconclusive.ts";
import type { ClauseId } from "../contract/catalogue.ts";
import { expecting, unlessLate } from "../harness/expect.ts";
import { type Finding, together } from "../harness/finding.ts";
import { type Assertion, fixture, type Scope } from "../harness/scope.ts";
import { type Direction, type Entry, type Labels, limited, linesOf, mergeStreams, type Stream, withEntries } from "../model/logs.ts";
import { entryDifferences, limitDifferences } from "../model/log-answer.ts";
import { durationText, sumText } from "../model/query-text.ts";
import { instant, range } from "../datasets/requests.ts";
import { type Dataset, datasetOf, setLabels, untilFlushed } from "../datasets/datasets.ts";
import { maskedStreams, placingFor, store } from "../datasets/dataset-pushes.ts";
import type { Placing } from "../datasets/placing.ts";
import { readBack, visible, wholeRange } from "../datasets/read-back.ts";
import type { RelativeStream } from "../arbitraries/streams.ts";
import { selection } from "../queries/range-query.ts";
import { untilDefinite } from "./pushes.ts";
import { difference } from "../model/difference.ts";
import { SECOND } from "../model/times.ts";

/** The numbers of concurrent pushes and of rounds. A single round proves little, because two pushes overlap only for milliseconds. */
const LANES = 6;
const ROUNDS = 3;
/** Each push of a round begins with this number of new streams, so that two pushes create a stream within the same millisecond. */
const FRESH = 16;

interface Writing extends Placing {
  readonly labels: (lane: number) => Labels;
  readonly set: string;
}

/** Several senders (lanes) push concurrently, once per round. With `one`, they push to one stream, with `many` to several. */
async function writing(scope: Scope, kind: "one" | "many"): Promise<Writing> {
  const set = `overlap-${kind}-${scope.unique()}`;
  const own = setLabels(scope, set);
  const labels = (lane: number): Labels => (kind === "one" ? own : { ...own, svc_colour: `lane-${lane}` });
  return { ...(await placingFor(scope, "settled")), labels, set };
}

/** Returns the body of a push: two entries in the sender's stream, one in a second stream, and one in each new stream. */
function bodyOf({ anchor, labels }: Writing, round: number, lane: number): Stream[] {
  const entry = (index: number): Entry => ({
    ts: anchor + BigInt(round * LANES * 2 + lane * 2 + index) * SECOND + 7n,
    line: `overlap ${round} ${lane} ${index}`,
  });
  const first = { labels: labels(lane), entries: [entry(0), entry(1)] };
  const beside = { ...labels(lane), svc_size: "beside" };
  const fresh = Array.from({ length: FRESH }, (_, index) => ({
    labels: { ...labels(0), svc_zz: `fresh-${round}-${index}` },
    entries: [{ ...entry(0), line: `fresh ${round} ${index} ${lane}` }],
  }));
  return [first, { labels: beside, entries: [{ ...entry(1), line: `beside ${round} ${lane}` }] }, ...fresh];
}

/** Whether the target acknowledges an out-of-order entry, but does not return it. */
async function hidesLate(scope: Scope): Promise<boolean> {
  const writes = await writing(scope, "one");
  const streams = [20n, 10n].map((seconds): Stream => ({
    labels: writes.labels(0),
    entries: [{ ts: writes.anchor + seconds * SECOND, line: `after ${seconds} s` }],
  }));
  const pushes: Answered[] = [];
  for (const stream of streams) {
    const exchange = await scope.logs.push([stream]);
    if (!isAnswered(exchange) || !isSuccess(exchange)) return false;
    pushes.push(exchange);
  }
  const { differences } = await readBack(datasetOf(scope, writes.set, mergeStreams(streams), writes, pushes))(scope);
  return differences.length > 0;
}

/**
 * Reads must return each acknowledged entry of concurrent pushes once. Throws `Inconclusive` if fewer pushes than rounds were accepted. A
 * push may arrive out of order. If the target hides out-of-order entries, and an entry is missing, this resolves to null.
 */
export function overlappingPushes(kind: "one" | "many"): (scope: Scope) => Promise<Assertion | null> {
  return async (scope) => {
    const writes = await writing(scope, kind);
    const held: Stream[] = [];
    const pushes: Dataset["pushes"][number][] = [];
    let lastWriteAt = 0;
    const refused: { readonly exchange: Answered; readonly streams: readonly Stream[] }[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      await Promise.all(
        Array.from({ length: LANES }, async (_, lane) => {
          const streams = bodyOf(writes, round, lane);
          const exchange = await scope.logs.push(streams);
          lastWriteAt = Math.max(lastWriteAt, exchange.endedAt);
          // A service may refuse a push if it has stored a newer entry. It may also store entries of a push that it refuses.
          if (exchange.response === null || !isSuccess(exchange)) {
            if (isAnswered(exchange)) refused.push({ exchange, streams });
            return;
          }
          held.push(...streams);
          pushes.push({ ...exchange, response: exchange.response });
        }),
      );
    }
    const [refusal] = refused;
    if (pushes.length < ROUNDS && refusal !== undefined) await maskedStreams(scope, refusal.exchange, refusal.streams);
    if (pushes.length < ROUNDS) throw new Inconclusive(`only ${pushes.length} of ${ROUNDS * LANES} concurrent pushes were accepted`);
    const all = pushes.length === ROUNDS * LANES;
    const dataset = { ...datasetOf(scope, writes.set, mergeStreams(held), writes, pushes), lastWriteAt };
    const finding = all ? await readBack(dataset)(scope) : await partly(scope, dataset);
    if (finding.differences.length > 0 && (await hidesLate(scope))) return null;
    const input = { "concurrent pushes": LANES, rounds: ROUNDS, to: kind === "one" ? "one stream" : "many streams" };
    return async () => ({ ...finding, clauses: ["logs-4.push"], input });
  };
}

/** Judges a dataset with some refused pushes: reads return only the acknowledged entries. */
async function partly(scope: Scope, dataset: Dataset): Promise<Finding> {
  const acknowledged = linesOf(dataset.streams);
  return expecting({
    clauses: "logs-4.push",
    of: dataset,
    ask: range({ ...wholeRange(dataset), limit: 1_000 }),
    expect: (streams) =>
      entryDifferences(
        dataset.streams,
        withEntries(streams, ({ line }) => acknowledged.has(line)),
      ),
  })(scope);
}

const READS = 2;
const MOST_TRIES = 5;

interface Begun {
  readonly writes: Writing;
  /** The entries of the first push. */
  readonly dataset: Dataset;
}

/** Returns a time after all entries of the first push, in ns. */
function edgeOf({ anchor }: Writing): bigint {
  return anchor + 21n * SECOND;
}

/** Pushes the first entries of a new stream. If the response is not definite, tries another stream. Throws `Inconclusive` if all fail. */
async function begun(scope: Scope): Promise<Begun> {
  return untilDefinite(scope, MOST_TRIES, `the first push to a stream was not answered in ${MOST_TRIES} attempts`, async () => {
    const writes = await writing(scope, "one");
    const before: Stream = {
      labels: writes.labels(0),
      entries: Array.from({ length: 20 }, (_, index) => ({ ts: writes.anchor + BigInt(index) * SECOND + 3n, line: `before ${index}` })),
    };
    const first = await scope.logs.push([before]);
    if (!isAnswered(first) || isPassing(statusOf(first))) return null;
    const alone = datasetOf(scope, writes.set, [before], writes, [first]);
    await visible(scope, alone);
    // Later pushes add entries to these streams. So no check may repeat a read that expects only the first entries.
    const dataset = { ...alone };
    alone.lastWriteAt = performance.now();
    return { writes, dataset };
  });
}

/** While more entries are pushed to a stream, queries must still return the entries of the first push. */
export function readsDuringPushes(clause: "logs-4.query_range" | "logs-4.query"): Assertion {
  return async (scope) => {
    const { writes, dataset } = await begun(scope);
    const edge = edgeOf(writes);
    const read = (clause === "logs-4.query_range" ? rangeBefore : countBefore)(dataset, edge, clause);
    // A replica without the first push may have answered. In a second attempt, only the concurrent pushes can cause a difference.
    return together(await unlessLate(scope, dataset, async () => whilePushing(scope, writes, edge, read)));
  };
}

const BESIDE_PUSHES = { input: { while: "more was pushed to the same stream" } };

/** Resolves to the findings of some rounds. Each round pushes entries after `edge` to the stream, and reads at the same time. */
async function whilePushing(scope: Scope, { labels }: Writing, edge: bigint, read: Assertion): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const writers = Array.from({ length: 2 }, (_, lane) =>
      scope.logs.push([
        { labels: labels(0), entries: [{ ts: edge + BigInt(round * 2 + lane + 2) * SECOND, line: `after ${round} ${lane}` }] },
      ]),
    );
    const reads = Array.from({ length: READS }, () => read(scope));
    const [found] = await Promise.all([Promise.all(reads), Promise.all(writers)]);
    findings.push(...found);
  }
  return findings;
}

function rangeBefore(dataset: Dataset, edge: bigint, clause: ClauseId): Assertion {
  return expecting({
    clauses: clause,
    of: dataset,
    ask: range({ ...wholeRange(dataset), end: edge }),
    expect: (streams) => entryDifferences(dataset.streams, streams).map((one) => ({ ...one, clause })),
    ...BESIDE_PUSHES,
  });
}

function countBefore(dataset: Dataset, edge: bigint, clause: ClauseId): Assertion {
  const text = sumText("count_over_time", { matchers: dataset.matchers, filters: [] }, durationText(60n * SECOND));
  return (scope) =>
    expecting({
      clauses: clause,
      of: dataset,
      ask: instant(text, edge),
      expect: (samples) => {
        const total = samples.reduce((sum, { value }) => sum + value, 0);
        return total === dataset.entries
          ? []
          : [difference(clause, "data.result", `a count of ${dataset.entries} entries`, String(total), "sample")];
      },
      ...BESIDE_PUSHES,
    })(scope);
}

const CLAUSE = "logs-4.1";

/** The number of entries at each end of the stream. */
const ENDS = 10;
/** The number of entries of a push between the ends. It is higher than the limit of the reads. */
const BETWEEN = 25;
const LIMIT_ROUNDS = 2;

/** The times, in seconds after the anchor, at which the second end and the pushes between the ends start. */
const LAST = 400n;
const MIDDLE = 100n;

function end(from: bigint): RelativeStream["entries"] {
  return Array.from({ length: ENDS }, (_, index) => ({ offset: (from + BigInt(index)) * SECOND + 3n, line: `end ${from} ${index}` }));
}

/** A stream that is pushed early in a run. A service may have flushed it when the checks read it. */
export const bothEnds = fixture<Dataset>("logs", "a stream whose two ends lie minutes apart", async (scope) =>
  visible(scope, await store(scope, "both-ends", { pushes: [[{ labels: { svc_colour: "ends" }, entries: [...end(1n), ...end(LAST)] }]] })),
);

function between(scope: Scope, { anchor, name }: Dataset, round: number): Stream {
  return {
    labels: { ...setLabels(scope, name), svc_colour: `between-${round}` },
    entries: Array.from({ length: BETWEEN }, (_, index) => ({
      ts: anchor + (MIDDLE + BigInt(index)) * SECOND + BigInt(round) + 7n,
      line: `between ${round} ${index}`,
    })),
  };
}

/** Returns an assertion that a read with a limit returns all entries of one end of the stream, and no other entries. */
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

/**
 * Reads with a limit must return the newest and the oldest entries before, during and after pushes of entries in between. The pushes begin
 * at a time when a service may have flushed the stream. If a read before the pushes is wrong, it is reported, and no push is sent.
 */
export const endsBesidePushes: Assertion = async (scope) => {
  const dataset = await scope.use(bothEnds);
  await untilFlushed(scope, dataset);
  const directions = ["backward", "forward"] as const;
  const before = together(
    await Promise.all(directions.map((direction) => selection(dataset, { cut: { limit: ENDS, direction } }, CLAUSE)(scope))),
  );
  if (before.differences.length > 0) return before;
  const pushed: Stream[] = [];
  const both = async (): Promise<Finding[]> => Promise.all(directions.map(async (direction) => nearEnd(dataset, pushed, direction)(scope)));
  const attempt = async (): Promise<Finding[]> => {
    const findings: Finding[] = [];
    for (let round = 0; round < LIMIT_ROUNDS; round += 1) {
      const stream = between(scope, dataset, pushed.length);
      pushed.push(stream);
      const [beside] = await Promise.all([both(), scope.logs.push([stream])]);
      findings.push(...beside, ...(await both()));
    }
    return findings;
  };
  return together(await unlessLate(scope, dataset, attempt));
};
