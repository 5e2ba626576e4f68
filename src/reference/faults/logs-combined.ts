/** Faults that need two conditions together, faults of default parameters, and faults of metric results without an aggregation. */
import type { Operation } from "../http/message.ts";
import type { Behaviour } from "../behaviour.ts";
import type { Sample } from "../logs/instant.ts";
import { broken, type FaultDetails, faultsOf, type Row, type Told } from "./define.ts";
import { cachedUntilPush, isFiltered, noted } from "./helpers.ts";
import type { Fault } from "./types.ts";

interface Current {
  operation: Operation | null;
  isSeveral: boolean;
  isFiltered: boolean;
}

/** Returns a fault whose effect depends on the request that the server handles. */
function during(told: Told, change: (base: Behaviour, current: Current) => Partial<Behaviour>): Row {
  return broken(told, (base) => {
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
        current.isFiltered = isFiltered(query);
        return query;
      },
      ...change(base, current),
    };
  });
}

const OPT_IN: FaultDetails = { settings: { LOGS_TENANT_ID_2: "two", LOGS_MULTI_TENANT_QUERIES: "true" } };

const MOST_SCANNED = 1_500;
const MOST_LIMIT = 1_000;
const UNIT_NS = { minute: 60_000_000_000n, second: 1_000_000_000n } as const;

export const LOGS_COMBINED_FAULTS: readonly Fault[] = faultsOf("logs-4.query", {
  "logs-metric-capital-names-uncounted": during(
    "Metric queries do not count streams that have a label name with a capital letter.",
    (base, current) => ({
      matchStream: (matcher, labels) =>
        !(current.operation === "logs.query" && Object.keys(labels).some((name) => /[A-Z]/.test(name))) &&
        base.matchStream(matcher, labels),
    }),
  ),
  "logs-metric-absent-label": during("In metric queries a matcher with an empty value selects nothing.", (base, current) => ({
    matchStream: (matcher, labels) =>
      !(current.operation === "logs.query" && matcher.operator === "=" && matcher.value === "") && base.matchStream(matcher, labels),
  })),
  "logs-metric-excluded-any-case": during("In metric queries a line filter with != ignores upper and lower case.", (base, current) => ({
    filterLine: (filter, line, index) =>
      current.operation === "logs.query" && filter.operator === "!="
        ? !line.toLowerCase().includes(filter.text.toLowerCase())
        : base.filterLine(filter, line, index),
  })),
  "logs-several-tenants-first-filter": during(
    { clause: "logs-5.2b", sentence: "A query of several tenants uses only its first line filter.", ...OPT_IN },
    (base, current) => ({
      filterLine: (filter, line, index) => (current.isSeveral && index > 0) || base.filterLine(filter, line, index),
    }),
  ),
  ...Object.fromEntries(
    (["minute", "second"] as const).map((unit) => [
      `logs-metric-kept-for-a-${unit}`,
      broken(
        `Until the next push, the response to a metric query is repeated for each time within the same ${unit}.`,
        cachedUntilPush("logs.query", ({ query, headers }) =>
          [query.get("query"), BigInt(query.get("time") ?? 0) / UNIT_NS[unit], headers["x-scope-orgid"]].join(" "),
        ),
      ),
    ]),
  ),
  "logs-several-tenants-empty-selector": during(
    { clause: "logs-2.2", sentence: "An empty selector is accepted in a query of several tenants.", ...OPT_IN },
    (base, current) => ({
      refuseQuery: (query, endpoint) => (current.isSeveral && endpoint === "query_range" ? undefined : base.refuseQuery(query, endpoint)),
    }),
  ),
  "logs-filter-newest-entries": during(
    { clause: "logs-4.3", sentence: "A line filter reads only the newest 1,500 entries of a stream.", also: ["logs-4.1"] },
    (base, current) => ({
      scan: (entries, ...rest) => base.scan(current.isFiltered ? entries.slice(-MOST_SCANNED) : entries, ...rest),
    }),
  ),
  "logs-high-limit-with-filter": during(
    { clause: "logs-4.3", sentence: "With a line filter, a limit above 1,000 is read as 1,000." },
    (base, current) => ({
      parseLimit: (text) => {
        const limit = base.parseLimit(text);
        return limit !== undefined && current.isFiltered ? Math.min(limit, MOST_LIMIT) : limit;
      },
    }),
  ),
});

/** Returns a fault of the results of metric queries without an aggregation. */
function unaggregated(sentence: string, change: (samples: readonly Sample[]) => readonly Sample[]): Row {
  return broken(sentence, (base) => {
    const { parseQuery, fact } = noted(base, false, ({ kind }) => kind === "range");
    return { parseQuery, arrangeSamples: (samples) => base.arrangeSamples(fact() ? change(samples) : samples) };
  });
}

export const LOGS_DEFAULT_FAULTS: readonly Fault[] = faultsOf("logs-4.query", {
  "logs-defaults-direction-filtered": broken(
    { clause: "logs-4.1", sentence: "Without direction but with a line filter, the oldest entries come first." },
    (base) => {
      const { parseQuery, fact } = noted(base, false, isFiltered);
      return {
        parseQuery,
        rangeQuery: (query) => base.rangeQuery(query.defaulted.direction && fact() ? { ...query, direction: "forward" } : query),
      };
    },
  ),
  "logs-samples-swapped": unaggregated("The samples of streams without aggregation are swapped.", (samples) =>
    samples.map(({ labels }, index) => ({ labels, value: samples.at(index - 1)?.value ?? 0 })),
  ),
  "logs-samples-all-in-first": unaggregated(
    "The first of several streams without aggregation has the sum of all, and the others have 0.",
    (samples) =>
      samples.map(({ labels }, index) => ({ labels, value: index === 0 ? samples.reduce((sum, { value }) => sum + value, 0) : 0 })),
  ),
});
