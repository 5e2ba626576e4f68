/** Pushes until the rate limit answers 429, recovers with growing waits, and reads back everything that was accepted. */
import { type Answered, isSuccess, statusOf } from "../client/exchange.ts";
import { Inconclusive } from "../client/inconclusive.ts";
import { pushBody, type RangeParameters } from "../client/logs.ts";
import type { LogsClauseId } from "../contract/logs.ts";
import { noise } from "../arbitraries/noise.ts";
import { expecting } from "../harness/expect.ts";
import { type Finding, together } from "../harness/finding.ts";
import type { Assertion, Scope } from "../harness/scope.ts";
import { type Difference, show } from "../model/difference.ts";
import type { Entry, Stream } from "../model/logs.ts";
import { logQueryText } from "../model/query-text.ts";
import { instant, range } from "../datasets/requests.ts";
import { anchorOf, RUN_LABEL, SET_LABEL } from "../datasets/datasets.ts";

/** One kind of request ends after this many or this long, whichever comes first; a release run has room for both. */
const MOST_PUSHES = 450;
const MOST_QUERIES = 300;
/** Pushes of nearly a MiB each: real limits count bytes, several MiB a second of them. The pairs before them take ten more. */
const MOST_FULL = 52;
const LONGEST_MS = 20_000;
const COOL_DOWN_MS = 2_000;

/** One kind of request that a limit may count; which ones it does is not shown. */
interface Load {
  readonly what: string;
  readonly most: number;
  /** Sends one, once. */
  send(lane: number, index: number): Promise<Answered>;
  /** Sends one and waits longer and longer while it is answered 429 or 5xx; throws `Inconclusive` when that never ends. */
  again(): Promise<Answered>;
}

/** Throws `Inconclusive` when the limit cannot be provoked. */
export const overloaded: Assertion = async (scope) => {
  const anchor = await anchorOf(scope);
  const accepted: Entry[] = [];
  const volume = filling(scope, anchor);
  const failed: Answered[] = [];
  const pairs: Finding[] = [];
  for (const order of ORDERS) pairs.push(...(await whereCounted(inPairs(scope, anchor, order))));
  for (const load of [pushing(scope, anchor, accepted), querying(scope, anchor), volume]) {
    const limited = await overloadUntilLimited(scope, load, failed);
    if (limited === null) continue;
    return together([await judgeLimited(scope, load, limited), await held(accepted, wholeOverload(scope, anchor))(scope), ...pairs]);
  }
  // A limit that drops what it takes with success is seen by what is missing.
  const full = counted(scope, anchor, { ...volume.taken(), set: FULL, pushes: "large pushes" });
  const silent = together([await held(accepted, wholeOverload(scope, anchor))(scope), await full(scope), ...pairs]);
  // Whether so much can be counted in one query is not stated: only an answer that counts too little tells.
  const isSilent = silent.differences.length > 0 && silent.differences.every(({ clause }) => clause === "logs-7.429-accepted");
  if (isSilent) return silent;
  throw new Inconclusive(
    `the rate limit was not reached: no 429 in ${MOST_PUSHES} pushes, ${MOST_QUERIES} queries and ${MOST_FULL} MiB of pushes, each for at most ${LONGEST_MS} ms${meanwhile(failed)}`,
  );
};

/** What was answered 5xx under load: it may be the overload, or a limit that does not say so. */
function meanwhile(failed: readonly Answered[]): string {
  if (failed.length === 0) return "";
  return `; ${failed.length} of these requests were answered ${[...new Set(failed.map(statusOf))].join(", ")}`;
}

