/** Section 4, query: ranges in all their spellings, times between seconds, groups by several labels, equal entries. */
import type { Check } from "../../src/harness/check.ts";
import { EVERYTHING, metricCut } from "../../src/world/logs/cutting.ts";
import {
  aggregatedTwice,
  aggregations,
  calculation,
  chosen,
  combinedTrial,
  numbered,
  oneMore,
  reworded,
  timeOf,
} from "../../src/world/logs/combined.ts";
import { samplesOf } from "../../src/world/logs/answers.ts";
import type { As } from "../../src/world/logs/asks.ts";
import type { Dataset } from "../../src/world/logs/datasets.ts";
import { takesLongRanges } from "../../src/world/logs/long-ranges.ts";
import { countsFromEntries } from "../../src/world/logs/metric-edges.ts";
import { type MetricAsked, metricText, metricTrial, othersThan, takesForm } from "../../src/world/logs/metrics.ts";
import { aggregateOf, extremesOf } from "../../src/world/logs/own-samples.ts";
import { countedBefore } from "../../src/world/logs/pushing.ts";
import { crowd } from "../../src/world/logs/large-sets.ts";
import { grid, many, MANY_LABEL, several } from "../../src/world/logs/sets.ts";
import { equals, groups, signs } from "../../src/world/logs/small-sets.ts";
import { logsCheck } from "./check.ts";
import { verifyOwn } from "./own-samples.ts";

const LARGER: Check["profiles"] = ["release", "nightly"];
const MILLISECOND = 1_000_000n;

interface RangeRow {
  /** When the range ends, in ms after the set's anchor. */
  readonly at: number;
  readonly written: string;
  /** The range in ms. */
  readonly length: number;
}

/** Entries lie at whole tens of seconds: every edge is at least 300 ms off them, and ranges that are misread end elsewhere. */
const RANGES: readonly RangeRow[] = [
  { at: 205_250, written: "90s", length: 90_000 },
  { at: 205_250, written: "1m30s", length: 90_000 },
  { at: 265_250, written: "2m5s", length: 125_000 },
  { at: 202_250, written: "4500ms", length: 4_500 },
  { at: 303_250, written: "13500ms", length: 13_500 },
  { at: 303_250, written: "1m900ms", length: 60_900 },
  { at: 405_250, written: "2h", length: 7_200_000 },
  { at: 405_250, written: "1h30m", length: 5_400_000 },
  { at: 405_250, written: "1d", length: 86_400_000 },
  // Between two seconds on either side of an entry, so that a time cut to seconds counts another number.
  { at: 200_300, written: "30s", length: 30_000 },
  { at: 199_700, written: "30s", length: 30_000 },
  { at: 209_700, written: "10600ms", length: 10_600 },
  { at: 210_300, written: "10600ms", length: 10_600 },
];

const HOUR_MS = 3_600_000;

function inRange(dataset: Dataset, { at, written, length }: RangeRow, rest: Partial<MetricAsked> = {}): MetricAsked {
  const end = dataset.anchor + BigInt(at) * MILLISECOND;
  return {
    metric: "count_over_time",
    by: [],
    matchers: [],
    filters: [],
    window: { start: end - BigInt(length) * MILLISECOND, end },
    written,
    ...rest,
  };
}

const ranges = logsCheck({
  slug: "ranges",
  title: "a range in one unit or in several units counts the entries in it, also if the range ends between two full seconds",
  clauses: ["logs-4.query"],
  profiles: LARGER,
  async run(t) {
    const dataset = await t.use(grid);
    const isLongTaken = await t.use(takesLongRanges);
    t.observe("logs-4.query", "range-of-a-day", "whether a range of one day is accepted", { seen: isLongTaken, exchanges: [] });
    const rows = isLongTaken ? RANGES : RANGES.filter(({ length }) => length <= HOUR_MS);
    for (const row of rows) await t.verify(metricTrial(dataset, inRange(dataset, row)));
    for (const row of RANGES.slice(0, 5))
      await t.verify(metricTrial(dataset, inRange(dataset, row, { metric: "rate", by: ["svc_colour"] })));
  },
});

