/** Faults of servers that accept invalid queries, or refuse them with another status than 400 (docs/2 sections 2, 4 and 7). */

import { textReply } from "../http/message.ts";
import type { Query } from "../logql/ast.ts";
import type { RefusalKind } from "../logs/query.ts";
import { fault, wrongResult, wrongDecision } from "./define.ts";
import type { Fault } from "./types.ts";

type Endpoint = "query_range" | "query";

function answered(clause: string, id: string, sentence: string, kind: RefusalKind, status: number, endpoint?: Endpoint): Fault {
  return wrongDecision("refusalReply", clause, id, sentence, (refusal, at) =>
    refusal.kind === kind && (endpoint === undefined || endpoint === at) ? textReply(status, `${refusal.message}\n`) : undefined,
  );
}

function emptyFor(clause: string, id: string, sentence: string, kind: RefusalKind, endpoint?: Endpoint): Fault {
  return wrongResult("refusalReply", clause, id, sentence, (reply, refusal, at) =>
    refusal.kind === kind && (endpoint === undefined || endpoint === at) ? undefined : reply,
  );
}

function allowed(
  clause: string,
  id: string,
  sentence: string,
  kind: RefusalKind,
  allows: (query: Query, endpoint: Endpoint) => boolean = () => true,
): Fault {
  return wrongResult("refuseQuery", clause, id, sentence, (refusal, query, endpoint) =>
    refusal?.kind === kind && allows(query, endpoint) ? undefined : refusal,
  );
}

const INSTANT: readonly Fault[] = [
  allowed("logs-4.2", "logs-instant-selector-streams", "The instant endpoint answers a log selector with streams.", "selector-on-instant"),
  fault(
    { clause: "logs-4.2", also: ["logs-4.query"] },
    "logs-no-metric-queries",
    "The instant endpoint refuses metric queries, and answers a log selector with streams.",
    (base) => ({
      refuseQuery: (query, endpoint) => {
        if (endpoint === "query" && query.kind !== "log") return { kind: "syntax", message: "metric queries are not supported" };
        const refusal = base.refuseQuery(query, endpoint);
        return refusal?.kind === "selector-on-instant" ? undefined : refusal;
      },
    }),
  ),
];

const NO_MATCHER: readonly Fault[] = [
  allowed("logs-2.2", "logs-no-matcher-everything", "An empty selector selects everything.", "no-matcher"),
];

const SYNTAX: readonly Fault[] = [
  { ...answered("logs-7.400", "logs-syntax-500", "A query with invalid syntax is answered 500.", "syntax", 500), also: ["logs-4.2"] },
];

const REQUIRED: readonly Fault[] = [
  emptyFor("logs-4.required", "logs-query-optional", "A request without query is answered with an empty result.", "missing"),
];

export const LOGS_REFUSAL_FAULTS: readonly Fault[] = [...INSTANT, ...NO_MATCHER, ...SYNTAX, ...REQUIRED];
