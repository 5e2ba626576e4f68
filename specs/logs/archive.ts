/**
 * Sections 2 and 4 for old entries. To read a stream that spans hours, a service combines many blocks of flushed entries. A query for old
 * entries may find nothing. Such a result must not change the results of later queries.
 */
import { HIGHEST_LIMIT } from "../../src/datasets/requests.ts";
import type { Window } from "../../src/diagnosis/range-request.ts";
import type { ClauseId } from "../../src/contract/catalogue.ts";
import type { Check } from "../../src/harness/check.ts";
import type { Assertion } from "../../src/harness/scope.ts";
import { type LineFilter, type Matcher, containing, lacking, matcher, matching, type FilterOperator } from "../../src/model/logs.ts";
import { archive, archivePushed, hidesHistory, type ArchiveParts } from "../../src/datasets/archive.ts";
import {
  backfilledEntries,
  countsAtMeeting,
  fromLongBefore,
  loneOld,
  backfilledStreams,
  whileFirstShown,
} from "../../src/scenarios/backfill.ts";
import { type Dataset, colour } from "../../src/datasets/datasets.ts";
import { LONG_RANGES_REFUSED, type MetricAsked, metricAssertion, takesLongRanges, COUNT } from "../../src/queries/metrics.ts";
import { hourBoundaryData, keeps, whileBegun, whileKept } from "../../src/datasets/hour-boundary-data.ts";
import {
  midnight,
  midnightPushed,
  firstPart,
  twoFlushes,
  whileAllShown,
  sparseDataPushed,
  AROUND,
  BEFORE,
  BETWEEN,
  sparseData,
  steps,
} from "../../src/datasets/old-data.ts";
import { aggregateOf } from "../../src/queries/metric-self-consistency.ts";
import { selection } from "../../src/queries/range-query.ts";
import { readBack as backAsPushed, useful } from "../../src/datasets/read-back.ts";
import { BOTH_WAYS, type Kept, largerCheck, logsCheck, inTurn, verifyOwn, BOTH_AMOUNTS, aroundHours } from "./check.ts";
import { dividedAt } from "../../src/queries/window-cases.ts";
import { MINUTE, SECOND } from "../../src/model/times.ts";
import type { TablePart } from "../../src/harness/context.ts";
import { hoursOf } from "../../src/queries/paging.ts";

const NOT_TAKEN = "the target refuses or does not show entries of the last hours; the document does not say how old entries may be";
const HIDDEN =
  "a push of an entry that was more than an hour old was answered with success, and no read showed this entry; the document does not say whether a service may hide it";
const NOT_BESIDE =
  "the target refused or did not answer a second push of entries of the last hours; the document does not promise that a service accepts it";

type OldPart = (parts: ArchiveParts) => readonly Assertion[];

const readBack = largerCheck({
  slug: "archive",
  title: "entries that are hours old are returned exactly once and unchanged",
  clauses: ["logs-4.push"],
  async run(t) {
    // The dataset is pushed early. When it is read, these minutes no longer change, so a service may cache results for them.
    await t.use(sparseDataPushed);
    const pushed = await t.use(archivePushed);
    if (pushed === null) return (await t.use(hidesHistory)) ? t.inconclusive(HIDDEN) : t.notRun(NOT_TAKEN);
    await t.verify(whileBegun(pushed.oldest, async () => pushed.finding));
    // These streams are pushed early. A service may then have flushed them before the backfill and the reads.
    await t.use(backfilledStreams);
    await t.use(midnightPushed);
    if (t.profile === "nightly") await t.use(firstPart);
  },
});

const HALF = [matcher("svc_a", "=", "half")] as const;

const FILTERS: readonly (readonly LineFilter[])[] = [
  [containing("even")],
  [lacking("even")],
  [containing("archive"), matching(".*(odd|begins).*")],
];

const MATCHERS: readonly (readonly Matcher[])[] = [
  // Most streams do not have the label `svc_a`.
  [matcher("svc_a", "!=", "half")],
  [colour("!=", "c1"), matcher("svc_zz", "!=", "archive 3")],
  [colour("=~", "c2|c5"), matcher("svc_zz", "!~", "archive .*")],
];

/** Returns a metric query over a whole dataset. No entry is near the edges of the range. */
function over({ start, end }: Dataset, asked: Partial<MetricAsked>): MetricAsked {
  return { ...COUNT, window: { start, end }, ...asked };
}