const repeated = logsCheck({
  slug: "asked-again",
  title: "a metric query with a slightly later time, or with an added line filter, is not answered from an earlier result",
  clauses: ["logs-4.query"],
  profiles: LARGER,
  async run(t) {
    const dataset = await t.use(grid);
    const filters = [{ operator: "|=", text: "error" }] as const;
    // Within one second of the asked time the range begins before an entry and after it.
    for (const at of [264_200, 264_900]) {
      const row = { at, written: "44500ms", length: 44_500 };
      await t.verify(metricTrial(dataset, inRange(dataset, row)));
      await t.verify(metricTrial(dataset, inRange(dataset, row, { filters })));
    }
  },
});

const askedBefore = logsCheck({
  slug: "asked-before",
  title: "a repeated metric query counts entries that were pushed since the first response",
  clauses: ["logs-4.query"],
  profiles: LARGER,
  async run(t) {
    for (const assertion of countedBefore) await t.verify(assertion);
  },
});

const LABELS = ["svc_a", "svc_ab", "svc_abc"];

type Grouped = Pick<MetricAsked, "by" | "outer" | "without">;

const GROUPED: readonly Grouped[] = [{ by: LABELS.slice(0, 1) }, { by: LABELS.slice(0, 2) }, { by: LABELS }, { by: null }];

/** Forms that the documents do not name, so that a service may refuse them; one that it takes has its meaning. */
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
  profiles: LARGER,
  async run(t) {
    const dataset = await t.use(groups);
    const row = { at: 95_250, written: "100s", length: 100_000 };
    const filters = [{ operator: "|=", text: "even" }] as const;
    const summed = async (grouped: Grouped, as: As = {}): Promise<void> => {
      await t.verify(metricTrial(dataset, inRange(dataset, row, grouped), as));
      await t.verify(metricTrial(dataset, inRange(dataset, row, { ...grouped, metric: "bytes_over_time", filters })));
    };
    for (const grouped of GROUPED) await summed(grouped);
    const refused = new Set<string>();
    for (const [form, grouped] of GROUPED_OTHERWISE) {
      const asked = inRange(dataset, row, grouped);
      const { seen: taken } = await t.probe(takesForm(metricText(dataset, asked), asked.window.end));
      if (taken !== null) await summed(grouped, taken);
      else refused.add(form);
    }
    // No label is left out, so each stream is a group of its own. Some services read the query as a sum without a grouping.
    const nothing = inRange(dataset, row, { by: othersThan(dataset, []), without: true, orBy: [] });
    const { seen: taken } = await t.probe(takesForm(metricText(dataset, nothing), nothing.window.end));
    if (taken !== null) await t.verify(metricTrial(dataset, nothing, taken));
    else refused.add("sum without ()");
    const samples = taken?.first === undefined ? null : samplesOf(taken.first).samples;
    t.observe("logs-4.query", "sum-without-nothing", 'whether "sum without ()" of several streams is one sum (null: not answered)', {
      seen: samples === null ? null : samples.length === 1,
      exchanges: [],
    });
    t.observe("logs-4.query", "refused-forms", "refused forms of metric queries that the documents do not name", {
      seen: [...refused],
      exchanges: [],
    });
  },
});

/**
 * A sum over nothing may be answered with 0, and so may a stream of which a filter leaves nothing, so that sums are chosen among by
 * matchers: what a group has no stream of is no group, and nothing at all is the group without labels.
 */
const LABELLED = [{ name: "svc_a", operator: "!=", value: "" }] as const;
const FEW = [{ name: "svc_a", operator: "=~", value: "p|xy" }] as const;
const NOBODY = [{ name: "svc_a", operator: "=", value: "nobody has this" }] as const;

