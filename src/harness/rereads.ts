/** Repeats earlier reads after all writes have settled. Right reads must still be right. Suspicious reads are repeated more often. */
import type { ClauseId } from "../contract/catalogue.ts";
import { Inconclusive } from "../client/inconclusive.ts";
import { type Finding, together } from "./finding.ts";
import type { Resource } from "./settle.ts";
import type { Assertion, Revisit, Scope } from "./scope.ts";

/** The number of repeats of a suspicious read. If a replica never shows the write, at least one repeat probably reaches it. */
const SUSPECT_READS = 6;
/** The maximum number of suspicious reads that are repeated. More of them would show nothing new. */
const MOST_SUSPECTS = 8;

/** The share of the planned repeats that are always sent, even if other checks need the remaining requests. */
const LEAST_PART = 0.25;

/** Returns the repeats for which the request budget suffices. Repeats at the end of the list are skipped first. */
function affordable(due: readonly Revisit[], reads: number, { run, settings }: Scope): readonly Revisit[] {
  const spare = Math.floor(run.spare() / reads);
  // In a release run, `spare` already takes the requests for the repeats into account. So repeats are skipped only if `spare` is negative.
  const most = settings.profile === "release" ? due.length + Math.min(0, spare) : spare;
  return due.slice(0, Math.max(most, Math.ceil(due.length * LEAST_PART)));
}

interface Again {
  /** The minimum time between the last write to a resource and its reread, in ms. The default is W. */
  readonly afterMs?: (scope: Scope) => number;
  /** The longest wait in ms. A resource that needs a longer wait is not read again, except if all need it. By default, no maximum. */
  readonly mostWaitMs?: (scope: Scope) => number;
  /** True if a resource is left out that was read again before, at least `afterMs` after its last write. At least one is read again. */
  readonly isOnceEnough?: true;
  /** Combines rereads, so that one request reads several resources again. By default, each resource has its own request. */
  readonly combined?: (due: readonly Revisit[]) => readonly Revisit[];
}

/** For each resource, when its last rereads began, by the clock of `performance.now()`. */
const REREAD_AT = new WeakMap<Resource, number>();

/** Repeats each assertion that is due for a reread, `reads` times. Throws `Inconclusive` if no assertion is due. */
export function again(
  clause: ClauseId,
  reads: number,
  { afterMs = ({ settle }) => settle.windowMs, mostWaitMs = () => Infinity, isOnceEnough, combined = (due) => due }: Again = {},
): Assertion {
  return async (scope) => {
    const mine = (all: readonly Revisit[]): Revisit[] =>
      all.filter(({ service, resource, lastWriteAt }) => service === scope.service && resource.lastWriteAt === lastWriteAt);
    const all = mine(scope.run.revisits);
    const latest = performance.now() + mostWaitMs(scope) - afterMs(scope);
    const early = all.filter(({ lastWriteAt }) => lastWriteAt <= latest);
    const known = early.length > 0 ? early : all;
    if (known.length === 0)
      throw new Inconclusive("precondition not met: no read was right earlier in the run, so no read can be repeated");
    const isRead = ({ resource, lastWriteAt }: Revisit): boolean => (REREAD_AT.get(resource) ?? 0) >= lastWriteAt + afterMs(scope);
    const unread = isOnceEnough === true ? known.filter((one) => !isRead(one)) : known;
    const due = unread.length > 0 ? unread : known.slice(0, 1);
    const begunAt = performance.now();
    const planned = combined(due);
    const visited = affordable(planned, reads, scope);
    const findings = await Promise.all(visited.map((one) => repeated(scope, one, reads, afterMs(scope))));
    // The clause must be shown, even if the first rereads show other clauses, or their resources were written again.
    for (const one of planned.slice(visited.length)) {
      // A violation is reported at once, because a further read may find that the requests are used up.
      if (findings.flat().some(({ clauses, differences }) => differences.length > 0 || clauses.includes(clause))) break;
      findings.push(await repeated(scope, one, reads, afterMs(scope)));
    }
    if (visited.length === planned.length) for (const { resource } of due) REREAD_AT.set(resource, begunAt);
    // Rereads may find new suspicious reads, so the list of suspects is read only now.
    const suspects = mine(scope.run.suspects).slice(0, MOST_SUSPECTS);
    const late = await Promise.all(suspects.map((one) => repeated(scope, one, SUSPECT_READS, scope.settle.deadlineMs)));
    return { ...together([...findings, ...late].flat()), clauses: [clause] };
  };
}

async function repeated(scope: Scope, { resource, assertion, lastWriteAt }: Revisit, reads: number, afterMs: number): Promise<Finding[]> {
  await scope.untilAfterWrite(resource, afterMs);
  const findings: Finding[] = [];
  for (let read = 0; read < reads; read += 1) {
    const finding = await assertion(scope);
    // If another check has written to the resource in the meantime, the assertion no longer describes it.
    if (resource.lastWriteAt !== lastWriteAt) break;
    findings.push(finding);
  }
  return findings;
}
