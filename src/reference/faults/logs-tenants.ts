/** Faults of tenants (docs/2 section 5 rule 2): of all reads, or of one kind of read only. */
import { type Operation, textReply } from "../http/message.ts";
import type { TenancyBehaviour } from "../logs/tenancy.ts";
import type { ResolveTenants } from "../logs/tenant-paths.ts";
import { toldApart } from "../logs/told-apart.ts";
import type { LabelledEntries } from "../logs/types.ts";
import { broken, faultsOf, type Row, type Told, type Violated, wrongResult } from "./define.ts";
import { ALL_LOGS, sometimesRefused } from "./logs-modes.ts";
import { SEVERAL, TENANTS, cached, emptied, firstTime, tenantsOf } from "./helpers.ts";
import type { Fault } from "./types.ts";

const ISOLATED: Violated = { clause: "logs-5.2a", ...TENANTS };
const UNITED: Violated = { clause: "logs-5.2b", ...SEVERAL };

function leaking(
  told: Told,
  operations: readonly Operation[],
  tenants: (asked: readonly string[], all: readonly string[]) => readonly string[],
): Row {
  return broken(told, (base, { logs }) => ({
    tenantsOf: (header, context): ReturnType<TenancyBehaviour["tenantsOf"]> => {
      const asked = base.tenantsOf(header, context);
      return "status" in asked || !operations.includes(context.operation) ? asked : tenants(asked, logs.tenants());
    },
  }));
}