/** Pushes of one entry each into streams of their own; what the service takes is added to `accepted`. */
function pushing(scope: Scope, anchor: bigint, accepted: Entry[]): Load {
  const stream = (name: string, entry: Entry): Stream => ({
    labels: { [RUN_LABEL]: scope.run.runId, [SET_LABEL]: "overload", svc_0: name },
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
      // Into a stream that was pushed to before: it is the rate that is to have changed, and nothing else.
      const { exchanges } = await scope.logs.store((attempt) => [
        [stream("lane0", { ts: anchor + BigInt(MOST_PUSHES + attempt) * 1_000_000n, line: `again ${attempt}` })],
      ]);
      const last = exchanges.at(-1);
      if (last === undefined) throw new Inconclusive("no push was sent after the overload");
      return last;
    },
  };
}

const FULL_LINE = 4_000;
const FULL_LINES = 240;
/** The set of the pushes that are large. */
const FULL = "overload-full";

/** Lines of the larger stream of each push: a limit for one stream is met in one of these, or by some of them together. */
const PAIR_LINES = [15, 60, FULL_LINES, FULL_LINES, FULL_LINES, FULL_LINES, FULL_LINES] as const;
/** Which stream of a push comes first: a service that checks one stream after the other may answer for the last of them. */
const ORDERS = ["large first", "small first"] as const;

/** A finding about the number of entries; none where so much is not counted or not answered, which says nothing of what was stored. */
async function whereCounted(pushed: Promise<Finding>): Promise<Finding[]> {
  try {
    const finding = await pushed;
    return finding.differences.every(({ clause }) => clause === "logs-7.429-accepted") ? [finding] : [];
  } catch (error) {
    if (error instanceof Inconclusive) return [];
    throw error;
  }
}

/**
 * Pushes a large and a small stream together until a push is refused, and counts the entries of the pushes that were answered with
 * success. A limit for each stream is met by the larger stream alone.
 */
