/** What a trial brings home: which clauses it was to show, what was wrong, and the exchanges that were judged. */
import type { Exchange } from "../client/exchange.ts";
import type { ClauseId } from "../contract/catalogue.ts";
import { blamed, type Difference } from "../model/difference.ts";
import type { Scope } from "./scope.ts";
import type { Sighting } from "./settle.ts";

export interface Finding {
  /** The clauses that the answers were to show. */
  readonly clauses: readonly ClauseId[];
  /** Everything wrong; a difference may also blame a clause that was not to be shown but is the cause. */
  readonly differences: readonly Difference[];
  /** Of `clauses` those that the answers showed to be kept; absent: all of them when nothing is wrong, else none. */
  readonly kept?: readonly ClauseId[];
  /** Why nothing showed the clauses that are neither kept nor broken, where no difference says so. */
  readonly unseen?: string;
  /** Exactly the exchanges that were judged, the wrong one first; without any there is nothing to judge by. */
  readonly exchanges: readonly Exchange[];
  /** For clauses that another exchange shows to be broken than the first: that one. */
  readonly shownBy?: ReadonlyMap<ClauseId, Exchange>;
  readonly sightings?: readonly Sighting[];
  /** What a person needs to know of the data or the state beside the judged requests. */
  readonly input?: unknown;
}

/** Something that is asked of the target and judged: waiting, tracing the cause and evidence are its own business. */
export type Trial = (scope: Scope) => Promise<Finding>;

/** A finding about facts gathered before. */
export function found(
  clauses: ClauseId | readonly ClauseId[],
  differences: readonly Difference[],
  rest: Omit<Finding, "clauses" | "differences">,
): Trial {
  return async () => ({ clauses: listOf(clauses), differences, ...rest });
}

export function listOf(clauses: ClauseId | readonly ClauseId[]): readonly ClauseId[] {
  return typeof clauses === "string" ? [clauses] : clauses;
}

/** Right in the end, though not at the first look. */
export function isHealed({ differences, sightings = [] }: Finding): boolean {
  return differences.length === 0 && sightings.length > 1;
}

/** The exchange that shows each broken clause: that of the first finding that broke it. */
function shownIn(findings: readonly Finding[]): ReadonlyMap<ClauseId, Exchange> {
  const shown = new Map<ClauseId, Exchange>();
  for (const { differences, exchanges, shownBy } of findings)
    for (const clause of blamed(differences)) {
      const exchange = shownBy?.get(clause) ?? exchanges[0];
      if (exchange !== undefined && !shown.has(clause)) shown.set(clause, exchange);
    }
  return shown;
}

/** Several findings as one: shown is what each of them showed. */
export function together(findings: readonly Finding[]): Finding {
  const clauses = [...new Set(findings.flatMap((one) => one.clauses))];
  return {
    shownBy: shownIn(findings),
    clauses,
    differences: findings.flatMap(({ differences }) => differences),
    kept: clauses.filter((clause) => findings.every((one) => !one.clauses.includes(clause) || keptIn(one).includes(clause))),
    exchanges: [
      ...new Set(
        findings.toSorted((one, other) => other.differences.length - one.differences.length).flatMap(({ exchanges }) => exchanges),
      ),
    ],
    sightings: (findings.find(({ differences }) => differences.length > 0) ?? findings[0])?.sightings ?? [],
    ...inputOf(findings),
  };
}

function keptIn({ clauses, differences, kept }: Finding): readonly ClauseId[] {
  return kept ?? (differences.length === 0 ? clauses : []);
}

function inputOf(findings: readonly Finding[]): Pick<Finding, "input"> {
  const told = findings.find(({ differences, input }) => differences.length > 0 && input !== undefined);
  return told === undefined ? {} : { input: told.input };
}
