/** Section 4, query_range and query: query cases over all datasets, from covering arrays. */
import { type Asked, clauseOf } from "../../src/diagnosis/range-request.ts";
import type { ClauseId } from "../../src/contract/catalogue.ts";
import type { Check } from "../../src/harness/check.ts";
import type { CheckContext } from "../../src/harness/context.ts";
import { countEntries, select, within, containing } from "../../src/model/logs.ts";
import { runCases } from "../../src/queries/case-array.ts";
import { type CaseDataset, type CaseSubject, type SubjectOptions, subjectsOf } from "../../src/queries/case-subject.ts";
import { metricFactors, neutralMetric } from "../../src/queries/metric-levels.ts";
import { askedIn, neutralRange, rangeFactors } from "../../src/queries/range-levels.ts";
import { archive } from "../../src/datasets/archive.ts";
import { phrasing } from "../../src/queries/expressions.ts";
import { hourBoundaryData, whileBegun, whileKept } from "../../src/datasets/hour-boundary-data.ts";
import { blocks, crowd, prose, swarm } from "../../src/datasets/large-datasets.ts";
import { longLines } from "../../src/datasets/sized-datasets.ts";
import { outOfOrderData } from "../../src/datasets/out-of-order-data.ts";
import { type MetricAsked, metricAssertion } from "../../src/queries/metrics.ts";
import { aggregateOf, extremesOf, type OwnForm, ownAssertion } from "../../src/queries/metric-self-consistency.ts";
import { selection } from "../../src/queries/range-query.ts";
import { grid, large, relay, several, type SetFixture, single, spread, tied, words } from "../../src/datasets/shared-datasets.ts";
import { groups, nearlyEqual } from "../../src/datasets/small-datasets.ts";
import type { Assertion, Scope } from "../../src/harness/scope.ts";
import { type Dataset, stored, untilFlushed } from "../../src/datasets/datasets.ts";
import { hello } from "../../src/datasets/first-push.ts";
import type { As } from "../../src/datasets/requests.ts";
import { type Invalid, refused } from "../../src/queries/refusals.ts";
import { dividedWords, listing, ofEachTenant } from "../../src/queries/tenancy.ts";
import { useful } from "../../src/datasets/read-back.ts";
import type { Parted } from "../../src/datasets/two-tenants.ts";
import { largerCheck, logsCheck, verifyOwn, observed, tenantIds } from "./check.ts";
import { notSeveral } from "./tenants.ts";
import { countOf } from "../../src/queries/window-cases.ts";
import { hourOrder, isOrdered } from "../../src/queries/paging.ts";

/** Returns a level of the factor "dataset". `find` resolves to the dataset, or to null if the target refuses or hides it. */
function cases(name: string, find: (scope: Scope) => Promise<readonly [dataset: Dataset, options?: SubjectOptions] | null>): CaseDataset {
  const prepare: CaseDataset["prepare"] = async (scope) => {
    const found = await find(scope);
    return found && subjectsOf(scope, name, ...found);
  };
  return { name, prepare };
}

function young(name: string, set: SetFixture): CaseDataset {
  return cases(name, async (scope) => [await scope.use(set)]);
}

/** Returns the level for a dataset whose entries the service may have flushed. */
function flushed({ name, prepare }: CaseDataset): CaseDataset {
  return {
    name,
    prepare: async (scope) => {
      const subjectAt = await prepare(scope);
      if (subjectAt !== null) await untilFlushed(scope, subjectAt(0).dataset);
      return subjectAt;
    },
  };
}

/** Entries around full hours. If limited queries across a full hour are wrong on this target, these cases have no such limit. */
const HOURS = cases("hours", async (scope) => {
  const set = await scope.use(hourBoundaryData);
  if (set === null) return null;
  const mayLimit = isOrdered(await scope.use(hourOrder));
  return [set.dataset, { mayBeginEarlier: false, mayLimit, guard: (assertion) => whileKept(set, assertion) }];
});

const ARCHIVE = cases("archive", async (scope) => {
  const parts = await scope.use(archive);
  return parts && [parts.light, { mayBeginEarlier: false, guard: (assertion) => whileBegun(parts.oldest, assertion) }];
});

const IN_SMOKE: readonly CaseDataset[] = [young("several", several), young("spread", spread), young("words", words)];

const YOUNG: readonly CaseDataset[] = [
  ...IN_SMOKE,
  young("single", single),
  young("relay", relay),
  young("tied", tied),
  young("large", large),
  young("nearly equal", nearlyEqual),
];

const OUT_OF_ORDER = cases("out of order", async (scope) => {
  const { shown } = await scope.use(outOfOrderData);
  return shown && [shown];
});

const LONG = cases("long lines", async (scope) => {
  const set = await scope.use(longLines);
  return set && [useful(set)];
});

