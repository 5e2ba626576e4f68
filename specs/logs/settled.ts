/** Repeats reads at the end of the run, when a service may have flushed the entries. */
import type { Asked, Window } from "../../src/diagnosis/range-request.ts";
import type { Check } from "../../src/harness/check.ts";
import type { TablePart } from "../../src/harness/context.ts";
import type { Assertion } from "../../src/harness/scope.ts";
import { entriesOf, containing } from "../../src/model/logs.ts";
import { limitedAcrossDatasets, selection } from "../../src/queries/range-query.ts";
import { AWAY_MS } from "../../src/datasets/archive.ts";
import { everyStreamCounted } from "../../src/queries/dataset-counts.ts";
import { dividedAt, countOf } from "../../src/queries/window-cases.ts";
import { type Dataset, timestamps } from "../../src/datasets/datasets.ts";
import { nowOf } from "../../src/datasets/dataset-pushes.ts";
import { alikes, labelled, NAMES } from "../../src/datasets/small-datasets.ts";
import { blocks, chunks, crowd, heap, prose, swarm } from "../../src/datasets/large-datasets.ts";
import { everythingPushed, namesListed, valuesListed } from "../../src/queries/label-lists.ts";
import { metricText, metricAssertion, takesForm, COUNT } from "../../src/queries/metrics.ts";
import { HALF_HOUR } from "../../src/datasets/placing.ts";
import { grid, many, several, spread, words } from "../../src/datasets/shared-datasets.ts";
import { entriesRead, isolated, listRead, metricRead } from "../../src/queries/tenancy.ts";
import { twoTenants, inBothOrders } from "../../src/datasets/two-tenants.ts";
import { largerCheck, logsCheck, inTurn, isListed, notListed, BOTH_AMOUNTS } from "./check.ts";
import { secondTenant } from "./tenants.ts";
import { HOUR, MINUTE, SECOND } from "../../src/model/times.ts";

/** Returns three times within one second, with at least one entry between each time and the next one. */
function neighbouringEdges(dataset: Dataset): bigint[] {
  const all = timestamps(dataset);
  const edges = all.flatMap((ts, index) => ((all[index + 1] ?? ts) - ts >= 2n ? [ts + 1n] : []));
  const secondOf = (index: number): bigint | undefined => (edges[index] === undefined ? undefined : edges[index] / 1_000_000_000n);
  const first = edges.findIndex((_edge, index) => secondOf(index) === secondOf(index + 2));
  return edges.slice(first, first + 3);
}

/** Queries, one after the other: windows that differ by less than 1 s, and empty windows, each followed by a longer window. */
const neighbours: TablePart = async (t) => {
  const dataset = await t.use(spread);
  const { start, end } = dataset;
  const all = timestamps(dataset);
  // The window between two distant entries is empty. It is read in each direction with the lowest limit.
  const gap = all.findIndex((ts, index) => (all[index + 1] ?? ts) - ts > 10_000_000_000n);
  const quiet = { start: (all[gap] ?? start) + 1_000_000_000n, end: (all[gap + 1] ?? end) - 1_000_000_000n };
  const [first = start, last = end] = [all[0], all.at(-1)];
  const asked: readonly Asked[] = [
    ...neighbouringEdges(dataset).flatMap((edge) => dividedAt(dataset, edge).map((window) => ({ window }))),
    ...(["forward", "backward"] as const).map((way) => ({ window: quiet, cut: { limit: 1, direction: way } })),
    // The empty result of this window must not become the result of a longer window.
    { window: { start: start + 1n, end: first - 1_000_000n } },
    { window: { start: start + 1n, end: end - 1n } },
    { window: { start: last + 1_000_000n, end: end - 2n } },
    { window: { start: start + 2n, end: end - 2n } },
  ];
  return [inTurn(asked.map((one) => selection(dataset, one)))];
};

/** Texts that differ only in their spaces. */
const BLANKS = ["dark red", "darkred", "dark  red"];

/**
 * Returns the window of the clock hour of a dataset, at most until now. A service may count whole hours with different code. The window is
 * 1 s longer than the hour on each side, because other datasets have entries exactly at full hours.
 */