function leakingQueries(told: Told, leaks: (query: string) => boolean): Row {
  return broken(told, (base, { logs }) => {
    let query = "";
    return {
      // The server handles one request at a time. So when the tenants are needed, the remembered query is that of this request.
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

/** Returns a fault: if a request names several tenants, the wrong tenants are read. */
function several(sentence: string, tenants: (asked: readonly string[]) => readonly string[]): Row {
  return leaking(sentence, READS, (asked) => (asked.length > 1 ? tenants(asked) : asked));
}

export const LOGS_TENANT_FAULTS: readonly Fault[] = [
  ...faultsOf(ISOLATED, {
    "logs-tenant-without-data-any-query": broken(
      {
        clause: "logs-7.400",
        sentence: "Each query of a tenant without data gets an empty result, even if the query is invalid.",
        also: ["logs-2.2"],
      },
      (base, { logs }) => ({
        respond: (given, request, route) => {
          const reply = base.respond(given, request, route);
          if (route?.operation !== "logs.query_range" || reply.status !== 400) return reply;
          return logs.tenant(tenantsOf(request)).isEmpty ? emptied(reply) : reply;
        },
      }),
    ),
    "logs-tenants-share-everything": leaking("The tenant of a read is ignored. Each read shows the data of all tenants.", READS, union),
    "logs-tenants-share-expressions": leakingQueries("Queries with a matcher `=~` read the entries of all tenants.", (query) =>
      /\{[^}]*=~/.test(query),
    ),
    "logs-tenants-share-exclusions": leakingQueries("Queries with a matcher `!=` read the entries of all tenants.", (query) =>
      /\{[^}]*!=/.test(query),
    ),
    "logs-tenants-share-filtered-metrics": leakingQueries("Metric queries with a line filter count the entries of all tenants.", (query) =>
      /^\w.*\} \|= /.test(query),
    ),
    "logs-tenants-share-metrics": leaking("Metric queries count the entries of all tenants.", ["logs.query"], union),
    "logs-tenants-share-names": leaking("Label names of all tenants are listed.", ["logs.labels"], union),
    "logs-tenants-share-values": leaking("Label values of all tenants are listed.", ["logs.label_values"], union),
    "logs-tenants-by-letters-joined-alike": wrongResult(
      "tenantsOf",
      {
        sentence: "Tenants whose ids differ only in the punctuation between their words are confused.",
        settings: { LOGS_TENANT_ID: "team-one", LOGS_TENANT_ID_2: "team-two" },
      },
      (asked) => ("status" in asked ? asked : asked.map((tenant) => tenant.replaceAll(/[-.]/g, "_"))),
    ),
    "logs-tenants-equal-entry-once": broken("An entry is dropped if another tenant has it in a stream with the same labels.", (base) => {
      const isNew = firstTime();
      return {
        entryOnWrite: (entry, context) =>
          isNew(JSON.stringify([Object.entries(context.labels), entry.ts.toString(), entry.line]))
            ? base.entryOnWrite(entry, context)
            : undefined,
      };
    }),
    "logs-tenants-push-to-both": broken("A push is stored for every known tenant.", (base, { logs, options }) => ({
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
    })),
    "logs-tenants-sometimes-401": sometimesRefused(
      "Every eleventh request with a tenant header is refused as if it had none.",
      11,
      ALL_LOGS,
    ),
    "logs-push-equal-bodies-once": broken(
      "A push with the body of an earlier push, of any tenant, is answered with success and not stored.",
      (base) => {
        const isNew = firstTime();
        return {
          checkPush: (request) => base.checkPush(request) ?? (isNew(request.body) ? undefined : textReply(204, "")),
        };
      },
    ),
  }),
  ...faultsOf(UNITED, {
    "logs-several-tenants-first": several("If a query names several tenants, only the first is read.", (asked) => asked.slice(0, 1)),
    "logs-several-tenants-two": several(
      "If a query names more than two tenants, the third in the order of their ids is not read.",
      (asked) => asked.toSorted().filter((_tenant, index) => index !== 2),
    ),
    "logs-several-tenants-last": several("If a query names several tenants, only the last is read.", (asked) => asked.slice(-1)),
    "logs-several-tenants-max-of-first": broken(
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
    "logs-several-oldest-hour-first": broken(
      "Backward queries of several tenants visit the oldest hour first, so a limit returns the wrong entries.",
      (base) => {
        let isOfSeveral = false;
        return {
          rangeTenants: (asked, known) => {
            isOfSeveral = asked.length > 1;
            return base.rangeTenants(asked, known);
          },
          splitWindow: (window, span, reading) => {
            const parts = base.splitWindow(window, span, reading);
            return isOfSeveral && reading.path === "range" && reading.direction === "backward" ? parts.toReversed() : parts;
          },
        };
      },
    ),
    "logs-several-values-until-none": broken(
      "Label values of several tenants lack the tenants after the first tenant without data.",
      (base, { logs }) => ({
        valuesTenants: (asked, known) => {
          const listed = base.valuesTenants(asked, known);
          const none = listed.findIndex((tenant) => [...logs.tenant(tenant).all()].length === 0);
          return none === -1 ? listed : listed.slice(0, none);
        },
      }),
    ),
  }),
];

/** A fault: a request of a known tenant gets the data of the tenant that `pick` chooses. */
function instead(pick: (known: readonly string[]) => string | undefined): ResolveTenants {
  return (asked, known) => {
    const [own] = asked;
    const other = pick(known);
    return asked.length === 1 && own !== undefined && known.includes(own) && other !== undefined ? [other] : asked;
  };
}

/** Returns the selected streams of each tenant, without entries that an earlier tenant has in a stream with the same labels. */
function equalOnce(selected: readonly (readonly LabelledEntries[])[]): LabelledEntries[][] {
  const isNew = firstTime();
  return selected.map((streams) =>
    streams.map(({ labels, entries }) => {
      const identity = JSON.stringify(Object.entries(labels));
      return { labels, entries: entries.filter(({ ts, line }) => isNew(`${identity} ${ts} ${line}`)) };
    }),
  );
}

export const LOGS_SEAM_TENANT_FAULTS: readonly Fault[] = [
  ...faultsOf(ISOLATED, {
    "logs-seam-tenant-range-first": broken("Range queries of each tenant read the tenant that pushed first.", () => ({
      rangeTenants: instead((known) => known[0]),
    })),
    "logs-seam-tenant-instant-last": broken(
      { sentence: "Metric queries of each tenant count the tenant that came last.", also: ["logs-4.query"] },
      () => ({ instantTenants: instead((known) => known.at(-1)) }),
    ),
    "logs-seam-tenant-metric-cached": broken(
      {
        sentence: "The response to a metric query is repeated for another tenant with the same query.",
        also: ["logs-4.query"],
      },
      cached("logs.query", ({ query }) => query.toString()),
    ),
    "logs-seam-tenant-range-cached": broken(
      {
        sentence: "The response to a range query is repeated for another tenant with the same query.",
        also: ["logs-4.query_range"],
      },
      cached("logs.query_range", ({ query }) => query.toString()),
    ),
  }),
  ...faultsOf(UNITED, {
    "logs-seam-several-equal-once": broken(
      "If several tenants have equal entries, only the entries of the first are returned, although a label distinguishes their streams.",
      (base) => toldApart(base, (selected, path) => (path === "range" ? equalOnce(selected) : selected)),
    ),
    "logs-seam-several-values-until-first-ends": broken(
      "Label values of several tenants lack the values after the last value of the first tenant.",
      (base, { logs }) => {
        let listed: readonly string[] = [];
        return {
          valuesTenants: (asked, known) => {
            listed = base.valuesTenants(asked, known);
            return listed;
          },
          labelValues: (name, streams) => {
            const [own, ...others] = listed.map((tenant) => base.labelValues(name, [...logs.tenant(tenant).all()]));
            if (others.length === 0) return base.labelValues(name, streams);
            const last = own?.at(-1) ?? "";
            return base.labelValues(name, streams).filter((value) => value <= last);
          },
        };
      },
    ),
    "logs-seam-several-same-stream": broken("A stream that several tenants have is returned for the first of them only.", (base) => ({
      joinTenants: (selected, identity) => {
        const isNew = firstTime();
        return base.joinTenants(
          selected.map((streams) => streams.filter(({ labels }) => isNew(identity(labels)))),
          identity,
        );
      },
    })),
  }),
];
