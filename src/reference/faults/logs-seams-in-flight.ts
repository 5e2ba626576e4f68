/** Faults of concurrent reads that share one response, although they differ in a part that the key lacks. */
import { type HttpRequest, isSuccessful, type Operation, type Reply } from "../http/message.ts";
import { tenantsOf } from "./asked.ts";
import { carriedOut } from "./carried-out.ts";
import { fault, type FaultDetails } from "./define.ts";
import type { Fault } from "./types.ts";

/** The duration of a read, in ms. */
const TAKES_MS = 12;

const ONE: FaultDetails = { options: { tenancy: true }, settings: { LOGS_TENANT_ID: "one", LOGS_TENANT_ID_2: "two" } };

/** A server that answers concurrent reads with the same key with one response. A read without a key gets its own response. */
function shared(
  clause: string,
  id: string,
  sentence: string,
  operation: Operation,
  keyOf: (request: HttpRequest, reply: Reply) => string | undefined,
  details: FaultDetails = {},
): Fault {
  return fault(
    clause,
    id,
    sentence,
    (base) => {
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
    },
    details,
  );
}

/** A key of the tenant and all parameters except `names`. */
function without(...names: readonly string[]): (request: HttpRequest) => string {
  return (request) => {
    const told = [...request.query].filter(([name]) => !names.includes(name)).map(([name, value]) => `${name}=${value}`);
    return [tenantsOf(request), ...told].join("\n");
  };
}

/** The size from which building a response takes time, in characters. */
const LONG_ANSWER = 20_000;

function isLong({ body }: Reply): boolean {
  return body.kind === "json" && JSON.stringify(body.value).length > LONG_ANSWER;
}

function isFiltered({ query }: HttpRequest): boolean {
  return query.get("query")?.includes("|=") === true;
}

const RANGE = "logs.query_range";
const INSTANT = "logs.query";

export const LOGS_SEAM_IN_FLIGHT_FAULTS: readonly Fault[] = [
  fault(
    "logs-4.3",
    "logs-seam-in-flight-wanted",
    "Of what passes a filter in several hours, no more is answered than another such query at the same time wants.",
    (base) => {
      let going: { readonly until: number; readonly limit: number }[] = [];
      const { parseQuery, joinParts, isFiltered, parts } = carriedOut(base);
      return {
        parseQuery,
        joinParts,
        pick: (streams, limit, direction) => {
          if (parts() === 1 || !isFiltered()) return base.pick(streams, limit, direction);
          const now = performance.now();
          going = [...going.filter(({ until }) => until > now), { until: now + TAKES_MS, limit }];
          return base.pick(streams, Math.min(...going.map((one) => one.limit)), direction);
        },
      };
    },
    { also: ["logs-4.1"] },
  ),
  shared(
    "logs-4.query_range",
    "logs-seam-in-flight-limit",
    "Range queries at the same time that differ in their limit only have one answer.",
    RANGE,
    without("limit"),
  ),
  shared(
    "logs-4.1",
    "logs-seam-in-flight-direction",
    "Range queries at the same time that differ in their direction only have one answer.",
    RANGE,
    without("direction"),
  ),
  shared(
    "logs-4.query_range",
    "logs-seam-in-flight-window",
    "Range queries at the same time that differ in their window only have one answer.",
    RANGE,
    without("start", "end"),
  ),
  shared(
    "logs-4.3",
    "logs-seam-in-flight-filter",
    "Range queries at the same time that differ in their line filters only have one answer.",
    RANGE,
    (request) => `${without("query")(request)}\n${/^[^}]*/.exec(request.query.get("query") ?? "")?.[0] ?? ""}`,
  ),
  shared(
    "logs-4.query",
    "logs-seam-in-flight-time",
    "Metric queries at the same time that differ in their time only have one answer.",
    INSTANT,
    without("time"),
  ),
  shared(
    "logs-4.query",
    "logs-seam-in-flight-metric",
    "Metric queries at the same time of one selector and one time have one answer.",
    INSTANT,
    (request) => `${without("query")(request)}\n${/\{.*\}/.exec(request.query.get("query") ?? "")?.[0] ?? ""}`,
  ),
  shared(
    "logs-5.2a",
    "logs-seam-in-flight-tenant-values",
    "A list of values is answered with what another tenant is shown that asks for the same label at the same time.",
    "logs.label_values",
    ({ segments }) => segments.join("/"),
    ONE,
  ),
  shared(
    "logs-5.2a",
    "logs-seam-in-flight-tenant",
    "A range query is answered with what another tenant is shown that asks the same at the same time.",
    RANGE,
    ({ query }) => query.toString(),
    ONE,
  ),
  ...[false, true].map((filtered) =>
    shared(
      "logs-5.2a",
      `logs-seam-in-flight-tenant-long${filtered ? "-filtered" : ""}`,
      `A range query ${filtered ? "with" : "without"} a line filter that takes long is answered with what another tenant is shown that asks the same at the same time.`,
      RANGE,
      (request, reply) => (isLong(reply) && isFiltered(request) === filtered ? request.query.toString() : undefined),
      ONE,
    ),
  ),
];
