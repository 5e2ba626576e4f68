/** The selectors of the query language. */
import type { Check } from "../../src/harness/check.ts";
import type { CheckContext, TablePart } from "../../src/harness/context.ts";
import type { Assertion } from "../../src/harness/scope.ts";
import { type Matcher, matcher, matching } from "../../src/model/logs.ts";
import {
  cased,
  CASED_VALUES,
  matchersKnowAnyCase,
  matchesWholeValues,
  opposite,
  nothingUnreadable,
  phrasing,
} from "../../src/queries/expressions.ts";
import { singleMatcher, selection, takesSingleMatcher } from "../../src/queries/range-query.ts";
import { type Dataset, colour } from "../../src/datasets/datasets.ts";
import {
  ALIKE_TEXTS,
  alikes,
  groups,
  labelled,
  NAMES,
  nearlyEqual,
  ODD_NAMES,
  SIGNS,
  signs,
  valuesFor,
} from "../../src/datasets/small-datasets.ts";
import { crowd } from "../../src/datasets/large-datasets.ts";
import { longLabels, longValuesOf } from "../../src/datasets/sized-datasets.ts";
import { useful } from "../../src/datasets/read-back.ts";
import { COLOURS, many, MANY_LABEL, manyValues, words } from "../../src/datasets/shared-datasets.ts";
import { largerCheck, logsCheck, anyCaseUnknown, inTurn, longest, ofColour, ofOne, selections, observed } from "./check.ts";
import type { Asked } from "../../src/diagnosis/range-request.ts";

const EACH_MATCHER: readonly Matcher[] = [
  colour("=", "re"),
  colour("!=", "red"),
  colour("=~", "green|blue"),
  colour("!~", "amber|green"),
  colour("!=", "größe"),
  colour("=", "re*"),
  colour("=~", "RED|Green"),
  colour("=~", "gr.en|bl.e"),
  // Only the dot makes this value an expression.
  colour("=~", "gr.en"),
  // No value has the optional character "q". So a service that searches for the prefix "ambq" finds none.
  colour("=~", "ambq?e.*"),
  matcher("svc_abc", "=", "red"),
  // Some real services read a stream once for each alternative that is equal to its value.
  colour("=~", "amber|blue|amber"),
  colour("=~", "(gr|am)(een|ber)"),
  colour("=~", "(amb|gre)er"),
  colour("=~", "red.+"),
  // The value "red" has both letters in the other order.
  colour("=~", ".*e.*r.*"),
  // The value "red" has no text before its only "r".
  colour("=~", ".+r.*"),
  // The value "red" must match, although no text precedes or follows "red" in it.
  colour("=~", ".*red.*"),
  // The character class makes this value a regular expression. The dot is escaped, so it matches only a dot.
  colour("=~", String.raw`1\.[0-9]`),
  // A percent sign has no special meaning. As in SQL, it would match "1.0" and "1x0".
  colour("=~", "1%0"),
  colour("=~", "[^x]lue"),
  // Two values begin with `gr`. Only one of them ends with `n`.
  colour("=~", "gr.*n"),
  colour("=~", "g[ra].*n"),
  // The value "amber" begins with "amber" and ends with "r", but is too short to match.
  colour("=~", "amber.*r"),
  colour("=~", "^red$"),
  colour("=~", "nobody|amber|blue|green"),
  colour("!~", "nobody|amber|blue|green"),
  colour("=~", `${"nobody has this colour|".repeat(16)}amber|blue`),
  colour("=~", String.raw`back\\slash|amber`),
  colour("=~", String.raw`1\.0|back\\slash|amber`),
  colour("!~", String.raw`1\.0|back\\slash|amber`),
  ...COLOURS.filter((value) => !/^[a-z]+$/.test(value)).map((value) => colour("=", value)),
];

