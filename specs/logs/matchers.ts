/** The selectors of the query language: what matchers select. */
import type { Check } from "../../src/harness/check.ts";
import type { CheckContext } from "../../src/harness/context.ts";
import type { Matcher } from "../../src/model/logs.ts";
import { byItself, takesByItself } from "../../src/world/logs/by-itself.ts";
import { CASED_VALUES, cased, matchersKnowAnyCase } from "../../src/world/logs/any-case.ts";
import type { Dataset } from "../../src/world/logs/datasets.ts";
import { matchesWholeValues } from "../../src/world/logs/expressions.ts";
import { labelled, ODD_NAMES, valuesFor } from "../../src/world/logs/labelled.ts";
import { selection } from "../../src/world/logs/range-query.ts";
import { ALIKE_TEXTS, alikes, groups, SIGNS, signs } from "../../src/world/logs/small-sets.ts";
import { COLOURS, words } from "../../src/world/logs/sets.ts";
import { nothingUnreadable } from "../../src/world/logs/unreadable.ts";
import { anyCaseUnknown } from "./any-case.ts";
import { logsCheck } from "./check.ts";

const EACH_MATCHER: readonly Matcher[] = [
  { name: "svc_colour", operator: "=", value: "re" },
  { name: "svc_colour", operator: "!=", value: "red" },
  { name: "svc_colour", operator: "=~", value: "green|blue" },
  { name: "svc_colour", operator: "!~", value: "amber|green" },
  { name: "svc_colour", operator: "!=", value: "größe" },
  { name: "svc_colour", operator: "=", value: "re*" },
  { name: "svc_colour", operator: "=~", value: "RED|Green" },
  { name: "svc_colour", operator: "=~", value: "gr.en|bl.e" },
  // Nothing but a dot makes an expression of it.
  { name: "svc_colour", operator: "=~", value: "gr.en" },
  // What may be left out is no part of how a value begins.
  { name: "svc_colour", operator: "=~", value: "ambq?e.*" },
  { name: "svc_abc", operator: "=", value: "red" },
  { name: "svc_colour", operator: "=~", value: "(gr|am)(een|ber)" },
  { name: "svc_colour", operator: "=~", value: "red.+" },
  { name: "svc_colour", operator: "=~", value: ".*re.*er.*" },
  // Two values begin so, and one of them ends otherwise.
  { name: "svc_colour", operator: "=~", value: "gr.*n" },
  { name: "svc_colour", operator: "=~", value: "g[ra].*n" },
  // One value begins and ends so, and is too short for both.
  { name: "svc_colour", operator: "=~", value: "amber.*r" },
  { name: "svc_colour", operator: "=~", value: "^red$" },
  { name: "svc_colour", operator: "=~", value: "nobody|amber|blue|green" },
  { name: "svc_colour", operator: "!~", value: "nobody|amber|blue|green" },
  { name: "svc_colour", operator: "=~", value: `${"nobody has this colour|".repeat(16)}amber|blue` },
  { name: "svc_colour", operator: "=~", value: String.raw`1\.0|back\\slash|amber` },
  { name: "svc_colour", operator: "!~", value: String.raw`1\.0|back\\slash|amber` },
  ...COLOURS.map((value): Matcher => ({ name: "svc_colour", operator: "=", value })),
];

const eachMatcher = logsCheck({
  slug: "each-operator",
  title: "each matcher operator selects streams, also with values that need escapes",
  clauses: ["logs-4.matchers"],
  async run(t) {
    const dataset = await t.use(words);
    for (const one of t.profile === "smoke" ? EACH_MATCHER.slice(0, 3) : EACH_MATCHER)
      await t.verify(selection(dataset, { matchers: [one] }));
  },
});

