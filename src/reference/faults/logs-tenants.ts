/** Faults of tenants (docs/2 section 5 rule 2). */
import { type Operation, textReply } from "../http/message.ts";
import type { TenancyBehaviour } from "../logs/tenancy.ts";
import { fault, wrongResult, type FaultDetails } from "./define.ts";
import { ALL_LOGS, sometimesRefused } from "./refusing.ts";
import type { Fault } from "./types.ts";

const TENANTS: FaultDetails = { options: { tenancy: true }, settings: { LOGS_TENANT_ID: "one", LOGS_TENANT_ID_2: "two" } };
const SEVERAL: FaultDetails = {
  options: { tenancy: true },
  settings: { LOGS_TENANT_ID: "one", LOGS_TENANT_ID_2: "two", LOGS_MULTI_TENANT_QUERIES: "true" },
};

function leaking(
  clause: string,
  id: string,
  sentence: string,
  operations: readonly Operation[],
  details: FaultDetails,
  tenants: (asked: readonly string[], all: readonly string[]) => readonly string[],
): Fault {
  return fault({ clause, ...details }, id, sentence, (base, { logs }) => ({
    tenantsOf: (header, context): ReturnType<TenancyBehaviour["tenantsOf"]> => {
      const asked = base.tenantsOf(header, context);
      return "status" in asked || !operations.includes(context.operation) ? asked : tenants(asked, logs.tenants());
    },
  }));
}

function leakingQueries(id: string, sentence: string, leaks: (query: string) => boolean): Fault {
  return fault({ clause: "logs-5.2a", ...TENANTS }, id, sentence, (base, { logs }) => {
    let query = "";
    return {
      // A request is handled without a pause, so the query is still that of this request when its tenants are needed.
      limitRate: (exceeded, request) => {
        query = request.query.get("query") ?? "";
        return base.limitRate(exceeded, request);
      },
      tenantsOf: (header, context): ReturnType<TenancyBehaviour["tenantsOf"]> => {
        const asked = base.tenantsOf(header, context);
        return "status" in asked || !leaks(query) ? asked : union(asked, logs.tenants());
      },
    };
  });
}

function union(asked: readonly string[], all: readonly string[]): readonly string[] {
  return [...new Set([...asked, ...all])];
}

const READS: readonly Operation[] = ["logs.query_range", "logs.query", "logs.labels", "logs.label_values"];

