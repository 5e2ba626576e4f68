/**
 * Forms of texts in queries that a service need not know, because the documents do not define the query language: escapes other than those
 * of a quotation mark and of a backslash, and classes of characters and counted repetitions in expressions.
 */
import type { Answered } from "../client/exchange.ts";
import { Masked } from "../client/inconclusive.ts";
import { rangeText } from "../client/logs.ts";
import { type Dataset, textOf } from "../datasets/datasets.ts";
import { streamsOf } from "../datasets/responses.ts";
import { words } from "../datasets/shared-datasets.ts";
import { signs } from "../datasets/small-datasets.ts";
import { fixture, type Fixture, type Scope } from "../harness/scope.ts";
import { lastingAnswer } from "./server-errors.ts";
import { countEntries, type LineFilter, type LogQuery } from "../model/logs.ts";

interface Form {
  /** The form, in words that can follow "the target refuses". */
  readonly what: string;
  readonly isIn: (text: string, isExpression: boolean) => boolean;
  /** Filters with the form, each with a dataset that has a matching line. */
  readonly searched: readonly (readonly [set: Fixture<Dataset>, filter: LineFilter])[];
}

const FORMS: readonly Form[] = [
  {
    what: "escapes such as \\t in the text of a query",
    isIn: (text) => /[\n\r\t]/.test(text),
    searched: [
      [words, { operator: "|=", text: "tab\there" }],
      [signs, { operator: "|=", text: '\n"quoted"\tand' }],
      [signs, { operator: "|=", text: "\r\nmore" }],
    ],
  },
  {
    what: "classes of characters in expressions",
    isIn: (text, isExpression) => isExpression && /(?<!\\)\[/.test(text),
    searched: [[words, { operator: "|~", text: ".*[e]rror.*" }]],
  },
  {
    what: "counted repetitions such as {2} in expressions",
    isIn: (text, isExpression) => isExpression && /(?<!\\)\{\d/.test(text),
    searched: [[words, { operator: "|~", text: ".*er{2}or.*" }]],
  },
];

/** For each form, the last response that shows no entries for it. Null if the target shows entries for one of the filters. */
const unknown = new Map(
  FORMS.map((form): [Form, Fixture<Answered | null>] => [
    form,
    fixture("logs", `whether the target knows ${form.what}`, async (scope) => {
      let last: Answered | null = null;
      for (const [set, filter] of form.searched) {
        const dataset = await scope.use(set);
        const { start, end } = dataset;
        const parameters = rangeText({ query: textOf(dataset, { filters: [filter] }), start, end, limit: 1 });
        // A server error that passes does not show that the target refuses the form.
        last = await lastingAnswer(scope, async ({ logs }) => logs.probe("query with an undocumented form", "query_range", parameters));
        if (countEntries(streamsOf(last).streams ?? []) > 0) return null;
      }
      return last;
    }),
  ]),
);

function has({ isIn }: Form, texts: readonly (readonly [operator: string, text: string])[]): boolean {
  return texts.some(([operator, text]) => isIn(text, operator.includes("~")));
}

/** If the query has such forms: a function that throws `Masked` if the target does not know one of them. */
export function unlessUnknownForm({ matchers = [], filters = [] }: Partial<LogQuery>): ((scope: Scope) => Promise<void>) | undefined {
  const isInFilter = (form: Form): boolean =>
    has(
      form,
      filters.map(({ operator, text }) => [operator, text]),
    );
  const isInMatcher = (form: Form): boolean =>
    has(
      form,
      matchers.map(({ operator, value }) => [operator, value]),
    );
  const forms = [...unknown].filter(([form]) => isInFilter(form) || isInMatcher(form));
  if (forms.length === 0) return undefined;
  return async (scope) => {
    for (const [form, isUnknown] of forms) {
      const refusal = await scope.use(isUnknown);
      if (refusal !== null) throw new Masked(isInFilter(form) ? "logs-4.3" : "logs-4.matchers", form.what, refusal);
    }
  };
}
