/** Updates that change one thing and send all the rest as it is: a service that looks for what is new must find it. */
import { otherValues } from "../../arbitraries/limits.ts";
import type { LimitName, Limits, LimitValue } from "../../contract/limits.ts";
import { isSuccess } from "../../client/exchange.ts";
import { Inconclusive } from "../../client/inconclusive.ts";
import { type Finding, together } from "../../harness/finding.ts";
import type { Assertion, Scope } from "../../harness/scope.ts";
import type { Difference } from "../../model/difference.ts";
import { sameAsRead } from "../../model/limits.ts";
import { acceptedLimits } from "./accepted-limits.ts";
import { newName, update } from "./instances.ts";
import { keptLimits } from "./kept-limits.ts";
import { type LoanedInstance, onLoan } from "./loans.ts";
import { change, type Changed } from "./change.ts";
import { ADDING_NEEDS, writtenOver } from "./updating.ts";

const CLAUSE = "admin-4.PUT";

/** A limit with what it is before and after. */
interface Single {
  readonly name: LimitName;
  readonly before: LimitValue;
  readonly after: LimitValue;
}

/** Limits of each type, none of which has to do with another one. */
export const OF_EACH_TYPE: readonly LimitName[] = [
  "cardinality_limit",
  "accept_ha_samples",
  "ha_cluster_label",
  "drop_labels",
  "compactor_blocks_retention_period",
];

/**
 * One of these limits after the other is changed by an update that sends the same display name and the same other limits, then the
 * display name alone. All of it is changed together first: then what fails is that nothing else was new.
 */
export function changedOneByOne(names: readonly LimitName[]): Assertion {
  return onLoan([...ADDING_NEEDS, acceptedLimits], async (scope, loan) => {
    const singles = await takenOf(scope, loan, await singlesOf(scope, names));
    const [before, after] = [valuesOf(singles, "before"), valuesOf(singles, "after")];
    if (singles.length === 0)
      throw new Inconclusive("precondition not met: no limit can be changed to another value (see admin-4.PUT-over-limits)");
    const same = newName(scope);
    for (const [displayName, limits] of [
      [newName(scope), before],
      [newName(scope), after],
      [same, before],
    ] as const) {
      const all = await written(scope, loan, displayName, limits);
      if (all.refused === true || all.differences.length > 0)
        throw new Inconclusive(
          "precondition not met: an update with a new display name does not change limits (see admin-4.PUT-over-limits)",
        );
    }
    const findings: Finding[] = [];
    let limits = before;
    for (const { name, after: value } of singles) {
      limits = { ...limits, [name]: value };
      const finding = await written(scope, loan, same, limits, name);
      findings.push(finding);
      if (finding.refused === true || finding.differences.length > 0) return together(findings);
    }
    return together([...findings, await written(scope, loan, newName(scope), limits, "display_name")]);
  });
}

/** Those whose other value this target takes: together, or else those that it takes alone. */
async function takenOf(scope: Scope, { instance }: LoanedInstance, singles: readonly Single[]): Promise<readonly Single[]> {
  const before = valuesOf(singles, "before");
  if (isSuccess(await update(scope, instance, newName(scope), valuesOf(singles, "after")))) return singles;
  const taken: Single[] = [];
  for (const single of singles) {
    const limits = { ...before, ...valuesOf([...taken, single], "after") };
    if (isSuccess(await update(scope, instance, newName(scope), limits))) taken.push(single);
  }
  return taken;
}

/** Limits that this target shows as they were sent, each with two values. */
async function singlesOf(scope: Scope, names: readonly LimitName[]): Promise<Single[]> {
  const accepted = await scope.use(acceptedLimits);
  const { brokenRows } = await scope.use(keptLimits);
  return names.flatMap((name) => {
    const before = accepted.together[name];
    if (before === undefined || brokenRows.has(name)) return [];
    const others = [...scope.draw(accepted.valueOf(name), `alone: ${name}`, 3), otherValues(name).usual];
    const after = others.find((value) => value !== undefined && !sameAsRead(name, value, before));
    return after === undefined ? [] : [{ name, before, after }];
  });
}

function valuesOf(singles: readonly Single[], when: "before" | "after"): Limits {
  return Object.fromEntries(singles.map((single) => [single.name, single[when]]));
}

async function written(scope: Scope, loan: LoanedInstance, displayName: string, limits: Limits, alone?: string): Promise<Changed> {
  const found = await change(scope, loan, {
    state: { displayName, limits: await writtenOver(scope, limits, CLAUSE) },
    limits,
    clause: CLAUSE,
    ...(alone === undefined
      ? {}
      : { input: { "the only change": alone, "sent, besides status and cluster": { display_name: displayName, limits } } }),
  });
  return { ...found, differences: found.differences.map((one): Difference => ({ ...one, clause: CLAUSE })) };
}
