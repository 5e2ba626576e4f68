/** The result of an assertion: the clauses that it should show, the differences, and the judged exchanges. */
import type { Exchange } from "../client/exchange.ts";
import type { ClauseId } from "../contract/catalogue.ts";
import { blamed, type Difference } from "../model/difference.ts";
import type { MinimalLevels } from "./result.ts";
import type { Attempt } from "./settle.ts";

export interface Finding {
  /** The clauses that right responses show to be held. */
  readonly clauses: readonly ClauseId[];
  /** All differences. If a violation of another clause is the cause, the differences belong to that clause. */
  readonly differences: readonly Difference[];
  /** The clauses that the responses showed to be held. Default: all of `clauses` if there is no difference, otherwise none. */
  readonly held?: readonly ClauseId[];
  /** @deprecated The old name of `held`. Version 1.2 removes this name. */
  readonly kept?: readonly ClauseId[];
  /** The reason why a clause was neither held nor violated, if no difference explains it. */
  readonly notEvaluated?: string;
  /** Only the judged exchanges, with the wrong exchange first. A finding without an exchange judges nothing. */
  readonly exchanges: readonly Exchange[];
  /** The exchange that shows the violation of a clause, if it is not the first exchange. */
  readonly shownBy?: ReadonlyMap<ClauseId, Exchange>;
  readonly attempts?: readonly Attempt[];
  /** Facts about the data or the state that a reader needs in addition to the judged requests. */
  readonly input?: unknown;
  /** The smallest combination of levels that fails. */
  readonly minimal?: MinimalLevels;
}

/** Returns an assertion about data that was read before, so it does not use its scope. */
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

/** Whether the last read was right and the first read was not. */
export function isHealed({ differences, attempts = [] }: Finding): boolean {
  return differences.length === 0 && attempts.length > 1;
}

/** Returns, for each violated clause, the exchange that shows the violation, taken from the first finding with this violation. */
function shownIn(findings: readonly Finding[]): ReadonlyMap<ClauseId, Exchange> {
  const shown = new Map<ClauseId, Exchange>();
  for (const { differences, exchanges, shownBy } of findings)
    for (const clause of blamed(differences)) {
      const exchange = shownBy?.get(clause) ?? exchanges[0];
      if (exchange !== undefined && !shown.has(clause)) shown.set(clause, exchange);
    }
  return shown;
}

/** Joins several findings. A clause is held if it is held in each finding that names the clause. */
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
