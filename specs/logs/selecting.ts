/** docs/2 section 4 rule 3 and the language's selectors: what matchers and line filters select. */
import fc from "fast-check";
import { lineFilter, matcher } from "../../src/arbitraries/queries.ts";
import type { Check } from "../../src/harness/check.ts";
import type { LineFilter, Matcher } from "../../src/model/logs.ts";
import { logsCheck } from "./check.ts";
import { ask, type Asked, textOf } from "./asking.ts";
import { AWKWARD_TEXTS, COLOURS, NEEDLE, SIZES, tied, WORDS, words } from "./sets.ts";

const matchers = logsCheck({
  slug: "operators",
  title: "the matchers =, !=, =~ and !~ select the streams they describe",
  clauses: ["logs-4.matchers"],
  profiles: ["release", "nightly"],
  async run(t) {
    const dataset = await t.use(words);
    const one = fc.oneof(matcher("svc_colour", COLOURS), matcher("svc_size", SIZES));
    await t.property({
      arbitrary: fc.uniqueArray(one, { minLength: 1, maxLength: 3, selector: ({ name, operator }) => `${name} ${operator}` }),
      clauses: ["logs-4.matchers"],
      cases: t.pick({ smoke: 0, release: 30, nightly: 300 }),
      minimum: 30,
      overlap: 4,
      run: (chosen, scope) => ask(scope, dataset, { matchers: chosen }),
      print: (chosen) => textOf(dataset, { matchers: chosen }),
    });
  },
});

const eachMatcher = logsCheck({
  slug: "each-operator",
  title: "each matcher operator selects, also with values that need escapes",
  clauses: ["logs-4.matchers"],
  async run(t) {
    const dataset = await t.use(words);
    const chosen: readonly Matcher[] = [
      { name: "svc_colour", operator: "=", value: "re" },
      { name: "svc_colour", operator: "!=", value: "red" },
      { name: "svc_colour", operator: "=~", value: "green|blue" },
      { name: "svc_colour", operator: "!~", value: "amber|green" },
      { name: "svc_colour", operator: "!=", value: "größe" },
      { name: "svc_colour", operator: "=", value: "re*" },
      { name: "svc_colour", operator: "=~", value: "RED|Green" },
      { name: "svc_colour", operator: "=~", value: "gr.en|bl.e" },
      { name: "svc_abc", operator: "=", value: "red" },
      ...COLOURS.map((value): Matcher => ({ name: "svc_colour", operator: "=", value })),
    ];
    for (const one of t.settings.profile === "smoke" ? chosen.slice(0, 3) : chosen) {
      const { differences, sightings } = await ask(t, dataset, { matchers: [one] });
      t.judge("logs-4.matchers", differences, {
        sightings: sightings ?? [],
        input: { value: textOf(dataset, { matchers: [one] }), note: "matcher" },
      });
    }
  },
});

const filters = logsCheck({
  slug: "chains",
  title: "chains of line filters keep the lines that pass every one of them",
  clauses: ["logs-4.3"],
  profiles: ["release", "nightly"],
  async run(t) {
    const dataset = await t.use(words);
    await t.property({
      arbitrary: fc.array(lineFilter(WORDS, AWKWARD_TEXTS), { minLength: 1, maxLength: 3 }),
      clauses: ["logs-4.3"],
      cases: t.pick({ smoke: 0, release: 30, nightly: 300 }),
      minimum: 30,
      overlap: 4,
      run: (chain, scope) => ask(scope, dataset, { filters: chain }),
      print: (chain) => textOf(dataset, { filters: chain }),
    });
  },
});

const eachFilter = logsCheck({
  slug: "each-operator",
  title: "each line filter operator filters, case-sensitively, also with text that needs escapes",
  clauses: ["logs-4.3"],
  async run(t) {
    const dataset = await t.use(words);
    const chains: readonly (readonly LineFilter[])[] = [
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
      ...AWKWARD_TEXTS.map((text): LineFilter[] => [{ operator: "|=", text }]),
    ];
    for (const chain of t.settings.profile === "smoke" ? chains.slice(0, 3) : chains) {
      const { differences, sightings } = await ask(t, dataset, { filters: chain });
      t.judge("logs-4.3", differences, {
        sightings: sightings ?? [],
        input: { value: textOf(dataset, { filters: chain }), note: "line filters" },
      });
    }
  },
});

const LIMIT = 3;

const filterLimit = logsCheck({
  slug: "with-limit",
  title: "limit counts the lines that pass the filters, in either direction",
  clauses: ["logs-4.3"],
  profiles: ["release", "nightly"],
  async run(t) {
    const dataset = await t.use(words);
    const neighbours = await ask(t, await t.use(tied), { filters: [{ operator: "|=", text: "left 0" }] });
    t.judge("logs-4.3", neighbours.differences, { sightings: neighbours.sightings ?? [] });
    for (const operator of ["|=", "!="] as const) {
      for (const direction of ["backward", "forward"] as const) {
        const asked: Asked = {
          filters: [{ operator, text: "error" }],
          cut: { limit: LIMIT, direction },
        };
        const { differences, sightings } = await ask(t, dataset, asked);
        t.judge("logs-4.3", differences, {
          sightings: sightings ?? [],
          input: { value: { query: textOf(dataset, asked), limit: LIMIT, direction }, note: "line filter and limit" },
        });
      }
    }
  },
});

export const SELECTING_CHECKS: readonly Check[] = [eachMatcher, matchers, eachFilter, filters, filterLimit];
