/** Tests concurrent reads that differ in one parameter. Each read must get its own result. */
import { HIGHEST_LIMIT } from "../datasets/requests.ts";
import type { Asked } from "../diagnosis/range-request.ts";
import { type LineFilter, containing } from "../model/logs.ts";
import { unlessLate } from "../harness/expect.ts";
import { type Finding, together } from "../harness/finding.ts";
import type { Assertion } from "../harness/scope.ts";
import { EVERYTHING, metricCut, windowOf, countOf } from "../queries/window-cases.ts";
import type { Dataset } from "../datasets/datasets.ts";
import { NAMES, valuesFor } from "../datasets/small-datasets.ts";
import { valuesListed } from "../queries/label-lists.ts";
import { type MetricAsked, metricAssertion, COUNT } from "../queries/metrics.ts";
import { selection } from "../queries/range-query.ts";
import { entriesRead, isolated, listRead, metricRead, type TenantRead } from "../queries/tenancy.ts";
import type { TwoTenants } from "../datasets/two-tenants.ts";

/**
 * Runs assertions about one dataset concurrently. If a wrong read is right when it is repeated alone, all are repeated after settling. Lag
 * can then no longer cause a difference.
 */
function atOnce(of: Dataset, assertions: readonly Assertion[]): Assertion {
  return async (scope) => {
    const ask = async (): Promise<Finding[]> => Promise.all(assertions.map(async (assertion) => assertion(scope)));
    const findings = await unlessLate(scope, of, ask);
    const wrong = assertions.find((_, index) => (findings[index]?.differences.length ?? 0) > 0);
    // If a read is also wrong when it is sent alone, the concurrent reads are not the cause.
    const isWrongAlone = wrong !== undefined && (await wrong(scope)).differences.length > 0;
    return isWrongAlone ? together(findings) : { ...together(findings), input: { "concurrent reads": assertions.length } };
  };
}

function selectionsOf(dataset: Dataset, asked: readonly Asked[]): Assertion {
  return atOnce(
    dataset,
    asked.map((one) => selection(dataset, one)),
  );
}

function metricsOf(dataset: Dataset, asked: readonly MetricAsked[]): Assertion {
  return atOnce(
    dataset,
    asked.map((one) => metricAssertion(dataset, one)),
  );
}

const BOTH_WAYS = ["forward", "backward"] as const;

const HALVES = [
  { from: 0, to: 500_000 },
  { from: 500_000, to: 1_000_000 },
] as const;

/** Sends concurrent range queries. Each query differs from the first query in its limit, direction, start, end or line filters. */
export function rangesAtOnce(dataset: Dataset, text: string): Assertion {
  const cut = { limit: 5, direction: "forward" } as const;
  const whole = { start: dataset.start, end: dataset.end };
  const [older, newer] = HALVES;
  const backward = { ...cut, direction: "backward" } as const;
  const asked: readonly Asked[] = [
    { cut },
    { cut: { ...cut, limit: 9 } },
    { cut: backward },
    { cut: backward, window: { ...whole, end: windowOf(dataset, older).end } },
    { cut, window: { ...whole, start: windowOf(dataset, newer).start } },
    { cut, filters: [containing(text)] },
  ];
  return selectionsOf(dataset, asked);
}

/** Sends concurrent reads of different entries. No part of one large response may get into another response. */
export function largeAtOnce(dataset: Dataset, limit: number): Assertion {
  const windows = [EVERYTHING, ...HALVES].map((cut) => windowOf(dataset, cut));
  const asked = windows.flatMap((window) => BOTH_WAYS.map((direction) => ({ window, cut: { limit, direction } })));
  return selectionsOf(dataset, asked);
}

const MORE_THAN_AN_HOUR = 16;

