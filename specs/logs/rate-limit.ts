/** docs/2 section 7, 429: overload until the limit answers, then recover with growing waits; nothing accepted is lost. */
import { type Exchange, isSuccess, statusOf } from "../../src/client/exchange.ts";
import { pushBody } from "../../src/client/logs.ts";
import type { Check } from "../../src/harness/check.ts";
import type { CheckContext } from "../../src/harness/context.ts";
import type { Entry } from "../../src/model/logs.ts";
import { departures } from "../../src/model/log-answer.ts";
import { logQueryText } from "../../src/model/query-text.ts";
import { streamsOf } from "./answers.ts";
import { hello, logsCheck } from "./check.ts";
import { anchorOf, RUN_LABEL, SET_LABEL } from "./datasets.ts";

/** The overload ends after this many requests or this long, whichever comes first. */
const MOST_REQUESTS = 900;
const LONGEST_MS = 20_000;
const COOL_DOWN_MS = 2_000;

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
    const limited = await overloadUntilLimited(t, anchor, accepted);
    if (limited === null) return t.inconclusive(`no 429 within ${MOST_REQUESTS} requests: the rate limit could not be provoked`);
    if (statusOf(limited) !== 429) {
      // The same request succeeds again later, so it was the number of requests that was answered so.
      await t.run.pause(COOL_DOWN_MS);
      const later = await t.logs.labels();
      if (!isSuccess(later)) return t.inconclusive(`under load requests are answered ${statusOf(limited)}, and still afterwards`);
      t.judge(
        "logs-7.429",
        [{ clause: "logs-7.429", path: "status", expected: "429 when the rate limit is exceeded", actual: `status ${statusOf(limited)}` }],
        { exchanges: [limited, later] },
      );
      return;
    }
    // Reads wait with growing pauses while they are answered 429; a limit that never ends rejects here as inconclusive.
    const recovered = await t.logs.labels();
    t.judge(
      "logs-7.429",
      isSuccess(recovered)
        ? []
        : [{ clause: "logs-7.429", path: "status", expected: "success after waiting", actual: `status ${statusOf(recovered)}` }],
      { exchanges: [limited, recovered] },
    );
    await judgeKept(t, accepted, anchor);
  },
});

function matchersOf(t: CheckContext): { name: string; operator: "="; value: string }[] {
  return [
    { name: RUN_LABEL, operator: "=", value: t.run.runId },
    { name: SET_LABEL, operator: "=", value: "overload" },
  ];
}

/** Pushes one entry at a time into streams of their own until a push is answered 429; null when none was. */
async function overloadUntilLimited(t: CheckContext, anchor: bigint, accepted: Entry[]): Promise<Exchange | null> {
  const ends = performance.now() + LONGEST_MS;
  let sent = 0;
  let limited: Exchange | null = null;
  const lane = async (which: number): Promise<void> => {
    for (let index = 0; limited === null && sent < MOST_REQUESTS && performance.now() < ends; index += 1) {
      sent += 1;
      const entry = { ts: anchor + BigInt(index) * 1_000_000n + BigInt(which), line: `overload ${which} ${index}` };
      const body = pushBody([{ labels: { [RUN_LABEL]: t.run.runId, [SET_LABEL]: "overload", svc_0: `lane${which}` }, entries: [entry] }]);
      const exchange = await t.logs.probePush("push (overload)", body);
      if (isSuccess(exchange)) accepted.push(entry);
      // A 5xx may be the overload itself; every other refusal of what was accepted a moment ago is the limit's answer.
      else if (statusOf(exchange) < 500) limited ??= exchange;
    }
  };
  await Promise.all(Array.from({ length: t.settings.transport.concurrency }, (_, which) => lane(which)));
  return limited;
}

async function judgeKept(t: CheckContext, accepted: readonly Entry[], anchor: bigint): Promise<void> {
  const query = logQueryText({ matchers: matchersOf(t), filters: [] });
  const resource = { name: "overload", lastWriteAt: performance.now() };
  const { differences, sightings } = await t.eventually({
    resource,
    read: () => t.logs.queryRange({ query, start: anchor - 1_000_000_000n, end: anchor + 600_000_000_000n, limit: 1_000 }),
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
