/** Pushes until the rate limit answers 429, retries with growing waits, and reads all accepted entries. */
import { type Answered, isSuccess, statusOf } from "../client/exchange.ts";
import { Inconclusive } from "../client/inconclusive.ts";
import { pushBody, type RangeParameters } from "../client/logs.ts";
import type { LogsClauseId } from "../contract/logs.ts";
import { noise } from "../arbitraries/noise.ts";
import { expecting } from "../harness/expect.ts";
import { type Finding, together } from "../harness/finding.ts";
import type { Assertion, Scope } from "../harness/scope.ts";
import { type Difference, show, difference } from "../model/difference.ts";
import { type Entry, exactly, linesOf, type Stream } from "../model/logs.ts";
import { logQueryText, sumText } from "../model/query-text.ts";
import { SECOND } from "../model/times.ts";
import { instant, range } from "../datasets/requests.ts";
import { setLabels } from "../datasets/datasets.ts";
import { placingFor } from "../datasets/dataset-pushes.ts";

/** The maximum numbers of pushes and queries, and the share of the spare requests that they use. Each load ends after `LONGEST_MS`. */
const MOST_PUSHES = 450;
const MOST_QUERIES = 300;
const MOST_OF_SPARE = 0.6;
/** The maximum number of pushes of almost 1 MiB, which reach limits in bytes. Pushes with a large and a small stream come before them. */
const MOST_FULL = 52;
const LONGEST_MS = 20_000;
const COOL_DOWN_MS = 2_000;

/** A kind of request that a rate limit may count. The documents do not say which requests a rate limit counts. */
interface Load {
  readonly what: string;
  readonly most: number;
  /** Sends one request without retries. */
  send(lane: number, index: number): Promise<Answered>;
  /** Sends a request, and retries with growing waits after 429 or 5xx. Throws `Inconclusive` if no retry has another status. */
  again(): Promise<Answered>;
}

/** Judges the clauses about the rate limit. Throws `Inconclusive` if no kind of request reaches the limit. */
export const overloaded: Assertion = async (scope) => {
  const { anchor } = await placingFor(scope, "settled");
  const accepted: Entry[] = [];
  const volume = filling(scope, anchor);
  const failed: Answered[] = [];
  const pairs: Finding[] = [];
  for (const order of ORDERS) pairs.push(...(await whereCounted(inPairs(scope, anchor, order))));
  const loads = [pushing(scope, anchor, accepted), querying(scope, anchor), volume];
  const sent: number[] = [];
  for (const load of loads) {
    const { limited, sent: count } = await overloadUntilLimited(scope, load, failed);
    sent.push(count);
    if (limited === null) continue;
    return together([await judgeLimited(scope, load, limited), await held(accepted, wholeOverload(scope, anchor))(scope), ...pairs]);
  }
  // Instead of answering 429, a faulty service may acknowledge a push and drop its entries. The following reads notice this.
  const full = counted(scope, anchor, { ...volume.taken(), set: FULL, pushes: "large pushes" });
  const silent = together([await held(accepted, wholeOverload(scope, anchor))(scope), await full(scope), ...pairs]);
  // The documents do not say whether a query can count so many entries. So only a successful response with a too low count is a violation.
  const isSilent = silent.differences.length > 0 && silent.differences.every(({ clause }) => clause === "logs-7.429-accepted");
  if (isSilent) return silent;
  const total = sent.reduce((sum, count) => sum + count, 0);
  if (total < MOST_PUSHES + MOST_QUERIES && scope.run.spare() < MOST_PUSHES)
    throw new Inconclusive(
      `budget exhausted: MAX_REQUESTS (${scope.settings.budgets.maxRequests}) left only ${total} requests for exceeding the rate limit, and none was answered 429`,
    );
  const [pushes, queries, large] = sent;
  throw new Inconclusive(
    `the rate limit was not reached: no 429 in ${pushes} pushes, then ${queries} queries, then ${large} MiB of pushes; each of these three parts lasted at most ${LONGEST_MS} ms${meanwhile(failed)}`,
  );
};

/** Returns a text with the number of requests that were answered 5xx under load. The overload or a rate limit may be the cause. */
function meanwhile(failed: readonly Answered[]): string {
  if (failed.length === 0) return "";
  return `; ${failed.length} of these requests were answered ${[...new Set(failed.map(statusOf))].join(", ")}`;
}

/** The name of the dataset of the small pushes. */
const SMALL = "overload";

