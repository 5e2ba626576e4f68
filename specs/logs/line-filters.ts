/** Section 4 rule 3: the lines that pass line filters. */
import fc from "fast-check";
import { expression, filterChain, passable } from "../../src/arbitraries/queries.ts";
import type { Check } from "../../src/harness/check.ts";
import type { TablePart } from "../../src/harness/context.ts";
import { type LineFilter, linesOf, containing, lacking, matching, notMatching } from "../../src/model/logs.ts";
import {
  cased,
  CASED_EXPRESSIONS,
  CHARACTER_CLASSES,
  type CharacterClass,
  filtersKnowAnyCase,
  inAnyCase,
  MIXED_CHAINS,
  OF_A_PART,
  phrasing,
} from "../../src/queries/expressions.ts";
import { textOf } from "../../src/datasets/datasets.ts";
import { blocks, chunks, HEADS, prose, SELDOM, swarm, TAILS } from "../../src/datasets/large-datasets.ts";
import { acrossBorders, LAST_WORD, longLines } from "../../src/datasets/sized-datasets.ts";
import { answeredFrom } from "../../src/queries/observations.ts";
import { metricAssertion } from "../../src/queries/metrics.ts";
import { selection, selectionIfTaken } from "../../src/queries/range-query.ts";
import { useful } from "../../src/datasets/read-back.ts";
import { AWKWARD_TEXTS, NEEDLE, words } from "../../src/datasets/shared-datasets.ts";
import {
  ALIKE_PARTS,
  ALIKE_TEXTS,
  alikes,
  groups,
  REPEATED_PATTERNS,
  SIGNS,
  signs,
  SIMPLIFIED_PATTERNS,
  TERM_PATTERNS,
  terms,
} from "../../src/datasets/small-datasets.ts";
import { largerCheck, logsCheck, anyCaseUnknown, longest, ofChains, selections, observed } from "./check.ts";
import { unreadable } from "./matchers.ts";
import { countOf } from "../../src/queries/window-cases.ts";

const EACH_FILTER: readonly (readonly LineFilter[])[] = [
  [containing("error")],
  [lacking("error")],
  [matching(".*(error|warn).*")],
  [notMatching(".*(error|warn).*")],
  [containing("ERROR")],
  // The lines have this word with a small letter.
  [containing("grÖße")],
  [containing("no line holds this text")],
  [lacking("e.ror")],
  [containing("  ")],
  [containing("tarte")],
  // Some lines have numbers with this digit.
  [containing("1")],
  [containing(NEEDLE)],
  ["e", "r", "o", " "].map((text) => containing(text)).concat(lacking("error")),
  [containing("error"), lacking("größe")],
  // The character class makes this text a regular expression. The dot is escaped, so it matches only a dot.
  [matching(String.raw`.*a\.b[*]c.*`)],
  // Each line matches this expression, completely or partly.
  [containing("error"), matching(".*")],
  [matching(".*"), containing("error")],
  ...AWKWARD_TEXTS.map((text) => [containing(text)]),
];

/** Each line contains the empty text. A target may refuse the query, because the documents do not say whether a text may be empty. */
const EMPTY_TEXT: LineFilter = containing("");

/** Regular expressions that are also lines of the dataset, so that the exact text can be found. */
const AS_TEXTS: readonly string[] = ["alpha|beta", "alpha.*omega", "alpha.+omega"];

