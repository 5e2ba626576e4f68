/** The order of a range query that leaves out an edge of its window, and its direction: which window that is, is not stated. */
import { type Answered } from "../../client/exchange.ts";
import type { RangeParameters } from "../../client/logs.ts";
import { expecting } from "../../harness/expect.ts";
import type { Assertion, Scope } from "../../harness/scope.ts";
import { orderDifferences } from "../../model/log-answer.ts";
import { streamsOf } from "./answers.ts";
import type { Dataset } from "./datasets.ts";
import { parametersOf } from "./range-query.ts";

const CLAUSE = "logs-4.1";
const LIMIT = 7;

/** Without `edge` and without a direction the most recent entries come first; null where no two entries of a stream are answered. */
export function orderWithout(dataset: Dataset, edge: "start" | "end"): (scope: Scope) => Promise<Assertion | null> {
  const parameters = parametersOf(dataset, { cut: { limit: LIMIT, direction: "backward" } });
  const sent: readonly (keyof RangeParameters)[] = (["query", "start", "end", "limit"] as const).filter((name) => name !== edge);
  const read = async ({ logs }: Scope): Promise<Answered> => logs.queryRangeInOrder(parameters, sent);
  return async (scope) => {
    const { streams } = streamsOf(await read(scope), CLAUSE);
    if (streams?.some(({ entries }) => entries.length > 1) !== true) return null;
    return expecting({
      clauses: CLAUSE,
      of: dataset,
      ask: async (later) => {
        const exchange = await read(later);
        const { streams: answer, differences } = streamsOf(exchange, CLAUSE);
        return { answer, malformed: differences, exchanges: [exchange] };
      },
      expect: (answer) => orderDifferences(answer, "backward"),
      input: { "not sent": [edge, "direction"] },
    });
  };
}
