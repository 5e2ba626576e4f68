/** Expressions that cannot be read: whether they are refused is not stated, but nothing is found by them. */
import { isSuccess } from "../../client/exchange.ts";
import type { ClauseId } from "../../contract/catalogue.ts";
import { found } from "../../harness/finding.ts";
import type { Assertion, Scope } from "../../harness/scope.ts";
import { show } from "../../model/difference.ts";
import { streamsOf } from "./answers.ts";
import { parametersOf } from "./range-query.ts";
import { words } from "./sets.ts";

/** Read as a text it is in no line and no value; read as an expression, its parenthesis is never closed. */
const UNREADABLE = "nobody wrote this(";

const PLACES = {
  "logs-4.3": { filters: [{ operator: "|~", text: UNREADABLE }] },
  "logs-4.matchers": { matchers: [{ name: "svc_colour", operator: "=~", value: UNREADABLE }] },
} as const satisfies Partial<Record<ClauseId, object>>;

/**
 * A target that takes such an expression as a line filter, or as a matcher, answers no entries: what it does not understand of a query
 * must not be left out. Null where it is refused, as it may be with any status.
 */
export function nothingUnreadable(clause: keyof typeof PLACES): (scope: Scope) => Promise<Assertion | null> {
  return async (scope) => {
    const { query, start, end } = parametersOf(await scope.use(words), PLACES[clause]);
    const parameters = { query, start: start.toString(), end: end.toString(), limit: "1000" };
    const answer = await scope.logs.probe("query with an invalid regular expression", "query_range", parameters);
    const { streams } = streamsOf(answer);
    if (!isSuccess(answer) || streams === null) return null;
    const [first] = streams.flatMap(({ labels, entries }) => entries.slice(0, 1).map(({ line }) => ({ labels, line })));
    const expected = `an error or no entries, because ${show(UNREADABLE)} is an invalid regular expression and no line and no label value contains it`;
    const actual = `entries, such as ${show(first)}`;
    return found(clause, first === undefined ? [] : [{ clause, path: "data.result", expected, actual }], { exchanges: [answer] });
  };
}
