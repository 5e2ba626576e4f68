/**
 * Escapes in the texts of a query. The documents do not define the query language, so a service may know only the escapes of a quotation
 * mark and of a backslash.
 */
import type { Answered } from "../client/exchange.ts";
import { Masked } from "../client/inconclusive.ts";
import { rangeText } from "../client/logs.ts";
import { textOf } from "../datasets/datasets.ts";
import { streamsOf } from "../datasets/responses.ts";
import { words } from "../datasets/shared-datasets.ts";
import { signs } from "../datasets/small-datasets.ts";
import { fixture, type Fixture, type Scope } from "../harness/scope.ts";
import { countEntries, type LogQuery } from "../model/logs.ts";

const WITH_ESCAPE = /[\n\r\t]/;

/** Texts of lines with such escapes, each with its dataset. */
const SEARCHED = [
  { set: words, text: "tab\there" },
  { set: signs, text: '\n"quoted"\tand' },
  { set: signs, text: "\r\nmore" },
] as const;

/** The last response that shows no entries for an escape. Null if the target shows entries for one of the escapes. */
const unknownEscapes: Fixture<Answered | null> = fixture("logs", "whether queries may have escapes such as \\t", async (scope) => {
  let last: Answered | null = null;
  for (const { set, text } of SEARCHED) {
    const dataset = await scope.use(set);
    const { start, end } = dataset;
    const parameters = rangeText({ query: textOf(dataset, { filters: [{ operator: "|=", text }] }), start, end, limit: 1 });
    last = await scope.logs.probe("query with an escape", "query_range", parameters);
    if (countEntries(streamsOf(last).streams ?? []) > 0) return null;
  }
  return last;
});

/**
 * If the query needs an escape other than that of a quotation mark or a backslash: a function that throws `Masked` if the target knows none
 * of these escapes.
 */
export function unlessUnknownEscape({ matchers = [], filters = [] }: Partial<LogQuery>): ((scope: Scope) => Promise<void>) | undefined {
  if (![...matchers.map(({ value }) => value), ...filters.map(({ text }) => text)].some((text) => WITH_ESCAPE.test(text))) return undefined;
  return async (scope) => {
    const refusal = await scope.use(unknownEscapes);
    if (refusal !== null) throw new Masked("logs-4.3", "escapes such as \\t in the text of a query", refusal);
  };
}