/** The datasets that are also read when a service may have flushed their entries. */
const FLUSHED: readonly CaseDataset[] = [
  young("words", words),
  young("blocks", blocks),
  young("crowd", crowd),
  young("swarm", swarm),
  young("prose", prose),
  OUT_OF_ORDER,
  HOURS,
  ARCHIVE,
].map(flushed);

/** The options in which the covering arrays differ: for range queries, for metric queries, and for queries of two tenants. */
interface Cases {
  readonly engine: string;
  readonly datasets: readonly CaseDataset[];
  /** The maximum number of rows of the array in a release run. */
  readonly release: number;
  /** True if a release run tries each level only once, because other arrays try the pairs of levels. */
  readonly isEachOnce?: true;
  /** Two tenants with one part of the dataset each. The requests list both tenants, and each level is tried only once. */
  readonly tenants?: { readonly ids: readonly [first: string, second: string]; readonly parts: Parted };
}

/** Returns a query for a dataset of one tenant. If `tenants` is given, the query lists both tenants. */
function asked(subject: CaseSubject, tenants: Cases["tenants"], ask: (dataset: Dataset, as: As) => Assertion): Assertion {
  if (tenants === undefined) return ask(subject.dataset, {});
  const { ids, parts } = tenants;
  const controls = [ask(parts.first, {}), ask(parts.second, { override: { tenant: ids[1] } })];
  return listing(ids.join("|"), (as) => ask(subject.dataset, as), controls);
}

const EACH_ONCE = { strength: { smoke: 1, release: 1, nightly: 2 } } as const;
/** A case has few filters, so that most results have entries of both tenants. */
const OF_BOTH = { ...EACH_ONCE, mostSelecting: 2 } as const;

/** Returns the part of a plan that is the same for range and metric queries. `clause` is the clause that queries of one tenant test. */
function planOf({ engine, datasets, tenants, isEachOnce }: Cases, clause: ClauseId) {
  return {
    engine,
    datasets,
    clause: tenants === undefined ? clause : "logs-5.2b",
    ...(isEachOnce === true ? EACH_ONCE : {}),
    ...(tenants === undefined ? {} : OF_BOTH),
  } as const;
}

async function rangeCases(t: CheckContext, plan: Cases): Promise<void> {
  const { release, tenants } = plan;
  await runCases(t, {
    ...planOf(plan, "logs-4.query_range"),
    factors: rangeFactors(await t.use(phrasing)),
    neutral: neutralRange,
    clausesOf: ({ dataset }, { matchers, filters, start, end }) =>
      tenants === undefined
        ? [
            clauseOf({ matchers, filters }),
            "logs-4.query_range",
            // The order is judged only if the response has more than one entry.
            ...(countEntries(select(within(dataset.streams, start, end), { matchers, filters })) > 1 ? (["logs-4.1"] as const) : []),
            ...(matchers.length > 0 ? (["logs-4.matchers"] as const) : []),
          ]
        : ["logs-5.2b"],
    assertion: (subject, draft) => asked(subject, tenants, (dataset, as) => selection(dataset, askedIn(subject, draft), undefined, as)),
    most: { smoke: 9, release, nightly: 2_000 },
  });
}

const CLAUSES = ["logs-4.query_range", "logs-4.1", "logs-4.3", "logs-4.matchers"] as const;

const early = logsCheck({
  slug: "cases",
  title:
    "range queries return the predicted entries for each combination of two values of dataset, direction, limit, window edge, matcher and line filter",
  clauses: CLAUSES,
  run: async (t) => rangeCases(t, { engine: "range queries", datasets: t.profile === "smoke" ? IN_SMOKE : YOUNG, release: 130 }),
});

const late = largerCheck({
  slug: "settled-cases",
  title: "late in the run, range queries return the predicted entries for each value of limit, window edge, matcher and line filter",
  clauses: ["logs-4.query_range"],
  phase: "waiting",
  run: async (t) => rangeCases(t, { engine: "range queries, settled", datasets: FLUSHED, release: 90, isEachOnce: true }),
});

const METRIC_DATASETS: readonly CaseDataset[] = [
  young("grid", grid),
  young("several", several),
  young("words", words),
  young("spread", spread),
  young("groups", groups),
  young("relay", relay),
  young("nearly equal", nearlyEqual),
];

async function metricCases(t: CheckContext, plan: Cases): Promise<void> {
  const { release, tenants } = plan;
  const shared = planOf(plan, "logs-4.query");
  await runCases(t, {
    ...shared,
    factors: metricFactors(await t.use(phrasing)),
    neutral: neutralMetric,
    clausesOf: () => [shared.clause],
    assertion: (subject, draft) => asked(subject, tenants, (dataset, as) => metricAssertion(dataset, draft, as)),
    most: { smoke: 5, release, nightly: 1_000 },
  });
}