/** Returns the load of small pushes, each with one entry. Each sender has its own stream. Adds acknowledged entries to `accepted`. */
function pushing(scope: Scope, anchor: bigint, accepted: Entry[]): Load {
  const stream = (name: string, entry: Entry): Stream => ({
    labels: { ...setLabels(scope, SMALL), svc_0: name },
    entries: [entry],
  });
  return {
    what: "push",
    most: MOST_PUSHES,
    async send(lane, index) {
      const entry = { ts: anchor + BigInt(index) * 1_000_000n + BigInt(lane), line: `overload ${lane} ${index}` };
      const exchange = await scope.logs.probePush("push (overload)", pushBody([stream(`lane${lane}`, entry)]));
      if (isSuccess(exchange)) accepted.push(entry);
      return exchange;
    },
    async again() {
      // The stream exists already, so the result of the push depends only on the rate.
      const { exchanges } = await scope.logs.store((attempt) => [
        [stream("lane0", { ts: anchor + BigInt(MOST_PUSHES + attempt) * 1_000_000n, line: `again ${attempt}` })],
      ]);
      return lastOf(exchanges);
    },
  };
}

function lastOf(exchanges: readonly Answered[]): Answered {
  const last = exchanges.at(-1);
  if (last === undefined) throw new Inconclusive("no push was sent after the overload check had caused 429");
  return last;
}

const FULL_LINE = 4_000;
const FULL_LINES = 240;
/** The name of the dataset of the large pushes. */
const FULL = "overload-full";

/** The number of lines of the large stream in each push. A large push, or several pushes together, exceed a limit per stream. */
const PAIR_LINES = [15, 60, FULL_LINES, FULL_LINES, FULL_LINES, FULL_LINES, FULL_LINES] as const;
/** The orders of the two streams in a push. A service may check streams one by one, and answer only with the result of the last. */
const ORDERS = ["large first", "small first"] as const;

/** Returns entries in consecutive nanoseconds, from `second` seconds after the anchor on. */
function entriesAt(anchor: bigint, second: number, count: number, line: (index: number) => string): Entry[] {
  return Array.from({ length: count }, (_, index) => ({ ts: anchor + BigInt(second) * SECOND + BigInt(index), line: line(index) }));
}

/** Resolves to the finding about the number of entries. If the count is refused or fails, it proves nothing, and there is no finding. */
async function whereCounted(pushed: Promise<Finding>): Promise<Finding[]> {
  try {
    const finding = await pushed;
    return finding.differences.every(({ clause }) => clause === "logs-7.429-accepted") ? [finding] : [];
  } catch (error) {
    if (error instanceof Inconclusive) return [];
    throw error;
  }
}

/** Pushes a large and a small stream until a refusal, and counts the acknowledged entries. Only the large stream can exceed a limit. */
async function inPairs(scope: Scope, anchor: bigint, order: (typeof ORDERS)[number]): Promise<Finding> {
  const set = `overload-pairs-${order.replace(" ", "-")}`;
  const stream = (name: string, push: number, lines: number, length: number): Stream => ({
    labels: { ...setLabels(scope, set), svc_0: name },
    entries: entriesAt(anchor, push + 1, lines, (index) => `${name} ${push} ${noise(push * FULL_LINES + index, length)}`),
  });
  let entries = 0;
  let last: Answered | undefined;
  for (const [push, lines] of PAIR_LINES.entries()) {
    const pair = [stream("large", push, lines, FULL_LINE), stream("small", push, 1, 10)];
    last = await scope.logs.probePush(`push (${order})`, pushBody(order === "large first" ? pair : pair.toReversed()));
    if (!isSuccess(last)) break;
    entries += lines + 1;
  }
  const pushes = `pushes of a large and a small stream, ${order},`;
  const finding = await counted(scope, anchor, { entries, seconds: PAIR_LINES.length + 2, set, pushes })(scope);
  return last === undefined ? finding : { ...finding, exchanges: [...finding.exchanges, last] };
}

interface Volume extends Load {
  /** The number of acknowledged entries, and the length in seconds of the window that contains them. */
  taken(): { readonly entries: number; readonly seconds: number };
}

/** Returns the load of large pushes, for limits in bytes. A query counts the entries, because reading takes as long as pushing. */
function filling(scope: Scope, anchor: bigint): Volume {
  let sent = 0;
  let taken = 0;
  const body = (name: string): Stream[] => {
    sent += 1;
    const entries = entriesAt(anchor, sent, FULL_LINES, (index) => noise(sent * FULL_LINES + index, FULL_LINE));
    return [{ labels: { ...setLabels(scope, FULL), svc_0: name }, entries }];
  };
  return {
    what: "push",
    most: MOST_FULL,
    async send(lane) {
      const exchange = await scope.logs.probePush("push (overload by volume)", pushBody(body(`lane${lane}`)));
      if (isSuccess(exchange)) taken += FULL_LINES;
      return exchange;
    },
    taken: () => ({ entries: taken, seconds: sent + 2 }),
    async again() {
      // Each attempt pushes almost 1 MiB. So there is a wait before the first attempt, until the rate of pushes is low again.
      await scope.run.pause(COOL_DOWN_MS);
      const { exchanges } = await scope.logs.store(() => [body("lane0")]);
      return lastOf(exchanges);
    },
  };
}

