/** Concurrent pushes to one stream and to several streams, and reads during pushes. */
import { type Answered, isAnswered, isSuccess, statusOf } from "../client/exchange.ts";
import { Inconclusive } from "../client/inconclusive.ts";
import type { ClauseId } from "../contract/catalogue.ts";
import { expecting } from "../harness/expect.ts";
import { type Finding, isHealed, together } from "../harness/finding.ts";
import { type Assertion, type Fixture, fixture, type Scope } from "../harness/scope.ts";
import { countEntries, type Direction, type Entry, limited, mergeStreams, type Stream } from "../model/logs.ts";
import { entryDifferences, limitDifferences } from "../model/log-answer.ts";
import { durationText, sumText } from "../model/query-text.ts";
import { instant, range } from "../datasets/requests.ts";
import { anchorOf, type Dataset, RUN_LABEL, SET_LABEL, store } from "../datasets/datasets.ts";
import { SPAN } from "../datasets/placing.ts";
import { readBack, visible, wholeRange } from "../datasets/read-back.ts";
import type { RelativeStream } from "../arbitraries/streams.ts";
import { selection } from "../queries/range-query.ts";

const SECOND = 1_000_000_000n;
/** Pushes at the same time, and how often: whether two overlap is a matter of milliseconds. */
const LANES = 6;
const ROUNDS = 4;
/** Streams that every push of a round is the first to push to: whether two create the same one is a matter of less. */
const FRESH = 16;

interface Writing {
  readonly anchor: bigint;
  readonly labels: (lane: number) => Record<string, string>;
  readonly matchers: Dataset["matchers"];
  readonly set: string;
}

/** Lanes that push to one stream, or each to streams of its own and one that all share. */
async function writing(scope: Scope, kind: "one" | "many"): Promise<Writing> {
  const set = `overlap-${kind}-${scope.unique()}`;
  const own = { [RUN_LABEL]: scope.run.runId, [SET_LABEL]: set };
  return {
    anchor: await anchorOf(scope),
    labels: (lane) => (kind === "one" ? own : { ...own, svc_colour: `lane ${lane}` }),
    matchers: Object.entries(own).map(([name, value]) => ({ name, operator: "=", value })),
    set,
  };
}

/** One push of a lane: two entries of its own, one to another stream besides, and one to each of the streams that begin with this round. */
function bodyOf({ anchor, labels }: Writing, round: number, lane: number): Stream[] {
  const entry = (index: number): Entry => ({
    ts: anchor + BigInt(round * LANES * 2 + lane * 2 + index) * SECOND + 7n,
    line: `overlap ${round} ${lane} ${index}`,
  });
  const first = { labels: labels(lane), entries: [entry(0), entry(1)] };
  const beside = { ...labels(lane), svc_size: "beside" };
  const fresh = Array.from({ length: FRESH }, (_, index) => ({
    labels: { ...labels(0), svc_zz: `fresh ${round} ${index}` },
    entries: [{ ...entry(0), line: `fresh ${round} ${index} ${lane}` }],
  }));
  return [first, { labels: beside, entries: [{ ...entry(1), line: `beside ${round} ${lane}` }] }, ...fresh];
}

function asDataset(
  { anchor, matchers, set }: Writing,
  streams: readonly Stream[],
  exchanges: Dataset["pushes"],
  lastWriteAt: number,
): Dataset {
  const merged = mergeStreams(streams);
  return {
    name: set,
    streams: merged,
    matchers,
    anchor,
    start: anchor - 2n * SECOND,
    end: anchor + SPAN + 2n * SECOND,
    entries: countEntries(merged),
    pushes: exchanges,
    lastWriteAt,
  };
}

/** Whether an entry is acknowledged, and not shown, that is older than what its stream holds already. */
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
  const { differences } = await readBack(asDataset(writes, streams, pushes, pushes.at(-1)?.endedAt ?? 0))(scope);
  return differences.length > 0;
}

/**
 * What was acknowledged of pushes at the same time comes back once; null where something does not, and this target shows nothing that
 * comes after what is newer: in which order such pushes arrive is not known. Throws `Inconclusive` when hardly any was answered with success.
 */
