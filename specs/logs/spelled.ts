/** Queries that are written in other ways than usual, asked for a time to come, or sent after one that was refused. */
import type { Check } from "../../src/harness/check.ts";
import { nowOf } from "../../src/world/logs/datasets.ts";
import { phrasing } from "../../src/world/logs/expressions.ts";
import { metricText, metricTrial, takesForm } from "../../src/world/logs/metrics.ts";
import {
  parametersInOrder,
  QUERY_SPELLINGS,
  spelledQuery,
  spelledSum,
  SUM_SPELLINGS,
  validAfterInvalid,
} from "../../src/world/logs/query-spellings.ts";
import { terms } from "../../src/world/logs/small-sets.ts";
import { logsCheck } from "./check.ts";

const LARGER: Check["profiles"] = ["release", "nightly"];
const REFUSED =
  "the target refuses all other ways of writing the query of this check; the document does not show how a query may be written";

const queries = logsCheck({
  slug: "spelled",
  title: "an accepted query with other whitespace or quotes, a comment, a repeated matcher or alternatives selects the same entries",
  clauses: ["logs-4.3"],
  profiles: LARGER,
  async run(t) {
    const dataset = await t.use(terms);
    const phrased = await t.use(phrasing);
    const refused: string[] = [];
    for (const spelling of QUERY_SPELLINGS) {
      const { seen: assertion } = await t.probe(spelledQuery(dataset, phrased, spelling));
      if (assertion === null) refused.push(spelling.what);
      else await t.verify(assertion);
    }
    if (refused.length === QUERY_SPELLINGS.length) return t.notRun(REFUSED);
    t.observe("logs-4.3", "refused-spellings", "refused spellings of a query", { seen: refused, exchanges: [] });
  },
});

const sums = logsCheck({
  slug: "spelled",
  title: "an accepted sum with other whitespace, or with its grouping at the end, has the same samples",
  clauses: ["logs-4.query"],
  profiles: LARGER,
  async run(t) {
    const dataset = await t.use(terms);
    let taken = 0;
    for (const spelling of SUM_SPELLINGS) {
      const { seen: assertion } = await t.probe(spelledSum(dataset, spelling));
      if (assertion === null) continue;
      taken += 1;
      await t.verify(assertion);
    }
    if (taken === 0) return t.notRun(REFUSED);
  },
});

const parameters = logsCheck({
  slug: "parameters-in-any-order",
  title: "the order of the parameters of a range query does not matter",
  clauses: ["logs-4.query_range"],
  profiles: LARGER,
  async run(t) {
    const dataset = await t.use(terms);
    await t.verify(parametersInOrder(dataset, ["direction", "limit", "end", "start", "query"]));
    await t.verify(parametersInOrder(dataset, ["limit", "query", "end", "direction", "start"]));
  },
});

const SECOND = 1_000_000_000n;
/** Later than any clock is off that a query is still asked about, and far from the entries. */
const AHEAD = 180n * SECOND;

const ahead = logsCheck({
  slug: "time-to-come",
  title: "a metric query with a time in the future counts the range before that time",
  clauses: ["logs-4.query"],
  profiles: LARGER,
  async run(t) {
    const dataset = await t.use(terms);
    const { seen: now } = await t.probe(nowOf);
    // No entry lies between half a minute and forty seconds after the first.
    const start = dataset.anchor + 30n * SECOND;
    const end = start + ((now + AHEAD - start) / SECOND + 1n) * SECOND;
    const asked = { metric: "count_over_time", by: ["svc_size"], matchers: [], filters: [], window: { start, end } } as const;
    const { seen: taken } = await t.probe(takesForm(metricText(dataset, asked), asked.window.end));
    if (taken === null)
      return t.notRun("the target refuses a time in the future; the document does not say which times a service must accept");
    await t.verify(metricTrial(dataset, asked, taken));
  },
});

const afterRefusals = logsCheck({
  slug: "after-refusals",
  title: "a valid query has the same result right after a refused query",
  clauses: ["logs-4.query_range"],
  // Another query in between would be the one that comes after.
  phase: "alone",
  profiles: LARGER,
  async run(t) {
    for (const invalid of ['{plumbline_run="', '{plumbline_run="x"} |= "nobody says this" |='])
      await t.verify(validAfterInvalid(await t.use(terms), invalid));
  },
});

export const SPELLED_CHECKS: readonly Check[] = [queries, sums, parameters, ahead, afterRefusals];
