/** An instance keeps its limits when another one that has the same limits is updated: they are limits of one instance each. */
import { isSuccess, statusOf } from "../../client/exchange.ts";
import { Inconclusive } from "../../client/inconclusive.ts";
import type { LimitName } from "../../contract/limits.ts";
import { type Finding, together, type Trial } from "../../harness/finding.ts";
import type { Scope } from "../../harness/scope.ts";
import { acceptedLimits } from "./accepted-limits.ts";
import { withLoans } from "./at-once.ts";
import { newName, update } from "./instances.ts";
import { loanCount, type LoanedInstance } from "./loans.ts";
import { bodyOf, readSettled } from "./reading.ts";
import { unchangedSince } from "./untouched.ts";

/** All instances on loan are given the same limits; one of them is given others, and the rest read as before. */
export const besideEquals: Trial = async (scope) =>
  withLoans(scope, await scope.use(loanCount), async ([changed, ...others]) => {
    if (changed === undefined || others.length === 0)
      throw new Inconclusive("precondition: two instances are needed, and this target has only one");
    const { together: equal, valueOf } = await scope.use(acceptedLimits);
    for (const { instance } of [changed, ...others]) {
      const answer = await update(scope, instance, newName(scope), equal);
      if (!isSuccess(answer)) throw new Inconclusive(`precondition: an update with limits is answered ${statusOf(answer)} (see admin-4.3)`);
    }
    for (const loan of [changed, ...others]) loan.bare = false;
    const before = await Promise.all(others.map(async (loan) => readNow(scope, loan)));
    const names = Object.keys(equal) as LimitName[];
    const values = names.flatMap((name) => scope.draw(valueOf(name), `other ${name}`, 1).map((value) => [name, value] as const));
    for (const limits of [Object.fromEntries(values), undefined]) await update(scope, changed.instance, newName(scope), limits);
    const findings = await Promise.all(before.map(async ({ loan, body }) => unchangedSince(loan.instance, body)(scope)));
    return together(findings.map((one): Finding => ({ ...one, input: { "updated meanwhile": "another instance with the same limits" } })));
  });

async function readNow(scope: Scope, loan: LoanedInstance): Promise<{ loan: LoanedInstance; body: Readonly<Record<string, unknown>> }> {
  const { body } = bodyOf(await readSettled(scope, loan.instance), "admin-4.GET");
  if (body === null) throw new Inconclusive("precondition: an instance cannot be read (see admin-4.GET)");
  return { loan, body };
}