/** Groups have different numbers of entries, and some more than one group of the finer grouping. */
const combined = logsCheck({
  slug: "combined",
  title:
    "accepted aggregations, arithmetic, comparisons and set operations of metric queries have the samples that the results of their parts give",
  clauses: ["logs-4.query"],
  profiles: LARGER,
  async run(t) {
    const dataset = await t.use(groups);
    const row = { at: 95_250, written: "100s", length: 100_000 };
    const fine = inRange(dataset, row, { by: LABELS });
    const counts = inRange(dataset, row, { by: ["svc_a"] });
    const pairs = inRange(dataset, row, { by: ["svc_a", "svc_ab"] });
    // Groups of many streams each, and groups of a few of which one operand has less.
    const among = await t.use(crowd);
    const wide = metricCut(among, EVERYTHING, { metric: "count_over_time", by: ["svc_size", "svc_colour"], matchers: [], filters: [] });
    const chosenFew = { ...pairs, matchers: FEW };
    const forms = [
      ...aggregations(dataset, fine, ["svc_a"]),
      ...aggregatedTwice(dataset, fine, ["svc_a"]),
      calculation(dataset, { ...counts, metric: "bytes_over_time" }, "/", counts),
      // In most groups nothing is left of the difference.
      oneMore(calculation(dataset, counts, "-", { ...counts, matchers: [{ name: "svc_abc", operator: "!=", value: "2" }] })),
      // Of which either operand has groups that the other has not.
      calculation(dataset, chosenFew, "-", { ...pairs, metric: "bytes_over_time" }),
      calculation(dataset, { ...pairs, metric: "bytes_over_time" }, "/", chosenFew),
      ...chosen(dataset, { ...pairs, matchers: LABELLED }, chosenFew, { ...pairs, matchers: NOBODY }),
      ...numbered(dataset, counts),
      ...reworded(dataset, pairs),
    ];
    const refused: string[] = [];
    // Where the sums themselves are not answered, it says nothing that more than sums is refused.
    for (const part of [fine, counts]) await t.verify(metricTrial(dataset, part));
    for (const form of forms) {
      const { seen: taken } = await t.probe(takesForm(form.text, timeOf(form)));
      if (taken !== null) await t.verify(combinedTrial(dataset, form, taken));
      else refused.push(form.form);
    }
    for (const form of aggregations(among, wide, ["svc_size"]))
      if (!refused.includes(form.form)) await t.verify(combinedTrial(among, form));
    // Of few streams, so that there are shards without any, and of many with different samples.
    const few = await t.use(several);
    const each = metricCut(few, EVERYTHING, { metric: "count_over_time", by: null, matchers: [], filters: [] });
    const bytes = { ...wide, metric: "bytes_over_time" } as const;
    refused.push(...(await verifyOwn(t, few, each, [aggregateOf("min", few, each), aggregateOf("max", few, each)])));
    refused.push(
      ...(await verifyOwn(t, among, bytes, [
        aggregateOf("count", among, bytes),
        aggregateOf("avg", among, bytes),
        aggregateOf("avg", among, bytes, ["svc_size"], "without"),
        aggregateOf("max", among, bytes, ["svc_size"]),
        extremesOf("greatest", 7, among, bytes),
        extremesOf("greatest", 2, among, bytes, ["svc_size"]),
        extremesOf("least", 5, among, bytes),
      ])),
    );
    t.observe("logs-4.query", "refused-combinations", "composed metric queries that are refused, or that cannot be predicted", {
      seen: refused,
      exchanges: [],
    });
  },
});

const manyGroups = logsCheck({
  slug: "many-groups",
  title: "a sum by a label with more than 100 values has one sample for each value, with the bytes of the pushed lines",
  clauses: ["logs-4.query"],
  profiles: LARGER,
  async run(t) {
    const dataset = await t.use(many);
    for (const metric of ["count_over_time", "bytes_over_time"] as const)
      await t.verify(metricTrial(dataset, metricCut(dataset, EVERYTHING, { metric, by: [MANY_LABEL], matchers: [], filters: [] })));
    const escaped = await t.use(signs);
    const asked = { metric: "bytes_over_time", by: ["svc_colour"], matchers: [], filters: [] } as const;
    await t.verify(metricTrial(escaped, metricCut(escaped, EVERYTHING, asked)));
  },
});

const edges = logsCheck({
  slug: "edges",
  title: "a range that begins or ends exactly at an entry counts all entries inside the range",
  clauses: ["logs-4.query"],
  profiles: LARGER,
  async run(t) {
    for (const assertion of countsFromEntries(await t.use(grid))) await t.verify(assertion);
  },
});

const equal = logsCheck({
  slug: "equal-entries",
  title: "equal entries of several streams are counted in each of them",
  clauses: ["logs-4.query"],
  profiles: LARGER,
  async run(t) {
    const dataset = await t.use(equals);
    for (const by of [[], ["svc_colour"], null])
      for (const metric of ["count_over_time", "bytes_over_time"] as const)
        await t.verify(metricTrial(dataset, inRange(dataset, { at: 115_250, written: "2m", length: 120_000 }, { by, metric })));
  },
});

export const METRIC_CHECKS: readonly Check[] = [ranges, repeated, askedBefore, grouping, combined, manyGroups, edges, equal];
