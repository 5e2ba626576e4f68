/** What an expression of a line filter is held against: the documents do not say whether it must match the whole line. */
import { fixture, type Fixture } from "../../harness/scope.ts";
import type { LineFilter } from "../../model/logs.ts";
import { range } from "./asks.ts";
import { parametersOf } from "./range-query.ts";
import { terms } from "./small-sets.ts";

/** Filters as this target can be asked to carry them out, with the meaning they have where an expression may match a part of a line. */
export type Phrasing = (filters: readonly LineFilter[]) => LineFilter[];

const OF_A_PART: Phrasing = (filters) => [...filters];

/** Both readings agree on such an expression. */
const OF_A_LINE: Phrasing = (filters) =>
  filters.map((one) => (one.operator === "|~" || one.operator === "!~" ? { ...one, text: `.*(?:${one.text}).*` } : one));

/** Looks once whether a part of a line is enough for an expression; where that is not seen, none is asked that rests on it. */
export const phrasing: Fixture<Phrasing> = fixture("logs", "whether an expression may match a part of a line", async (scope) => {
  const dataset = await scope.use(terms);
  const { answer } = await range(parametersOf(dataset, { filters: [{ operator: "|~", text: "mid" }] }))(scope);
  return answer !== null && answer.length > 0 ? OF_A_PART : OF_A_LINE;
});