export function overlappingPushes(kind: "one" | "many"): (scope: Scope) => Promise<Assertion | null> {
  return async (scope) => {
    const writes = await writing(scope, kind);
    const held: Stream[] = [];
    const pushes: Dataset["pushes"][number][] = [];
    let lastWriteAt = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      await Promise.all(
        Array.from({ length: LANES }, async (_, lane) => {
          const streams = bodyOf(writes, round, lane);
          const exchange = await scope.logs.push(streams);
          lastWriteAt = Math.max(lastWriteAt, exchange.endedAt);
          // Later entries may be there when an earlier push arrives, which a service may refuse; and what is refused may still be stored.
          if (exchange.response === null || !isSuccess(exchange)) return;
          held.push(...streams);
          pushes.push({ ...exchange, response: exchange.response });
        }),
      );
    }
    if (pushes.length < ROUNDS) throw new Inconclusive(`only ${pushes.length} of ${ROUNDS * LANES} concurrent pushes were accepted`);
    const all = pushes.length === ROUNDS * LANES;
    const dataset = asDataset(writes, held, pushes, lastWriteAt);
    const finding = all ? await readBack(dataset)(scope) : await partly(scope, dataset);
    if (finding.differences.length > 0 && (await hidesLate(scope))) return null;
    const input = { "concurrent pushes": LANES, rounds: ROUNDS, to: kind === "one" ? "one stream" : "many streams" };
    return async () => ({ ...finding, clauses: ["logs-4.push"], input });
  };
}

/** Where some pushes were refused, only what was acknowledged must be there. */
async function partly(scope: Scope, dataset: Dataset): Promise<Finding> {
  const acknowledged = new Set(dataset.streams.flatMap(({ entries }) => entries.map(({ line }) => line)));
  return expecting({
    clauses: "logs-4.push",
    of: dataset,
    ask: range({ ...wholeRange(dataset), limit: 1_000 }),
    expect: (streams) =>
      entryDifferences(
        dataset.streams,
        streams.map(({ labels, entries }) => ({ labels, entries: entries.filter(({ line }) => acknowledged.has(line)) })),
      ),
  })(scope);
}

const READS = 2;
const MOST_TRIES = 5;

interface Begun {
  readonly writes: Writing;
  /** The entries that were pushed first. */
  readonly dataset: Dataset;
}

/** Later than all entries that were pushed first, ns. */
function edgeOf({ anchor }: Writing): bigint {
  return anchor + 21n * SECOND;
}

/** A stream of its own with its first entries. A push that was not answered for certain is made anew, to another stream. */
async function begun(scope: Scope): Promise<Begun> {
  const transport = scope.run.transport("logs");
  for (let attempt = 0; attempt < MOST_TRIES; attempt += 1) {
    if (attempt > 0) await transport.budget.pause(transport.pauseAfter(attempt - 1));
    const writes = await writing(scope, "one");
    const before: Stream = {
      labels: writes.labels(0),
      entries: Array.from({ length: 20 }, (_, index) => ({ ts: writes.anchor + BigInt(index) * SECOND + 3n, line: `before ${index}` })),
    };
    const first = await scope.logs.push([before]);
    if (!isAnswered(first) || statusOf(first) === 429 || statusOf(first) >= 500) continue;
    const alone = asDataset(writes, [before], [first], first.endedAt);
    await visible(scope, alone);
    // More is pushed from now on: what reads showed of these entries alone is not to be asked again.
    const dataset = { ...alone };
    alone.lastWriteAt = performance.now();
    return { writes, dataset };
  }
  throw new Inconclusive(`the first push to a stream was not answered in ${MOST_TRIES} attempts`);
}

/** What was there before stays there while more is pushed to the same stream; range queries and metric queries see it all the time. */
export function readsDuringPushes(clause: "logs-4.query_range" | "logs-4.query"): Assertion {
  return async (scope) => {
    const { writes, dataset } = await begun(scope);
    const edge = edgeOf(writes);
    const readsOf = clause === "logs-4.query_range" ? rangeBefore : countBefore;
    const found = await whilePushing(scope, writes, edge, readsOf(dataset, edge, clause));
    if (!found.some(isHealed)) return together(found);
    // What came late may have been a replica that had not seen the first push yet: only when nothing can be late it is the pushes.
    await scope.untilAfterWrite(dataset, scope.settle.deadlineMs);
    const settled = { ...dataset, lastWriteAt: performance.now() - scope.settle.deadlineMs - 1 };
    return together(await whilePushing(scope, writes, edge, readsOf(settled, edge, clause)));
  };
}

/** A stream that is pushed to early in a run, and again when a service may have put away what it held of it. */
export const pushedEarly: Fixture<Begun> = fixture("logs", "a stream that is pushed to again much later", begun);

/**
 * Entries that were pushed long ago, and flushed since, stay in range queries and counts once newer entries of their stream are pushed, and
 * nothing of them is counted twice. Nothing can be late any more by then. A read that is wrong before these pushes is wrong by itself.
 */