const expressions = largerCheck({
  slug: "expressions",
  title: "line filters with alternatives and wildcards return exactly the matching lines, alone and in chains",
  clauses: ["logs-4.3"],
  async run(t) {
    const dataset = await t.use(terms);
    const phrased = await t.use(phrasing);
    // Only every second expression is tested with !~ too, because services usually evaluate both operators with the same code.
    for (const [index, text] of [...TERM_PATTERNS, ...SIMPLIFIED_PATTERNS].entries())
      for (const operator of index % 2 === 0 ? (["|~", "!~"] as const) : (["|~"] as const))
        await t.verify(selection(dataset, { filters: phrased([{ operator, text }]) }));
    for (const text of AS_TEXTS)
      for (const operator of ["|=", "!="] as const) await t.verify(selection(dataset, { filters: [{ operator, text }] }));
    for (const text of REPEATED_PATTERNS) await t.verify(selection(dataset, { filters: phrased([matching(text)]) }));
    for (const chain of CHAINS) await t.verify(selection(dataset, { filters: phrased(chain) }));
    const texts = fc.oneof(
      { weight: 1, arbitrary: fc.constantFrom(...TERM_PATTERNS) },
      { weight: 3, arbitrary: expression([...linesOf(dataset.streams)]) },
    );
    await t.property({
      arbitrary: passable(filterChain(texts), dataset.streams),
      cases: t.pick({ smoke: 0, release: 12, nightly: 200 }),
      overlap: 4,
      assertion: (chain) => selection(dataset, { filters: phrased(chain) }),
      print: (chain) => textOf(dataset, { filters: phrased(chain) }),
    });
  },
});

/** Chains of two to four filters. A service that ignores one filter of a chain usually returns other lines. */
const CHAINS: readonly (readonly LineFilter[])[] = [
  [matching("alpha|beta|gamma"), lacking("gamma")],
  [containing("alpha"), lacking("|"), matching("alpha.*omega")],
  [containing("a"), notMatching("gamma|delta"), lacking("omega"), matching("alpha|beta")],
  // In these chains, one text contains another. A service may wrongly treat filters with such texts as equal.
  [containing("alpha"), containing("alphaomega")],
  [containing("alpha|beta"), containing("alpha")],
  [containing("alpha mid"), containing("alpha mid omega"), lacking("alphaomega")],
  // The two texts begin alike, and no line contains both.
  [containing("alpha "), containing("alphao")],
  [lacking("alpha"), lacking("alphaomega")],
  // These two filters have the same text with opposite operators, so no line passes both filters.
  [containing("alpha"), lacking("alpha")],
  // Two expressions without a plain text, and two alternatives that begin with the same text.
  [matching("al.ha"), matching("om.ga")],
  [matching("om.ga"), matching("al.ha"), lacking("beta")],
  [matching("alpha|alphaomega"), lacking("mid")],
  [matching("alpha|beta|gamma"), matching("beta|delta")],
  [containing("alpha"), containing("omega"), lacking("mid"), lacking(".*")],
  // These texts have wildcards of other languages, such as SQL. No line contains any of these texts.
  [containing("alpha%omega")],
  [containing("alpha_mid")],
  ["alpha%mid", "alpha_mid", "alpha*mid", "alpha?mid"].map((text) => lacking(text)),
];

/** Texts that match across a line break within a line. */
const ACROSS_LINES = [`{\n"quoted"`, `a C:\\\n"quoted"\tand`] as const;

/** Texts of characters that begin or end a part of a metric query. */
const IN_METRICS: readonly string[] = ["}", "[1s]", ")"];

/** Filters that each line of the dataset passes. */
const PASSED: readonly LineFilter[] = [containing("group"), lacking("nothing"), matching(".*(even|odd).*")];

/** Filters that few lines of a large stream pass, or all except a few. Most blocks of the stream do not have the words of the filters. */
const SELDOM_CHAINS: readonly (readonly LineFilter[])[] = [
  ...Object.values(SELDOM).map((text) => [containing(text)]),
  ...[
    `${SELDOM.first}|${SELDOM.last}`,
    `${SELDOM.last}|${SELDOM.first}`,
    `(${SELDOM.middle}|${SELDOM.last})`,
    "seldom(first|last)",
    `${SELDOM.last}z?`,
    `${SELDOM.first}x*`,
    "seldomm+iddle",
    "sel.*first",
    "nobody|seldommiddle",
  ].map((text) => [matching(text)]),
  [lacking(SELDOM.first)],
  [notMatching(`${SELDOM.first}|${SELDOM.last}`)],
  [containing("seldom"), lacking(SELDOM.middle)],
];