/** Expressions that a service may simplify wrongly. Each excludes a value that the others keep, and nearly matches one that passes all. */
const EXCLUDED_TOGETHER: readonly Matcher[] = [
  "re.+",
  ".*amber.*",
  ".*l.*e.*",
  ".*e.*g.*",
  "a[^x]b",
  "gr.*n",
  String.raw`1\.[0-9]`,
  ".+1.*",
  "1%0",
  String.raw`nobody|back\\slash`,
  "(RE|nobod)(D|y)",
  `${Array.from({ length: 64 }, (_, index) => `none ${index}`).join("|")}|svc_size`,
].map((value) => colour("!~", value));

/**
 * An expression with many alternatives. The matching values are among the last alternatives. No other value contains one of them. An
 * alternative that matches nothing begins with the next alternative.
 */
const LISTED_LAST = colour(
  "=~",
  [
    ...Array.from({ length: 64 }, (_, index) => `none ${index}`),
    "greenish",
    "green",
    "blue",
    "größe",
    "amber",
    "RED",
    "svc_size",
    "%41",
    "1.0",
    "1x0",
    "a,b",
  ].join("|"),
);

/** Sends each matcher. A smoke run may send few requests, so it sends the unusual expressions in one selector. */
const eachMatcher: TablePart = async (t) =>
  selections(
    t,
    words,
    t.profile === "smoke"
      ? [...ofOne(EACH_MATCHER.slice(0, 3)), { matchers: EXCLUDED_TOGETHER }, { matchers: [LISTED_LAST] }]
      : ofOne(EACH_MATCHER),
  );

const eachName: TablePart = async (t) => {
  const [first] = ODD_NAMES;
  // No other value contains this value. The documents do not say whether an expression must match the whole value.
  const [, , value = ""] = valuesFor(t.runId, first);
  return selections(
    t,
    labelled,
    ofOne([
      ...ODD_NAMES.map((name) => matcher(name, "=", valuesFor(t.runId, name)[1] ?? "")),
      matcher(first, "=~", `${value}|nobody`),
      matcher(first, "!=", value),
    ]),
  );
};

/** Each operator on labels whose names begin with a capital or with "_". */
const eachOperator: TablePart = async (t) =>
  selections(t, nearlyEqual, [
    ...ofOne(
      (["_svc", "Svc_a"] as const).flatMap((name): Matcher[] => [
        matcher(name, "!=", "red"),
        matcher(name, "=~", "red|nobody"),
        matcher(name, "!~", "red|nobody"),
      ]),
    ),
    // Values that are equal as numbers are different values.
    ...ofOne([matcher("svc_b", "!=", "1")]),
    // Some streams differ in a single label. So a service that ignores one of the matchers returns too much.
    { matchers: NAMES.map((name) => matcher(name, "=", "many")) },
  ]);

const single = logsCheck({
  slug: "by-itself",
  title:
    "a query with one matcher returns each matching stream exactly once, even if the matcher names several values or the same value twice",
  clauses: ["logs-4.matchers"],
  async run(t) {
    const dataset = await t.use(labelled);
    const [name] = ODD_NAMES;
    // No other value contains these values. The documents do not say whether an expression must match the whole value.
    const [, , third = "", , last = ""] = valuesFor(t.runId, name);
    if (isElsewhere(dataset)) t.notRun(PARTLY_STORED);
    await t.verify(singleMatcher(dataset, matcher(name, "=", third)));
    const seen = await verifyByItself(t, dataset, matcher(name, "=~", `${third}|${last}`));
    // Some real services read a stream once for each alternative that is equal to its value.
    await verifyByItself(t, dataset, matcher(name, "=~", `${third}|nobody|${third}`));
    const what = "whether the target accepts a query whose only matcher is a regular expression";
    t.observe("logs-4.matchers", "only-expression", what, observed(seen));
  },
});

/**
 * Some longer values begin with an alternative of the first three expressions, or end with an alternative of the fourth. These longer
 * values must not be selected. Each of the last two expressions matches one value and the empty value.
 */
const ALTERNATIVES = ["redder|red", "red|green", "r.d|gr.en", "nobody|d.r", "amber|", "(blue)?"] as const;

const NOT_ANCHORED =
  "in a matcher, the target lets an expression match a part of the value; the document does not say whether it must match the whole value";

