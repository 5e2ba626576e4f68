/** Defines the result of an assertion: the clauses that the assertion judges, the differences, and the judged exchanges. */
import type { Exchange } from "../client/exchange.ts";
import type { ClauseId } from "../contract/catalogue.ts";
import { blamed, type Difference } from "../model/difference.ts";
import type { MinimalLevels } from "./result.ts";
import type { Attempt } from "./settle.ts";

export interface Finding {
  /** The clauses that the assertion judges. Right responses show them as held. */
  readonly clauses: readonly ClauseId[];
  /** All differences. Each difference names the violated clause, even if the assertion does not judge this clause. */
  readonly differences: readonly Difference[];
  /** The clauses that were held. The default is all of `clauses` if there is no difference, and none if there is a difference. */
  readonly held?: readonly ClauseId[];
  /** @deprecated The old name of `held`. Version 1.2 removes this name. */
  readonly kept?: readonly ClauseId[];
  /** The reason why a clause was not evaluated, if no difference is the reason. */
  readonly notEvaluated?: string;
  /** The judged exchanges, with the wrong exchange first. A finding without an exchange judges no clause. */
  readonly exchanges: readonly Exchange[];
  /** For each violated clause, the exchange that shows the violation. The default is the first of `exchanges`. */
  readonly shownBy?: ReadonlyMap<ClauseId, Exchange>;
  readonly attempts?: readonly Attempt[];
  /** Facts about the data or the state that a reader needs in addition to the judged requests. */
  readonly input?: unknown;
  /** The smallest combination of factor levels whose requests fail. */
  readonly minimal?: MinimalLevels;
}

/** Returns an assertion about responses that have already arrived. It sends no request. */
export function found(
  clauses: ClauseId | readonly ClauseId[],
  differences: readonly Difference[],
  rest: Omit<Finding, "clauses" | "differences">,
): (scope: unknown) => Promise<Finding> {
  return async () => ({ clauses: listOf(clauses), differences, ...rest });
}

export function listOf(clauses: ClauseId | readonly ClauseId[]): readonly ClauseId[] {
  return typeof clauses === "string" ? [clauses] : clauses;
}

/** Whether the first read of a finding was wrong and the last read was right. */
export function isHealed({ differences, attempts = [] }: Finding): boolean {
  return differences.length === 0 && attempts.length > 1;
}

/** For each violated clause, returns the exchange that shows the violation in the first finding with this violation. */
function shownIn(findings: readonly Finding[]): ReadonlyMap<ClauseId, Exchange> {
  const shown = new Map<ClauseId, Exchange>();
  for (const { differences, exchanges, shownBy } of findings)
    for (const clause of blamed(differences)) {
      const exchange = shownBy?.get(clause) ?? exchanges[0];
      if (exchange !== undefined && !shown.has(clause)) shown.set(clause, exchange);
    }
  return shown;
}

/** Joins several findings into one. A clause is held in the result if it is held in each finding that judges it. */
export function together(findings: readonly Finding[]): Finding {
  const clauses = [...new Set(findings.flatMap((one) => one.clauses))];
  return {
    shownBy: shownIn(findings),
    clauses,
    differences: findings.flatMap(({ differences }) => differences),
    held: clauses.filter((clause) => findings.every((one) => !one.clauses.includes(clause) || keptIn(one).includes(clause))),
    exchanges: [
      ...new Set(
        findings.toSorted((one, other) => other.differences.length - one.differences.length).flatMap(({ exchanges }) => exchanges),
      ),
    ],
    attempts: (findings.find(({ differences }) => differences.length > 0) ?? findings[0])?.attempts ?? [],
    ...inputOf(findings),
  };
}

function keptIn({ clauses, differences, held }: Finding): readonly ClauseId[] {
  return held ?? (differences.length === 0 ? clauses : []);
}

function inputOf(findings: readonly Finding[]): Pick<Finding, "input"> {
  const told = findings.find(({ differences, input }) => differences.length > 0 && input !== undefined);
  return told === undefined ? {} : { input: told.input };
}
