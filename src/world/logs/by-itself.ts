/** Selectors of a single matcher, whose values no other run has: nothing else narrows down what a service reads. */
import { type Answered, statusOf } from "../../client/exchange.ts";
import { expecting } from "../../harness/expect.ts";
import type { Assertion, Scope } from "../../harness/scope.ts";
import type { Matcher } from "../../model/logs.ts";
import { logQueryText } from "../../model/query-text.ts";
import { range } from "./asks.ts";
import type { Dataset } from "./datasets.ts";
import { askedDifferences, lesserOf, nearest, parametersOf } from "./range-query.ts";
import { lastingAnswer } from "./server-errors.ts";

const CLAUSE = "logs-4.matchers";

function queryOf(matcher: Matcher): string {
  return logQueryText({ matchers: [matcher], filters: [] });
}

/** Whether this target takes an expression as the only matcher: that one matcher must be of `=` is not stated, and usual. */
export function takesByItself({ start, end }: Dataset, matcher: Matcher): (scope: Scope) => Promise<boolean> {
  return async (scope) => {
    const parameters = { query: queryOf(matcher), start: start.toString(), end: end.toString() };
    const probe = async (): Promise<Answered> => scope.logs.probe("selector of one expression", "query_range", parameters);
    const status = statusOf(await lastingAnswer(scope, probe));
    return status < 400 || status >= 500;
  };
}

/** Asks for the streams of a set that a matcher selects, with no matcher beside it. */
export function byItself(dataset: Dataset, matcher: Matcher): Assertion {
  const asked = { matchers: [matcher] };
  return expecting({
    clauses: CLAUSE,
    of: dataset,
    ask: range({ ...parametersOf(dataset, asked), query: queryOf(matcher) }, { clause: CLAUSE }),
    expect: askedDifferences(dataset, asked),
    cause: (scope) => nearest(scope, dataset, [...lesserOf(dataset, asked), asked]),
  });
}
