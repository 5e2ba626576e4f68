/** Several instances updated at the same time: each becomes what its own update says. */
import { isSuccess, statusOf } from "../../client/exchange.ts";
import { Inconclusive } from "../../client/inconclusive.ts";
import { expecting } from "../../harness/expect.ts";
import { type Finding, together, type Trial } from "../../harness/finding.ts";
import type { Scope } from "../../harness/scope.ts";
import { show, showApart } from "../../model/difference.ts";
import { brokenFields } from "./fields.ts";
import { type Instance, newName, update } from "./instances.ts";
import { bodyOf, reading } from "./reading.ts";
import { SIMILAR } from "./similar.ts";

const CLAUSE = "admin-4.PUT";

/** Rounds of updates of all instances with similar names at once. Whether requests really overlap is a matter of milliseconds. */
export function updatedAtOnce(rounds: number): Trial {
  return async (scope) => {
    const all = await Promise.all(SIMILAR.map((one) => scope.use(one)));
    const instances = all.filter(({ body }) => body !== null).map(({ instance }) => instance);
    if (instances.length < 2)
      throw new Inconclusive("precondition: fewer than two instances can be read (see admin-4.POST and admin-4.GET)");
    if ((await scope.use(brokenFields)).has("display_name"))
      throw new Inconclusive("precondition: a display name is not kept by an update alone (see admin-2.field.display_name)");
    const findings: Finding[] = [];
    for (let round = 0; round < rounds; round += 1) {
      // Before the first read of an instance there is no update: what is needed for it is asked before the others go out together.
      await Promise.all(instances.map(({ name }) => scope.admin.condition(name)));
      const names = instances.map(() => newName(scope));
      const answers = await Promise.all(instances.map((instance, index) => update(scope, instance, names[index] ?? "")));
      const refused = answers.find((answer) => !isSuccess(answer));
      if (refused !== undefined) throw new Inconclusive(`precondition: an update was answered ${statusOf(refused)} (see ${CLAUSE})`);
      const onAnswers = answers.map((exchange, index): Finding => {
        const shown = bodyOf(exchange, CLAUSE).body?.["display_name"];
        const expected = names[index];
        const wrong =
          shown === undefined || shown === expected
            ? []
            : [{ clause: CLAUSE, path: "display_name (answer)", expected: show(expected), actual: show(shown) } as const];
        return { clauses: [CLAUSE], differences: wrong, exchanges: [exchange] };
      });
      const onReads = await Promise.all(instances.map((instance, index) => renamedTo(scope, instance, names[index] ?? "")));
      findings.push(...onAnswers, ...onReads);
      if (findings.some(({ differences }) => differences.length > 0)) break;
    }
    return together(findings);
  };
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
    input: { "updated at the same time": "all instances with similar names" },
  })(scope);
}