function hourOf({ anchor }: Dataset, now: bigint): Window {
  const hour = (anchor / HOUR) * HOUR;
  const last = now < hour + HOUR + SECOND ? now : hour + HOUR + SECOND;
  return { start: hour - SECOND, end: (last / SECOND) * SECOND };
}

/** Datasets that were pushed one after the other, and whose entries alternate in time. */
const INTERLEAVED = [several, spread, grid, words, many, blocks, crowd, heap, swarm, prose] as const;

/** Limited queries over many datasets with interleaved timestamps. */
const amongAll: TablePart = async (t) => {
  const pushed: Dataset[] = [];
  for (const set of INTERLEAVED) pushed.push(await t.use(set));
  // If the run crosses a full or half hour, only datasets on one side of this time are used. Separate checks judge windows across full
  // hours.
  const sets = pushed.filter(({ anchor }) => anchor / HALF_HOUR === (pushed[0]?.anchor ?? 0n) / HALF_HOUR);
  const start = sets.reduce((first, { anchor }) => (anchor < first ? anchor : first), sets[0]?.anchor ?? 0n);
  const taken = new Set(sets.flatMap((dataset) => timestamps(dataset)));
  const clear = (ts: bigint): bigint => (taken.has(ts) ? clear(ts + 1n) : ts);
  const assertions: Assertion[] = [];
  for (const minute of [1n, 3n, 5n, 7n]) {
    const edge = clear(start + minute * MINUTE);
    for (const [limit, window, way] of [
      [130, { start: edge, end: clear(start + 9n * MINUTE) }, "forward"],
      [300, { start: clear(start - SECOND), end: edge }, "backward"],
    ] as const)
      assertions.push(limitedAcrossDatasets(sets, window, { limit, direction: way }));
  }
  // The queries after a violation are not sent, because finding its cause needs many requests.
  return [inTurn(assertions, ({ differences }) => differences.length > 0)];
};

const flushed = logsCheck({
  slug: "put-away",
  title: "late in the run, when services have usually flushed recent data, queries return and count all entries of large streams",
  clauses: ["logs-4.query_range", "logs-4.1", "logs-4.query"],
  phase: "waiting",
  profiles: ["nightly"],
  async run(t) {
    for (const set of [chunks, blocks, prose]) {
      const dataset = await t.use(set);
      await t.probe(async (scope) => scope.untilAfterWrite(dataset, AWAY_MS));
      for (const direction of ["backward", "forward"] as const)
        for (const limit of [140, 1_000]) await t.verify(selection(dataset, { cut: { limit, direction } }, "logs-4.1"));
      const all = timestamps(dataset);
      const middle = all[Math.floor(all.length / 2)] ?? dataset.end;
      for (const window of dividedAt(dataset, middle + 1n)) await t.verify(selection(dataset, { window }, "logs-4.query_range"));
      await t.verify(metricAssertion(dataset, countOf(dataset)));
    }
  },
});

const isolation = logsCheck({
  slug: "settled",
  title: "after all writes have become visible, a tenant still gets only its own entries, metrics and labels",
  clauses: ["logs-5.2a"],
  phase: "closing",
  unless: secondTenant,
  async run(t) {
    for (const [mine, theirs] of inBothOrders(await t.use(twoTenants))) {
      await t.verify(isolated(entriesRead(mine.dataset), mine, theirs));
      await t.verify(isolated(metricRead(theirs.dataset, "count_over_time"), mine, theirs));
      if (!isListed(mine.dataset)) continue;
      for (const which of ["sizes", "names"] as const) await t.verify(isolated(listRead(which), mine, theirs));
    }
  },
});

/** The response to a query without aggregation shows the labels and the sample of each stream. */
const everySet: TablePart = async (t) => {
  // If no other check pushes a dataset, the check counts this one.
  await t.use(several);
  const { seen: counts } = await t.probe(async (scope) =>
    Promise.all(BOTH_AMOUNTS.map(async (metric) => everyStreamCounted(scope, metric))),
  );
  return counts.flat();
};

