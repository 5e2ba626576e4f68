/**
 * Metric queries that combine other metric queries: aggregations of sums, and calculations with two sums. The documents do not mention
 * these forms, so a service may refuse them. If a service accepts a form, the result must be right.
 */
import { expecting } from "../harness/expect.ts";
import type { Assertion } from "../harness/scope.ts";
import { labelKey, type Labels, select, summed, withEntries } from "../model/logs.ts";
import { durationText, logQueryText } from "../model/query-text.ts";
import {
  type Group,
  groupDifferences,
  streamDifferences,
  type Aggregate,
  AGGREGATES,
  CALCULATIONS,
  type Operator,
} from "../model/samples.ts";
import { type As, instant } from "../datasets/requests.ts";
import type { Dataset } from "../datasets/datasets.ts";
import { type MetricAsked, metricText, metricAssertion, othersThan, streamsOf } from "./metrics.ts";

export type Groups = ReadonlyMap<string, Group>;

export interface Combined {
  readonly form: string;
  readonly text: string;
  readonly expected: Groups;
  /** The time of the query in ns. The default is the end of the window of the first part. */
  readonly time?: bigint;
  /** True if the samples keep labels that the service adds. Such labels can split a group into several. */
  readonly split?: true;
  /** The metric queries that the form contains. If the response to such a part is wrong, the response to the whole form proves nothing. */
  readonly parts: readonly MetricAsked[];
  /** A query that a service may have answered: words after "this is exactly the result", and its groups. */
  readonly mistaken?: readonly [words: string, groups: Groups];
}

/** The aggregations. Each says whether its samples keep labels. */
const AGGREGATIONS = [
  { name: "max", grouped: false },
  { name: "min", grouped: true },
  { name: "avg", grouped: true },
  { name: "count", grouped: false },
] as const;

/** Returns the expected samples of a sum by labels. */
export function groupsOf(dataset: Dataset, asked: MetricAsked): Groups {
  const { metric, window, by } = asked;
  return summed(metric, streamsOf(dataset, asked), Number(window.end - window.start) / 1e9, by ?? []);
}

/** Applies `calculate` to the value of each group. */
export function changed(groups: Groups, calculate: (value: number) => number): Groups {
  return new Map([...groups].map(([key, { labels, value }]) => [key, { labels, value: calculate(value) }]));
}

/** Returns one sample without labels. */
function only(value: number): Groups {
  return new Map([[labelKey({}), { labels: {}, value }]]);
}

/** Returns the result of an aggregation of groups by some of their labels. */
export function aggregated(groups: Groups, by: readonly string[], aggregate: Aggregate): Groups {
  const joined = new Map<string, { readonly labels: Labels; readonly values: number[] }>();
  for (const { labels, value } of groups.values()) {
    const held = Object.fromEntries(by.flatMap((name) => (labels[name] === undefined ? [] : [[name, labels[name]]])));
    const key = labelKey(held);
    const { values } = joined.get(key) ?? { values: [] };
    joined.set(key, { labels: held, values: [...values, value] });
  }
  return new Map([...joined].map(([key, { labels, values }]) => [key, { labels, value: AGGREGATES[aggregate](values) }]));
}

/** Returns metric queries that aggregate the sums of `asked` again: into one sample, or one sample for each value of `outer`. */
export function aggregations(dataset: Dataset, asked: MetricAsked, outer: readonly string[]): readonly Combined[] {
  const groups = groupsOf(dataset, asked);
  const inner = metricText(dataset, asked);
  return AGGREGATIONS.map(({ name, grouped }): Combined => {
    const head = grouped ? `${name} by (${outer.join(", ")})` : name;
    return {
      form: `${grouped ? `${name} by labels` : name} of sums`,
      text: `${head} (${inner})`,
      expected: aggregated(groups, grouped ? outer : [], name),
      parts: [asked],
    };
  });
}

