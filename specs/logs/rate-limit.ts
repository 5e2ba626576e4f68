/** docs/2 section 7, 429: overload until the limit answers, then recover with growing waits; nothing accepted is lost. */
import { type Answered, isSuccess, statusOf } from "../../src/client/exchange.ts";
import { pushBody, type RangeParameters } from "../../src/client/logs.ts";
import type { Check } from "../../src/harness/check.ts";
import type { CheckContext } from "../../src/harness/context.ts";
import type { Difference } from "../../src/model/difference.ts";
import type { Entry, Stream } from "../../src/model/logs.ts";
import { departures } from "../../src/model/log-answer.ts";
import { logQueryText } from "../../src/model/query-text.ts";
import { streamsOf } from "./answers.ts";
import { hello, logsCheck } from "./check.ts";
import { anchorOf, RUN_LABEL, SET_LABEL } from "./datasets.ts";

/** One kind of request ends after this many or this long, whichever comes first; a release run has room for both. */
const MOST_PUSHES = 900;
const MOST_QUERIES = 500;
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

const overload = logsCheck({
  slug: "overload-and-recover",
  title: "too many requests are answered 429, and after growing waits requests succeed again",
  clauses: ["logs-7.429"],
  phase: "alone",
  profiles: ["release", "nightly"],
  unless: ({ logs }) => (logs?.expectRateLimit === true ? null : "LOGS_EXPECT_RATE_LIMIT is not set"),
  async run(t) {
    await t.use(hello);
    const anchor = await anchorOf(t);
    const accepted: Entry[] = [];
    for (const load of [pushing(t, anchor, accepted), querying(t, anchor)]) {
      const limited = await overloadUntilLimited(t, load);
      if (limited === null) continue;
      await judgeLimited(t, load, limited);
      return judgeKept(t, accepted, anchor);
    }
    t.inconclusive(
      `no 429 within ${MOST_PUSHES} pushes and ${MOST_QUERIES} queries, or ${LONGEST_MS} ms of each: the rate limit could not be provoked`,
    );
  },
});

/** Pushes of one entry each into streams of their own; what the service takes is added to `accepted`. */
function pushing(t: CheckContext, anchor: bigint, accepted: Entry[]): Load {
  const stream = (name: string, entry: Entry): Stream => ({
    labels: { [RUN_LABEL]: t.run.runId, [SET_LABEL]: "overload", svc_0: name },
    entries: [entry],
  });
  return {
    what: "push",
    most: MOST_PUSHES,
    async send(lane, index) {
      const entry = { ts: anchor + BigInt(index) * 1_000_000n + BigInt(lane), line: `overload ${lane} ${index}` };
      const exchange = await t.logs.probePush("push (overload)", pushBody([stream(`lane${lane}`, entry)]));
      if (isSuccess(exchange)) accepted.push(entry);
      return exchange;
    },
    async again() {
      // Into a stream that was pushed to before: it is the rate that is to have changed, and nothing else.
      const { exchanges } = await t.logs.store((attempt) => [
        [stream("lane0", { ts: anchor + BigInt(MOST_PUSHES + attempt) * 1_000_000n, line: `again ${attempt}` })],
      ]);
      return exchanges.at(-1) ?? t.inconclusive("no push was sent after the overload");
    },
  };
}

function querying(t: CheckContext, anchor: bigint): Load {
  const parameters = { ...wholeOverload(t, anchor), limit: 1 };
  return {
    what: "query",
    most: MOST_QUERIES,
    send: () => t.logs.probeRange("query_range (overload)", parameters),
    again: () => t.logs.queryRange(parameters),
  };
}

/** Sends one after the other in every lane until one is answered that the limit is exceeded; null when none was. */
async function overloadUntilLimited(t: CheckContext, load: Load): Promise<Answered | null> {
  const ends = performance.now() + LONGEST_MS;
  let sent = 0;
  let limited: Answered | null = null;
  const lane = async (which: number): Promise<void> => {
    for (let index = 0; limited === null && sent < load.most && performance.now() < ends; index += 1) {
      sent += 1;
      const exchange = await load.send(which, index);
      // A 5xx may be the overload itself; every other refusal of what was accepted a moment ago is the limit's answer.
      if (!isSuccess(exchange) && statusOf(exchange) < 500) limited ??= exchange;
    }
  };
  await Promise.all(Array.from({ length: t.settings.transport.concurrency }, (_, which) => lane(which)));
  return limited;
}

async function judgeLimited(t: CheckContext, load: Load, limited: Answered): Promise<void> {
  const isLimit = statusOf(limited) === 429;
  if (!isLimit) await t.run.pause(COOL_DOWN_MS);
  const recovered = await load.again();
  const exchanges = [limited, recovered];
  if (isLimit) {
    return t.judge("logs-7.429", isSuccess(recovered) ? [] : wrongStatus("success after waiting", load, recovered), {
      exchanges,
    });
  }
  // The same request succeeds again later, so it was the number of requests that was answered so.
  if (!isSuccess(recovered)) return t.inconclusive(`under load a ${load.what} is answered ${statusOf(limited)}, and still afterwards`);
  t.judge("logs-7.429", wrongStatus("429 when the rate limit is exceeded", load, limited), { exchanges });
}

function wrongStatus(expected: string, { what }: Load, answer: Answered): Difference[] {
  return [{ clause: "logs-7.429", path: `status of a ${what}`, expected, actual: `status ${statusOf(answer)}` }];
}

/** Everything that the overload pushes. */
function wholeOverload(t: CheckContext, anchor: bigint): RangeParameters {
  const matchers = [
    { name: RUN_LABEL, operator: "=", value: t.run.runId },
    { name: SET_LABEL, operator: "=", value: "overload" },
  ] as const;
  return { query: logQueryText({ matchers, filters: [] }), start: anchor - 1_000_000_000n, end: anchor + 600_000_000_000n };
}

async function judgeKept(t: CheckContext, accepted: readonly Entry[], anchor: bigint): Promise<void> {
  const resource = { name: "overload", lastWriteAt: performance.now() };
  const { differences, sightings } = await t.eventually({
    resource,
    read: () => t.logs.queryRange({ ...wholeOverload(t, anchor), limit: 1_000 }),
    judge: (exchange) => {
      const { streams, differences: malformed } = streamsOf(exchange);
      if (streams === null) return malformed;
      const came = new Set(streams.flatMap(({ entries }) => entries.map(({ line }) => line)));
      const kept = [{ labels: {}, entries: accepted.filter(({ line }) => came.has(line)) }];
      // A refused push may still have stored its entries, so only what was accepted must be there.
      return accepted.every(({ line }) => came.has(line))
        ? []
        : departures([{ labels: {}, entries: accepted }], kept).map((one) => ({ ...one, clause: "logs-7.429" }));
    },
  });
  t.judge("logs-7.429", differences, { sightings });
}

export const RATE_LIMIT_CHECKS: readonly Check[] = [overload];