const earlyMetrics = logsCheck({
  slug: "cases",
  title:
    "metric queries return the predicted samples for each combination of two values of dataset, function, grouping, range, matcher and line filter",
  clauses: ["logs-4.query"],
  async run(t) {
    const datasets = t.profile === "smoke" ? METRIC_DATASETS.slice(0, 1) : METRIC_DATASETS;
    await metricCases(t, { engine: "metric queries", datasets, release: 80 });
  },
});

const lateMetrics = largerCheck({
  slug: "settled-cases",
  title: "late in the run, metric queries return the predicted samples for each function, grouping, matcher and line filter",
  clauses: ["logs-4.query"],
  phase: "waiting",
  run: async (t) =>
    metricCases(t, { engine: "metric queries, settled", datasets: [...FLUSHED, flushed(LONG)], release: 60, isEachOnce: true }),
});

/** Aggregations whose result for two tenants must be computed from the samples of both. */
function overSamples(dataset: Dataset): { readonly asked: MetricAsked; readonly forms: readonly OwnForm[] } {
  const asked = countOf(dataset, { metric: "bytes_over_time", by: null });
  const aggregates = (["max", "min", "avg", "count"] as const).map((name) => aggregateOf(name, dataset, asked));
  return { asked, forms: [...aggregates, extremesOf("greatest", 3, dataset, asked)] };
}

/** Judges aggregations over both tenants. A difference violates the clause about both only if each tenant alone is aggregated rightly. */
async function verifyOverBoth(t: CheckContext, whole: Dataset, { ids, parts }: NonNullable<Cases["tenants"]>): Promise<void> {
  const tenant = ids.join("|");
  const { asked, forms } = overSamples(whole);
  const controls = [
    { ...overSamples(parts.first), dataset: parts.first, as: {} },
    { ...overSamples(parts.second), dataset: parts.second, as: { override: { tenant: ids[1] } } },
  ];
  const ofEach = (form: number): Assertion[] =>
    controls.flatMap(({ dataset, as, ...own }) =>
      own.forms.slice(form, form + 1).map((one) => ownAssertion(dataset, own.asked, one, { own: as, form: as })),
    );
  const refused = await verifyOwn(t, whole, asked, forms, {
    override: { tenant },
    judged: (assertion, form) => listing(tenant, () => assertion, ofEach(form)),
  });
  t.observe("logs-5.2b", "refused-aggregations", "refused or unpredictable aggregations over two tenants", observed(refused));
}

/** Two line filters. Each one excludes lines of both tenants that the other filter passes. */
const BOTH_NEEDED = [containing("error"), containing("1")] as const;

const INVALID: readonly Omit<Invalid, "override">[] = [
  { clause: "logs-2.2", endpoint: "query_range", valid: (selector) => selector, invalid: () => "{}" },
  { clause: "logs-4.2", endpoint: "query", valid: (selector) => `count_over_time(${selector}[5m])`, invalid: (selector) => selector },
];

const ofSeveral = largerCheck({
  slug: "cases",
  title:
    "queries that list two tenants return the predicted entries and samples, for each matcher, line filter, limit, edge, grouping and aggregation",
  clauses: ["logs-5.2b", "logs-2.2", "logs-4.2"],
  unless: notSeveral,
  async run(t) {
    const ids = tenantIds(t);
    const parts = await dividedWords(t);
    if (parts !== null) {
      const name = "words of both tenants";
      const datasets: CaseDataset[] = [{ name, prepare: async (scope) => ofEachTenant(scope, name, parts) }];
      const tenants = { ids, parts };
      await rangeCases(t, { engine: "range queries of two tenants", datasets, release: 20, tenants });
      await metricCases(t, { engine: "metric queries of two tenants", datasets, release: 16, tenants });
      const { seen: subject } = await t.probe(async (scope) => ofEachTenant(scope, name, parts)(0));
      await t.verify(asked(subject, tenants, (dataset, as) => selection(dataset, { filters: BOTH_NEEDED }, undefined, as)));
      await verifyOverBoth(t, subject.dataset, tenants);
    }
    const both = ids.join("|");
    const unsent: Asked = { cut: { limit: 100, direction: "backward", unsent: ["limit", "direction"] } };
    const many = await t.use(single);
    await t.verify(listing(both, (as) => selection(many, unsent, undefined, as)));
    const dataset = stored(await t.use(hello));
    for (const invalid of INVALID) await t.verify(refused(dataset, { ...invalid, override: { tenant: both } }));
  },
});

export const QUERY_CASE_CHECKS: readonly Check[] = [early, late, earlyMetrics, lateMetrics, ofSeveral];