/** Sends concurrent reads of windows that contain full hours, of a few entries and of all entries. Services divide such windows. */
export function dividedAtOnce(dataset: Dataset, filters: readonly LineFilter[]): Assertion {
  const limits = [MORE_THAN_AN_HOUR, dataset.entries];
  const asked = limits.flatMap((limit) => BOTH_WAYS.map((direction) => ({ filters, cut: { limit, direction } })));
  return selectionsOf(dataset, asked);
}

/** Sends concurrent metric queries. Each query differs from the first query in its function, time, range or line filters. */
export function metricsAtOnce(dataset: Dataset, text: string): Assertion {
  const [older, newer] = HALVES;
  const whole = countOf(dataset);
  const { end } = metricCut(dataset, older, COUNT).window;
  const earlier = { start: end - (whole.window.end - whole.window.start), end };
  const asked: readonly MetricAsked[] = [
    whole,
    { ...whole, metric: "bytes_over_time" },
    { ...whole, window: earlier },
    metricCut(dataset, newer, COUNT),
    { ...whole, filters: [containing(text)] },
  ];
  return metricsOf(dataset, asked);
}

const TIMES = 4;

/** Sends the same query text concurrently for several times. The range is so large that the queries take long, and so overlap. */
export function largeMetricsAtOnce(dataset: Dataset): Assertion {
  const plain = { ...COUNT, metric: "bytes_over_time" } as const;
  const { window } = metricCut(dataset, EVERYTHING, plain);
  const length = window.end - window.start;
  const asked = Array.from({ length: TIMES }, (_, index) => {
    const { end } = metricCut(dataset, { from: 0, to: 1_000_000 - index * 150_000 }, plain).window;
    return { ...plain, window: { start: end - length, end } };
  });
  return metricsOf(dataset, asked);
}

/** Sends concurrent metric queries. Each result has a sample for each of many streams, so a service must keep them all in memory. */
export function groupsAtOnce(dataset: Dataset, name: string): Assertion {
  const asked = (["count_over_time", "bytes_over_time"] as const).flatMap((metric) =>
    [EVERYTHING, HALVES[1]].map((cut) => metricCut(dataset, cut, { ...COUNT, metric, by: [name] })),
  );
  return metricsOf(dataset, asked);
}

export function valuesAtOnce(dataset: Dataset, runId: string): Assertion {
  const names = NAMES.slice(0, 3);
  const assertions = names.map((name) => {
    const foreign = names.filter((other) => other !== name).flatMap((other) => valuesFor(runId, other));
    return valuesListed(dataset, name, foreign);
  });
  return atOnce(dataset, assertions);
}

function byEach({ first, second }: TwoTenants, reads: readonly TenantRead[]): Assertion {
  return atOnce(
    first.dataset.lastWriteAt > second.dataset.lastWriteAt ? first.dataset : second.dataset,
    reads.flatMap((read) => [isolated(read, first, second), isolated(read, second, first)]),
  );
}

export function tenantReadsAtOnce(tenants: TwoTenants): Assertion {
  return byEach(tenants, [entriesRead(tenants.first.dataset), metricRead(tenants.first.dataset, "count_over_time")]);
}

/** A filter that each line of the datasets passes. A service may use different code to answer a query with a filter. */
const EVERY_LINE: readonly LineFilter[] = [containing(" ")];

/** Sends concurrent reads of hundreds of entries, each twice for each of the two tenants. */
export function tenantLargeReadsAtOnce(tenants: TwoTenants): Assertion {
  const all = { limit: HIGHEST_LIMIT, direction: "forward" } as const;
  const reads = [[], EVERY_LINE].map((filters) => entriesRead(tenants.first.dataset, all, filters));
  return byEach(tenants, [...reads, ...reads]);
}

/** The number of concurrent requests of each tenant for a list. A list takes little time, so that fewer requests would rarely overlap. */
const LISTS_AT_ONCE = 2;

export function tenantListsAtOnce(tenants: TwoTenants): Assertion {
  const reads = Array.from({ length: LISTS_AT_ONCE }, () => listRead("sizes"));
  return byEach(tenants, reads);
}
