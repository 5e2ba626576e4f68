/** A valid query that was answered is answered later, too, whatever was refused in between: a service may keep something of what it refused. */
import { type Answered, isSuccess, statusOf } from "../../client/exchange.ts";
import { Inconclusive } from "../../client/inconclusive.ts";
import type { Assertion } from "../../harness/scope.ts";
import { streamsOf } from "./answers.ts";
import { type Dataset, wholeQuery } from "./datasets.ts";

const CLAUSE = "logs-4.query_range";
const BAD_REQUEST = 400;

/** Queries that end too early, each at another place. */
const INVALID = ['{plumbline_run="', "{plumbline_run=", '{plumbline_run="x"} |='] as const;

/** How often the valid query is asked until it is answered once. */
const MOST_FIRST = 6;
/** Rounds of a refused query and the valid one; more where one of those was refused, which may be an accident of what lies between. */
const ROUNDS = 2;
const MOST_ROUNDS = 12;
const OFTEN = 3;

function isAnswer(answer: Answered): boolean {
  return isSuccess(answer) && streamsOf(answer).streams !== null;
}

/** Throws `Inconclusive` where the valid query is never answered. */
export function stillAnswered(dataset: Dataset): Assertion {
  return async ({ logs }) => {
    const place = { start: dataset.start.toString(), end: dataset.end.toString(), limit: "10" };
    const ask = async (what: string, query: string): Promise<Answered> =>
      logs.probe(`query_range${what}`, "query_range", { query, ...place });
    const valid = async (): Promise<Answered> => ask("", wholeQuery(dataset));
    let first = await valid();
    for (let tries = 1; tries < MOST_FIRST && !isAnswer(first); tries += 1) first = await valid();
    if (!isAnswer(first))
      throw new Inconclusive(`precondition not met: a valid query is answered ${statusOf(first)}, without streams (see ${CLAUSE})`);
    const spoilt: (readonly [after: Answered, refused: Answered])[] = [];
    let round = 0;
    let refusals = 0;
    for (; round < (spoilt.length === 0 ? ROUNDS : MOST_ROUNDS) && spoilt.length < OFTEN; round += 1) {
      const refused = await ask(" (invalid)", INVALID[round % INVALID.length] ?? "");
      const after = await valid();
      if (statusOf(refused) === BAD_REQUEST) refusals += 1;
      if (statusOf(after) === BAD_REQUEST) spoilt.push([after, refused]);
    }
    if (refusals === 0) throw new Inconclusive("precondition not met: no invalid query is refused (see logs-7.400)");
    const expected = "success (2xx), as for the same query before other queries were refused";
    const actual = `status ${BAD_REQUEST} in ${spoilt.length} of ${round} attempts`;
    return {
      clauses: [CLAUSE],
      differences: spoilt.length < OFTEN ? [] : [{ clause: CLAUSE, path: "status", expected, actual }],
      exchanges: [...spoilt.flat(), first],
    };
  };
}