/** The distance of edges from entries, in ns. A service may divide a range at full minutes, and lose an entry exactly there. */
const BESIDE = 250_000_000n;

/** Returns two windows of the same length. The second window starts after many streams begin. No entry is near an edge. */
function alikeWindows({ anchor }: Dataset): Window[] {
  return [305n, 430n].map((seconds) => {
    const start = anchor + seconds * SECOND + BESIDE;
    return { start, end: start + 36n * MINUTE };
  });
}

const windows: OldPart = ({ whole, light, heavy, untilTheHour, meeting, hour }) => [
  ...[whole, light, heavy].map((dataset) => selection(dataset, { cut: { limit: HIGHEST_LIMIT, direction: "backward" } })),
  ...BOTH_WAYS.flatMap((direction) =>
    [
      ...dividedAt(light, meeting).map((window) => ({ window })),
      // In this group, 50 streams begin in the same millisecond in which 50 others end. Servers often use batches of 50 streams.
      { matchers: HALF },
    ].map((asked) => selection(light, { ...asked, cut: { limit: HIGHEST_LIMIT, direction } }, "logs-4.query_range")),
  ),
  ...[
    { start: light.start, end: hour + 500n },
    { start: hour - 500n, end: hour + 500n },
  ].map((window) => selection(untilTheHour, { window })),
];

const limits: OldPart = ({ light, heavy }) =>
  BOTH_WAYS.flatMap((direction) => [
    ...[1, 60, 320].map((limit) => selection(light, { cut: { limit, direction } }, "logs-4.1")),
    ...[3, 50].map((limit) => selection(heavy, { cut: { limit, direction } }, "logs-4.1")),
  ]);

const filters: OldPart = ({ light, heavy }) => [
  ...FILTERS.map((chain) => selection(light, { filters: chain })),
  // These streams end long before the others. So a backward read must first skip more lines than the limit.
  selection(light, { filters: [containing("ending")], cut: { limit: 5, direction: "backward" } }),
  selection(heavy, { filters: [containing("heavy 17 ")] }),
];

const matchers: OldPart = ({ light }) => MATCHERS.map((chosen) => selection(light, { matchers: chosen }));

const counts: OldPart = ({ whole, light, heavy, equal }) => {
  const end = light.anchor + 105n * MINUTE + BESIDE;
  const [first, second] = alikeWindows(light);
  // A separate part counts the equal entries of several streams.
  const unequal = matcher("svc_size", "!=", "equal");
  const asked: readonly Partial<MetricAsked>[] = [
    {},
    { by: null },
    { by: ["svc_colour"] },
    { metric: "bytes_over_time", by: ["svc_colour"] },
    { filters: [containing("even")] },
    // Ranges of more than 1 h that end at the same time. They have two lengths, with and without grouping.
    ...(first === undefined ? [] : [{ window: { ...first, end } }, { window: { ...first, end }, by: ["svc_colour"] }]),
    ...(second === undefined ? [] : [{ window: { ...second, end } }]),
  ];
  return [
    ...asked.map((one) => metricAssertion(light, over(light, one))),
    // The same query text is sent for two times within one hour.
    inTurn(alikeWindows(light).map((window) => metricAssertion(light, over(light, { window })))),
    ...BOTH_AMOUNTS.map((metric) => metricAssertion(heavy, over(heavy, { metric }))),
    metricAssertion(whole, over({ ...whole, start: light.start }, { by: ["svc_size"], matchers: [unequal] })),
    ...BOTH_AMOUNTS.map((metric) => metricAssertion(equal, over(equal, { metric }))),
  ];
};

const old = largerCheck({
  slug: "archive-windows",
  title: "in many streams that span hours, queries select, return and count exactly the entries between start and end",
  clauses: ["logs-4.query_range", "logs-4.1", "logs-4.3", "logs-4.matchers", "logs-4.query"],
  phase: "closing",
  async run(t) {
    const parts = (await t.use(archive)) ?? t.notRun(NOT_TAKEN);
    const verify = async (clause: ClauseId, part: OldPart): Promise<void> =>
      t.verifyParts(clause, [async () => part(parts).map((assertion) => whileBegun(parts.oldest, assertion))]);
    await verify("logs-4.query_range", windows);
    await verify("logs-4.1", limits);
    await verify("logs-4.3", filters);
    await verify("logs-4.matchers", matchers);
    if (!(await t.use(takesLongRanges))) return t.notRun(LONG_RANGES_REFUSED);
    await verify("logs-4.query", counts);
  },
});

