/** What an expression is held against: the documents do not say whether it must match the whole line, or the whole value of a label. */
import { Masked } from "../../client/inconclusive.ts";
import { fixture, type Fixture } from "../../harness/scope.ts";
import { countEntries, type LineFilter } from "../../model/logs.ts";
import { range } from "./asks.ts";
import { parametersOf } from "./range-query.ts";
import { words } from "./sets.ts";
import { terms } from "./small-sets.ts";

/** Filters as this target can be asked to carry them out, with the meaning they have where an expression may match a part of a line. */
export type Phrasing = (filters: readonly LineFilter[]) => LineFilter[];

const OF_A_PART: Phrasing = (filters) => [...filters];

/** Both readings agree on such an expression. */
const OF_A_LINE: Phrasing = (filters) =>
  filters.map((one) => (one.operator === "|~" || one.operator === "!~" ? { ...one, text: `.*(${one.text}).*` } : one));

/**
 * Reads once whether an expression may match a part of a line. If no read shows that, or the target refuses expressions, no query depends on
 * it.
 */
export const phrasing: Fixture<Phrasing> = fixture("logs", "whether a regular expression may match a part of a line", async (scope) => {
  const dataset = await scope.use(terms);
  try {
    const { answer } = await range(parametersOf(dataset, { filters: [{ operator: "|~", text: "mid" }] }))(scope);
    return answer !== null && countEntries(answer) > 0 ? OF_A_PART : OF_A_LINE;
  } catch (error) {
    if (error instanceof Masked) return OF_A_LINE;
    throw error;
  }
});

/** Looks once whether a value that an expression matches a part of only is left: what is shown in spite of it was not taken for it. */
export const matchesWholeValues: Fixture<boolean> = fixture(
  "logs",
  "whether the regular expression of a matcher must match the whole value",
  async (scope) => {
    const dataset = await scope.use(words);
    const { answer } = await range(parametersOf(dataset, { matchers: [{ name: "svc_colour", operator: "!~", value: "r.d" }] }))(scope);
    const shown = new Set(answer?.filter(({ entries }) => entries.length > 0).map(({ labels }) => labels["svc_colour"]));
    return shown.has("redder") && !shown.has("red");
  },
);
