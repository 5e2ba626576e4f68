/** Writes queries in the language of the log service. */
import type { LineFilter, LogQuery, Matcher, MetricFunction } from "./logs.ts";

const ESCAPES: Readonly<Record<string, string>> = { "\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r" };

/** Returns the text as a double-quoted string of the query language. */
export function quoted(text: string): string {
  return `"${text.replaceAll(/[\\"\n\t\r]/g, (character) => ESCAPES[character] ?? character)}"`;
}

function matcherText({ name, operator, value }: Matcher): string {
  return `${name}${operator}${quoted(value)}`;
}

/** Returns the text of a selector, such as `{name="value", …}`. */
export function selectorText(matchers: readonly Matcher[]): string {
  return `{${matchers.map(matcherText).join(", ")}}`;
}

function filterText({ operator, text }: LineFilter): string {
  return ` ${operator} ${quoted(text)}`;
}

/** Returns the text of a log query: a selector, and the line filters after the selector. */
export function logQueryText({ matchers, filters }: LogQuery): string {
  return selectorText(matchers) + filters.map(filterText).join("");
}

const UNITS: readonly (readonly [unit: string, ns: bigint])[] = [
  ["m", 60_000_000_000n],
  ["s", 1_000_000_000n],
  ["ms", 1_000_000n],
];

/** Returns a duration in ns, in the largest exact unit of m, s and ms. Throws if it is no multiple of 1 ms. */
export function durationText(length: bigint): string {
  const fitting = UNITS.find(([, ns]) => length % ns === 0n);
  if (fitting === undefined) throw new Error(`${length} ns cannot be written in milliseconds`);
  return `${length / fitting[1]}${fitting[0]}`;
}

/** Returns a query such as `sum(count_over_time({…}[1m]))`, with ` by (…)` if `by` is not empty. */
export function sumText(metric: MetricFunction, query: LogQuery, range: string, by: readonly string[] = []): string {
  const grouping = by.length === 0 ? "" : ` by (${by.join(", ")})`;
  return `sum${grouping}(${metric}(${logQueryText(query)}[${range}]))`;
}

/** Returns a query such as `sum without (…) (count_over_time({…}[1m]))`. It groups by all labels that are not in `without`. */
export function sumWithoutText(metric: MetricFunction, query: LogQuery, range: string, without: readonly string[]): string {
  return `sum without (${without.join(", ")}) (${metric}(${logQueryText(query)}[${range}]))`;
}
