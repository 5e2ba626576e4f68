/** docs/2 section 4 rule 3 and the language's selectors: what matchers and line filters select. */
import fc from "fast-check";
import { lineFilter, matcher } from "../../src/arbitraries/queries.ts";
import type { ClauseId } from "../../src/contract/catalogue.ts";
import type { Check } from "../../src/harness/check.ts";
import type { Scope } from "../../src/harness/context.ts";
import type { CaseFinding } from "../../src/harness/property.ts";
import { type Blame, departures, limitDepartures, READ_BACK } from "../../src/model/log-answer.ts";
import { limited, type LineFilter, type LogQuery, type Matcher, select } from "../../src/model/logs.ts";
import { logQueryText } from "../../src/model/query-text.ts";
import { logsCheck } from "./check.ts";
import type { Dataset } from "./datasets.ts";
import { streamsOf } from "./answers.ts";
import { AWKWARD_TEXTS, COLOURS, NEEDLE, SIZES, tied, WORDS, words } from "./sets.ts";

/** A query's result that lacks or adds entries is blamed on `clause`. */
function blameOn(clause: ClauseId): Blame {
  return { ...READ_BACK, lost: clause, extra: clause, repeated: clause };
}

/** Asks for what a query selects of a set and holds the answer against the model. */
async function askSelected(scope: Scope, dataset: Dataset, query: LogQuery, clause: ClauseId): Promise<CaseFinding> {
  const text = logQueryText({ matchers: [...dataset.matchers, ...query.matchers], filters: query.filters });
  const expected = select(dataset.streams, query);
  const { differences, sightings } = await scope.eventually({
    resource: dataset,
    read: () => scope.logs.queryRange({ query: text, start: dataset.start, end: dataset.end, limit: 1_000 }),
    judge: (exchange) => {
      const { streams, differences: malformed } = streamsOf(exchange, clause);
      return streams === null ? malformed : departures(expected, streams, blameOn(clause));
    },
  });
  return { differences, sightings };
}

/** The query as it is sent. */
function described(dataset: Dataset, { matchers, filters }: LogQuery): unknown {
  return logQueryText({ matchers: [...dataset.matchers, ...matchers], filters });
}

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
      run: (chosen, scope) => askSelected(scope, dataset, { matchers: chosen, filters: [] }, "logs-4.matchers"),
      print: (chosen) => described(dataset, { matchers: chosen, filters: [] }),
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
      const { differences, sightings } = await askSelected(t, dataset, { matchers: [one], filters: [] }, "logs-4.matchers");
      t.judge("logs-4.matchers", differences, {
        sightings: sightings ?? [],
        input: { value: described(dataset, { matchers: [one], filters: [] }), note: "matcher" },
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
      run: (chain, scope) => askSelected(scope, dataset, { matchers: [], filters: chain }, "logs-4.3"),
      print: (chain) => described(dataset, { matchers: [], filters: chain }),
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
      const { differences, sightings } = await askSelected(t, dataset, { matchers: [], filters: chain }, "logs-4.3");
      t.judge("logs-4.3", differences, {
        sightings: sightings ?? [],
        input: { value: described(dataset, { matchers: [], filters: chain }), note: "line filters" },
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
    const own = "logs-4.3";
    const blame: Blame = { ...blameOn(own), line: own, "too-few": own, "too-many": own, "wrong-choice": own };
    const neighbours = await askSelected(t, await t.use(tied), { matchers: [], filters: [{ operator: "|=", text: "left 0" }] }, own);
    t.judge("logs-4.3", neighbours.differences, { sightings: neighbours.sightings ?? [] });
    for (const filter of [
      { operator: "|=", text: "error" },
      { operator: "!=", text: "error" },
    ] as const) {
      const query = { matchers: [], filters: [filter] };
      const passing = select(dataset.streams, query);
      for (const asked of ["backward", "forward"] as const) {
        const text = logQueryText({ matchers: dataset.matchers, filters: query.filters });
        const { differences, sightings } = await t.eventually({
          resource: dataset,
          read: () => t.logs.queryRange({ query: text, start: dataset.start, end: dataset.end, limit: LIMIT, direction: asked }),
          judge: (exchange) => {
            const { streams, differences: malformed } = streamsOf(exchange, "logs-4.3");
            return streams === null ? malformed : limitDepartures(limited(passing, LIMIT, asked), passing, streams, blame);
          },
        });
        t.judge("logs-4.3", differences, {
          sightings,
          input: { value: { query: described(dataset, query), limit: LIMIT, direction: asked }, note: "line filter and limit" },
        });
      }
    }
  },
});

export const SELECTING_CHECKS: readonly Check[] = [eachMatcher, matchers, eachFilter, filters, filterLimit];
