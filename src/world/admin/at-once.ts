/** Several instances updated at the same time: each becomes what its own update says. */
import { isSuccess, statusOf } from "../../client/exchange.ts";
import { Inconclusive } from "../../client/inconclusive.ts";
import { expecting } from "../../harness/expect.ts";
import { type Finding, together } from "../../harness/finding.ts";
import type { Assertion, Scope } from "../../harness/scope.ts";
import { show, showApart } from "../../model/difference.ts";
import { brokenFields } from "./fields.ts";
import { type Instance, newName, update } from "./instances.ts";
import { loanCount, type LoanedInstance, withLoan } from "./loans.ts";
import { bodyOf, reading } from "./reading.ts";
import { similarLater } from "./similar.ts";

const CLAUSE = "admin-4.PUT";

/**
 * Rounds of updates of the instances with similar names and of those on loan, all at once. Whether requests really overlap is a matter
 * of milliseconds. Nobody else may hold a loan meanwhile.
 */
export function updatedAtOnce(rounds: number): Assertion {
  return async (scope) => {
    // What they show before is looked at first.
    const similar = (await scope.use(similarLater)).map(({ one }) => one);
    if ((await scope.use(brokenFields)).has("display_name"))
      throw new Inconclusive("precondition not met: a single update does not change the display name (see admin-2.field.display_name)");
    const own = similar.map(({ instance }) => instance);
    return withLoans(scope, await scope.use(loanCount), async (loans) => {
      for (const loan of loans) loan.bare = false;
      return inRounds(scope, [...own, ...loans.map(({ instance }) => instance)], rounds);
    });
  };
}

async function withLoans(scope: Scope, count: number, work: (loans: readonly LoanedInstance[]) => Promise<Finding>): Promise<Finding> {
  return count === 0 ? work([]) : withLoan(scope, (loan) => withLoans(scope, count - 1, (others) => work([loan, ...others])));
}

async function inRounds(scope: Scope, instances: readonly Instance[], rounds: number): Promise<Finding> {
  const findings: Finding[] = [];
  for (let round = 0; round < rounds; round += 1) {
    // Before the first read of an instance there is no update: what is needed for it is asked before the others go out together.
    await Promise.all(instances.map(({ name }) => scope.admin.condition(name)));
    const names = instances.map(() => newName(scope));
    const answers = await Promise.all(instances.map((instance, index) => update(scope, instance, names[index] ?? "")));
    const refused = answers.find((answer) => !isSuccess(answer));
    if (refused !== undefined) throw new Inconclusive(`precondition not met: an update was answered ${statusOf(refused)} (see ${CLAUSE})`);
    const onAnswers = answers.map((exchange, index): Finding => {
      const shown = bodyOf(exchange, CLAUSE).body?.["display_name"];
      const expected = names[index];
      const wrong =
        shown === undefined || shown === expected
          ? []
          : [{ clause: CLAUSE, path: "display_name (in the response)", expected: show(expected), actual: show(shown) } as const];
      return { clauses: [CLAUSE], differences: wrong, exchanges: [exchange] };
    });
    const onReads = await Promise.all(instances.map((instance, index) => renamedTo(scope, instance, names[index] ?? "")));
    findings.push(...onAnswers, ...onReads);
    if (findings.some(({ differences }) => differences.length > 0)) break;
  }
  return together(findings);
}

async function renamedTo(scope: Scope, instance: Instance, displayName: string): Promise<Finding> {
  return expecting({
    clauses: CLAUSE,
    of: instance,
    ask: reading(instance),
    expect: (body) =>
      body["display_name"] === displayName
        ? []
        : [{ clause: CLAUSE, path: "display_name", ...showApart(displayName, body["display_name"]) }],
    input: { "concurrent updates": "several instances" },
  })(scope);
}
