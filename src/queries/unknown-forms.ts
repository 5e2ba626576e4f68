/**
 * Forms that a service may refuse, because the documents do not define the query language: unusual escapes, classes and counted repetitions
 * in expressions, and matchers that select streams without their label. This file also distinguishes a 5xx that the request causes from a
 * 5xx of a temporary problem.
 */
import { type Answered, statusOf } from "../client/exchange.ts";
import { Masked, Inconclusive } from "../client/inconclusive.ts";
import { rangeText } from "../client/logs.ts";
import { type Dataset, textOf } from "../datasets/datasets.ts";
import { streamsOf } from "../datasets/requests.ts";
import { words } from "../datasets/shared-datasets.ts";
import { signs } from "../datasets/small-datasets.ts";
import { fixture, type Fixture, type Scope } from "../harness/scope.ts";
import { countEntries, type LineFilter, type LogQuery, type Matcher, matches, matcher } from "../model/logs.ts";

interface Form {
  /** The name of the form. It can follow the words "the target refuses" in a message. */
  readonly what: string;
  readonly isInFilter: (filter: LineFilter) => boolean;
  readonly isInMatcher: (matcher: Matcher) => boolean;
  /** Queries with the form. The dataset of each query has an entry that the query selects. */
  readonly searched: readonly (readonly [set: Fixture<Dataset>, query: Partial<LogQuery>])[];
}

/** Returns a form that may occur in the texts of line filters and in the values of matchers. */
function textForm(what: string, isIn: (text: string, isExpression: boolean) => boolean, searched: Form["searched"]): Form {
  return {
    what,
    isInFilter: ({ operator, text }) => isIn(text, operator.includes("~")),
    isInMatcher: ({ operator, value }) => isIn(value, operator.includes("~")),
    searched,
  };
}

const lineWith = (operator: LineFilter["operator"], text: string): Partial<LogQuery> => ({ filters: [{ operator, text }] });

const FORMS: readonly Form[] = [
  textForm("escapes such as \\t in the text of a query", (text) => /[\n\r\t]/.test(text), [
    [words, lineWith("|=", "tab\there")],
    [signs, lineWith("|=", '\n"quoted"\tand')],
    [signs, lineWith("|=", "\r\nmore")],
  ]),
  textForm("character classes in regular expressions", (text, isExpression) => isExpression && /(?<!\\)\[/.test(text), [
    [words, lineWith("|~", ".*[e]rror.*")],
  ]),
  textForm("counted repetitions such as {2} in regular expressions", (text, isExpression) => isExpression && /(?<!\\)\{\d/.test(text), [
    [words, lineWith("|~", ".*er{2}or.*")],
  ]),
  {
    what: "matchers for streams without their label",
    isInFilter: () => false,
    isInMatcher: (matcher) => matches([matcher], {}),
    searched: [[words, { matchers: [matcher("plumbline_absent", "!=", "x")] }]],
  },
];

/** For each form: null if some query with the form returns entries, or else the last response. */
const unknown = new Map(
  FORMS.map((form): [Form, Fixture<Answered | null>] => [
    form,
    fixture("logs", `whether the target knows ${form.what}`, async (scope) => {
      let last: Answered | null = null;
      for (const [set, query] of form.searched) {
        const dataset = await scope.use(set);
        const { start, end } = dataset;
        const parameters = rangeText({ query: textOf(dataset, query), start, end, limit: 1 });
        // A temporary server error does not show that the target refuses the form, so the query is repeated.
        last = await lastingAnswer(scope, async ({ logs }) => logs.probe("query with an undocumented form", "query_range", parameters));
        if (countEntries(streamsOf(last).answer ?? []) > 0) return null;
      }
      return last;
    }),
  ]),
);

/** Returns a function that throws `Masked` if the target does not know a form in the query. Returns undefined if it has no such form. */
export function unlessUnknownForm({ matchers = [], filters = [] }: Partial<LogQuery>): ((scope: Scope) => Promise<void>) | undefined {
  const forms = [...unknown].flatMap(([form, isUnknown]) => {
    const isInFilter = filters.some(form.isInFilter);
    return isInFilter || matchers.some(form.isInMatcher) ? [{ what: form.what, isUnknown, isInFilter }] : [];
  });
  if (forms.length === 0) return undefined;
  return async (scope) => {
    for (const { what, isUnknown, isInFilter } of forms) {
      const refusal = await scope.use(isUnknown);
      if (refusal !== null) throw new Masked(isInFilter ? "logs-4.3" : "logs-4.matchers", what, refusal);
    }
  };
}

/** The status 501 means that the server does not support the request. So the request is not repeated. */
export const NOT_IMPLEMENTED = 501;

/**
 * After this number of consecutive 5xx, the request counts as their cause. If a repeat after a 5xx has succeeded in this run, the higher
 * number PASSING_ERRORS applies.
 */
const SERVER_ERRORS = 3;
const PASSING_ERRORS = 9;
/** During the first requests of a run, up to this number, PASSING_ERRORS applies too: a repeat may not have had a chance to succeed. */
const TELLING_REQUESTS = 60;

/** Returns the number of consecutive 5xx after which the request is certainly their cause. */
export function timesNeeded({ run }: Scope): number {
  const { requests, passingErrors } = run.transport("logs");
  return passingErrors === 0 && requests >= TELLING_REQUESTS ? SERVER_ERRORS : PASSING_ERRORS;
}

/** Throws `Inconclusive` if the whole service may have a problem, so that a repeated 5xx shows nothing about the request. */
export function requireUntroubled({ run }: Scope): void {
  if (run.transport("logs").isTroubled)
    throw new Inconclusive(
      "the request was answered 5xx, but so were more than a quarter of the first attempts of all requests of this run",
    );
}

/** Waits before a request is repeated. Without this wait, a service that fails every n-th request could fail the same request each time. */
export async function restBetween({ run }: Scope): Promise<void> {
  await run.pause(run.transport("logs").pauseAfter(0));
}

/** Resolves to the response to a request. After 5xx, the request is repeated until it succeeds or is certainly the cause. */
export async function lastingAnswer(scope: Scope, request: (scope: Scope) => Promise<Answered>): Promise<Answered> {
  for (let times = 1; ; times += 1) {
    const answer = await request(scope);
    const status = statusOf(answer);
    if (status < 500 && times > 1) scope.run.transport("logs").notePassingError(times - 1);
    if (status < 500 || status === NOT_IMPLEMENTED) return answer;
    if (times >= timesNeeded(scope)) {
      requireUntroubled(scope);
      return answer;
    }
    await restBetween(scope);
  }
}
