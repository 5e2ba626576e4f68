/** Expressions that mind no upper and lower case: the documents do not show how one is written, a target shows whether it reads `(?i)` so. */
import type { RelativeStream } from "../../arbitraries/streams.ts";
import type { Asked } from "../../diagnosis/range-request.ts";
import { fixture, type Fixture } from "../../harness/scope.ts";
import { ANY_CASE, countEntries, type LineFilter } from "../../model/logs.ts";
import { streamsOf } from "./answers.ts";
import { parametersOf } from "./range-query.ts";
import { pushedSet } from "./sets.ts";

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
