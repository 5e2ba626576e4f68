/** Section 4 rule 3: what line filters keep. */
import fc from "fast-check";
import { expression, filterChain, passable } from "../../src/arbitraries/queries.ts";
import type { Check } from "../../src/harness/check.ts";
import type { LineFilter } from "../../src/model/logs.ts";
import { CASED_EXPRESSIONS, cased, filtersKnowAnyCase, inAnyCase, MIXED_CHAINS } from "../../src/world/logs/any-case.ts";
import { EVERYTHING, metricCut } from "../../src/world/logs/cutting.ts";
import { phrasing } from "../../src/world/logs/expressions.ts";
import { metricTrial } from "../../src/world/logs/metrics.ts";
import { selection, selectionIfTaken, textOf } from "../../src/world/logs/range-query.ts";
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
} from "../../src/world/logs/small-sets.ts";
import { AWKWARD_TEXTS, NEEDLE, words } from "../../src/world/logs/sets.ts";
import { nothingUnreadable } from "../../src/world/logs/unreadable.ts";
import { anyCaseUnknown } from "./any-case.ts";
import { logsCheck } from "./check.ts";

const EACH_FILTER: readonly (readonly LineFilter[])[] = [
  [{ operator: "|=", text: "error" }],
  [{ operator: "!=", text: "error" }],
  [{ operator: "|~", text: ".*(error|warn).*" }],
  [{ operator: "!~", text: ".*(error|warn).*" }],
  [{ operator: "|=", text: "ERROR" }],
  [{ operator: "|=", text: "no line holds this text" }],
  [{ operator: "!=", text: "e.ror" }],
  [{ operator: "|=", text: "  " }],
  [{ operator: "|=", text: "tarte" }],
  [{ operator: "|=", text: NEEDLE }],
  ["e", "r", "o", " "].map((text): LineFilter => ({ operator: "|=", text })).concat({ operator: "!=", text: "error" }),
  [
    { operator: "|=", text: "error" },
    { operator: "!=", text: "größe" },
  ],
  // Whatever the expression is held against, every line passes it.
  [
    { operator: "|=", text: "error" },
    { operator: "|~", text: ".*" },
  ],
  [
    { operator: "|~", text: ".*" },
    { operator: "|=", text: "error" },
  ],
  ...AWKWARD_TEXTS.map((text): LineFilter[] => [{ operator: "|=", text }]),
];

/** Every line holds this text. The documents do not say whether a text may be empty, so a target may refuse the query. */
const EMPTY_TEXT: LineFilter = { operator: "|=", text: "" };

const eachFilter = logsCheck({
  slug: "each-operator",
  title: "each line filter operator selects lines case-sensitively, also with text that needs escapes",
  clauses: ["logs-4.3"],
  async run(t) {
    const dataset = await t.use(words);
    for (const chain of t.profile === "smoke" ? EACH_FILTER.slice(0, 3) : EACH_FILTER)
      await t.verify(selection(dataset, { filters: chain }));
    if (t.profile === "smoke") return;
    const { seen: assertion } = await t.probe(selectionIfTaken(dataset, { filters: [EMPTY_TEXT] }));
    if (assertion !== null) await t.verify(assertion);
    t.observe("logs-4.3", "empty-text", "whether a line filter with an empty text is accepted", {
      seen: assertion !== null,
      exchanges: [],
    });
  },
});

/** Expressions that are lines, too. */
const AS_TEXTS: readonly string[] = ["alpha|beta", "alpha.*omega", "alpha.+omega"];