/** Nested aggregations of the same kind. The two steps together give another result than one step over all samples. */
export function aggregatedTwice(dataset: Dataset, asked: MetricAsked, outer: readonly string[]): readonly Combined[] {
  const groups = groupsOf(dataset, asked);
  return (["avg", "count"] as const).map((name): Combined => ({
    form: `${name} of the ${name} by labels`,
    text: `${name} (${name} by (${outer.join(", ")}) (${metricText(dataset, asked)}))`,
    expected: aggregated(aggregated(groups, outer, name), [], name),
    parts: [asked],
  }));
}

/** Returns a calculation with two metrics. The result has only the groups that both metrics have. */
export function calculation(dataset: Dataset, left: MetricAsked, operator: Operator, right: MetricAsked): Combined {
  return {
    form: `two sums with ${operator}`,
    text: `${metricText(dataset, left)} ${operator} ${metricText(dataset, right)}`,
    expected: calculated(groupsOf(dataset, left), groupsOf(dataset, right), CALCULATIONS[operator]),
    parts: [left, right],
  };
}

/** Returns calculations with sums over two ranges that end at the same time: with parentheses, and below and above aggregations. */
export function nested(dataset: Dataset, whole: MetricAsked, recent: MetricAsked, outer: readonly string[]): readonly Combined[] {
  const [all, last] = [groupsOf(dataset, whole), groupsOf(dataset, recent)];
  const [long, short] = [metricText(dataset, whole), metricText(dataset, recent)];
  const difference = calculated(all, last, CALCULATIONS["-"]);
  const [greatest, least] = [aggregated(all, outer, "max"), aggregated(last, outer, "min")];
  const by = `by (${outer.join(", ")})`;
  const rows: readonly (readonly [form: string, text: string, expected: Groups])[] = [
    ["a sum minus the sum over a part of its range", `${long} - ${short}`, difference],
    ["a part of a sum divided by the sum", `${short} / ${long}`, calculated(last, all, CALCULATIONS["/"])],
    ["a sum minus a difference in parentheses", `${long} - (${long} - ${short})`, calculated(all, difference, CALCULATIONS["-"])],
    ["the product of a number and a difference in parentheses", `7 * (${long} - ${short})`, changed(difference, (value) => 7 * value)],
    ["max by labels of a difference", `max ${by} (${long} - ${short})`, aggregated(difference, outer, "max")],
    ["a difference of two aggregations", `max ${by} (${long}) - min ${by} (${short})`, calculated(greatest, least, CALCULATIONS["-"])],
    [
      "min of an average by labels",
      `min (avg ${by} (${long} / 2))`,
      aggregated(
        aggregated(
          changed(all, (value) => value / 2),
          outer,
          "avg",
        ),
        [],
        "min",
      ),
    ],
  ];
  return rows.map(([form, text, expected]) => ({ form, text, expected, parts: [whole, recent] }));
}

/** Adds 1 to the result of a form. A result of 0 is then visible. Otherwise the sum of no entries may have no sample. */
export function oneMore({ form, text, expected, ...rest }: Combined): Combined {
  return { ...rest, form: `${form} and a number`, text: `${text} + 1`, expected: changed(expected, (value) => value + 1) };
}

/** Returns a rate over a range that is `times` as long and contains the same entries. */
export function lengthened(dataset: Dataset, rate: MetricAsked, written: string, times: number): Combined {
  const expected = changed(groupsOf(dataset, rate), (value) => value / times);
  return { form: `a rate over ${written}`, text: metricText(dataset, { ...rate, written }), expected, parts: [rate] };
}

/** For each group that both sides have, calculates with its two values. */
export function calculated(one: Groups, other: Groups, calculate: (left: number, right: number) => number): Groups {
  return new Map(
    [...one].flatMap(([key, { labels, value }]): [string, Group][] => {
      const second = other.get(key);
      return second === undefined ? [] : [[key, { labels, value: calculate(value, second.value) }]];
    }),
  );
}

