/** Section 4, query: ranges in all spellings, times between seconds, groups by several labels, equal entries, and nested queries. */
import type { Check } from "../../src/harness/check.ts";
import { containing, matcher } from "../../src/model/logs.ts";
import type { TablePart } from "../../src/harness/context.ts";
import { countsFromEntries, countOf } from "../../src/queries/window-cases.ts";
import {
  aggregatedTwice,
  aggregations,
  calculation,
  chosen,
  expressionAssertion,
  nested,
  numbered,
  oneMore,
  reworded,
  timeOf,
} from "../../src/queries/metric-expressions.ts";
import { type As, samplesOf } from "../../src/datasets/requests.ts";
import { type Dataset } from "../../src/datasets/datasets.ts";
import { nowOf } from "../../src/datasets/dataset-pushes.ts";
import {
  type MetricAsked,
  metricText,
  metricAssertion,
  othersThan,
  takesForm,
  takesLongRanges,
  COUNT,
  sampleShape,
} from "../../src/queries/metrics.ts";
import { aggregateOf, extremesOf } from "../../src/queries/metric-self-consistency.ts";
import { crowd } from "../../src/datasets/large-datasets.ts";
import { grid, many, MANY_LABEL, several, words } from "../../src/datasets/shared-datasets.ts";
import { equals, groups, signs, terms } from "../../src/datasets/small-datasets.ts";
import { largerCheck, logsCheck, inTurn, verifyOwn, observed, BOTH_AMOUNTS } from "./check.ts";
import { MILLISECOND, SECOND } from "../../src/model/times.ts";

interface RangeRow {
  /** The end of the range, in ms after the anchor of the dataset. */
  readonly at: number;
  readonly written: string;
  /** The length of the range in ms. */
  readonly length: number;
}

/** The entries are at multiples of 10 s. Each edge is at least 300 ms from an entry. A range that is read wrongly has other entries. */
const RANGES: readonly RangeRow[] = [
  { at: 205_250, written: "90s", length: 90_000 },
  { at: 205_250, written: "1m30s", length: 90_000 },
  { at: 265_250, written: "2m5s", length: 125_000 },
  { at: 202_250, written: "4500ms", length: 4_500 },
  { at: 303_250, written: "13500ms", length: 13_500 },
  { at: 303_250, written: "1m900ms", length: 60_900 },
  { at: 405_250, written: "10m", length: 600_000 },
  { at: 405_250, written: "2h", length: 7_200_000 },
  { at: 405_250, written: "1h30m", length: 5_400_000 },
  { at: 405_250, written: "1d", length: 86_400_000 },
  // These times are fractions of a second after or before an entry. If a service truncates the time to seconds, the count changes.
  { at: 200_300, written: "30s", length: 30_000 },
  { at: 199_700, written: "30s", length: 30_000 },
  { at: 209_700, written: "10600ms", length: 10_600 },
  { at: 210_300, written: "10600ms", length: 10_600 },
];

const HOUR_MS = 3_600_000;

function inRange(dataset: Dataset, { at, written, length }: RangeRow, rest: Partial<MetricAsked> = {}): MetricAsked {
  const end = dataset.anchor + BigInt(at) * MILLISECOND;
  return { ...COUNT, window: { start: end - BigInt(length) * MILLISECOND, end }, written, ...rest };
}

const LABELS = ["svc_a", "svc_ab", "svc_abc"];

/** A range with all entries of the groups. */
const WHOLE_GROUPS: RangeRow = { at: 95_250, written: "100s", length: 100_000 };

/** Two ranges with the same end. Each stream of the grid has entries in both. */
const LONG_ON_GRID: RangeRow = { at: 405_000, written: "5m", length: 300_000 };
const SHORT_ON_GRID: RangeRow = { at: 405_000, written: "1m", length: 60_000 };
const GRID_LABELS = ["svc_colour", "svc_size"];

type Grouped = Pick<MetricAsked, "by" | "outer" | "without">;

const GROUPED: readonly Grouped[] = [{ by: LABELS.slice(0, 1) }, { by: LABELS.slice(0, 2) }, { by: LABELS }, { by: null }];

/** Undocumented forms of grouping. A service may refuse such a form, but if it accepts the form, the result must be right. */
const GROUPED_OTHERWISE: readonly (readonly [form: string, grouped: Grouped])[] = [
  ["sum without", { by: LABELS.slice(0, 2), without: true }],
  ["sum without", { by: LABELS, without: true }],
  ["sum by of sums", { by: LABELS.slice(0, 2), outer: ["svc_a"] }],
  ["sum by of sums", { by: LABELS, outer: ["svc_ab"] }],
  ["sum of sums", { by: LABELS.slice(0, 2), outer: [] }],
];

