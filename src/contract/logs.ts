/** The clauses of docs/2, in the order of the document. */
import { implied, impliedBy, repeats, stated, unobservable, unspecified, type ClauseData } from "./clause.ts";

const CLIENTS = "a statement about clients, which the suite follows in each of its own requests";

const ENDPOINTS = ["logs-4.query_range", "logs-4.query", "logs-4.push", "logs-4.labels", "logs-4.label-values"];

const clauses = {
  "logs-1.1": stated(
    "Log entries are grouped in streams, and a stream is identified by its set of labels: equal label sets are the same stream, and different label sets are different streams.",
  ),
  "logs-1.2": repeats(
    "Clients push entries as JSON, query them, evaluate metric queries at one point in time, and list label names and values.",
    "logs-4.push",
    "logs-4.query_range",
    "logs-4.query",
    "logs-4.labels",
    "logs-4.label-values",
  ),
  "logs-1.3": repeats(
    "The service can run in single-tenant mode without authentication or in multi-tenant mode, where each request names a tenant.",
    "logs-5.1",
    "logs-5.2a",
  ),
  "logs-2.Stream": stated("A stream has `stream`, an object mapping label names to label values, all strings."),
  "logs-2.Entry": stated("An entry is a pair of strings, a timestamp (Unix time in nanoseconds) and the log line."),
  "logs-2.line-unchanged": impliedBy("The log line of an entry is the line that was pushed, byte for byte.", "logs-2.Entry"),
  "logs-2.range-result": stated("A range query result is a list of objects with `stream` (labels object) and `values` (list of entries)."),
  "logs-2.instant-result": stated(
    "An instant query result is a list of objects with `metric` (labels object) and `value`, a pair of the timestamp and the sample value as a string.",
  ),
  "logs-2.1": stated("Timestamps are Unix time in nanoseconds, not seconds or milliseconds, passed as strings."),
  "logs-2.2": stated("A query needs at least one label matcher; an empty selector is invalid and gets a 400 error."),
  "logs-2.3": unspecified("Fields of the response envelope other than `data` and `data.result`."),
  "logs-3.states": unspecified("States and transitions of log resources."),
  "logs-4.paths": repeats("Paths are relative to {base_url}.", ...ENDPOINTS),
  "logs-4.service-name": repeats("In the paths of the document, `logs` stands for the service's own name.", ...ENDPOINTS),
  "logs-4.query_range": stated(
    "GET query_range with query, start, end, limit and direction answers a JSON object whose data.result lists the streams with the entries of that query in that range, with at most limit entries.",
  ),
  "logs-4.query_range-complete": impliedBy(
    "query_range answers with all entries of the query, or with limit entries when there are more.",
    "logs-4.query_range",
    "logs-8.default-limit",
  ),
  "logs-4.query": stated(
    "GET query with a metric query and time answers a JSON object whose data.result lists objects with metric and value, evaluated at that time.",
  ),
  "logs-4.push": stated(
    "POST push with Content-Type application/json and a body of streams, each with labels and entries, stores those entries.",
  ),
  "logs-4.push-body": repeats(
    "The body of a push is `streams`, a list of objects with `stream` (labels object) and `values` (list of pairs of timestamp and line).",
    "logs-4.push",
  ),
  "logs-4.labels": stated("GET labels answers a JSON object whose data is the list of label names, strings."),
  "logs-4.label-values": stated(
    "GET label/{name}/values answers a JSON object whose data is the list of the values, strings, of that label.",
  ),
  "logs-4.1": stated("direction=backward returns the most recent entries first and is the default; forward returns the oldest first."),
  "logs-4.2": stated("The instant query endpoint accepts only metric queries; a log stream selector there gets a 400 error."),
  "logs-4.3": stated("query_range accepts log queries, including line filters after the selector."),
  "logs-4.matchers": implied("A stream selector returns the streams its label matchers (=, !=, =~, !~) select, and no others."),
  "logs-4.4": stated(
    "A large time range is paged by raising limit, or by repeating the request with start moved according to the last timestamp received.",
  ),
  "logs-4.4-backward": implied(
    "With direction=backward the last timestamp received is the oldest, so a large time range is paged by moving end to that timestamp.",
  ),
  "logs-4.required": implied("query is a required parameter: a request without it is not answered with success."),
  "logs-4.5": unspecified("Optional parameters of the labels endpoints, and the success status code and the response body of a push."),
  "logs-5.1": stated("Single-tenant local deployments need no authentication."),
  "logs-5.2a": implied(
    "In multi-tenant mode a request is answered for the tenant that X-Scope-OrgID names: with the data of that tenant and of no other tenant.",
  ),
  "logs-5.2b": stated("To query several tenants at once, X-Scope-OrgID lists their ids separated by the pipe character."),
  "logs-5.2c": unobservable("In multi-tenant mode every request carries X-Scope-OrgID with the tenant id.", CLIENTS),
  "logs-5.3": stated("Hosted cloud deployments use HTTP Basic authentication with the user as username and the API token as password."),
  "logs-5.4": unobservable(
    "With a self-signed TLS certificate, clients may skip verification or verify against a CA bundle they supply.",
    "a statement about clients: the suite does both on request, and no server can violate it",
  ),
  "logs-6.events": unspecified("Events emitted by the service."),
  "logs-7.400": stated("A query with invalid syntax gets a 400 error."),
  "logs-7.429": stated("A request that exceeds the rate limit gets a 429 error."),
  "logs-7.429-retry": unobservable("Clients retry after 429 with a growing wait between attempts.", CLIENTS),
  "logs-7.429-recovery": implied("A client that met the rate limit succeeds again when it retries with a growing wait between attempts."),
  "logs-7.429-accepted": implied(
    "Entries that were pushed with success before a 429 response are stored; the rate limit removes none of these entries.",
  ),
  "logs-7.5xx": unobservable(
    "5xx means the service is unavailable or overloaded.",
    "a client cannot make a healthy service unavailable; a request that is answered 5xx is repeated, and a 5xx in each attempt is judged under the clause of the request",
  ),
  "logs-7.bodies": unspecified("The shape of error bodies, and the details they carry."),
  "logs-8.default-limit": stated("Without limit, query_range returns 100 entries when there are more."),
  "logs-8.label-matchers": repeats("query and query_range need at least 1 label matcher.", "logs-2.2"),
  "logs-8.rate-limit": repeats("Exceeding the rate limit on requests to the service gives 429.", "logs-7.429"),
  "logs-8.rate-values": unspecified("The numeric values of the rate limits."),
  "logs-9.1": repeats("The path carries the version segment v1.", ...ENDPOINTS),
  "logs-9.2": unspecified("Compatibility policy between releases."),
} as const satisfies Record<string, ClauseData>;

export type LogsClauseId = keyof typeof clauses;

export const LOGS_CLAUSES: Readonly<Record<LogsClauseId, ClauseData>> = clauses;
