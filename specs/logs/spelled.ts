/** Queries in unusual spellings, queries for a time in the future, and queries after a refused query. */
import type { Check } from "../../src/harness/check.ts";
import type { CheckContext, TablePart } from "../../src/harness/context.ts";
import type { Assertion } from "../../src/harness/scope.ts";
import { phrasing } from "../../src/queries/expressions.ts";
import {
  parametersInOrder,
  QUERY_SPELLINGS,
  spelledQuery,
  spelledSum,
  SUM_SPELLINGS,
  validAfterInvalid,
} from "../../src/queries/query-spellings.ts";
import { terms } from "../../src/datasets/small-datasets.ts";
import { largerCheck, logsCheck, observed, probed } from "./check.ts";

const REFUSED =
  "the target refuses all other ways of writing the query of this check; the document does not show how a query may be written";

const queries: TablePart = async (t) => {
  const [dataset, phrased] = [await t.use(terms), await t.use(phrasing)];
  const probes = QUERY_SPELLINGS.map((spelling) => spelledQuery(dataset, phrased, spelling));
  const spelled = await probed(t, probes);
  const refused = QUERY_SPELLINGS.filter((_, index) => spelled[index] === null).map(({ what }) => what);
  t.observe("logs-4.3", "refused-spellings", "refused spellings of a query", observed(refused));
  return acceptedOf(t, spelled);
};

const sums: TablePart = async (t) => {
  const dataset = await t.use(terms);
  const probes = SUM_SPELLINGS.map((spelling) => spelledSum(dataset, spelling));
  return acceptedOf(t, await probed(t, probes));
};

function acceptedOf(t: CheckContext, assertions: readonly (Assertion | null)[]): Assertion[] {
  const accepted = assertions.filter((assertion) => assertion !== null);
  return accepted.length === 0 ? t.notRun(REFUSED) : accepted;
}

const ORDERS = [
  ["direction", "limit", "end", "start", "query"],
  ["limit", "query", "end", "direction", "start"],
] as const;

const spelled = logsCheck({
  slug: "spelled",
  title: "if the target accepts another spelling or parameter order of a query or sum, the result is the same",
  clauses: ["logs-4.3", "logs-4.query", "logs-4.query_range"],
  async run(t) {
    const dataset = await t.use(terms);
    for (const order of ORDERS) await t.verify(parametersInOrder(dataset, order));
    await t.verifyParts("logs-4.3", [queries]);
    await t.verifyParts("logs-4.query", [sums]);
  },
});

const afterRefusals = largerCheck({
  slug: "after-refusals",
  title: "a valid query has the same result right after a refused query",
  clauses: ["logs-4.query_range"],
  // No query of another check may come between the refused query and the valid query.
  phase: "last",
  async run(t) {
    for (const invalid of ['{plumbline_run="', '{plumbline_run="x"} |= "nobody says this" |='])
      await t.verify(validAfterInvalid(await t.use(terms), invalid));
  },
});

export const SPELLED_CHECKS: readonly Check[] = [spelled, afterRefusals];
