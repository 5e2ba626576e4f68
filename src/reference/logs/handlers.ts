/** Handles the five operations of docs/2 section 4 by calling the functions of `LogsBehaviour` one after the other. */
import type { Behaviour, ServerHandle } from "../behaviour.ts";
import { type HttpRequest, jsonReply, type Reply, type Route } from "../http/message.ts";
import type { LogQuery, MetricQuery, Query } from "../logql/ast.ts";
import { QueryError } from "../logql/error.ts";
import { nowInNanoseconds } from "../admin/created-at.ts";
import { evaluate } from "./evaluate.ts";
import { handlePush } from "./push.ts";
import type { QueryEndpoint, Refusal } from "./query.ts";
import type { RangeQuery } from "./range.ts";
import { gatherEntries } from "./batches.ts";
import { HOUR_NS } from "./hours.ts";
import { readStreams } from "./reading.ts";
import { visibleStreams } from "./select.ts";

export function handleLogs(request: HttpRequest, route: Route, behaviour: Behaviour, server: ServerHandle, exceeded: boolean): Reply {
  const { logsUser, token, tenancy } = server.options;
  const refusal = behaviour.authorizeLogs(request, { user: logsUser, token }) ?? behaviour.limitRate(exceeded, request);
  if (refusal !== undefined) return refusal;
  const tenants = behaviour.tenantsOf(request.headers["x-scope-orgid"], { tenancy, operation: route.operation });
  if ("status" in tenants) return tenants;
  const known = server.logs.tenants();
  switch (route.operation) {
    case "logs.push":
      return handlePush(request, tenants[0] ?? "", behaviour, server);
    case "logs.query_range":
      return queryRange(request, behaviour.rangeTenants(tenants, known), behaviour, server);
    case "logs.query":
      return query(request, behaviour.instantTenants(tenants, known), behaviour, server);
    case "logs.label_values": {
      const streams = visibleStreams(behaviour.valuesTenants(tenants, known), behaviour, server);
      return jsonReply(200, behaviour.presentList(behaviour.labelValues(route.name, streams), route.name));
    }
    default: {
      const streams = visibleStreams(behaviour.namesTenants(tenants, known), behaviour, server);
      return jsonReply(200, behaviour.presentList(behaviour.labelNames(streams), undefined));
    }
  }
}

function queryRange(request: HttpRequest, tenants: readonly string[], behaviour: Behaviour, server: ServerHandle): Reply {
  const text = request.query.get("query");
  const parsed = acceptedQuery(text, "query_range", behaviour);
  const refused = (refusal: Refusal): Reply => behaviour.refusalReply(refusal, "query_range", text ?? "") ?? rangeReply([], undefined);
  const rangeReply = (found: Parameters<Behaviour["arrange"]>[0], query: RangeQuery | undefined): Reply => {
    const shown = query ?? { start: 0n, end: 0n, limit: 0, direction: "backward", defaulted: { limit: true, direction: true } };
    const result = behaviour.arrange(found, shown).map(({ labels, entries }) =>
      behaviour.presentStream(
        behaviour.presentLabels(behaviour.labelsOnRead(labels, "stream"), "stream"),
        behaviour.order(entries, shown.direction).map((entry) => behaviour.presentEntry(entry, shown)),
      ),
    );
    return jsonReply(200, behaviour.presentRange(result, shown));
  };
  if (isRefusal(parsed)) return refused(parsed);
  const parameters = rangeParameters(request.query, behaviour, server);
  if (isRefusal(parameters)) return refused(parameters);
  // A fault or variant may accept metric queries on `query_range`. The server then evaluates the query at the end of the window.
  if (parsed.kind !== "log") return instantReply(parsed, parameters.end, tenants, behaviour, server);
  return rangeReply(readRange(parsed, parameters, tenants, behaviour, server), parameters);
}

function readRange(
  parsed: LogQuery,
  { start, end, limit, direction }: RangeQuery,
  tenants: readonly string[],
  behaviour: Behaviour,
  server: ServerHandle,
): Parameters<Behaviour["arrange"]>[0] {
  const window = behaviour.rangeTimes(start, end);
  const found = readStreams(parsed, window, { path: "range", limit, direction }, tenants, behaviour, server);
  return gatherEntries(behaviour.pick(found, limit, direction), direction, behaviour);
}