const expressions = logsCheck({
  slug: "expressions",
  title: "line filters with alternatives and wildcards in their expressions return the matching lines, alone and in chains",
  clauses: ["logs-4.3"],
  profiles: ["release", "nightly"],
  async run(t) {
    const dataset = await t.use(terms);
    const phrased = await t.use(phrasing);
    for (const text of TERM_PATTERNS)
      for (const operator of ["|~", "!~", ...(AS_TEXTS.includes(text) ? (["|=", "!="] as const) : [])] as const)
        await t.verify(selection(dataset, { filters: phrased([{ operator, text }]) }));
    // Every other one excludes as well, which is carried out in the same way.
    for (const [index, text] of SIMPLIFIED_PATTERNS.entries())
      for (const operator of index % 2 === 0 ? (["|~", "!~"] as const) : (["|~"] as const))
        await t.verify(selection(dataset, { filters: phrased([{ operator, text }]) }));
    for (const text of REPEATED_PATTERNS) await t.verify(selection(dataset, { filters: phrased([{ operator: "|~", text }]) }));
    for (const chain of CHAINS) await t.verify(selection(dataset, { filters: phrased(chain) }));
    const lines = dataset.streams.flatMap(({ entries }) => entries.map(({ line }) => line));
    const texts = fc.oneof(
      { weight: 1, arbitrary: fc.constantFrom(...TERM_PATTERNS) },
      { weight: 3, arbitrary: expression([...new Set(lines)]) },
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

/** Three and four filters of different kinds, the last of which decides. */
const CHAINS: readonly (readonly LineFilter[])[] = [
  [
    { operator: "|~", text: "alpha|beta|gamma" },
    { operator: "!=", text: "gamma" },
  ],
  [
    { operator: "|=", text: "alpha" },
    { operator: "!=", text: "|" },
    { operator: "|~", text: "alpha.*omega" },
  ],
  [
    { operator: "|=", text: "a" },
    { operator: "!~", text: "gamma|delta" },
    { operator: "!=", text: "omega" },
    { operator: "|~", text: "alpha|beta" },
  ],
  // One text begins as the other does, or holds it: neither says what the other says.
  [
    { operator: "|=", text: "alpha" },
    { operator: "|=", text: "alphaomega" },
  ],
  [
    { operator: "|=", text: "alpha|beta" },
    { operator: "|=", text: "alpha" },
  ],
  [
    { operator: "|=", text: "alpha mid" },
    { operator: "|=", text: "alpha mid omega" },
    { operator: "!=", text: "alphaomega" },
  ],
  [
    { operator: "!=", text: "alpha" },
    { operator: "!=", text: "alphaomega" },
  ],
  // Two expressions that no plain text stands for, and alternatives of which one begins another.
  [
    { operator: "|~", text: "al.ha" },
    { operator: "|~", text: "om.ga" },
  ],
  [
    { operator: "|~", text: "om.ga" },
    { operator: "|~", text: "al.ha" },
    { operator: "!=", text: "beta" },
  ],
  [
    { operator: "|~", text: "alpha|alphaomega" },
    { operator: "!=", text: "mid" },
  ],
  [
    { operator: "|~", text: "alpha|beta|gamma" },
    { operator: "|~", text: "beta|delta" },
  ],
  [
    { operator: "|=", text: "alpha" },
    { operator: "|=", text: "omega" },
    { operator: "!=", text: "mid" },
    { operator: "!=", text: ".*" },
  ],
];

const alikeFilters = logsCheck({
  slug: "alike",
  title: "successive queries with nearly equal line filters each return their own lines",
  clauses: ["logs-4.3"],
  profiles: ["release", "nightly"],
  async run(t) {
    const dataset = await t.use(alikes);
    for (const text of [...ALIKE_TEXTS, ...ALIKE_PARTS]) await t.verify(selection(dataset, { filters: [{ operator: "|=", text }] }));
  },
});

/** Of one line each, across its end of a line. */
const ACROSS_LINES = [`{\n"quoted"`, `a C:\\\n"quoted"\tand`] as const;

/** Signs that end or begin something in a metric query. */
const IN_METRICS: readonly string[] = ["}", "[1s]", ")"];

const signFilters = logsCheck({
  slug: "signs",
  title: "characters of the query syntax are plain text in a line filter, in log queries and in metric queries",
  clauses: ["logs-4.3"],
  profiles: ["release", "nightly"],
  async run(t) {
    const dataset = await t.use(signs);
    for (const text of [...SIGNS, ...ACROSS_LINES]) {
      const filters = [{ operator: "|=", text }] as const;
      await t.verify(selection(dataset, { filters }));
      if (![...IN_METRICS, ...ACROSS_LINES].includes(text)) continue;
      await t.verify(metricTrial(dataset, metricCut(dataset, EVERYTHING, { metric: "count_over_time", by: [], matchers: [], filters })));
    }
  },
});

/** Filters that every line of the set passes. */
const PASSED: readonly LineFilter[] = [
  { operator: "|=", text: "group" },
  { operator: "!=", text: "nothing" },
  { operator: "|~", text: ".*(even|odd).*" },
];

const labelsKept = logsCheck({
  slug: "labels-kept",
  title: "a query with a line filter returns each stream with its own labels, also if streams share values under other label names",
  clauses: ["logs-4.3"],
  profiles: ["release", "nightly"],
  async run(t) {
    const dataset = await t.use(groups);
    for (const one of PASSED) await t.verify(selection(dataset, { filters: [one] }));
    const by = ["svc_a", "svc_ab", "svc_abc"];
    await t.verify(
      metricTrial(dataset, metricCut(dataset, EVERYTHING, { metric: "count_over_time", by, matchers: [], filters: PASSED.slice(0, 1) })),
    );
  },
});

const anyCaseFilters = logsCheck({
  slug: "any-case",
  title: "a case-insensitive line filter finds words anywhere in a line, if the target supports (?i)",
  clauses: ["logs-4.3"],
  profiles: ["release", "nightly"],
  async run(t) {
    if (!(await t.use(filtersKnowAnyCase))) return anyCaseUnknown(t);
    const dataset = await t.use(cased);
    const phrased = await t.use(phrasing);
    for (const text of CASED_EXPRESSIONS) await t.verify(selection(dataset, { filters: inAnyCase(phrased([{ operator: "|~", text }])) }));
    await t.verify(selection(dataset, { filters: inAnyCase(phrased([{ operator: "!~", text: CASED_EXPRESSIONS[0] }])) }));
  },
});

/** By itself: a real service that writes a line in small letters for one filter loses it for the other. */
const anyCaseChains = logsCheck({
  slug: "any-case-beside-text",
  title: "a case-insensitive line filter and an exact one together return the lines that pass both, if the target supports (?i)",
  clauses: ["logs-4.3"],
  profiles: ["release", "nightly"],
  async run(t) {
    if (!(await t.use(filtersKnowAnyCase))) return anyCaseUnknown(t);
    const dataset = await t.use(cased);
    for (const chain of MIXED_CHAINS) await t.verify(selection(dataset, { filters: chain }));
  },
});

const unreadableFilters = logsCheck({
  slug: "unreadable",
  title: "a line filter with an invalid regular expression is refused or finds nothing",
  clauses: ["logs-4.3"],
  profiles: ["release", "nightly"],
  async run(t) {
    const { seen: assertion } = await t.probe(nothingUnreadable("logs-4.3"));
    if (assertion === null)
      return t.notRun("the target refuses an invalid regular expression; the document does not say how it must answer");
    await t.verify(assertion);
  },
});

export const LINE_FILTER_CHECKS: readonly Check[] = [
  eachFilter,
  alikeFilters,
  signFilters,
  expressions,
  labelsKept,
  anyCaseFilters,
  anyCaseChains,
  unreadableFilters,
];
