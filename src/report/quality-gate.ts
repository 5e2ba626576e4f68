/** Writes the reasons for an exit code other than 0 as gates of Allure, whose tab for them would otherwise be empty. */
import type { Summary } from "./model.ts";
import { isDrift } from "./compare.ts";
import { isToDelete } from "./deviations.ts";
import { violated } from "./violated.ts";

interface Gate {
  readonly rule: string;
  readonly message: string;
  readonly success: boolean;
  readonly expected: number;
  readonly actual: number;
  readonly testResults: readonly string[];
}

function none(rule: string, what: readonly [one: string, several: string], ids: readonly string[]): Gate {
  const names = ids.length === 0 ? "" : `: ${ids.join(", ")}`;
  const message = `${ids.length} ${ids.length === 1 ? what[0] : what[1]}${names}`;
  return { rule, message, success: ids.length === 0, expected: 0, actual: ids.length, testResults: [] };
}

/** Returns the content of `widgets/quality-gate.json`: the gates of each Allure environment, of which a run has one. */
export function qualityGates({
  clauses,
  deviations,
  comparison,
}: Pick<Summary, "clauses" | "deviations" | "comparison">): Readonly<Record<string, readonly Gate[]>> {
  const unverified = clauses.filter(({ verdict }) => verdict === "inconclusive").map(({ id }) => id);
  const outdated = deviations.filter(isToDelete).map(({ match, state }) => `${match} (${state})`);
  const drift = comparison?.gating === true ? comparison.differences.filter(isDrift).map(({ subject }) => subject) : null;
  return {
    default: [
      none(
        "no violated clause",
        ["clause is violated", "clauses are violated"],
        violated(clauses).map(({ id }) => id),
      ),
      none("no unverified clause", ["clause could not be verified", "clauses could not be verified"], unverified),
      ...(deviations.length === 0
        ? []
        : [none("no outdated deviation", ["accepted deviation is outdated", "accepted deviations are outdated"], outdated)]),
      ...(drift === null ? [] : [none("no drift", ["difference from the run before", "differences from the run before"], drift)]),
    ],
  };
}
