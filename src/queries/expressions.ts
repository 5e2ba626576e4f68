/** Regular expressions. The documents do not define `(?i)`, or whether an expression matches the whole text. Probes find out first. */
import { Masked } from "../client/inconclusive.ts";
import { colour, type Dataset } from "../datasets/datasets.ts";
import { type Ask, expecting } from "../harness/expect.ts";
import { type Assertion, fixture, type Fixture, type Scope } from "../harness/scope.ts";
import { ANY_CASE, countEntries, type LineFilter, containing, matching, type Stream } from "../model/logs.ts";
import { both, range, streamsOf } from "../datasets/requests.ts";
import { parametersOf } from "./range-query.ts";
import { pushedSet, type SetFixture, words } from "../datasets/shared-datasets.ts";
import { terms } from "../datasets/small-datasets.ts";
import type { RelativeStream } from "../arbitraries/streams.ts";
import type { Asked } from "../diagnosis/range-request.ts";
import { isSuccess } from "../client/exchange.ts";
import type { ClauseId } from "../contract/catalogue.ts";
import { found } from "../harness/finding.ts";
import { show, difference } from "../model/difference.ts";

/** Rewrites filters, so that a target whose expressions must match whole lines finds the same lines as other targets. */
export type Phrasing = (filters: readonly LineFilter[]) => LineFilter[];

export const OF_A_PART: Phrasing = (filters) => [...filters];

/** Rewrites expressions, so that they find the same lines whether they must match the whole line or only a part of it. */
const OF_A_LINE: Phrasing = (filters) =>
  filters.map((one) => (one.operator === "|~" || one.operator === "!~" ? { ...one, text: `.*(${one.text}).*` } : one));

/** Finds out whether an expression may match a part of a line. If this stays unknown, queries get expressions that work in both cases. */
export const phrasing = fixture<Phrasing>("logs", "whether a regular expression may match a part of a line", async (scope) => {
  const dataset = await scope.use(terms);
  try {
    const { answer } = await range(parametersOf(dataset, { filters: [matching("mid")] }))(scope);
    return answer !== null && countEntries(answer) > 0 ? OF_A_PART : OF_A_LINE;
  } catch (error) {
    if (error instanceof Masked) return OF_A_LINE;
    throw error;
  }
});

/** Whether the expression of a matcher must match the whole value. If so, a read that excludes `r.d` still returns the value `redder`. */
export const matchesWholeValues = fixture<boolean>(
  "logs",
  "whether the regular expression of a matcher must match the whole value",
  async (scope) => {
    const dataset = await scope.use(words);
    const { answer } = await range(parametersOf(dataset, { matchers: [colour("!~", PARTLY)] }))(scope);
    const shown = coloursOf(answer ?? []);
    return shown.has("redder") && !shown.has("red");
  },
);

/** Matches the whole value `red` and a part of the value `redder`. */
const PARTLY = "r.d";

function coloursOf(streams: readonly Stream[]): ReadonlySet<string | undefined> {
  return new Set(streams.filter(({ entries }) => entries.length > 0).map(({ labels }) => labels["svc_colour"]));
}

/** Asserts that `=~` selects exactly the streams that `!~` excludes, whether an expression must match the whole value or not. */
export function opposite(dataset: Dataset): Assertion {
  const read = (operator: "=~" | "!~"): Ask<readonly Stream[]> => range(parametersOf(dataset, { matchers: [colour(operator, PARTLY)] }));
  return expecting<readonly [readonly Stream[], readonly Stream[]]>({
    clauses: "logs-4.matchers",
    of: dataset,
    ask: both(read("=~"), read("!~")),
    expect: ([selected, excluding]) => {
      const [one, other] = [coloursOf(selected), coloursOf(excluding)];
      return [...coloursOf(dataset.streams)].flatMap((value) => {
        if (one.has(value) !== other.has(value)) return [];
        const expected = `svc_colour ${show(value)} in the result of either =~ ${show(PARTLY)} or !~ ${show(PARTLY)}`;
        return [difference("logs-4.matchers", "data.result", expected, one.has(value) ? "in both results" : "in neither result")];
      });
    },
  });
}

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

/** No value contains another value, because the documents do not say whether an expression must match the whole value. */
const COLOURS = ["Alpha", "ALPHA", "beta", "BETA", "Gamma", "delta"];

/**
 * Words in upper and lower case at the beginning, middle and end of lines, and as label values. A line has an additional "a" directly
 * before the word "aab". A search that never goes back does not find "aab" there.
 */
export const cased = pushedSet("cased", "words in upper and lower case", () => [
  COLOURS.map((colour, stream): RelativeStream => ({
    labels: { svc_colour: colour },
    entries: LINES.map((line, index) => ({ offset: BigInt(index) * 5_000_000_000n + BigInt(stream) * 11n + 1n, line })),
  })),
]);

/** Expressions of line filters. `inAnyCase` adds the prefix with which these expressions ignore case. */
export const CASED_EXPRESSIONS = [
  "alpha",
  "ALPHA",
  "omega",
  "alpha|omega",
  "nothing|omega|beta",
  "alpha.*omega",
  "alpha$",
  "aab",
  // Both alternatives begin with the same letter. A service may rewrite the expression to `e(rror|xception)`.
  "error|exception",
] as const;