/** The dataset has a cluster of entries every minute. Each range contains one cluster more than the previous range. */
const minutesApart: TablePart = async (t) => {
  const dataset = await t.use(spread);
  const asked = [1n, 2n, 3n].map((clusters) => {
    const end = dataset.anchor + clusters * MINUTE - 30n * SECOND;
    return metricAssertion(dataset, { ...COUNT, window: { start: end - 4n * MINUTE, end } });
  });
  return [inTurn(asked)];
};

const RANGE = 3n * MINUTE;

/** In ns. One range ends BESIDE before an entry, and the other BESIDE after it. No edge is nearer to another entry than CLEAR. */
const BESIDE = 20_000_000n;
const CLEAR = 5_000_000n;

/** Counts two ranges that end within the same second and have different entries. No range is empty: some services cache no empty result. */
const inOneSecond: TablePart = async (t) => {
  const dataset = await t.use(many);
  const all = entriesOf(dataset.streams).map(({ ts }) => ts);
  const isQuiet = (point: bigint): boolean => all.every((ts) => ts < point - CLEAR || ts > point + CLEAR);
  const countAt = (end: bigint): number => all.filter((ts) => ts > end - RANGE && ts < end).length;
  const isClear = (end: bigint): boolean => isQuiet(end) && isQuiet(end - RANGE) && countAt(end) > 0;
  const pair = all
    .map((ts) => [ts - BESIDE, ts + BESIDE] as const)
    .find(([end, next]) => end / SECOND === next / SECOND && isClear(end) && isClear(next) && countAt(end) !== countAt(next));
  if (pair === undefined) throw new Error("the dataset has no entry before and after which a range can end");
  return [inTurn(pair.map((end) => metricAssertion(dataset, { ...countOf(dataset), window: { start: end - RANGE, end } })))];
};

const alikeFilters: TablePart = async (t) => {
  const dataset = await t.use(alikes);
  const asked = BLANKS.map((text): Assertion => async (scope) => {
    const inSet = countOf(dataset, { filters: [containing(text)] });
    const inHour = { ...inSet, window: hourOf(dataset, await nowOf(scope)) };
    // The end of this range may be in the future by the clock of the service, so the service may refuse the range.
    const taken = await takesForm(metricText(dataset, inHour), inHour.window.end)(scope);
    return (taken === null ? metricAssertion(dataset, inSet) : metricAssertion(dataset, inHour, taken))(scope);
  });
  return [inTurn(asked)];
};

const nearlyEqual = largerCheck({
  slug: "neighbouring-windows",
  title:
    "after all writes have become visible, a query never gets the result of another query with a nearly equal window, query time or line filter",
  clauses: ["logs-4.query_range", "logs-4.query"],
  phase: "closing",
  async run(t) {
    await t.verifyParts("logs-4.query_range", [neighbours]);
    await t.verifyParts("logs-4.query", [minutesApart, inOneSecond, alikeFilters]);
  },
});

const counted = largerCheck({
  slug: "settled",
  title:
    "after all writes have become visible, all pushed streams are counted completely, and limited queries over many datasets return the newest or oldest entries",
  clauses: ["logs-4.query", "logs-4.1"],
  phase: "closing",
  async run(t) {
    await t.verifyParts("logs-4.query", [everySet]);
    await t.verifyParts("logs-4.1", [amongAll]);
  },
});

const lists = largerCheck({
  slug: "settled",
  title: "after all writes have become visible, pushed label names and values are still listed",
  clauses: ["logs-4.labels", "logs-4.label-values"],
  // At the end of a run, a service may have flushed the first streams. Lists must show flushed labels and labels in memory.
  phase: "last",
  async run(t) {
    if (!isListed(await t.use(labelled))) return notListed(t);
    const pushed = await t.use(everythingPushed);
    await t.verify(namesListed(pushed, [t.runId]));
    for (const name of NAMES.slice(0, 3)) await t.verify(valuesListed(pushed, name));
  },
});

export const SETTLED_CHECKS: readonly Check[] = [nearlyEqual, flushed, counted, lists, isolation];
