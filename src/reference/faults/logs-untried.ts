/** Faults of valid inputs of the log API that clients seldom send. A legal server may refuse some of these inputs. */
import type { Behaviour, ServerHandle } from "../behaviour.ts";
import { onPush } from "../change.ts";
import { textReply } from "../http/message.ts";
import type { PushedStream } from "../logs/ingest.ts";
import type { RangeQuery } from "../logs/range.ts";
import { carriedOut } from "./carried-out.ts";
import { fault, wrongResult } from "./define.ts";
import type { Fault } from "./types.ts";

const MINUTE_NS = 60_000_000_000n;

function endingNow(clause: string, id: string, sentence: string, applies: (query: RangeQuery, isFiltered: boolean) => boolean): Fault {
  return fault(clause, id, sentence, (base, { options }) => {
    const { isFiltered, parseQuery, joinParts } = carriedOut(base);
    return {
      parseQuery,
      joinParts,
      rangeQuery: (asked) => {
        const query = base.rangeQuery(asked);
        const now = BigInt(Math.floor(options.now())) * 1_000_000n;
        return query.end > now && query.start < now && applies(query, isFiltered()) ? { ...query, end: now } : query;
      },
    };
  });
}

const LIMITS: readonly Fault[] = [
  ...([1_000, 4_096] as const).map((most) =>
    wrongResult("parseLimit", "logs-4.query_range", `logs-limit-at-most-${most}`, `A limit above ${most} is read as ${most}.`, (limit) =>
      limit === undefined ? undefined : Math.min(limit, most),
    ),
  ),
  endingNow(
    "logs-4.3",
    "logs-window-ends-now-filtered",
    "With a line filter, a window ends at the present time.",
    (_query, isFiltered) => isFiltered,
  ),
];

/** The greatest age of data that the faulty server keeps in memory, in ns. The server looks for older entries only in its store. */
const BORDER_NS = 156n * MINUTE_NS;
const HOUR_NS = 60n * MINUTE_NS;

/** Returns a faulty server that reads only one of several tenants, if the window contains the border in time between memory and store. */
function lostAtBorder(path: "rangeTenants" | "instantTenants", id: string, sentence: string): Fault {
  const change = (base: Behaviour, { options }: ServerHandle): Partial<Behaviour> => {
    let isAcross = false;
    return {
      beforeHandle: (request, route) => {
        const border = BigInt(Math.floor(options.now())) * 1_000_000n - BORDER_NS;
        const end = BigInt(request.query.get("end") ?? request.query.get("time") ?? 0);
        const start = request.query.has("end") ? BigInt(request.query.get("start") ?? 0) : end - HOUR_NS;
        isAcross = start < border && border < end;
        return base.beforeHandle(request, route);
      },
      [path]: (asked: readonly string[], known: readonly string[]) => base[path](isAcross ? asked.slice(0, 1) : asked, known),
    };
  };
  const settings = { LOGS_TENANT_ID: "one", LOGS_TENANT_ID_2: "two", LOGS_MULTI_TENANT_QUERIES: "true" };
  return fault({ clause: "logs-5.2b", options: { tenancy: true }, settings }, id, sentence, change);
}

const TENANTS: readonly Fault[] = [
  lostAtBorder(
    "rangeTenants",
    "logs-several-lost-at-border",
    "If a window contains the time 156 minutes ago, a range query reads only one of several tenants.",
  ),
];

const MIB = 1_024 * 1_024;
/** The number of bytes that the faulty server accepts for one stream at once. */
const STREAM_BURST = 3 * MIB;
const STREAM_RATE = MIB;

const LIMITED_STREAMS: readonly Fault[] = [
  fault(
    {
      clause: "logs-7.429-accepted",
      also: ["logs-4.push"],
      options: { rateLimit: { perSecond: 1_000_000, burst: 1_000_000 } },
      settings: { LOGS_EXPECT_RATE_LIMIT: "true" },
    },
    "logs-push-limited-stream-dropped",
    "A stream above its own rate limit is dropped. The push is answered 429 only if that is its last stream.",
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
];

export const LOGS_UNTRIED_FAULTS: readonly Fault[] = [...LIMITS, ...TENANTS, ...LIMITED_STREAMS];
