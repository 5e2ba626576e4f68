/** What was right once is still right when everything has settled; what was wrong for too long is asked again when nothing can be late. */
import type { ClauseId } from "../contract/catalogue.ts";
import { Inconclusive } from "../client/inconclusive.ts";
import { type Finding, together } from "../harness/finding.ts";
import type { Assertion, Revisit, Scope } from "../harness/scope.ts";

/** Suspicious reads are repeated this often: a replica that never catches up answers some of them. */
const SUSPECT_READS = 6;
/** More than this many suspects say nothing more. */
const MOST_SUSPECTS = 8;

/** What is read again leaves this part of all requests for what has not been judged yet, */
const LEFT_FOR_OTHERS = 1 / 12;
/** but is never less than this part of all that could be. */
const LEAST_PART = 0.4;

/** As many as there are requests for: where reads had to be repeated, those at the end do without. */
function affordable(due: readonly Revisit[], reads: number, { run, settings }: Scope): readonly Revisit[] {
  const most = Math.floor((run.requestsLeft() - settings.budgets.maxRequests * LEFT_FOR_OTHERS) / reads);
  return due.slice(0, Math.max(most, Math.ceil(due.length * LEAST_PART)));
}

interface Again {
  /** How long after the last write to what is read, ms; W if absent. */
  readonly afterMs?: (scope: Scope) => number;
  /** Revisits of which some stand for several; each by itself if absent. */
  readonly inGroups?: (due: readonly Revisit[]) => readonly Revisit[];
}

/** Repeats every trial that is to be revisited, `reads` times. Throws `Inconclusive` when there is none. */
export function again(
  clause: ClauseId,
  reads: number,
  { afterMs = ({ settle }) => settle.windowMs, inGroups = (due) => due }: Again = {},
): Assertion {
  return async (scope) => {
    const mine = (all: readonly Revisit[]): Revisit[] =>
      all.filter(({ service, resource, lastWriteAt }) => service === scope.service && resource.lastWriteAt === lastWriteAt);
    const due = mine(scope.run.revisits);
    if (due.length === 0) throw new Inconclusive("precondition not met: no earlier response could be read again");
    const visited = affordable(inGroups(due), reads, scope);
    const findings = await Promise.all(visited.map((one) => repeated(scope, one, reads, afterMs(scope))));
    // Reading again may itself find what is suspicious.
    const suspects = mine(scope.run.suspects).slice(0, MOST_SUSPECTS);
    const late = await Promise.all(suspects.map((one) => repeated(scope, one, SUSPECT_READS, scope.settle.deadlineMs)));
    return { ...together([...findings, ...late].flat()), clauses: [clause] };
  };
}

async function repeated(scope: Scope, { resource, assertion }: Revisit, reads: number, afterMs: number): Promise<Finding[]> {
  await scope.untilAfterWrite(resource, afterMs);
  const findings: Finding[] = [];
  for (let read = 0; read < reads; read += 1) findings.push(await assertion(scope));
  return findings;
}
