/** Faults with valid inputs of the log API that clients seldom send. A legal server may refuse some of these inputs. */
import { changedResult, onPush } from "../change.ts";
import { textReply } from "../http/message.ts";
import type { PushedStream } from "../logs/ingest.ts";
import { HOUR_NS } from "../logs/hours.ts";
import { broken, fault, faultsOf } from "./define.ts";
import { SEVERAL, isFiltered, noted } from "./helpers.ts";
import type { Fault } from "./types.ts";

const MINUTE_NS = 60_000_000_000n;

/** The greatest age of data that the faulty server keeps in memory, in ns. The server looks for older entries only in its store. */
const BORDER_NS = 156n * MINUTE_NS;

const MIB = 1_024 * 1_024;
/** The maximum number of bytes that the faulty server accepts for one stream at once. */
const STREAM_BURST = 3 * MIB;
const STREAM_RATE = MIB;

export const LOGS_UNTRIED_FAULTS: readonly Fault[] = [
  ...([1_000, 4_096] as const).map((most) =>
    fault(
      "logs-4.query_range",
      `logs-limit-at-most-${most}`,
      `A limit above ${most} is read as ${most}.`,
      changedResult("parseLimit", (limit) => (limit === undefined ? undefined : Math.min(limit, most))),
    ),
  ),
  ...faultsOf("logs-4.3", {
    "logs-window-ends-now-filtered": broken("With a line filter, a window ends at the present time.", (base, { options }) => {
      const { parseQuery, fact } = noted(base, false, isFiltered);
      return {
        parseQuery,
        rangeQuery: (asked) => {
          const query = base.rangeQuery(asked);
          const now = BigInt(Math.floor(options.now())) * 1_000_000n;
          return fact() && query.end > now && query.start < now ? { ...query, end: now } : query;
        },
      };
    }),
    "logs-several-lost-at-border": broken(
      {
        clause: "logs-5.2b",
        sentence: "If a window contains the time 156 minutes ago, a range query reads only one of several tenants.",
        ...SEVERAL,
      },
      (base, { options }) => {
        let isAcross = false;
        return {
          beforeHandle: (request, route) => {
            const border = BigInt(Math.floor(options.now())) * 1_000_000n - BORDER_NS;
            const end = BigInt(request.query.get("end") ?? request.query.get("time") ?? 0);
            const start = request.query.has("end") ? BigInt(request.query.get("start") ?? 0) : end - HOUR_NS;
            isAcross = start < border && border < end;
            return base.beforeHandle(request, route);
          },
          rangeTenants: (asked, known) => base.rangeTenants(isAcross ? asked.slice(0, 1) : asked, known),
        };
      },
    ),
    "logs-push-limited-stream-dropped": broken(
      {
        clause: "logs-7.429-accepted",
        sentence: "A stream above its own rate limit is dropped. The push is answered 429 only if that is its last stream.",
        also: ["logs-4.push"],
        options: { rateLimit: { perSecond: 1_000_000, burst: 1_000_000 } },
        settings: { LOGS_EXPECT_RATE_LIMIT: "true" },
      },
      (base, { options }) => {
        const buckets = new Map<string, { left: number; atMs: number }>();
        let dropped: ReadonlySet<number> = new Set();
        const isOver = ({ labels, entries }: PushedStream): boolean => {
          const key = JSON.stringify(labels);
          const nowMs = options.now();
          const { left, atMs } = buckets.get(key) ?? { left: STREAM_BURST, atMs: nowMs };
          const filled = Math.min(STREAM_BURST, left + ((nowMs - atMs) * STREAM_RATE) / 1_000);
          const rest = filled - entries.reduce((sum, { line }) => sum + line.length, 0);
          buckets.set(key, { left: rest < 0 ? filled : rest, atMs: nowMs });
          return rest < 0;
        };
        return {
          checkPush: (request) => {
            const streams = base.parsePush(request.body);
            const over = typeof streams === "string" ? [] : streams.flatMap((stream, index) => (isOver(stream) ? [index] : []));
            dropped = new Set(over);
            const isLast = typeof streams !== "string" && dropped.has(streams.length - 1);
            return isLast ? textReply(429, "the stream is over its rate limit\n") : base.checkPush(request);
          },
          ...onPush(base, (streams) => streams.filter((_stream, index) => !dropped.has(index))),
        };
      },
    ),
  }),
];