/** Returns comparisons of sums with numbers, and set operations between sums. */
export function chosen(dataset: Dataset, all: MetricAsked, some: MetricAsked, none: MetricAsked): readonly Combined[] {
  const [ours, theirs] = [groupsOf(dataset, all), groupsOf(dataset, some)];
  // The second sum has only some of the groups of the first sum, with the same values.
  const twice = changed(theirs, (value) => value * 2);
  const [inner, other] = [metricText(dataset, all), metricText(dataset, some)];
  const values = [...ours.values()].map(({ value }) => value).toSorted((one, two) => one - two);
  const most = values.at(-1) ?? 0;
  const bound = values.findLast((value) => value !== most) ?? 0;
  const where = (isLeft: (group: Group, key: string) => boolean): Groups => new Map([...ours].filter(([key, group]) => isLeft(group, key)));
  const more = where(({ value }) => value > bound).size;
  const parts = [all, some];
  return [
    { form: "sums >= a number", text: `${inner} >= ${bound}`, expected: where(({ value }) => value >= bound), parts: [all] },
    { form: "sums <= a number", text: `${inner} <= ${bound}`, expected: where(({ value }) => value <= bound), parts: [all] },
    { form: "sums != a number", text: `${inner} != ${bound}`, expected: where(({ value }) => value !== bound), parts: [all] },
    {
      form: "sums < a number or == another number",
      text: `${inner} < ${bound} or ${inner} == ${most}`,
      expected: where(({ value }) => value < bound || value === most),
      parts: [all],
    },
    {
      // The value of such a sample is undocumented: it may be the number or the sum, and services do not agree. So only the samples are
      // counted.
      form: "number < bool sum",
      text: `count(${bound} < ${inner})`,
      expected: only(more),
      parts: [all],
    },
    {
      form: "sum > bool sum",
      text: `${inner} > bool (${inner} * 0 + ${bound})`,
      expected: changed(ours, (value) => (value > bound ? 1 : 0)),
      parts: [all],
    },
    { form: "one sum and another sum", text: `${inner} and (${other} * 2)`, expected: where((_, key) => theirs.has(key)), parts },
    { form: "one sum unless another sum", text: `${inner} unless ${other}`, expected: where((_, key) => !theirs.has(key)), parts },
    { form: "one sum or another sum", text: `${other} * 2 or ${inner}`, expected: new Map([...ours, ...twice]), parts },
    { form: "one sum unless an empty result", text: `${inner} unless ${metricText(dataset, none)}`, expected: ours, parts: [all] },
  ];
}

/** Calculations with numbers: on either side, with fractions, with parentheses and with negative values. */
export function numbered(dataset: Dataset, asked: MetricAsked): readonly Combined[] {
  const groups = groupsOf(dataset, asked);
  const inner = metricText(dataset, asked);
  const each = (form: string, text: string, calculate: (value: number) => number): Combined => {
    return { form, text, expected: changed(groups, calculate), parts: [asked] };
  };
  const less = [...groups.values()].map(({ value }) => value - LESS);
  return [
    each("a number minus a sum", `${LESS} - ${inner}`, (value) => LESS - value),
    each("a sum plus and minus numbers of eight digits", `${inner} + 12345678 - 12345670`, (value) => value + 8),
    // The quotient of this query is less than 1.
    each("the quotient of a sum and twice the same sum", `${inner} / (${inner} * 2)`, () => 0.5),
    each("a sum times a fraction", `${inner} * 0.5`, (value) => value * 0.5),
    each("a sum minus the quotient of two numbers", `${inner} - 1 / 2`, (value) => value - 0.5),
    each("a sum minus 7 minus 3", `${inner} - 7 - 3`, (value) => value - 10),
    each("a calculation in parentheses times a negative number", `(${inner} + ${inner}) * -3`, (value) => value * -6),
    each("the remainder of a sum", `${inner} % 2.5`, (value) => value % 2.5),
    each("a number times the square of a sum", `3 * ${inner} ^ 2`, (value) => 3 * value ** 2),
    // The query uses the same sum twice, and the second use is part of a calculation.
    each("a sum plus itself times a number", `${inner} + ${inner} * 10`, (value) => value * 11),
    { form: "max of negative samples", text: `max(${inner} - ${LESS})`, expected: only(Math.max(...less)), parts: [asked] },
  ];
}