/** The length of a long filter text in characters: more than the buffer of a defective server, and short enough for a URL. */
const LONG_TEXT = 1_300;
const IN_NO_LINE = " qz";

/** Expressions that a service may simplify wrongly. Each excludes a line that the others keep, and nearly matches one that passes all. */
const EXCLUDED_TOGETHER: readonly LineFilter[] = [
  ".*alpha.*mid.*",
  "omega.*alpha",
  ".*omega.*alpha.*",
  ".+alpha.*",
  String.raw`nobody|alpha\.\*omega`,
  ".*gamma.*",
  "ALPHA.+",
  "(del|nobod)(ta|y)",
  "Alpha",
  `${Array.from({ length: 8 }, (_, index) => `nobody says ${index}`).join("|")}|beta`,
].map((text) => notMatching(text));

/**
 * Each of these filters except the last two excludes a line that the others keep. The text of the second begins with the text of the first.
 * The last two have special characters of other languages, and of the query syntax.
 */
const EACH_NEEDED: readonly LineFilter[] = [
  containing("a"),
  containing("alpha"),
  matching("midst|mid"),
  matching("mid.*"),
  lacking("omega mid"),
  lacking(".*"),
  lacking("alpha%omega"),
  lacking("a | b |= c {"),
];

/** Sends each filter. A smoke run may send few requests, so it sends the unusual expressions in two chains. */
const eachFilter: TablePart = async (t) => {
  if (t.profile !== "smoke") return selections(t, words, ofChains(EACH_FILTER));
  const phrased = await t.use(phrasing);
  return [
    ...(await selections(t, words, ofChains([...EACH_FILTER.slice(0, 3), [containing("no\u00a0break")]]))),
    ...(await selections(t, terms, ofChains([phrased(EXCLUDED_TOGETHER), phrased(EACH_NEEDED)]))),
  ];
};

const emptyText: TablePart = async (t) => {
  const { seen: assertion } = await t.probe(selectionIfTaken(await t.use(words), { filters: [EMPTY_TEXT] }));
  t.observe("logs-4.3", "empty-text", "whether a line filter with an empty text is accepted", observed(assertion !== null));
  return assertion === null ? [] : [assertion];
};

/** Log queries and metric queries whose filter texts are nearly equal, or contain characters of the query syntax. */
const plainTexts: TablePart = async (t) => {
  const dataset = await t.use(signs);
  return [
    ...(await selections(t, alikes, ofChains([...ALIKE_TEXTS, ...ALIKE_PARTS].map((text) => [containing(text)])))),
    ...(await selections(t, signs, ofChains([...SIGNS, ...ACROSS_LINES].map((text) => [containing(text)])))),
    // If an expression may match a part of a line, it must also find text after and across a line break.
    ...((await t.use(phrasing)) === OF_A_PART
      ? await selections(t, signs, ofChains(["q[u]oted", '\n"quot[e]d'].map((text) => [matching(text)])))
      : []),
    ...[...IN_METRICS, ...ACROSS_LINES].map((text) => metricAssertion(dataset, countOf(dataset, { filters: [containing(text)] }))),
  ];
};

/** Filtered streams must keep their labels, even if other streams have the same values under other label names. */
const labelsKept: TablePart = async (t) => {
  const dataset = await t.use(groups);
  const by = ["svc_a", "svc_ab", "svc_abc"];
  return [
    ...(await selections(t, groups, ofChains(PASSED.map((one) => [one])))),
    metricAssertion(dataset, countOf(dataset, { by, filters: PASSED.slice(0, 1) })),
  ];
};

const anyCase: TablePart = async (t) => {
  if (!(await t.use(filtersKnowAnyCase))) return anyCaseUnknown(t);
  const phrased = await t.use(phrasing);
  return selections(t, cased, [
    ...CASED_EXPRESSIONS.map((text) => ({ filters: inAnyCase(phrased([matching(text)])) })),
    { filters: inAnyCase(phrased([notMatching(CASED_EXPRESSIONS[0])])) },
    ...ofChains(MIXED_CHAINS),
  ]);
};

