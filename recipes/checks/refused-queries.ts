// Checks of your own: the log API answers an invalid query with 400. Run them with: run --specs recipes/checks
import { type Check, type CheckContext, fc, type Finding, found, logsCheck, type Scope, together } from "plumbline-conformance/checks";

/** The last minute, by the clock of the target, as parameters of a range query. */
function lastMinute(scope: Scope): { start: string; end: string } {
  const end = BigInt(Math.floor(scope.targetNow())) * 1_000_000n;
  return { start: String(end - 60_000_000_000n), end: String(end) };
}

/** Sends a query as it stands. A status of 500 or more says nothing about the query, so the check is inconclusive. */
async function answerTo(t: CheckContext, query: string) {
  const { seen, exchanges } = await t.probe(async (scope) =>
    scope.logs.probe("query_range (as it stands)", "query_range", { query, ...lastMinute(scope) }),
  );
  const { status } = seen.response;
  if (status >= 500) t.inconclusive(`the query ${query} was answered with status ${status}`);
  return { status, exchanges };
}

/** A valid query must succeed first: else a 400 says nothing about the invalid one. */
async function validSucceeds(t: CheckContext): Promise<void> {
  const { status } = await answerTo(t, '{service="plumbline-own"}');
  if (status !== 200) t.inconclusive(`a valid query was answered with status ${status}`);
}

interface Row {
  readonly clause: "logs-2.2" | "logs-7.400";
  readonly query: string;
}

async function judged(t: CheckContext, { clause, query }: Row): Promise<Finding> {
  const { status, exchanges } = await answerTo(t, query);
  const wrong = { clause, path: "status", expected: "400", actual: String(status) };
  return { clauses: [clause], differences: status === 400 ? [] : [wrong], exchanges, input: { query } };
}

/** One row per invalid query, with the clause that makes it invalid. */
const ROWS: readonly Row[] = [
  { clause: "logs-2.2", query: "{}" },
  { clause: "logs-2.2", query: "{ }" },
  { clause: "logs-7.400", query: '{service="a"' },
  { clause: "logs-7.400", query: '{service=="a"}' },
  { clause: "logs-7.400", query: '{service="a"} |= ' },
];

const rows = logsCheck({
  slug: "own-rows",
  title: "each invalid query of a list is answered with 400",
  clauses: ["logs-2.2", "logs-7.400"],
  async run(t) {
    await validSucceeds(t);
    const findings = await Promise.all(ROWS.map(async (row) => judged(t, row)));
    await t.verify(async () => together(findings));
  },
});

const property = logsCheck({
  slug: "own-property",
  title: "a selector without its closing brace is answered with 400, whatever its value",
  clauses: ["logs-7.400"],
  async run(t) {
    await validSucceeds(t);
    await t.property({
      arbitrary: fc.stringMatching(/^[a-z0-9 ]{1,20}$/),
      cases: t.pick({ smoke: 3, release: 10, nightly: 50 }),
      overlap: 2,
      assertion: (value) => async () => judged(t, { clause: "logs-7.400", query: `{service="${value}"` }),
    });
  },
});

const labels = logsCheck({
  slug: "own-data",
  title: "the answer to GET labels has a data member",
  clauses: ["logs-4.labels"],
  async run(t) {
    const { seen, exchanges } = await t.probe(async (scope) => scope.logs.labels());
    const hasData = /"data"\s*:/.test(seen.response.body);
    const missing = { clause: "logs-4.labels", path: "data", expected: "a list of label names", actual: "no data" } as const;
    await t.verify(found("logs-4.labels", hasData ? [] : [missing], { exchanges }));
  },
});

export const CHECKS: readonly Check[] = [rows, property, labels];