export const longAgoDuringPushes: Assertion = async (scope) => {
  const { writes, dataset } = await scope.use(pushedEarly);
  await scope.untilAfterWrite(dataset, scope.settle.deadlineMs);
  const edge = edgeOf(writes);
  const stored = await rangeBefore(dataset, edge)(scope);
  if (stored.differences.length > 0) return { ...stored, clauses: ["logs-4.query_range", "logs-4.query"] };
  const counts = (seen: Seen): Assertion[] => [countBefore(dataset, edge, "logs-4.query", seen), countThroughout(dataset, edge, seen)];
  const counted = await Promise.all(counts({}).map((count) => count(scope)));
  const wrong = counted.filter(({ differences }) => differences.length > 0);
  const right = counts(BESIDE_PUSHES).filter((_count, at) => counted[at]?.differences.length === 0);
  const reads = [rangeBefore(dataset, edge, "logs-4.query_range"), ...right];
  const all: Assertion = async (later) => together(await Promise.all(reads.map((read) => read(later))));
  // The first push already is one to a stream that has been flushed.
  return together([...wrong, ...(await whilePushing(scope, writes, edge, all, 2))]);
};

/** What was listed long ago is listed still, right after a push that brings nothing of it. */
export function listedAfterPush(of: Dataset, lists: readonly Assertion[]): Assertion {
  return async (scope) => {
    const { writes } = await scope.use(pushedEarly);
    await scope.untilAfterWrite(of, scope.settle.deadlineMs);
    await scope.logs.push([{ labels: writes.labels(0), entries: [{ ts: edgeOf(writes) + 30n * SECOND, line: "after all" }] }]);
    return together(await Promise.all(lists.map((list) => list(scope))));
  };
}

/** What a person needs to know of the moment of a read. */
interface Seen {
  readonly input?: unknown;
}

const BESIDE_PUSHES: Seen = { input: { while: "more was pushed to the same stream" } };

/** Rounds of reads beside pushes to the same stream, later than `edge`. */
async function whilePushing(scope: Scope, { labels }: Writing, edge: bigint, read: Assertion, rounds = ROUNDS): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (let round = 0; round < rounds; round += 1) {
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

/** The entries of before; with `pushing`, the clause that is broken if they are wrong while more is pushed. */
function rangeBefore(dataset: Dataset, edge: bigint, pushing?: ClauseId): Assertion {
  return expecting({
    clauses: pushing ?? "logs-4.query_range",
    of: dataset,
    ask: range({ ...wholeRange(dataset), end: edge }),
    expect: (streams) =>
      entryDifferences(dataset.streams, streams).map((one) => (pushing === undefined ? one : { ...one, clause: pushing })),
    ...(pushing === undefined ? {} : BESIDE_PUSHES),
  });
}

/** Nothing of what was there is lost from a count that takes in what is pushed meanwhile, of which it holds some or all. */
function countThroughout(dataset: Dataset, edge: bigint, seen: Seen): Assertion {
  const behind = 12n * SECOND;
  const text = sumText("count_over_time", { matchers: dataset.matchers, filters: [] }, durationText(60n * SECOND + behind));
  return (scope) =>
    expecting({
      clauses: "logs-4.query",
      of: dataset,
      ask: instant(text, edge + behind),
      expect: (samples) => {
        const total = samples.reduce((sum, { value }) => sum + value, 0);
        const expected = `the ${dataset.entries} older entries, and the entries that were pushed since`;
        return total >= dataset.entries ? [] : [{ clause: "logs-4.query", path: "data.result", expected, actual: String(total) }];
      },
      ...seen,
    })(scope);
}

function countBefore(dataset: Dataset, edge: bigint, clause: ClauseId, seen: Seen = BESIDE_PUSHES): Assertion {
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
          : [{ clause, path: "data.result", expected: `a count of ${dataset.entries} entries`, actual: String(total) }];
      },
      ...seen,
    })(scope);
}

const CLAUSE = "logs-4.1";

/** Entries at either end. */
const ENDS = 10;
/** Entries of a push in between: more than a limited read answers. */
const BETWEEN = 25;
const LIMIT_ROUNDS = 2;

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
  const pushes = Array.from({ length: LIMIT_ROUNDS }, (_, round) => between(dataset, scope.run.runId, round));
  const reads = directions.map((direction) => nearEnd(dataset, pushes, direction));
  const both: Assertion = async (later) => together(await Promise.all(reads.map((read) => read(later))));
  const findings: Finding[] = [];
  for (const stream of pushes) {
    const [beside] = await Promise.all([both(scope), scope.logs.push([stream])]);
    findings.push(beside, await both(scope));
  }
  return together(findings);
};
