/** Faults of servers that accept invalid queries, or refuse them with another status than 400 (docs/2 sections 2, 4 and 7). */
import { textReply } from "../http/message.ts";
import { broken, faultsOf, wrongDecision, wrongInput, wrongResult } from "./define.ts";
import type { Fault } from "./types.ts";

export const LOGS_REFUSAL_FAULTS: readonly Fault[] = faultsOf("logs-4.2", {
  "logs-instant-selector-streams": wrongResult("refuseQuery", "The instant endpoint answers a log selector with streams.", (refusal) =>
    refusal?.kind === "selector-on-instant" ? undefined : refusal,
  ),
  "logs-instant-selector-without-time": broken("The instant endpoint answers a log selector with streams if `time` is absent.", (base) => {
    let isTimeless = false;
    return {
      beforeHandle: (request, route) => {
        isTimeless = !request.query.has("time");
        return base.beforeHandle(request, route);
      },
      refuseQuery: (query, endpoint) => {
        const refusal = base.refuseQuery(query, endpoint);
        return isTimeless && refusal?.kind === "selector-on-instant" ? undefined : refusal;
      },
    };
  }),
  "logs-no-metric-queries": wrongResult(
    "refuseQuery",
    { sentence: "The instant endpoint refuses metric queries, and answers a log selector with streams.", also: ["logs-4.query"] },
    (refusal, query, endpoint) => {
      if (endpoint === "query" && query.kind !== "log") return { kind: "syntax", message: "metric queries are not supported" };
      return refusal?.kind === "selector-on-instant" ? undefined : refusal;
    },
  ),
  "logs-no-matcher-everything": wrongResult(
    "refuseQuery",
    { clause: "logs-2.2", sentence: "An empty selector selects everything." },
    (refusal) => (refusal?.kind === "no-matcher" ? undefined : refusal),
  ),
  "logs-syntax-500": wrongDecision(
    "refusalReply",
    { clause: "logs-7.400", sentence: "A query with invalid syntax is answered 500.", also: ["logs-4.2"] },
    ({ kind, message }) => (kind === "syntax" ? textReply(500, `${message}\n`) : undefined),
  ),
  "logs-syntax-dot-crashes": wrongDecision(
    "beforeHandle",
    { clause: "logs-7.400", sentence: "If a query ends with a dot, the server closes the connection without a response." },
    ({ query }) => (query.get("query")?.endsWith(".") === true ? { ...textReply(500, ""), hangUp: true } : undefined),
  ),
  "logs-grouping-any-word": wrongInput(
    "parseQuery",
    { clause: "logs-7.400", sentence: "Each word between `sum` and its labels is read as `by`." },
    (text) => [text.replace(/^sum (?!by|without)[a-z]+ \(/, "sum by (")],
  ),
  "logs-filter-any-word": wrongInput(
    "parseQuery",
    { clause: "logs-7.400", sentence: "A word and a second text after the text of a line filter are not read." },
    (text) => [text.replace(/ (?!or )[a-z]+ "\w+"$/, "")],
  ),
  "logs-query-optional": wrongResult(
    "refusalReply",
    { clause: "logs-4.required", sentence: "A request without query is answered with an empty result." },
    (reply, { kind }) => (kind === "missing" ? undefined : reply),
  ),
});