const besideMidnight = largerCheck({
  slug: "midnight",
  title:
    "queries for times before, after and around midnight (UTC) return and count the right entries, even after the service has flushed them",
  clauses: ["logs-4.query_range", "logs-4.query", "logs-4.push"],
  phase: "waiting",
  async run(t) {
    const pushed = (await t.use(midnight)) ?? t.notRun(NOT_TAKEN);
    const held: Kept = (assertion) => whileBegun(pushed.oldest, assertion);
    await t.verify(held(async () => pushed.finding));
    const dataset = useful(pushed);
    // No entry is within 1 min of these times.
    const [start, end] = [dataset.start, pushed.midnight + 50n * MINUTE];
    const after = { start: pushed.midnight, end };
    // The last window has less than a hundredth of the second day.
    const windows = [after, { start, end: pushed.midnight }, { start, end }, { start, end: pushed.midnight + 12n * MINUTE }];
    for (const window of windows) await t.verify(held(selection(dataset, { window, cut: { limit: HIGHEST_LIMIT, direction: "forward" } })));
    const counted = (await t.use(takesLongRanges)) ? [after, { start, end }] : [after];
    for (const window of counted) await t.verify(held(metricAssertion(dataset, over(dataset, { window, by: ["svc_colour"] }))));
  },
});

const twice = logsCheck({
  slug: "archive-twice",
  title: "if the entries of one hour are pushed in two parts, minutes apart, queries return and count the entries of both parts",
  clauses: ["logs-4.1", "logs-4.query_range", "logs-4.query"],
  phase: "waiting",
  profiles: ["nightly"],
  async run(t) {
    const parts = (await t.use(twoFlushes)) ?? t.notRun(NOT_TAKEN);
    const { whole, hour, between } = parts;
    const held: Kept = (assertion) => whileAllShown(whole, assertion);
    const one = { matchers: [colour("=", "twice 1")] } as const;
    for (const direction of BOTH_WAYS) {
      for (const limit of [5, 75, HIGHEST_LIMIT])
        for (const asked of [{}, one]) await t.verify(held(selection(hour, { ...asked, cut: { limit, direction } }, "logs-4.1")));
      for (const window of dividedAt(hour, between))
        await t.verify(held(selection(hour, { window, cut: { limit: HIGHEST_LIMIT, direction } })));
      await t.verify(held(selection(whole, { cut: { limit: HIGHEST_LIMIT, direction } })));
    }
    for (const { start, end } of [hour, ...dividedAt(hour, between)])
      await t.verify(held(metricAssertion(hour, over(hour, { window: { start, end }, by: ["svc_colour"] }))));
  },
});

const longBefore = largerCheck({
  slug: "from-long-before",
  title: "if a query with a narrow window returns an old entry, a query whose window begins much earlier returns this entry too",
  clauses: ["logs-4.query_range"],
  async run(t) {
    const dataset = (await t.use(loneOld)) ?? t.notRun(NOT_BESIDE);
    const { seen: window } = await t.probe(fromLongBefore(dataset));
    if (window === null)
      return t.notRun(
        "the target does not answer a query with a window that begins hours ago; the document does not say how far back a window may begin",
      );
    await t.verify(whileBegun(dataset, selection(dataset, { window })));
  },
});

const beside = largerCheck({
  slug: "beside-old",
  title:
    "queries return and count entries that are pushed hours after their timestamps, even if other streams have older entries with the same lines or timestamps",
  clauses: ["logs-4.push", "logs-4.query"],
  phase: "waiting",
  async run(t) {
    const hours = await t.use(hourBoundaryData);
    const dataset = await t.use(backfilledEntries);
    if (hours === null || dataset === null) return t.notRun(NOT_BESIDE);
    // After a flush, a target may no longer return entries of this age.
    if (!(await t.probe(async (scope) => keeps(scope, dataset, dataset.anchor))).seen) return t.notRun(NOT_BESIDE);
    const held: Kept = (assertion) => whileFirstShown(hours, dataset, assertion);
    if (!(await t.use(takesLongRanges))) return t.notRun(LONG_RANGES_REFUSED);
    await t.verify(held(backAsPushed(dataset)));
    await t.verify(held(metricAssertion(dataset, over(dataset, { by: ["svc_size"] }))));
    // The first entry of each stream is exactly 1 h before the end of the range, where a service may divide the range.
    const [earlier, later] = [30n * MINUTE, 60n * MINUTE];
    const asked = over(dataset, { window: { start: dataset.anchor - earlier, end: dataset.anchor + later } });
    await verifyOwn(t, dataset, asked, [aggregateOf("sum", dataset, asked)]);
    const counted = await t.probe(async (scope) => countsAtMeeting(scope, dataset, earlier, later));
    const what = "whether exactly one of two adjacent ranges counts an entry at their common edge";
    t.observe("logs-4.query", "meeting-ranges", what, { ...counted, seen: counted.seen === 1 });
    // If at least one of the two ranges counts the entry at their common edge, a longer range around the entry must count it once.
    if (counted.seen >= 1) await t.verify(held(metricAssertion(dataset, asked)));
  },
});