function rangeParameters(query: URLSearchParams, behaviour: Behaviour, { options }: ServerHandle): RangeQuery | Refusal {
  const nowMs = options.now();
  const now = nowInNanoseconds(nowMs);
  const [startText, endText, limitText, directionText] = ["start", "end", "limit", "direction"].map((name) => query.get(name));
  const end = endText ? behaviour.parseTime(endText, "end") : now;
  const start = startText ? behaviour.parseTime(startText, "start") : (end ?? now) - HOUR_NS;
  if (start === undefined || end === undefined) return { kind: "parameter", message: "start and end must be Unix times in nanoseconds" };
  if (end < start) return { kind: "parameter", message: "end must not be before start" };
  const limit = limitText ? behaviour.parseLimit(limitText) : behaviour.defaultLimit(nowMs);
  if (limit === undefined) return { kind: "parameter", message: "limit must be an integer between 1 and 5000" };
  const direction = directionText ? behaviour.parseDirection(directionText) : behaviour.defaultDirection();
  if (direction === undefined) return { kind: "parameter", message: "direction must be backward or forward" };
  return behaviour.rangeQuery({ start, end, limit, direction, defaulted: { limit: !limitText, direction: !directionText } });
}

function query(request: HttpRequest, tenants: readonly string[], behaviour: Behaviour, server: ServerHandle): Reply {
  const text = request.query.get("query");
  const refused = (refusal: Refusal): Reply =>
    behaviour.refusalReply(refusal, "query", text ?? "") ?? jsonReply(200, behaviour.presentInstant([]));
  const parsed = acceptedQuery(text, "query", behaviour);
  if (isRefusal(parsed)) return refused(parsed);
  const timeText = request.query.get("time");
  const now = nowInNanoseconds(server.options.now());
  const time = timeText ? behaviour.parseTime(timeText, "time") : now;
  if (time === undefined) return refused({ kind: "parameter", message: "time must be a Unix time in nanoseconds" });
  // A fault or variant may accept log queries on the endpoint `query`. The response then has the entries of the last hour.
  if (parsed.kind === "log") return logsAtInstant(parsed, time, tenants, behaviour, server);
  return instantReply(parsed, time, tenants, behaviour, server);
}

function instantReply(parsed: MetricQuery, time: bigint, tenants: readonly string[], behaviour: Behaviour, server: ServerHandle): Reply {
  const at = behaviour.evaluationTime(time);
  const samples = behaviour.arrangeSamples(evaluate(parsed, { time: at, tenants, behaviour, server }));
  const result = samples.map(({ labels, value }) =>
    behaviour.presentInstantEntry(behaviour.presentLabels(labels, "metric"), [
      behaviour.instantTimestamp(time),
      behaviour.presentSample(value),
    ]),
  );
  return jsonReply(200, behaviour.presentInstant(result));
}

function logsAtInstant(parsed: LogQuery, time: bigint, tenants: readonly string[], behaviour: Behaviour, server: ServerHandle): Reply {
  const range: RangeQuery = {
    start: time - HOUR_NS,
    end: time,
    limit: behaviour.defaultLimit(server.options.now()),
    direction: "backward",
    defaulted: { limit: true, direction: true },
  };
  const streams = behaviour.arrange(readRange(parsed, range, tenants, behaviour, server), range);
  const result = streams.map(({ labels, entries }) =>
    behaviour.presentStream(
      behaviour.presentLabels(labels, "stream"),
      entries.map((entry) => behaviour.presentEntry(entry, range)),
    ),
  );
  return jsonReply(200, behaviour.presentRange(result, range));
}

function acceptedQuery(text: string | null, endpoint: QueryEndpoint, behaviour: Behaviour): Query | Refusal {
  if (text === null || text.trim() === "") return { kind: "missing", message: "query is required" };
  try {
    const parsed = behaviour.parseQuery(text);
    return behaviour.refuseQuery(parsed, endpoint) ?? parsed;
  } catch (error) {
    if (error instanceof QueryError) return { kind: "syntax", message: error.message };
    throw error;
  }
}

function isRefusal(value: Query | RangeQuery | Refusal): value is Refusal {
  return "message" in value;
}