const eachName = logsCheck({
  slug: "each-name",
  title: "a matcher selects streams by a label of any valid name",
  clauses: ["logs-4.matchers"],
  profiles: ["release", "nightly"],
  async run(t) {
    const dataset = await t.use(labelled);
    for (const name of ODD_NAMES)
      await t.verify(selection(dataset, { matchers: [{ name, operator: "=", value: valuesFor(t.runId, name)[1] ?? "" }] }));
    const [name] = ODD_NAMES;
    // No other value holds this one: whether an expression must match the whole value is not stated.
    const [, , value = ""] = valuesFor(t.runId, name);
    for (const matcher of [
      { name, operator: "=~", value: `${value}|nobody` },
      { name, operator: "!=", value },
    ] as const)
      await t.verify(selection(dataset, { matchers: [matcher] }));
  },
});

const single = logsCheck({
  slug: "by-itself",
  title: "a single matcher selects streams, also by several values",
  clauses: ["logs-4.matchers"],
  profiles: ["release", "nightly"],
  async run(t) {
    const dataset = await t.use(labelled);
    const [name] = ODD_NAMES;
    // No other value holds either of these: whether an expression must match the whole value is not stated.
    const [, , third = "", , last = ""] = valuesFor(t.runId, name);
    if (dataset.isReduced === true) t.notRun(PARTLY_STORED);
    await t.verify(byItself(dataset, { name, operator: "=", value: third }));
    const seen = await verifyByItself(t, dataset, { name, operator: "=~", value: `${third}|${last}` });
    t.observe("logs-4.matchers", "only-expression", "whether a regular expression is accepted as the only matcher of a query", {
      seen,
      exchanges: [],
    });
  },
});

/**
 * Of the first two another value begins as one of the alternatives, and ends so of the third: neither is selected. The last two match a
 * value, and nothing.
 */
const ALTERNATIVES = ["red|green", "r.d|gr.en", "nobody|d.r", "amber|", "(blue)?"] as const;

const alternatives = logsCheck({
  slug: "alternatives",
  title: "each alternative of a matcher's expression must match the whole value, if the target anchors expressions",
  clauses: ["logs-4.matchers"],
  profiles: ["release", "nightly"],
  async run(t) {
    const dataset = await t.use(words);
    if (!(await t.use(matchesWholeValues)))
      return t.notRun("the target does not anchor the expressions of matchers; the document does not say whether it must");
    for (const value of ALTERNATIVES) await t.verify(selection(dataset, { matchers: [{ name: "svc_colour", operator: "=~", value }] }));
  },
});

/** Some real services read a stream once for each alternative that names its value. */
const namedTwice = logsCheck({
  slug: "named-twice",
  title: "a matcher whose regular expression names a value twice returns each stream once",
  clauses: ["logs-4.matchers"],
  profiles: ["release", "nightly"],
  async run(t) {
    await t.verify(selection(await t.use(words), { matchers: [{ name: "svc_colour", operator: "=~", value: "amber|blue|amber" }] }));
    const dataset = await t.use(labelled);
    const [name] = ODD_NAMES;
    const [, , value = ""] = valuesFor(t.runId, name);
    await verifyByItself(t, dataset, { name, operator: "=~", value: `${value}|nobody|${value}` });
  },
});

const PARTLY_STORED = "a refused push may have stored streams that this selector also matches";

/** An expression may be refused as the only matcher of a query; one that is taken selects. Resolves to whether it is. */
async function verifyByItself(t: CheckContext, dataset: Dataset, matcher: Matcher): Promise<boolean> {
  if (dataset.isReduced === true) t.notRun(PARTLY_STORED);
  const { seen: isTaken } = await t.probe(takesByItself(dataset, matcher));
  if (isTaken) await t.verify(byItself(dataset, matcher));
  return isTaken;
}