/** Pairs of a case-sensitive and a case-insensitive filter, in both orders. The lines have both words in upper and lower case. */
export const MIXED_CHAINS: readonly (readonly LineFilter[])[] = [
  [containing("Omega"), matching(`${ANY_CASE}.*alpha.*`)],
  [matching(`${ANY_CASE}.*alpha.*`), containing("Omega")],
];

/** Returns the same filters with the prefix that makes them ignore case. */
export function inAnyCase(filters: readonly LineFilter[]): LineFilter[] {
  return filters.map(({ operator, text }) => ({ operator, text: `${ANY_CASE}${text}` }));
}

/** Expressions of matchers, with one or several alternatives. */
export const CASED_VALUES = ["alpha", "BETA", "alpha|beta", "gamma|nobody|delta", "nobody|ALPHA|beta"].map((text) => `${ANY_CASE}${text}`);

/** Whether a query with a feature of expressions finds an entry. A service without this feature may refuse the query or find no entry. */
function shown(title: string, part: string, set: SetFixture, asked: Asked): Fixture<boolean> {
  return fixture("logs", title, async (scope) => {
    const { query, start, end } = parametersOf(await scope.use(set), asked);
    const parameters = { query, start: start.toString(), end: end.toString(), limit: "1000" };
    const { answer: streams } = streamsOf(await scope.logs.probe(part, "query_range", parameters));
    return streams !== null && countEntries(streams) > 0;
  });
}

const IN_ANY_CASE = "case-insensitive query (?i)";

/** A class of characters in expressions of line filters. */
export interface CharacterClass {
  readonly name: string;
  readonly set: SetFixture;
  /** Whether a filter with the class finds a line. If not, the target does not know the class, and `expressions` are not sent. */
  readonly isKnown: Fixture<boolean>;
  readonly expressions: readonly string[];
}

function characterClass(name: string, set: SetFixture, probe: string, expressions: readonly string[]): CharacterClass {
  const isKnown = shown(`whether line filters support ${name}`, `query with a class ${name}`, set, { filters: [matching(probe)] });
  return { name, set, isKnown, expressions };
}

export const CHARACTER_CLASSES: readonly CharacterClass[] = [
  // A service that simplifies `\d` wrongly searches for the letter `d` instead of a digit.
  characterClass(String.raw`\d`, words, String.raw`.*count # \d.*`, [
    String.raw`count # \d`,
    String.raw`(count # \d|nobody\s\d)`,
    String.raw`count #\s\d+`,
    String.raw`[e]\.ror`,
  ]),
  // Digits and capital letters belong to the class too.
  characterClass(String.raw`\w`, words, String.raw`.*e\wror.*`, [String.raw`count # \w`, String.raw`E\wROR`]),
  // A tab belongs to the class too.
  characterClass(String.raw`\s`, words, String.raw`.*count\s#.*`, [String.raw`tab\shere`]),
  // Without its borders, the word is also found in a longer word.
  characterClass(String.raw`\b`, terms, String.raw`.*\bomega\b.*`, [String.raw`\bomega\b`]),
];

/** Whether a filter finds a line that has the word only with other upper and lower case letters. */
export const filtersKnowAnyCase = shown("whether line filters support (?i)", IN_ANY_CASE, cased, {
  filters: [matching(`${ANY_CASE}.*centre.*`)],
});

/** Whether a matcher ignores case. Because of the `+` in the expression, a service cannot compare with a plain value. */
export const matchersKnowAnyCase = shown("whether matchers support (?i)", IN_ANY_CASE, cased, {
  matchers: [colour("=~", `${ANY_CASE}gam+a`)],
});

/** A text that no line or value contains. It is invalid as an expression, because its parenthesis is never closed. */
const UNREADABLE = "nobody wrote this(";

const PLACES = {
  "logs-4.3": { filters: [matching(UNREADABLE)] },
  "logs-4.matchers": { matchers: [colour("=~", UNREADABLE)] },
} as const satisfies Partial<Record<ClauseId, object>>;

/** Asserts that an invalid expression selects no entries: a service must not ignore it. Resolves to null if the service refuses it. */
export function nothingUnreadable(clause: keyof typeof PLACES): (scope: Scope) => Promise<Assertion | null> {
  return async (scope) => {
    const { query, start, end } = parametersOf(await scope.use(words), PLACES[clause]);
    const parameters = { query, start: start.toString(), end: end.toString(), limit: "1000" };
    const answer = await scope.logs.probe("query with an invalid regular expression", "query_range", parameters);
    const { answer: streams } = streamsOf(answer);
    if (!isSuccess(answer) || streams === null) return null;
    const [first] = streams.flatMap(({ labels, entries }) => entries.slice(0, 1).map(({ line }) => ({ labels, line })));
    const expected = `an error or no entries, because ${show(UNREADABLE)} is an invalid regular expression and no line and no label value contains it`;
    const actual = `entries, such as ${show(first)}`;
    return found(clause, first === undefined ? [] : [difference(clause, "data.result", expected, actual, "foreign")], {
      exchanges: [answer],
    });
  };
}