async function inPairs(scope: Scope, anchor: bigint, order: (typeof ORDERS)[number]): Promise<Finding> {
  const set = `overload-pairs-${order.replace(" ", "-")}`;
  const stream = (name: string, push: number, lines: number, length: number): Stream => ({
    labels: { [RUN_LABEL]: scope.run.runId, [SET_LABEL]: set, svc_0: name },
    entries: Array.from({ length: lines }, (_, index) => ({
      ts: anchor + BigInt(push + 1) * 1_000_000_000n + BigInt(index),
      line: `${name} ${push} ${noise(push * FULL_LINES + index, length)}`,
    })),
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
  /** How many entries were taken with success, and the window that they lie in. */
  taken(): { readonly entries: number; readonly seconds: number };
}

/** Pushes that are large, for limits that count bytes. What they store is counted and not read: it would be read as long as it was pushed. */
function filling(scope: Scope, anchor: bigint): Volume {
  let sent = 0;
  let taken = 0;
  const body = (name: string): Stream[] => {
    sent += 1;
    const labels = { [RUN_LABEL]: scope.run.runId, [SET_LABEL]: FULL, svc_0: name };
    const entries = Array.from({ length: FULL_LINES }, (_, index) => ({
      ts: anchor + BigInt(sent) * 1_000_000_000n + BigInt(index),
      line: noise(sent * FULL_LINES + index, FULL_LINE),
    }));
    return [{ labels, entries }];
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
      // Each try takes nearly a MiB of what the run may push.
      await scope.run.pause(COOL_DOWN_MS);
      const { exchanges } = await scope.logs.store(() => [body("lane0")]);
      const last = exchanges.at(-1);
      if (last === undefined) throw new Inconclusive("no push was sent after the overload");
      return last;
    },
  };
}

/** The number of entries that pushes of a set must have stored, and the window around them. */
interface Counted extends ReturnType<Volume["taken"]> {
  readonly set: string;
  readonly pushes: string;
}

/** All entries of pushes that were answered with success are counted by a metric query. */
function counted(scope: Scope, anchor: bigint, { set, pushes, entries, seconds }: Counted): Assertion {
  const query = `sum(count_over_time({${RUN_LABEL}="${scope.run.runId}", ${SET_LABEL}="${set}"}[${seconds}s]))`;
  return expecting({
    clauses: "logs-7.429-accepted",
    of: { name: set, lastWriteAt: performance.now() },
    ask: instant(query, anchor + BigInt(seconds) * 1_000_000_000n),
    expect: (samples) => {
      const there = samples.reduce((sum, { value }) => sum + value, 0);
      return there >= entries
        ? []
        : [
            {
              clause: "logs-7.429-accepted",
              path: "data.result",
              expected: `all ${entries} entries of ${pushes} that were accepted`,
              actual: `${there} entries`,
            },
          ];
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

/** Sends one after the other in every lane until one is answered that the limit is exceeded; null when none was. 5xx go to `failed`. */
async function overloadUntilLimited(scope: Scope, load: Load, failed: Answered[]): Promise<Answered | null> {
  const ends = performance.now() + LONGEST_MS;
  let sent = 0;
  let limited: Answered | null = null;
  const lane = async (which: number): Promise<void> => {
    for (let index = 0; limited === null && sent < load.most && performance.now() < ends; index += 1) {
      sent += 1;
      const exchange = await load.send(which, index);
      // A 5xx may be the overload itself; every other refusal of what was accepted a moment ago is the limit's answer.
      if (statusOf(exchange) >= 500) failed.push(exchange);
      else if (!isSuccess(exchange)) limited ??= exchange;
    }
  };
  await Promise.all(Array.from({ length: scope.settings.transport.concurrency }, (_, which) => lane(which)));
  return limited;
}

async function judgeLimited(scope: Scope, load: Load, limited: Answered): Promise<Finding> {
  const isLimit = statusOf(limited) === 429;
  if (!isLimit) await scope.run.pause(COOL_DOWN_MS);
  const recovered = await load.again();
  const finding = { clauses: ["logs-7.429", "logs-7.429-recovery"], exchanges: [limited, recovered] } as const;
  if (isLimit) {
    const differences = isSuccess(recovered)
      ? []
      : wrongStatus("logs-7.429-recovery", "success after retries with growing waits", load, recovered);
    return { ...finding, differences, held: differences.length === 0 ? finding.clauses : ["logs-7.429"] };
  }
  // The same request succeeds again later, so it was the number of requests that was answered so.
  if (!isSuccess(recovered)) throw new Inconclusive(`a ${load.what} was answered ${statusOf(limited)} under load, and also afterwards`);
  const differences = wrongStatus("logs-7.429", "429 when the rate limit is exceeded", load, limited);
  return { ...finding, differences, held: ["logs-7.429-recovery"] };
}

function wrongStatus(clause: LogsClauseId, expected: string, { what }: Load, answer: Answered): Difference[] {
  return [{ clause, path: `status of a ${what}`, expected, actual: `status ${statusOf(answer)}` }];
}

/** Everything that the overload pushes. */
function wholeOverload(scope: Scope, anchor: bigint): RangeParameters {
  const matchers = [
    { name: RUN_LABEL, operator: "=", value: scope.run.runId },
    { name: SET_LABEL, operator: "=", value: "overload" },
  ] as const;
  return { query: logQueryText({ matchers, filters: [] }), start: anchor - 1_000_000_000n, end: anchor + 600_000_000_000n };
}

/** A refused push may still have stored its entries, so only what was accepted must be there. */
function held(accepted: readonly Entry[], whole: RangeParameters): Assertion {
  return expecting({
    clauses: "logs-7.429-accepted",
    of: { name: "overload", lastWriteAt: performance.now() },
    ask: range({ ...whole, limit: 1_000 }),
    expect: (streams) => {
      const came = new Set(streams.flatMap(({ entries }) => entries.map(({ line }) => line)));
      const lost = accepted.filter(({ line }) => !came.has(line));
      const [first] = lost;
      return first === undefined
        ? []
        : [
            {
              clause: "logs-7.429-accepted",
              path: "data.result",
              expected: `all ${accepted.length} entries of pushes that were accepted before the first 429`,
              actual: `${lost.length} of these entries are missing; the first is ${show(first.line)}`,
            },
          ];
    },
  });
}