/**
 * Values of three labels: pairs that no stream has beside what several have, in different orders. Single values, and sets of values
 * that are part of no other, since whether an expression must match the whole value is not stated.
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
  [{ name: "svc_a", operator: "=", value: "nobody" }],
  [{ name: "svc_a", operator: "=~", value: "nobody|none" }],
  [{ name: "svc_a", operator: "=~", value: "nobody.+" }],
  [{ name: "plumbline_unused", operator: "=", value: "x" }],
  // Not nobody, and named twice.
  [{ name: "svc_abc", operator: "=~", value: "1|2|1" }],
  [
    { name: "svc_ab", operator: "=", value: "p" },
    { name: "svc_a", operator: "=", value: "p" },
  ],
];

/** Two matchers of one label: each leaves streams that the other does not. */
const SAME_NAME: readonly (readonly Matcher[])[] = [
  [
    { name: "svc_a", operator: "!=", value: "x" },
    { name: "svc_a", operator: "!=", value: "p" },
  ],
  [
    { name: "svc_a", operator: "=~", value: ".+" },
    { name: "svc_a", operator: "!=", value: "q" },
  ],
  [
    { name: "svc_a", operator: "=~", value: "x|q" },
    { name: "svc_a", operator: "=~", value: "p|q" },
  ],
];

const several = logsCheck({
  slug: "several",
  title: "a selector with several matchers returns the streams that satisfy all of them, in any order of the matchers",
  clauses: ["logs-4.matchers"],
  profiles: ["release", "nightly"],
  async run(t) {
    const dataset = await t.use(groups);
    for (const chosen of TOGETHER) {
      const matchers = Object.entries(chosen).map(([name, value]): Matcher => ({
        name,
        operator: value.includes("|") ? "=~" : "=",
        value,
      }));
      await t.verify(selection(dataset, { matchers }));
    }
    for (const matchers of SAME_NAME) await t.verify(selection(dataset, { matchers }));
    // A service begins with the first matcher, which mostly is one that many streams have.
    for (const matchers of OWN_LAST) await t.verify(selection(dataset, { matchers, ownLast: true }));
  },
});

const alikeMatchers = logsCheck({
  slug: "alike",
  title: "successive queries with nearly equal matchers each select their own streams",
  clauses: ["logs-4.matchers"],
  profiles: ["release", "nightly"],
  async run(t) {
    const dataset = await t.use(alikes);
    for (const value of ALIKE_TEXTS) await t.verify(selection(dataset, { matchers: [{ name: "svc_colour", operator: "=", value }] }));
  },
});

const signMatchers = logsCheck({
  slug: "signs",
  title: "characters of the query syntax are plain text in the value of a matcher",
  clauses: ["logs-4.matchers"],
  profiles: ["release", "nightly"],
  async run(t) {
    const dataset = await t.use(signs);
    for (const value of SIGNS) await t.verify(selection(dataset, { matchers: [{ name: "svc_colour", operator: "=", value }] }));
  },
});

const anyCaseMatchers = logsCheck({
  slug: "any-case",
  title: "a case-insensitive matcher selects values in any case, if the target supports (?i)",
  clauses: ["logs-4.matchers"],
  profiles: ["release", "nightly"],
  async run(t) {
    if (!(await t.use(matchersKnowAnyCase))) return anyCaseUnknown(t);
    const dataset = await t.use(cased);
    for (const value of CASED_VALUES) await t.verify(selection(dataset, { matchers: [{ name: "svc_colour", operator: "=~", value }] }));
  },
});

const unreadableMatchers = logsCheck({
  slug: "unreadable",
  title: "a matcher with an invalid regular expression is refused or finds nothing",
  clauses: ["logs-4.matchers"],
  profiles: ["release", "nightly"],
  async run(t) {
    const { seen: assertion } = await t.probe(nothingUnreadable("logs-4.matchers"));
    if (assertion === null)
      return t.notRun("the target refuses an invalid regular expression; the document does not say how it must answer");
    await t.verify(assertion);
  },
});

export const MATCHER_CHECKS: readonly Check[] = [
  eachMatcher,
  eachName,
  single,
  alternatives,
  namedTwice,
  several,
  alikeMatchers,
  signMatchers,
  anyCaseMatchers,
  unreadableMatchers,
];
