/** An update right after another one, with no read between: it is carried out over what the first one left. */
import { sentDifferences } from "../../diagnosis/filling.ts";
import { isSuccess, statusOf } from "../../client/exchange.ts";
import { Inconclusive } from "../../client/inconclusive.ts";
import type { ClauseId } from "../../contract/catalogue.ts";
import type { Limits } from "../../contract/limits.ts";
import { type Finding, together, type Assertion } from "../../harness/finding.ts";
import { fewLimits, fewOthers } from "./few-limits.ts";
import { newName, update } from "./instances.ts";
import { keptLimits } from "./kept-limits.ts";
import { onLoan } from "./loans.ts";
import { limitsIn } from "./reading.ts";
import { change, type LimitsJudge, removedFrom } from "./change.ts";
import { ADDING_NEEDS } from "./updating.ts";

interface Pair {
  readonly clause: ClauseId;
  readonly first: Limits | undefined;
  readonly second: Limits | undefined;
}

/** Limits are removed right after they were added, written over right after they were written, and added right after they were removed. */
export const updatedAtShortNotice: Assertion = onLoan([fewLimits, fewOthers, ...ADDING_NEEDS], async (scope, loan) => {
  const limits = await scope.use(fewLimits);
  const { brokenRows } = await scope.use(keptLimits);
  const others = (await scope.use(fewOthers)) ?? limits;
  const pairs: readonly Pair[] = [
    { clause: "admin-4.2", first: limits, second: undefined },
    { clause: "admin-4.PUT-over-limits", first: limits, second: others },
    { clause: "admin-4.3", first: undefined, second: limits },
    // Whether anything came between the two is a matter of milliseconds.
    { clause: "admin-4.2", first: limits, second: undefined },
  ];
  const findings: Finding[] = [];
  for (const { clause, first, second } of pairs) {
    const before = await update(scope, loan.instance, newName(scope), first);
    if (!isSuccess(before)) throw new Inconclusive(`precondition not met: an update was answered ${statusOf(before)} (see admin-4.PUT)`);
    const held: LimitsJudge = (body) => {
      const { limits: shown, differences } = limitsIn(body, clause);
      return shown === null ? differences : sentDifferences(second ?? {}, shown, clause, (name) => brokenRows.has(name));
    };
    const found = await change(scope, loan, {
      state: { displayName: newName(scope), limits: second === undefined ? await removedFrom(scope) : held },
      limits: second,
      clause,
      input: { "one right after the other": [first ?? "an update without limits", second ?? "an update without limits"] },
    });
    findings.push({ ...found, exchanges: [...found.exchanges, before] });
    if (found.differences.length > 0 || found.refused === true) break;
  }
  return together(findings);
});