interface Counted extends ReturnType<Volume["taken"]> {
  readonly set: string;
  readonly pushes: string;
}

/** Returns an assertion that a metric query counts all entries of acknowledged pushes. */
function counted(scope: Scope, anchor: bigint, { set, pushes, entries, seconds }: Counted): Assertion {
  const query = sumText("count_over_time", { matchers: exactly(setLabels(scope, set)), filters: [] }, `${seconds}s`);
  return expecting({
    clauses: "logs-7.429-accepted",
    of: { name: set, lastWriteAt: performance.now() },
    ask: instant(query, anchor + BigInt(seconds) * SECOND),
    expect: (samples) => {
      const there = samples.reduce((sum, { value }) => sum + value, 0);
      const expected = `all ${entries} entries of ${pushes} that were accepted`;
      return there >= entries ? [] : [difference("logs-7.429-accepted", "data.result", expected, `${there} entries`, "too-few")];
    },
  });
}

function querying(scope: Scope, anchor: bigint): Load {
  const parameters = { ...wholeOverload(scope, anchor), limit: 1 };
  return {
    what: "query",
    most: MOST_QUERIES,
    send: () => scope.logs.probeRange("query_range (overload)", parameters),
    again: () => scope.logs.queryRange(parameters),
  };
}

interface Loaded {
  /** The response that shows that the limit is exceeded, or null if no response shows this. */
  readonly limited: Answered | null;
  readonly sent: number;
}

/** Several senders send requests until a response shows that the limit is exceeded. 5xx responses are added to `failed`. */
async function overloadUntilLimited(scope: Scope, load: Load, failed: Answered[]): Promise<Loaded> {
  const ends = performance.now() + LONGEST_MS;
  const most = Math.min(load.most, Math.floor(MOST_OF_SPARE * scope.run.spare()));
  let sent = 0;
  let limited: Answered | null = null;
  const lane = async (which: number): Promise<void> => {
    for (let index = 0; limited === null && sent < most && performance.now() < ends; index += 1) {
      sent += 1;
      const exchange = await load.send(which, index);
      // The overload itself may cause a 5xx. The limit causes any other refusal, because the same request was accepted before.
      if (statusOf(exchange) >= 500) failed.push(exchange);
      else if (!isSuccess(exchange)) limited ??= exchange;
    }
  };
  await Promise.all(Array.from({ length: scope.settings.transport.concurrency }, (_, which) => lane(which)));
  return { limited, sent };
}

async function judgeLimited(scope: Scope, load: Load, limited: Answered): Promise<Finding> {
  const isLimit = statusOf(limited) === 429;
  if (!isLimit) await scope.run.pause(COOL_DOWN_MS);
  const recovered = await load.again();
  const finding = { clauses: ["logs-7.429", "logs-7.429-recovery"], exchanges: [limited, recovered] } as const;
  if (isLimit) {
    if (isSuccess(recovered)) return { ...finding, differences: [], held: finding.clauses };
    const differences = wrongStatus("logs-7.429-recovery", "success after retries with growing waits", load, recovered);
    return { ...finding, differences, held: ["logs-7.429"] };
  }
  // If the same request succeeds later, the number of requests was the reason for this status.
  if (!isSuccess(recovered)) throw new Inconclusive(`a ${load.what} was answered ${statusOf(limited)} under load, and also afterwards`);
  const differences = wrongStatus("logs-7.429", "429 when the rate limit is exceeded", load, limited);
  return { ...finding, differences, held: ["logs-7.429-recovery"] };
}

function wrongStatus(clause: LogsClauseId, expected: string, { what }: Load, answer: Answered): Difference[] {
  return [difference(clause, `status of a ${what}`, expected, `status ${statusOf(answer)}`, "status")];
}

function wholeOverload(scope: Scope, anchor: bigint): RangeParameters {
  const query = logQueryText({ matchers: exactly(setLabels(scope, SMALL)), filters: [] });
  return { query, start: anchor - SECOND, end: anchor + 600n * SECOND };
}

/** All acknowledged entries must be returned. Other entries may be returned too, because a refused push may still be stored. */
function held(accepted: readonly Entry[], whole: RangeParameters): Assertion {
  return expecting({
    clauses: "logs-7.429-accepted",
    of: { name: SMALL, lastWriteAt: performance.now() },
    ask: range({ ...whole, limit: 1_000 }),
    expect: (streams) => {
      const came = linesOf(streams);
      const lost = accepted.filter(({ line }) => !came.has(line));
      const expected = `all ${accepted.length} entries of pushes that were accepted before the first 429`;
      const actual = `${lost.length} of these entries are missing; the first is ${show(lost[0]?.line)}`;
      return lost.length === 0 ? [] : [difference("logs-7.429-accepted", "data.result", expected, actual, "too-few")];
    },
  });
}
