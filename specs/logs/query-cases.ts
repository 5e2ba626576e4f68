/** Section 4, query_range and query: query cases over all datasets, from covering arrays. */
import { clauseOf } from "../../src/diagnosis/range-request.ts";
import type { Check } from "../../src/harness/check.ts";
import type { CheckContext } from "../../src/harness/context.ts";
import { countEntries, select, within } from "../../src/model/logs.ts";
import { runCases } from "../../src/queries/case-array.ts";
import { type CaseDataset, subjectsOf } from "../../src/queries/case-subject.ts";
import { metricFactors, neutralMetric } from "../../src/queries/metric-levels.ts";
import { askedIn, neutralRange, rangeFactors } from "../../src/queries/range-levels.ts";
import { archive, whileShown } from "../../src/datasets/archive.ts";
import { phrasing } from "../../src/queries/expressions.ts";
import { hourOrder, isOrdered } from "../../src/queries/hour-order.ts";
import { hourBoundaryData, whileKept } from "../../src/datasets/hour-boundary-data.ts";
import { blocks, crowd } from "../../src/datasets/large-datasets.ts";
import { metricText, metricAssertion } from "../../src/queries/metrics.ts";
import { parametersOf, selection } from "../../src/queries/range-query.ts";
import { grid, large, relay, several, type SetFixture, single, spread, tied, words } from "../../src/datasets/shared-datasets.ts";
import { groups, terms } from "../../src/datasets/small-datasets.ts";
import { logsCheck } from "./check.ts";

function young(name: string, set: SetFixture): CaseDataset {
  return { name, about: `the dataset ${name}`, prepare: async (scope) => subjectsOf(scope, name, await scope.use(set)) };
}

/** Entries around full hours. If limited queries across a full hour are wrong on this target, no case on this dataset has such a limit. */
const HOURS: CaseDataset = {
  name: "hours",
  about: "or does not show entries around full hours",
  prepare: async (scope) => {
    const set = await scope.use(hourBoundaryData);
    if (set === null) return null;
    const mayLimit = isOrdered(await scope.use(hourOrder));
    return subjectsOf(scope, "hours", set.dataset, { mayBeginEarlier: false, mayLimit, guard: (assertion) => whileKept(set, assertion) });
  },
};

const ARCHIVE: CaseDataset = {
  name: "archive",
  about: "or does not show entries of the last hours",
  prepare: async (scope) => {
    const parts = await scope.use(archive);
    if (parts === null) return null;
    return subjectsOf(scope, "archive", parts.light, { mayBeginEarlier: false, guard: (assertion) => whileShown(parts, assertion) });
  },
};

const IN_SMOKE: readonly CaseDataset[] = [young("several", several), young("spread", spread), young("words", words)];

const YOUNG: readonly CaseDataset[] = [
  ...IN_SMOKE,
  young("single", single),
  young("relay", relay),
  young("tied", tied),
  young("groups", groups),
  young("terms", terms),
  young("large", large),
];

/** The datasets whose entries a service may have flushed after settling. */
const FLUSHED: readonly CaseDataset[] = [young("words", words), young("blocks", blocks), young("crowd", crowd), HOURS, ARCHIVE];

async function rangeCases(t: CheckContext, engine: string, datasets: readonly CaseDataset[], release: number): Promise<void> {
  await runCases(t, {
    engine,
    clause: "logs-4.query_range",
    datasets,
    factors: rangeFactors(await t.use(phrasing)),
    neutral: neutralRange,
    clausesOf: ({ dataset }, { matchers, filters, start, end }) => [
      clauseOf({ matchers, filters }),
      "logs-4.query_range",
      // A single entry has no order.
      ...(countEntries(select(within(dataset.streams, start, end), { matchers, filters })) > 1 ? (["logs-4.1"] as const) : []),
      ...(matchers.length > 0 ? (["logs-4.matchers"] as const) : []),
    ],
    assertion: (subject, draft) => selection(subject.dataset, askedIn(subject, draft)),
    print: (subject, draft) => parametersOf(subject.dataset, askedIn(subject, draft)),
    most: { smoke: 8, release, nightly: 2_000 },
  });
}

const CLAUSES = ["logs-4.query_range", "logs-4.1", "logs-4.3", "logs-4.matchers"] as const;

const early = logsCheck({
  slug: "cases",
  title: "range queries with each pair of datasets, directions, limits, edges, matchers and line filters return the predicted entries",
  clauses: CLAUSES,
  async run(t) {
    await rangeCases(t, "range queries", t.profile === "smoke" ? IN_SMOKE : YOUNG, 130);
  },
});

const late = logsCheck({
  slug: "settled-cases",
  title:
    "range queries for settled and old entries, with each pair of limits, edges, matchers and line filters, return the predicted entries",
  clauses: CLAUSES,
  phase: "closing",
  profiles: ["release", "nightly"],
  async run(t) {
    await rangeCases(t, "range queries, settled", FLUSHED, 70);
  },
});

const METRIC_DATASETS: readonly CaseDataset[] = [
  young("grid", grid),
  young("several", several),
  young("words", words),
  young("spread", spread),
  young("groups", groups),
  young("relay", relay),
];

const metricCases = logsCheck({
  slug: "cases",
  title: "metric queries with each pair of datasets, functions, groupings, ranges, matchers and line filters have the predicted samples",
  clauses: ["logs-4.query"],
  async run(t) {
    await runCases(t, {
      engine: "metric queries",
      clause: "logs-4.query",
      datasets: t.profile === "smoke" ? METRIC_DATASETS.slice(0, 1) : METRIC_DATASETS,
      factors: metricFactors(await t.use(phrasing)),
      neutral: neutralMetric,
      clausesOf: () => ["logs-4.query"],
      assertion: (subject, draft) => metricAssertion(subject.dataset, draft),
      print: (subject, draft) => ({ query: metricText(subject.dataset, draft), time: draft.window.end }),
      most: { smoke: 5, release: 80, nightly: 1_000 },
    });
  },
});

export const QUERY_CASE_CHECKS: readonly Check[] = [early, late, metricCases];