type Asked = readonly [text: string, from: number, to: number, operator?: FilterOperator];

/** The queries, in the order in which they are sent, with the first and the last step of each window. */
const ASKED: readonly Asked[] = [
  // Filters without a match that are similar to filters with matches.
  [BETWEEN.toUpperCase(), 1, 47],
  ["quiet", 1, 12, "!="],
  [BETWEEN, 2, 12],
  [BETWEEN, 22, 32],
  [BETWEEN, 15, 25],
  [BETWEEN, 1, 47],
  // The previous query found an entry in a larger window.
  [BETWEEN, 15, 25],
  // The first window is empty. The next windows extend it, first at the end, then at the start, then on both sides.
  [AROUND, 20, 26],
  [AROUND, 19, 47],
  [AROUND, 1, 27],
  [AROUND, 1, 47],
  // Two windows without a match. A matching entry is between these windows.
  [BEFORE, 27, 35],
  [BEFORE, 7, 15],
  // In this window, the filter `!=` with this text finds nothing. The filter `|=` must still find the entries.
  ["quiet", 1, 12],
];

const AROUND_HOUR = 2_400n * SECOND;

/** Returns empty windows before and after the line at a full hour, and then windows across the hour. */
function emptyBeside({ start, end }: Dataset, hour: bigint): Window[] {
  const from = start > hour - AROUND_HOUR ? start : hour - AROUND_HOUR;
  const to = end < hour + AROUND_HOUR ? end : hour + AROUND_HOUR;
  return [
    { start: from, end: hour - 500n },
    { start: hour + 500n, end: to },
    { start: from, end: to },
    { start: hour - 500n, end: to },
  ];
}

const CUT = { limit: 1_000, direction: "forward" } as const;

/** Entries that were pushed early in the run, with the queries of the table. */
const besideEach: TablePart = async (t) => {
  const pushed =
    (await t.use(sparseData)) ??
    t.notRun("the target does not accept entries that are 20 minutes old; the document does not say how old entries may be");
  const dataset = useful(pushed);
  return [
    inTurn(
      ASKED.map(([text, from, to, operator = "|="]) =>
        selection(dataset, { window: steps(dataset, from, to), filters: [{ operator, text }], cut: CUT }),
      ),
    ),
  ];
};

/** Queries for the times before and after a full hour find nothing. Then a query across the hour must find the line at the hour. */
const atFullHours: TablePart = async (t) => {
  const set = await aroundHours(t);
  const { dataset } = set;
  const lines = new Map(dataset.streams.flatMap(({ entries }) => entries.map(({ ts, line }) => [ts, line] as const)));
  const asked = hoursOf(dataset)
    .slice(0, 2)
    .flatMap((hour) =>
      emptyBeside(dataset, hour).map((window) =>
        whileKept(set, selection(dataset, { window, filters: [containing(lines.get(hour) ?? "")], cut: CUT })),
      ),
    );
  return [inTurn(asked)];
};

const onceEmpty = largerCheck({
  slug: "once-empty",
  title: "after a query has found nothing, queries with a similar filter or a nearby window still return all lines that match them",
  clauses: ["logs-4.3"],
  // Pushes of other checks may empty the cache of a service.
  phase: "closing",
  run: async (t) => t.verifyParts("logs-4.3", [besideEach, atFullHours]),
});

export const ARCHIVE_CHECKS: readonly Check[] = [readBack, old, besideMidnight, twice, longBefore, beside, onceEmpty];