const ISOLATION: readonly Fault[] = [
  fault(
    { clause: "logs-7.400", ...TENANTS, also: ["logs-2.2"] },
    "logs-tenant-without-data-any-query",
    "Each query of a tenant without data gets an empty result, even if the query is invalid.",
    (base, { logs }) => ({
      respond: (given, request, route) => {
        const reply = base.respond(given, request, route);
        if (route?.operation !== "logs.query_range" || reply.status !== 400) return reply;
        return logs.tenant(request.headers["x-scope-orgid"] ?? "").isEmpty
          ? { ...reply, status: 200, body: { kind: "json", value: { status: "success", data: { resultType: "streams", result: [] } } } }
          : reply;
      },
    }),
  ),
  leaking(
    "logs-5.2a",
    "logs-tenants-share-everything",
    "The tenant of a read is ignored. Each read shows the data of all tenants.",
    READS,
    TENANTS,
    union,
  ),
  leakingQueries("logs-tenants-share-expressions", "Queries with a matcher `=~` read the entries of all tenants.", (query) =>
    /\{[^}]*=~/.test(query),
  ),
  leakingQueries("logs-tenants-share-exclusions", "Queries with a matcher `!=` read the entries of all tenants.", (query) =>
    /\{[^}]*!=/.test(query),
  ),
  leakingQueries("logs-tenants-share-filtered-metrics", "Metric queries with a line filter count the entries of all tenants.", (query) =>
    /^\w.*\} \|= /.test(query),
  ),
  leaking("logs-5.2a", "logs-tenants-share-metrics", "Metric queries count the entries of all tenants.", ["logs.query"], TENANTS, union),
  leaking("logs-5.2a", "logs-tenants-share-names", "Label names of all tenants are listed.", ["logs.labels"], TENANTS, union),
  leaking("logs-5.2a", "logs-tenants-share-values", "Label values of all tenants are listed.", ["logs.label_values"], TENANTS, union),
  wrongResult(
    "tenantsOf",
    { clause: "logs-5.2a", options: { tenancy: true }, settings: { LOGS_TENANT_ID: "team-one", LOGS_TENANT_ID_2: "team-two" } },
    "logs-tenants-by-letters-joined-alike",
    "Tenants whose ids differ only in the punctuation between their words are confused.",
    (asked) => ("status" in asked ? asked : asked.map((tenant) => tenant.replaceAll(/[-.]/g, "_"))),
  ),
  fault(
    { clause: "logs-5.2a", ...TENANTS },
    "logs-tenants-equal-entry-once",
    "An entry is dropped if another tenant has it in a stream with the same labels.",
    (base) => {
      const stored = new Set<string>();
      return {
        entryOnWrite: (entry, context) => {
          const key = JSON.stringify([Object.entries(context.labels), entry.ts.toString(), entry.line]);
          if (stored.has(key)) return undefined;
          stored.add(key);
          return base.entryOnWrite(entry, context);
        },
      };
    },
  ),
  fault(
    { clause: "logs-5.2a", ...TENANTS },
    "logs-tenants-push-to-both",
    "A push is stored for every known tenant.",
    (base, { logs, options }) => ({
      respond: (given, request, route) => {
        const reply = base.respond(given, request, route);
        if (route?.operation !== "logs.push" || reply.status !== 204) return reply;
        const streams = base.parsePush(request.body);
        for (const tenant of logs.tenants()) {
          if (tenant === request.headers["x-scope-orgid"] || typeof streams === "string") continue;
          for (const { labels, entries } of streams) {
            const stored = logs.tenant(tenant).stream(base.streamIdentity(labels), labels);
            for (const entry of entries) base.insertEntry(stored.entries, { ...entry, storedAtMs: options.now() });
          }
        }
        return reply;
      },
    }),
  ),
  sometimesRefused(
    "logs-5.2a",
    "logs-tenants-sometimes-401",
    "Every eleventh request with a tenant header is refused as if it had none.",
    11,
    ALL_LOGS,
    TENANTS,
  ),
  fault(
    { clause: "logs-5.2a", ...TENANTS },
    "logs-push-equal-bodies-once",
    "A push with the body of an earlier push, of any tenant, is answered with success and not stored.",
    (base) => {
      const seen = new Set<string>();
      return {
        checkPush: (request) => {
          const refusal = base.checkPush(request);
          if (refusal !== undefined) return refusal;
          if (seen.has(request.body)) return textReply(204, "");
          seen.add(request.body);
          return undefined;
        },
      };
    },
  ),
];

/** Returns a faulty server that reads the wrong tenants if a request names several tenants. */
function several(id: string, sentence: string, tenants: (asked: readonly string[]) => readonly string[]): Fault {
  return leaking("logs-5.2b", id, sentence, READS, SEVERAL, (asked) => (asked.length > 1 ? tenants(asked) : asked));
}

const UNION: readonly Fault[] = [
  several("logs-several-tenants-first", "If a query names several tenants, only the first is read.", (asked) => asked.slice(0, 1)),
  several("logs-several-tenants-two", "If a query names more than two tenants, the third in the order of their ids is not read.", (asked) =>
    asked.toSorted().filter((_tenant, index) => index !== 2),
  ),
  several("logs-several-tenants-last", "If a query names several tenants, only the last is read.", (asked) => asked.slice(-1)),
  fault(
    { clause: "logs-5.2b", ...SEVERAL },
    "logs-several-tenants-max-of-first",
    "A max, min or count of the samples of several tenants has only the samples of the first tenant.",
    (base) => {
      let text = "";
      return {
        beforeHandle: (request, route) => {
          text = request.query.get("query") ?? "";
          return base.beforeHandle(request, route);
        },
        instantTenants: (asked, known) => base.instantTenants(/^(?:max|min|count)\s*\(/.test(text) ? asked.slice(0, 1) : asked, known),
      };
    },
  ),
  fault(
    { clause: "logs-5.2b", ...SEVERAL },
    "logs-several-values-until-none",
    "Label values of several tenants lack the tenants after the first tenant without data.",
    (base, { logs }) => ({
      valuesTenants: (asked, known) => {
        const listed = base.valuesTenants(asked, known);
        const none = listed.findIndex((tenant) => [...logs.tenant(tenant).all()].length === 0);
        return none === -1 ? listed : listed.slice(0, none);
      },
    }),
  ),
];

export const LOGS_TENANT_FAULTS: readonly Fault[] = [...ISOLATION, ...UNION];