const alternatives: TablePart = async (t) => {
  if (!(await t.use(matchesWholeValues))) return [opposite(await t.use(words))];
  return [
    ...(await selections(t, words, ofColour("=~", ALTERNATIVES))),
    ...(await selections(t, words, ofColour("!~", ALTERNATIVES))),
    ...(await selections(t, many, [{ matchers: [matcher(MANY_LABEL, "=~", manyValues(t.runId).join("|"))] }])),
  ];
};

/** The same expression in a matcher and a line filter. A service may wrongly share the compiled form: only the matcher is anchored. */
const sharedExpressions: TablePart = async (t) => {
  if (!(await t.use(matchesWholeValues))) return t.notRun(NOT_ANCHORED);
  const [dataset, phrased] = [await t.use(words), await t.use(phrasing)];
  const inMatcher = (value: string): Assertion => selection(dataset, { matchers: [colour("=~", value)] });
  const inFilter = (text: string): Assertion => selection(dataset, { filters: phrased([matching(text)]) });
  return [inTurn([inMatcher("1|nothing else"), inFilter("1|nothing else")]), inTurn([inFilter("re.|error"), inMatcher("re.|error")])];
};

const PARTLY_STORED = "a push that did not succeed may have stored streams that this selector also matches";

function isElsewhere({ isReduced, isRepeated }: Dataset): boolean {
  return isReduced === true || isRepeated === true;
}

/** If the target accepts a query with only this matcher, judges the response. Resolves to true if the target accepts the query. */
async function verifyByItself(t: CheckContext, dataset: Dataset, matcher: Matcher): Promise<boolean> {
  const { seen: isTaken } = await t.probe(takesSingleMatcher(dataset, matcher));
  if (isTaken) await t.verify(singleMatcher(dataset, matcher));
  return isTaken;
}

/**
 * Matchers for three labels, in different orders. Some pairs of values are in no stream, and others in several. No value contains another,
 * because an expression may match a part of a value.
 */
const TOGETHER: readonly Readonly<Record<string, string>>[] = [
  { svc_a: "x", svc_ab: "z", svc_abc: "1" },
  { svc_ab: "z", svc_a: "x", svc_abc: "1" },
  { svc_abc: "1", svc_a: "x", svc_ab: "z" },
  { svc_abc: "2", svc_ab: "p", svc_a: "q" },
  { svc_a: "p", svc_ab: "q", svc_abc: "2" },
  { svc_abc: "1", svc_ab: "q", svc_a: "p" },
  { svc_a: "xy|p", svc_ab: "yz|p", svc_abc: "1" },
  { svc_a: "xy|q|p", svc_ab: "yz|p" },
  { svc_abc: "2|1", svc_ab: "p|q", svc_a: "q" },
];

const OWN_LAST: readonly (readonly Matcher[])[] = [
  [matcher("svc_a", "=", "nobody")],
  [matcher("svc_a", "=~", "nobody|none")],
  [matcher("svc_a", "=~", "nobody.+")],
  [matcher("plumbline_unused", "=", "x")],
  // This expression has matches, and names a value twice.
  [matcher("svc_abc", "=~", "1|2|1")],
  [matcher("svc_ab", "=", "p"), matcher("svc_a", "=", "p")],
];

/** Pairs of matchers for the same label. Each matcher excludes streams that the other matcher of the pair selects. */
const SAME_NAME: readonly (readonly Matcher[])[] = [
  [matcher("svc_a", "!=", "x"), matcher("svc_a", "!=", "p")],
  [matcher("svc_a", "=~", ".+"), matcher("svc_a", "!=", "q")],
  [matcher("svc_a", "=~", "x|q"), matcher("svc_a", "=~", "p|q")],
];

