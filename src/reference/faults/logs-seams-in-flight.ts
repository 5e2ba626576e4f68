/** Faults of servers that give different concurrent reads the same response, because they do not compare all parts of the requests. */
import { type HttpRequest, isSuccessful, type Operation, type Reply } from "../http/message.ts";
import { broken, faultsOf, type Row, type Told } from "./define.ts";
import { isFiltered, noted, tenantsOf, TENANTS } from "./helpers.ts";
import type { Fault } from "./types.ts";

/** The duration of a read of a faulty server, in ms. */
const TAKES_MS = 12;

/** A fault: concurrent reads with the same key get the same response. A read without a key gets its own response. */
function shared(told: Told, operation: Operation, keyOf: (request: HttpRequest, reply: Reply) => string | undefined): Row {
  return broken(told, (base) => {
    const going = new Map<string, { readonly until: number; readonly reply: Reply }>();
    return {
      respond: (given, request, route) => {
        const reply = base.respond(given, request, route);
        const key = route?.operation === operation && isSuccessful(reply) ? keyOf(request, reply) : undefined;
        if (key === undefined) return reply;
        const now = performance.now();
        const other = going.get(key);
        if (other !== undefined && now < other.until) return { ...other.reply, delayMs: other.until - now };
        going.set(key, { until: now + TAKES_MS, reply });
        return { ...reply, delayMs: (reply.delayMs ?? 0) + TAKES_MS };
      },
    };
  });
}

/** Returns a function that makes the key of a request from its tenant and all its parameters except `names`. */
function without(...names: readonly string[]): (request: HttpRequest) => string {
  return (request) => {
    const told = [...request.query].filter(([name]) => !names.includes(name)).map(([name, value]) => `${name}=${value}`);
    return [tenantsOf(request), ...told].join("\n");
  };
}

/** A response of at least this number of characters takes the faulty server some time to build. */
const LONG_ANSWER = 20_000;

function isLong({ body }: Reply): boolean {
  return body.kind === "json" && JSON.stringify(body.value).length > LONG_ANSWER;
}

function hasFilter({ query }: HttpRequest): boolean {
  return query.get("query")?.includes("|=") === true;
}

const RANGE = "logs.query_range";
const INSTANT = "logs.query";

export const LOGS_SEAM_IN_FLIGHT_FAULTS: readonly Fault[] = faultsOf("logs-4.query", {
  "logs-seam-in-flight-wanted": broken(
    {
      clause: "logs-4.3",
      sentence: "A filtered query over several hours returns no more entries than the limit of a concurrent filtered query.",
      also: ["logs-4.1"],
    },
    (base) => {
      let going: { readonly until: number; readonly limit: number }[] = [];
      let parts = 1;
      const { parseQuery, fact } = noted(base, false, isFiltered);
      return {
        parseQuery,
        joinParts: (answers, reading) => {
          if (reading.path === "range") parts = answers.length;
          return base.joinParts(answers, reading);
        },
        pick: (streams, limit, direction) => {
          if (parts === 1 || !fact()) return base.pick(streams, limit, direction);
          const now = performance.now();
          going = [...going.filter(({ until }) => until > now), { until: now + TAKES_MS, limit }];
          return base.pick(streams, Math.min(...going.map((one) => one.limit)), direction);
        },
      };
    },
  ),
  "logs-seam-in-flight-limit": shared(
    { clause: "logs-4.query_range", sentence: "Concurrent range queries that differ only in their limit get the same response." },
    RANGE,
    without("limit"),
  ),
  "logs-seam-in-flight-direction": shared(
    { clause: "logs-4.1", sentence: "Concurrent range queries that differ only in their direction get the same response." },
    RANGE,
    without("direction"),
  ),
  "logs-seam-in-flight-window": shared(
    { clause: "logs-4.query_range", sentence: "Concurrent range queries that differ only in their window get the same response." },
    RANGE,
    without("start", "end"),
  ),
  "logs-seam-in-flight-filter": shared(
    { clause: "logs-4.3", sentence: "Concurrent range queries that differ only in their line filters get the same response." },
    RANGE,
    (request) => `${without("query")(request)}\n${/^[^}]*/.exec(request.query.get("query") ?? "")?.[0] ?? ""}`,
  ),
  "logs-seam-in-flight-time": shared(
    "Concurrent metric queries that differ only in their time get the same response.",
    INSTANT,
    without("time"),
  ),
  "logs-seam-in-flight-metric": shared(
    "Concurrent metric queries with the same selector and time get the same response.",
    INSTANT,
    (request) => `${without("query")(request)}\n${/\{.*\}/.exec(request.query.get("query") ?? "")?.[0] ?? ""}`,
  ),
  ...Object.fromEntries(
    [false, true].map((filtered) => [
      `logs-seam-in-flight-tenant-long${filtered ? "-filtered" : ""}`,
      shared(
        {
          clause: "logs-5.2a",
          sentence: `If two tenants send the same long range query ${filtered ? "with" : "without"} a line filter concurrently, both get the same response.`,
          ...TENANTS,
        },
        RANGE,
        (request, reply) => (isLong(reply) && hasFilter(request) === filtered ? request.query.toString() : undefined),
      ),
    ]),
  ),
});
