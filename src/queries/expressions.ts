/**
 * Regular expressions. The documents do not say whether an expression must match a whole line or a whole label value, nor how `(?i)` is
 * read. The target shows it.
 */
import { Masked } from "../client/inconclusive.ts";
import { type Assertion, fixture, type Fixture, type Scope } from "../harness/scope.ts";
import { ANY_CASE, countEntries, type LineFilter } from "../model/logs.ts";
import { range } from "../datasets/requests.ts";
import { parametersOf } from "./range-query.ts";
import { pushedSet, words } from "../datasets/shared-datasets.ts";
import { terms } from "../datasets/small-datasets.ts";
import type { RelativeStream } from "../arbitraries/streams.ts";
import type { Asked } from "../diagnosis/range-request.ts";
import { streamsOf } from "../datasets/responses.ts";
import { isSuccess } from "../client/exchange.ts";
import type { ClauseId } from "../contract/catalogue.ts";
import { found } from "../harness/finding.ts";
import { show } from "../model/difference.ts";

/** Filters as this target can be asked to carry them out, with the meaning they have where an expression may match a part of a line. */
export type Phrasing = (filters: readonly LineFilter[]) => LineFilter[];

const OF_A_PART: Phrasing = (filters) => [...filters];

/** Both readings agree on such an expression. */
const OF_A_LINE: Phrasing = (filters) =>
  filters.map((one) => (one.operator === "|~" || one.operator === "!~" ? { ...one, text: `.*(${one.text}).*` } : one));

/**
 * Reads once whether an expression may match a part of a line. If no read shows that, or the target refuses expressions, no query depends on
 * it.
 */
export const phrasing: Fixture<Phrasing> = fixture("logs", "whether a regular expression may match a part of a line", async (scope) => {
  const dataset = await scope.use(terms);
  try {
    const { answer } = await range(parametersOf(dataset, { filters: [{ operator: "|~", text: "mid" }] }))(scope);
    return answer !== null && countEntries(answer) > 0 ? OF_A_PART : OF_A_LINE;
  } catch (error) {
    if (error instanceof Masked) return OF_A_LINE;
    throw error;
  }
});

/** Looks once whether a value that an expression matches a part of only is left: what is shown in spite of it was not taken for it. */
export const matchesWholeValues: Fixture<boolean> = fixture(
  "logs",
  "whether the regular expression of a matcher must match the whole value",
  async (scope) => {
    const dataset = await scope.use(words);
    const { answer } = await range(parametersOf(dataset, { matchers: [{ name: "svc_colour", operator: "!~", value: "r.d" }] }))(scope);
    const shown = new Set(answer?.filter(({ entries }) => entries.length > 0).map(({ labels }) => labels["svc_colour"]));
    return shown.has("redder") && !shown.has("red");
  },
);

const LINES = [
  "Omega alpha",
  "omega ALPHA",
  "OMEGA and aLpHa",
  "ALPHA",
  "Alpha Omega",
  "alph",
  "omeg ALPH",
  "alp ha",
  "midALPHAOMEGAmid",
  "xALPHAx",
  "a CENTRE of it",
  "alpha",
  "Beta",
  "an aAaB",
  "an Exception",
  "an ERROR",
];

/** No value is a part of another: whether an expression must match a whole value is not stated. */
const COLOURS = ["Alpha", "ALPHA", "beta", "BETA", "Gamma", "delta"];

/**
 * Words in several cases at the beginning, the end and in the middle of lines, and as values. One line holds a text behind the beginning
 * of the same text: a search that does not go back after a failed try misses the text there.
 */
export const cased = pushedSet("cased", "words in upper and lower case", () => [
  COLOURS.map((colour, stream): RelativeStream => ({
    labels: { svc_colour: colour },
    entries: LINES.map((line, index) => ({ offset: BigInt(index) * 5_000_000_000n + BigInt(stream) * 11n + 1n, line })),
  })),
]);

/** Expressions of line filters, still without what makes them mind no case. */
export const CASED_EXPRESSIONS = [
  "alpha",
  "ALPHA",
  "omega",
  "alpha|omega",
  "nothing|omega|beta",
  "alpha.*omega",
  "alpha$",
  "aab",
  // Both begin with the same letter, which a service may look for once.
  "error|exception",
] as const;

/** A word as it is written, and another in any case, in either order: lines hold both, each in several cases. */
export const MIXED_CHAINS: readonly (readonly LineFilter[])[] = [
  [
    { operator: "|=", text: "Omega" },
    { operator: "|~", text: `${ANY_CASE}.*alpha.*` },
  ],
  [
    { operator: "|~", text: `${ANY_CASE}.*alpha.*` },
    { operator: "|=", text: "Omega" },
  ],
];

/** The same filters for any case. */
export function inAnyCase(filters: readonly LineFilter[]): LineFilter[] {
  return filters.map(({ operator, text }) => ({ operator, text: `${ANY_CASE}${text}` }));
}

/** Sets and single values of a matcher. */
export const CASED_VALUES = ["alpha", "BETA", "alpha|beta", "gamma|nobody|delta", "nobody|ALPHA|beta"].map((text) => `${ANY_CASE}${text}`);

/** A service that does not read `(?i)` may refuse it with any status, or find nothing. */
function shown(title: string, asked: Asked): Fixture<boolean> {
  return fixture("logs", title, async (scope) => {
    const { query, start, end } = parametersOf(await scope.use(cased), asked);
    const parameters = { query, start: start.toString(), end: end.toString(), limit: "1000" };
    const { streams } = streamsOf(await scope.logs.probe("case-insensitive query (?i)", "query_range", parameters));
    return streams !== null && countEntries(streams) > 0;
  });
}

/** Whether a line is found by a word that it holds in another case only. */
export const filtersKnowAnyCase = shown("whether line filters support (?i)", {
  filters: [{ operator: "|~", text: `${ANY_CASE}.*centre.*` }],
});

/** Whether a stream is found by a value that it has in another case only: by an expression that is more than that value. */
export const matchersKnowAnyCase = shown("whether matchers support (?i)", {
  matchers: [{ name: "svc_colour", operator: "=~", value: `${ANY_CASE}gam+a` }],
});

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