/** Matchers for labels that some streams lack, and for a label with many values. */
const AMONG_MANY: readonly Asked[] = [
  [matcher("svc_size", "=", "xl")],
  [matcher("svc_size", "!=", "xl")],
  [matcher("svc_size", "=~", "s|m"), colour("!~", "c1|c2|c3")],
  [matcher("svc_size", "=~", "l|xl|s"), matcher("svc_a", "=", "third")],
  [matcher("svc_a", "!=", "third"), matcher("svc_ab", "!=", "nobody"), colour("=", "c4")],
  // Expressions with many values. Some streams do not have the label, so its value counts as empty.
  [matcher("svc_zz", "=~", "crowd .*")],
  [matcher("svc_zz", "=~", "crowd 1.*")],
  [matcher("svc_zz", "!~", "crowd 1.*|crowd 2.*")],
  [matcher("svc_zz", "!~", "crowd .*")],
  // The expression lists 20 values, because services may treat short lists differently. No value contains another value.
  [matcher("svc_zz", "=~", Array.from({ length: 20 }, (_, index) => `crowd ${119 - index}`).join("|"))],
  // No stream has both this size and one of these values of svc_zz. Many streams have both the size and one of the colours.
  [matcher("svc_size", "=", "s"), matcher("svc_zz", "=~", "crowd (13|17|21|25|29|33|37|41|45|49|53|57|61)"), colour("=~", "c.*")],
  [matcher("svc_zz", "=", "crowd 5"), matcher("svc_size", "=", "s"), colour("=~", "c0|c1|c2|c3|c4|c5|c6")],
  // Both labels have the same expression.
  [matcher("svc_size", "=~", "s|m|c1|c2"), colour("=~", "s|m|c1|c2")],
  [matcher("svc_a", "=~", ".+")],
  [matcher("svc_a", "=~", ".*")],
  [matcher("svc_a", "!~", ".+")],
  [matcher("svc_a", "=", "")],
  [matcher("svc_a", "!=", "")],
  [matcher("svc_a", "=~", "third|"), matcher("svc_size", "=", "m")],
].map((chosen) => ({ matchers: chosen }));

const several: TablePart = async (t) =>
  selections(t, groups, [
    ...TOGETHER.map((chosen) => ({
      matchers: Object.entries(chosen).map(([name, value]): Matcher => ({ name, operator: value.includes("|") ? "=~" : "=", value })),
    })),
    ...SAME_NAME.map((matchers) => ({ matchers })),
    // Usually the first matcher is that of the run, which selects many streams. In these queries it is last, because a service may start
    // with the first matcher.
    ...OWN_LAST.map((matchers) => ({ matchers, ownLast: true })),
  ]);

const anyCase: TablePart = async (t) => {
  if (!(await t.use(matchersKnowAnyCase))) return anyCaseUnknown(t);
  return selections(t, cased, ofColour("=~", CASED_VALUES));
};

const longValues: TablePart = async (t) => {
  const taken = await longest(t, longLabels);
  const [value = ""] = longValuesOf(t.runId, taken.size);
  return (["=", "!=", "=~", "!~"] as const).map((operator) => selection(useful(taken), { matchers: [colour(operator, value)] }));
};

const matchers = logsCheck({
  slug: "each-operator",
  title: "one or several matchers select exactly the matching streams, for each operator and for any label name and value",
  clauses: ["logs-4.matchers"],
  run: async (t) =>
    t.verifyParts("logs-4.matchers", [
      eachMatcher,
      ...(t.profile === "smoke"
        ? []
        : [
            eachName,
            eachOperator,
            alternatives,
            sharedExpressions,
            several,
            // Values that are nearly equal, and values with characters of the query syntax.
            async () => selections(t, alikes, ofColour("=", ALIKE_TEXTS)),
            async () => selections(t, signs, ofColour("=", SIGNS)),
            anyCase,
            async () => selections(t, crowd, AMONG_MANY),
            longValues,
          ]),
    ]),
});

/** A service may refuse an invalid expression, or find nothing. It must not ignore the matcher or line filter. */
export function unreadable(clause: "logs-4.matchers" | "logs-4.3", part: string): Check {
  return largerCheck({
    slug: "unreadable",
    title: `a query whose ${part} has an invalid regular expression is refused or returns nothing`,
    clauses: [clause],
    run: async (t) =>
      t.verifyProbed(
        nothingUnreadable(clause),
        "the target refuses an invalid regular expression; the document does not say how a service must answer",
      ),
  });
}

export const MATCHER_CHECKS: readonly Check[] = [matchers, single, unreadable("logs-4.matchers", "matcher")];