/** Expressions with classes of characters, if the target supports them. The documents do not define the syntax of expressions. */
const classes: TablePart = async (t) => {
  const phrased = await t.use(phrasing);
  const known: CharacterClass[] = [];
  for (const one of CHARACTER_CLASSES) if (await t.use(one.isKnown)) known.push(one);
  const names = known.map(({ name }) => name);
  t.observe("logs-4.3", "classes", "the classes of characters that line filters support", observed(names));
  const all = known.map(({ set, expressions: texts }) => selections(t, set, ofChains(texts.map((text) => phrased([matching(text)])))));
  return (await Promise.all(all)).flat();
};

const largeStreams: TablePart = async (t) => [
  ...(await selections(t, blocks, ofChains([...HEADS, ...TAILS].map((text) => [containing(`${text} `)])))),
  // A service may have stored this stream in several chunks.
  ...(await selections(t, chunks, ofChains([["gamma", "sigma"].map((text) => containing(text))]))),
  // The matching entries are the oldest of thousands of entries.
  ...(await selections(t, swarm, ofChains([[containing("s12")]]))),
  // Only one entry passes. A read finds it last, after blocks without a match.
  ...(await selections(t, blocks, [
    { filters: [containing(" 618 ")], cut: { limit: 100, direction: "forward" } },
    { filters: [containing(" 2 ")], cut: { limit: 100, direction: "backward" } },
  ])),
];

const seldomWords: TablePart = async (t) => {
  const phrased = await t.use(phrasing);
  return selections(t, prose, [
    ...ofChains(SELDOM_CHAINS.map((chain) => phrased(chain))),
    { filters: [containing(SELDOM.first)], cut: { limit: 1, direction: "backward" } },
    { filters: [containing(SELDOM.last)], cut: { limit: 1, direction: "forward" } },
  ]);
};

const longLine: TablePart = async (t) => {
  const dataset = useful(await longest(t, longLines));
  const phrased = await t.use(phrasing);
  const line = [...linesOf(dataset.streams)].toSorted((one, other) => other.length - one.length)[0] ?? "";
  // One line contains the first text. No line contains the end of the second text.
  const longTexts = ["", IN_NO_LINE].map((end) => [containing(`${line.slice(0, LONG_TEXT)}${end}`)]);
  const isTaken = (await t.probe(answeredFrom(dataset, 0n, { filters: longTexts[1] ?? [] }))).seen !== null;
  const chains: readonly (readonly LineFilter[])[] = [
    ...(["|=", "!="] as const).map((operator): LineFilter[] => [{ operator, text: LAST_WORD }]),
    acrossBorders(line).map((text) => containing(text)),
    ...(isTaken ? longTexts : []),
    // A service may search for the text in an expression, or match the expression against the whole line.
    [matching(`.* ${LAST_WORD}`)],
    ...(["|~", "!~"] as const).map((operator) => phrased([{ operator, text: LAST_WORD.replace("w", "[v-x]") }])),
  ];
  return chains.map((filters) => selection(dataset, { filters }));
};

const filters = logsCheck({
  slug: "each-operator",
  title:
    "line filters are case-sensitive and return exactly the matching lines, for each operator, text and stream, even if lines are long",
  clauses: ["logs-4.3"],
  async run(t) {
    const larger = [emptyText, plainTexts, labelsKept, anyCase, classes, longLine];
    await t.verifyParts("logs-4.3", [eachFilter, ...(t.profile === "smoke" ? [] : larger)]);
  },
});

const largeFilters = largerCheck({
  slug: "large-filters",
  title: "in large streams, a line filter returns every matching line, whether few or nearly all lines match",
  clauses: ["logs-4.3"],
  run: async (t) => t.verifyParts("logs-4.3", [largeStreams, seldomWords]),
});

export const LINE_FILTER_CHECKS: readonly Check[] = [filters, largeFilters, expressions, unreadable("logs-4.3", "line filter")];
