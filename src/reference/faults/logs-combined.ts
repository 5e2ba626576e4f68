/** Faults that need two conditions at once: metric queries of unusual streams, or line filters in reads of several tenants. */
import type { Operation } from "../http/message.ts";
import type { Behaviour } from "../behaviour.ts";
import type { Labels } from "../logs/types.ts";
import { broken, fault, type FaultDetails, faultsOf, type Row } from "./define.ts";
import { cachedUntilPush } from "./helpers.ts";
import type { Fault } from "./types.ts";

interface Current {
  operation: Operation | null;
  isSeveral: boolean;
  isFiltered: boolean;
}

/** Returns a fault whose effect depends on the request that the server handles. */
function during(
  clause: string,
  sentence: string,
  change: (base: Behaviour, current: Current) => Partial<Behaviour>,
  details: FaultDetails = {},
): Row {
  const noting = (base: Behaviour): Partial<Behaviour> => {
    const current: Current = { operation: null, isSeveral: false, isFiltered: false };
    return {
      tenantsOf: (header, context) => {
        const tenants = base.tenantsOf(header, context);
        current.operation = context.operation;
        current.isSeveral = !("status" in tenants) && tenants.length > 1;
        return tenants;
      },
      parseQuery: (text) => {
        const query = base.parseQuery(text);
        current.isFiltered = query.kind === "log" && query.filters.length > 0;
        return query;
      },
      ...change(base, current),
    };
  };
  return broken({ clause, sentence, ...details }, noting);
}

function uncounted(sentence: string, isUncounted: (labels: Labels) => boolean): Row {
  return during("logs-4.query", sentence, (base, current) => ({
    matchStream: (matcher, labels) => !(current.operation === "logs.query" && isUncounted(labels)) && base.matchStream(matcher, labels),
  }));
}

const OPT_IN = { LOGS_TENANT_ID_2: "two" };
const SEVERAL: FaultDetails = { settings: { ...OPT_IN, LOGS_MULTI_TENANT_QUERIES: "true" } };

const MOST_SCANNED = 1_500;
const MOST_LIMIT = 1_000;
const UNIT_NS = { minute: 60_000_000_000n, second: 1_000_000_000n } as const;

export const LOGS_COMBINED_FAULTS: readonly Fault[] = [
  ...faultsOf("logs-4.query", {
    "logs-metric-capital-names-uncounted": uncounted(
      "Metric queries do not count streams that have a label name with a capital letter.",
      (labels) => Object.keys(labels).some((name) => /[A-Z]/.test(name)),
    ),
    "logs-metric-absent-label": during(
      "logs-4.query",
      "In metric queries a matcher with an empty value selects nothing.",
      (base, current) => ({
        matchStream: (matcher, labels) =>
          !(current.operation === "logs.query" && matcher.operator === "=" && matcher.value === "") && base.matchStream(matcher, labels),
      }),
    ),
    "logs-metric-excluded-any-case": during(
      "logs-4.query",
      "In metric queries a line filter with != ignores upper and lower case.",
      (base, current) => ({
        filterLine: (filter, line, index) =>
          current.operation === "logs.query" && filter.operator === "!="
            ? !line.toLowerCase().includes(filter.text.toLowerCase())
            : base.filterLine(filter, line, index),
      }),
    ),
    "logs-several-tenants-first-filter": during(
      "logs-5.2b",
      "A query of several tenants uses only its first line filter.",
      (base, current) => ({
        filterLine: (filter, line, index) => (current.isSeveral && index > 0) || base.filterLine(filter, line, index),
      }),
      SEVERAL,
    ),
  }),
  ...(["minute", "second"] as const).map((unit) =>
    fault(
      "logs-4.query",
      `logs-metric-kept-for-a-${unit}`,
      `Until the next push, the response to a metric query is repeated for each time within the same ${unit}.`,
      cachedUntilPush("logs.query", ({ query, headers }) =>
        [query.get("query"), BigInt(query.get("time") ?? 0) / UNIT_NS[unit], headers["x-scope-orgid"]].join(" "),
      ),
    ),
  ),
  ...faultsOf("logs-4.query", {
    "logs-several-tenants-empty-selector": during(
      "logs-2.2",
      "An empty selector is accepted in a query of several tenants.",
      (base, current) => ({
        refuseQuery: (query, endpoint) => (current.isSeveral && endpoint === "query_range" ? undefined : base.refuseQuery(query, endpoint)),
      }),
      SEVERAL,
    ),
    "logs-filter-newest-entries": during(
      "logs-4.3",
      "A line filter reads only the newest 1,500 entries of a stream.",
      (base, current) => ({
        scan: (entries, ...rest) => base.scan(current.isFiltered ? entries.slice(-MOST_SCANNED) : entries, ...rest),
      }),
      { also: ["logs-4.1"] },
    ),
    "logs-high-limit-with-filter": during("logs-4.3", "With a line filter, a limit above 1,000 is read as 1,000.", (base, current) => ({
      parseLimit: (text) => {
        const limit = base.parseLimit(text);
        return limit !== undefined && current.isFiltered ? Math.min(limit, MOST_LIMIT) : limit;
      },
    })),
  }),
];