const grouping = logsCheck({
  slug: "groups",
  title: "sums by several labels, sums without some labels, and sums of sums have one correct sample for each group",
  clauses: ["logs-4.query"],
  async run(t) {
    const dataset = await t.use(groups);
    const filters = [containing("even")] as const;
    const summed = async (grouped: Grouped, as: As = {}): Promise<void> => {
      await t.verify(metricAssertion(dataset, inRange(dataset, WHOLE_GROUPS, grouped), as));
      await t.verify(metricAssertion(dataset, inRange(dataset, WHOLE_GROUPS, { ...grouped, metric: "bytes_over_time", filters })));
    };
    for (const grouped of GROUPED) await summed(grouped);
    const refused = new Set<string>();
    for (const [form, grouped] of GROUPED_OTHERWISE) {
      const asked = inRange(dataset, WHOLE_GROUPS, grouped);
      const { seen: taken } = await t.probe(takesForm(metricText(dataset, asked), asked.window.end));
      if (taken !== null) await summed(grouped, taken);
      else refused.add(form);
    }
    // "without ()" removes no label, so each stream is its own group. Some services return a single sum instead.
    const nothing = inRange(dataset, WHOLE_GROUPS, { by: othersThan(dataset, []), without: true, orBy: [] });
    const { seen: taken } = await t.probe(takesForm(metricText(dataset, nothing), nothing.window.end));
    if (taken !== null) await t.verify(metricAssertion(dataset, nothing, taken));
    else refused.add("sum without ()");
    const samples = taken?.first === undefined ? null : samplesOf(taken.first).answer;
    const what = 'whether "sum without ()" of several streams is one sum (null: not answered)';
    t.observe("logs-4.query", "sum-without-nothing", what, observed(samples === null ? null : samples.length === 1));
    t.observe("logs-4.query", "refused-forms", "refused forms of metric queries that the documents do not name", observed([...refused]));
  },
});

/** Matchers select the operands: a group without a stream has no sum. With line filters, the sum of a group may be 0 or missing. */
const LABELLED = [matcher("svc_a", "!=", "")] as const;
const FEW = [matcher("svc_a", "=~", "p|xy")] as const;
const NOBODY = [matcher("svc_a", "=", "nobody has this")] as const;

/** The groups have different numbers of entries. Some groups by one label contain several groups by all labels. */
const combined = largerCheck({
  slug: "combined",
  title:
    "if the target accepts an aggregation, calculation, comparison or set operation on metric queries, its samples equal those that the suite computes",
  clauses: ["logs-4.query"],
  async run(t) {
    const dataset = await t.use(groups);
    const fine = inRange(dataset, WHOLE_GROUPS, { by: LABELS });
    const counts = inRange(dataset, WHOLE_GROUPS, { by: ["svc_a"] });
    const pairs = inRange(dataset, WHOLE_GROUPS, { by: ["svc_a", "svc_ab"] });
    // These groups have many streams each. In some groups, one operand has fewer streams.
    const among = await t.use(crowd);
    const wide = countOf(among, { by: ["svc_size", "svc_colour"] });
    const chosenFew = { ...pairs, matchers: FEW };
    const forms = [
      ...aggregations(dataset, fine, ["svc_a"]),
      ...aggregatedTwice(dataset, fine, ["svc_a"]),
      calculation(dataset, { ...counts, metric: "bytes_over_time" }, "/", counts),
      // Neither sum has labels. A service that reads the operands wrongly refuses a sum with labels, and accepts this one.
      calculation(dataset, { ...counts, by: [] }, "+", { ...counts, by: [], metric: "bytes_over_time" }),
      // In most groups, the difference of the two sums is 0.
      oneMore(calculation(dataset, counts, "-", { ...counts, matchers: [matcher("svc_abc", "!=", "2")] })),
      // Each operand has groups that the other operand does not have.
      calculation(dataset, chosenFew, "-", { ...pairs, metric: "bytes_over_time" }),
      calculation(dataset, { ...pairs, metric: "bytes_over_time" }, "/", chosenFew),
      ...chosen(dataset, { ...pairs, matchers: LABELLED }, chosenFew, { ...pairs, matchers: NOBODY }),
      ...numbered(dataset, counts),
      ...reworded(dataset, pairs),
    ];
    const onGrid = await t.use(grid);
    const long = inRange(onGrid, LONG_ON_GRID, { by: GRID_LABELS });
    const short = inRange(onGrid, SHORT_ON_GRID, { by: GRID_LABELS });
    const all = [
      ...forms.map((form) => [dataset, form] as const),
      ...nested(onGrid, long, short, ["svc_colour"]).map((form) => [onGrid, form] as const),
    ];
    const refused: string[] = [];
    // The sums are judged first. If the target refuses them too, a refused form shows nothing about the form.
    for (const part of [fine, counts]) await t.verify(metricAssertion(dataset, part));
    for (const [set, form] of all) {
      const { seen: taken } = await t.probe(takesForm(form.text, timeOf(form)));
      if (taken !== null) await t.verify(expressionAssertion(set, form, taken));
      else refused.push(form.form);
    }
    for (const form of aggregations(among, wide, ["svc_size"]))
      if (!refused.includes(form.form)) await t.verify(expressionAssertion(among, form));
    // With few streams, some shards of a service are empty. With many streams, the samples differ.
    const few = await t.use(several);
    const each = countOf(few, { by: null });
    const bytes = { ...wide, metric: "bytes_over_time" } as const;
    refused.push(...(await verifyOwn(t, few, each, [aggregateOf("min", few, each), aggregateOf("max", few, each)])));
    // The samples have different numbers of digits. A service that sorts them as texts returns the wrong samples.
    const unlike = await t.use(words);
    const lengths = countOf(unlike, { metric: "bytes_over_time", by: null });
    refused.push(
      ...(await verifyOwn(t, unlike, lengths, [
        aggregateOf("min", unlike, lengths),
        extremesOf("greatest", 3, unlike, lengths),
        extremesOf("least", 5, unlike, lengths),
      ])),
    );
    refused.push(
      ...(await verifyOwn(t, among, bytes, [
        aggregateOf("count", among, bytes),
        aggregateOf("avg", among, bytes),
        aggregateOf("avg", among, bytes, ["svc_size"], "without"),
        aggregateOf("max", among, bytes, ["svc_size"]),
        extremesOf("greatest", 7, among, bytes),
        extremesOf("greatest", 2, among, bytes, ["svc_size"]),
        extremesOf("least", 2, among, bytes, ["svc_size"]),
      ])),
    );
    const what = "composed metric queries that are refused, or whose result cannot be predicted";
    t.observe("logs-4.query", "refused-combinations", what, observed(refused));
  },
});

