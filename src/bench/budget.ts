/** Compares measured costs with the committed budget. A cost is the processor time of the suite, divided by that of a bare loop. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../model/schemas.ts";

/** The ratios by the name of their measurement. A ratio of 2 means that the suite needs twice the processor time of the bare loop. */
export type Ratios = Readonly<Record<string, number>>;

/** A ratio is over budget if it is larger than the committed ratio times this factor. */
const TOLERANCE = 1.25;

export function committedRatios(): Ratios {
  return JSON.parse(readFileSync(join(packageRoot(), "src/bench/budget.json"), "utf8")) as Ratios;
}

/** Returns a line for each ratio that is over budget, was not measured, or has no committed value. */
export function overBudget(measured: Ratios, committed: Ratios): string[] {
  return [...new Set([...Object.keys(measured), ...Object.keys(committed)])].flatMap((what) => {
    const [now, before] = [measured[what], committed[what]];
    if (now === undefined || before === undefined) return [`${what}: measured ${now ?? "never"}, committed ${before ?? "never"}`];
    return now > TOLERANCE * before ? [`${what}: ${now.toFixed(2)} times the bare loop, and the budget is ${before} times`] : [];
  });
}

/** Measures again if a ratio is over budget, because a busy machine can be the cause. Returns lines only if both are over budget. */
export async function overBudgetTwice(measure: () => Promise<Ratios>, committed: Ratios): Promise<string[]> {
  const first = overBudget(await measure(), committed);
  return first.length === 0 ? first : overBudget(await measure(), committed);
}
