/** Queries of the log service's language as text. */
import type { LineFilter, LogQuery, Matcher, MetricFunction } from "./logs.ts";

const ESCAPES: Readonly<Record<string, string>> = { "\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r" };

/** A double-quoted string of the query language. */
export function quoted(text: string): string {
  return `"${text.replaceAll(/[\\"\n\t\r]/g, (character) => ESCAPES[character] ?? character)}"`;
}

function matcherText({ name, operator, value }: Matcher): string {
  return `${name}${operator}${quoted(value)}`;
}

/** `{name="value", …}` */
export function selectorText(matchers: readonly Matcher[]): string {
  return `{${matchers.map(matcherText).join(", ")}}`;
}

function filterText({ operator, text }: LineFilter): string {
  return ` ${operator} ${quoted(text)}`;
}

/** A selector and the line filters after it. */
export function logQueryText({ matchers, filters }: LogQuery): string {
  return selectorText(matchers) + filters.map(filterText).join("");
}

/** A length of time in the largest of minutes and seconds that says it exactly. */
export function durationText(seconds: number): string {
  return seconds % 60 === 0 ? `${seconds / 60}m` : `${seconds}s`;
}

/** `sum(count_over_time({…}[1m]))`, with ` by (…)` when `by` is not empty. */
export function sumText(metric: MetricFunction, query: LogQuery, seconds: number, by: readonly string[] = []): string {
  const grouping = by.length === 0 ? "" : ` by (${by.join(", ")})`;
  return `sum${grouping}(${metric}(${logQueryText(query)}[${durationText(seconds)}]))`;
}