const inUnits: TablePart = async (t) => {
  const dataset = await t.use(grid);
  const isLongTaken = await t.use(takesLongRanges);
  t.observe("logs-4.query", "range-of-a-day", "whether a range of one day is accepted", observed(isLongTaken));
  const rows = isLongTaken ? RANGES : RANGES.filter(({ length }) => length <= HOUR_MS);
  return [
    ...rows.map((row) => metricAssertion(dataset, inRange(dataset, row))),
    ...RANGES.slice(0, 5).map((row) => metricAssertion(dataset, inRange(dataset, row, { metric: "rate", by: ["svc_colour"] }))),
  ];
};

/** Repeats a query with another line filter, and at a later time. A service may wrongly answer it from an earlier result. */
const askedAgain: TablePart = async (t) => {
  const dataset = await t.use(grid);
  const filters = [containing("error")] as const;
  // The two times are within one second. At one of these times the range begins before an entry, and at the other time after it.
  const asked = [264_200, 264_900].flatMap((at) => {
    const row = { at, written: "44500ms", length: 44_500 };
    return [inRange(dataset, row), inRange(dataset, row, { filters })];
  });
  return [inTurn(asked.map((one) => metricAssertion(dataset, one)))];
};

/** Groups by a label with more than 100 values, and by a label whose values have characters of the query syntax. */
const manyGroups: TablePart = async (t) => {
  const [dataset, escaped] = [await t.use(many), await t.use(signs)];
  return [
    ...BOTH_AMOUNTS.map((metric) => metricAssertion(dataset, countOf(dataset, { metric, by: [MANY_LABEL] }))),
    metricAssertion(escaped, countOf(escaped, { metric: "bytes_over_time", by: ["svc_colour"] })),
  ];
};

/** If several streams have equal entries, a metric query must count the entries of each stream. */
const equalEntries: TablePart = async (t) => {
  const dataset = await t.use(equals);
  const row = { at: 115_250, written: "2m", length: 120_000 };
  return [[], ["svc_colour"], null].flatMap((by) =>
    BOTH_AMOUNTS.map((metric) => metricAssertion(dataset, inRange(dataset, row, { by, metric }))),
  );
};

/** The time from now to the time of the query, in ns. The query is in the future by each usable clock, and far from the entries. */
const AHEAD = 180n * SECOND;

const timeToCome: TablePart = async (t) => {
  const dataset = await t.use(terms);
  const { seen: now } = await t.probe(nowOf);
  // No entry is between 30 s and 40 s after the first entry.
  const start = dataset.anchor + 30n * SECOND;
  const end = start + ((now + AHEAD - start) / SECOND + 1n) * SECOND;
  const asked = { ...COUNT, by: ["svc_size"], window: { start, end } };
  const { seen: taken } = await t.probe(takesForm(metricText(dataset, asked), end));
  if (taken === null)
    return t.notRun("the target refuses a time in the future; the document does not say which times a service must accept");
  return [metricAssertion(dataset, asked, taken)];
};

const ranges = largerCheck({
  slug: "ranges",
  title: "metric queries count exactly the entries in their range, whatever the unit of the range, even with many groups or equal entries",
  clauses: ["logs-4.query"],
  async run(t) {
    const edges: TablePart = async () => countsFromEntries(await t.use(grid));
    await t.verifyParts("logs-4.query", [inUnits, askedAgain, manyGroups, edges, equalEntries, timeToCome]);
  },
});

const shape = logsCheck({
  slug: "shape",
  title: "the result of an instant query is a list of objects with metric and value, and value is a pair of timestamp and sample string",
  clauses: ["logs-2.instant-result"],
  async run(t) {
    const dataset = await t.use(grid);
    for (const by of t.profile === "smoke" ? [[]] : [[], ["svc_colour"]]) await t.verify(sampleShape(dataset, by));
  },
});

export const METRIC_CHECKS: readonly Check[] = [shape, ranges, grouping, combined];
