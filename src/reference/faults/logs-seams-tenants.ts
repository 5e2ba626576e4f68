/** Faults that read the wrong tenants in one kind of read only. */
import type { ResolveTenants, TenantPathsBehaviour } from "../logs/tenant-paths.ts";
import { toldApart } from "../logs/told-apart.ts";
import type { LabelledEntries } from "../logs/types.ts";
import { cached } from "./answer-cache.ts";
import { fault, type FaultDetails } from "./define.ts";
import type { Fault } from "./types.ts";

const ONE: FaultDetails = { options: { tenancy: true }, settings: { LOGS_TENANT_ID: "one", LOGS_TENANT_ID_2: "two" } };
const SEVERAL: FaultDetails = { ...ONE, settings: { ...ONE.settings, LOGS_MULTI_TENANT_QUERIES: "true" } };

type Path = "rangeTenants" | "instantTenants" | "namesTenants" | "valuesTenants";

function resolved(clause: string, id: string, sentence: string, path: Path, details: FaultDetails, resolve: ResolveTenants): Fault {
  const change: Pick<Partial<TenantPathsBehaviour>, Path> = { [path]: resolve };
  return fault({ clause, ...details }, id, sentence, () => change);
}

/** Makes a faulty server answer a request of one known tenant with the data of the tenant that `pick` chooses. */
function instead(pick: (known: readonly string[]) => string | undefined): ResolveTenants {
  return (asked, known) => {
    const [own] = asked;
    const other = pick(known);
    return asked.length === 1 && own !== undefined && known.includes(own) && other !== undefined ? [other] : asked;
  };
}

const first = instead((known) => known[0]);
const last = instead((known) => known.at(-1));

const ISOLATION: readonly Fault[] = [
  resolved(
    "logs-5.2a",
    "logs-seam-tenant-range-first",
    "Range queries of each tenant read the tenant that pushed first.",
    "rangeTenants",
    ONE,
    first,
  ),

  resolved(
    "logs-5.2a",
    "logs-seam-tenant-instant-last",
    "Metric queries of each tenant count the tenant that came last.",
    "instantTenants",
    { ...ONE, also: ["logs-4.query"] },
    last,
  ),
];

const CACHES: readonly Fault[] = [
  fault(
    { clause: "logs-5.2a", ...ONE, also: ["logs-4.query"] },
    "logs-seam-tenant-metric-cached",
    "The response to a metric query is repeated for another tenant with the same query.",
    cached("logs.query", ({ query }) => query.toString()),
  ),
  fault(
    { clause: "logs-5.2a", ...ONE, also: ["logs-4.query_range"] },
    "logs-seam-tenant-range-cached",
    "The response to a range query is repeated for another tenant with the same query.",
    cached("logs.query_range", ({ query }) => query.toString()),
  ),
];

/** Returns the selected streams of each tenant. Entries that an earlier tenant has in a stream with the same labels are left out. */
function equalOnce(selected: readonly (readonly LabelledEntries[])[]): LabelledEntries[][] {
  const seen = new Set<string>();
  return selected.map((streams) =>
    streams.map(({ labels, entries }) => {
      const identity = JSON.stringify(Object.entries(labels));
      const fresh = entries.filter(({ ts, line }) => {
        const key = `${identity} ${ts} ${line}`;
        return !seen.has(key) && seen.add(key);
      });
      return { labels, entries: fresh };
    }),
  );
}

const UNION: readonly Fault[] = [
  fault(
    { clause: "logs-5.2b", ...SEVERAL },
    "logs-seam-several-equal-once",
    "If several tenants have equal entries, only the entries of the first are returned, although a label distinguishes their streams.",
    (base) => toldApart(base, (selected, path) => (path === "range" ? equalOnce(selected) : selected)),
  ),
  fault(
    { clause: "logs-5.2b", ...SEVERAL },
    "logs-seam-several-values-until-first-ends",
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
  fault(
    { clause: "logs-5.2b", ...SEVERAL },
    "logs-seam-several-same-stream",
    "A stream that several tenants have is returned for the first of them only.",
    (base) => ({
      joinTenants: (selected, identity) => {
        const seen = new Set<string>();
        const fresh = selected.map((streams) => streams.filter(({ labels }) => !seen.has(identity(labels)) && seen.add(identity(labels))));
        return base.joinTenants(fresh, identity);
      },
    }),
  ),
];

export const LOGS_SEAM_TENANT_FAULTS: readonly Fault[] = [...ISOLATION, ...CACHES, ...UNION];