/** A number that is larger than each sum of these datasets. */
const LESS = 100_000;

/** The offset of a range: its text in the query, and its length in ns. */
interface Offset {
  readonly written: string;
  readonly ns: bigint;
}

/** An offset that is shorter than the ranges of most datasets. */
const USUAL_OFFSET: Offset = { written: "40s", ns: 40_000_000_000n };

/** Returns sums in other forms: with the grouping at the end, over an earlier range, and of bytes per second. */
export function reworded(dataset: Dataset, asked: MetricAsked, { written: behind, ns }: Offset = USUAL_OFFSET): readonly Combined[] {
  const { metric, window, matchers, filters, written } = asked;
  const by = asked.by ?? [];
  const query = logQueryText({ matchers: [...dataset.matchers, ...matchers], filters });
  const range = `[${written ?? durationText(window.end - window.start)}]`;
  const groups = groupsOf(dataset, asked);
  const earlier = { ...asked, window: { start: window.start - ns, end: window.end - ns } };
  const later = withEntries(select(dataset.streams, asked), ({ ts }) => ts > window.start + ns && ts <= window.end + ns);
  const offset = `sum by (${by.join(", ")}) (${metric}(${query}${range} offset ${behind}))`;
  const bytes = { ...asked, metric: "bytes_over_time" } as const;
  const seconds = Number(window.end - window.start) / 1e9;
  const perSecond = changed(groupsOf(dataset, bytes), (value) => value / seconds);
  return [
    {
      form: 'a sum with a "without" clause at the end',
      text: `sum(${metric}(${query}${range})) without (${othersThan(dataset, by).join(", ")})`,
      expected: groups,
      split: true,
      parts: [asked],
    },
    {
      form: 'a sum with a "by" clause at the end',
      text: `sum(${metric}(${query}${range})) by (${by.join(", ")})`,
      expected: groups,
      parts: [asked],
    },
    {
      form: "a sum of bytes_rate",
      text: `sum by (${by.join(", ")}) (bytes_rate(${query}${range}))`,
      expected: perSecond,
      parts: [bytes],
    },
    {
      form: "a sum of a range with an offset",
      text: offset,
      expected: groups,
      time: window.end + ns,
      parts: [asked],
      mistaken: ["without its offset", summed(metric, later, seconds, by)],
    },
    {
      form: "a sum minus the sum of the same range with an offset",
      text: `${metricText(dataset, asked)} - ${offset}`,
      expected: calculated(groups, groupsOf(dataset, earlier), (left, right) => left - right),
      parts: [asked, earlier],
    },
  ];
}

/** Returns the time of a query, in ns. */
export function timeOf({ time, parts }: Combined): bigint {
  const at = time ?? parts[0]?.window.end;
  if (at === undefined) throw new Error("a form without parts");
  return at;
}

/** Returns an assertion that a query of such a form, if accepted, returns the samples that its parts predict. */
export function expressionAssertion(dataset: Dataset, combined: Combined, as: As = {}): Assertion {
  const { form, text, expected, split, parts, mistaken: [words, mistaken] = [] } = combined;
  const compared = split === true ? streamDifferences : groupDifferences;
  return expecting({
    clauses: "logs-4.query",
    of: dataset,
    ask: instant(text, timeOf(combined), as),
    expect: (samples) => {
      const isMistaken = mistaken !== undefined && compared(samples, mistaken, dataset.streams).length === 0;
      const wrong = compared(samples, expected, dataset.streams);
      return isMistaken ? wrong.map((one) => ({ ...one, contrast: `this is exactly the result ${words}` })) : wrong;
    },
    cause: async (scope) => {
      for (const part of parts) {
        const finding = await metricAssertion(dataset, part)(scope);
        if (finding.differences.length > 0) return finding;
      }
      return null;
    },
    input: { form },
  });
}
