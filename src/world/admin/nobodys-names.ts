/** The assertion of names that nobody created and that are like one somebody did: what they are answered is not shown, but not another's instance. */
import { isSuccess, jsonOf, statusOf } from "../../client/exchange.ts";
import { Inconclusive } from "../../client/inconclusive.ts";
import { type Finding, together } from "../../harness/finding.ts";
import type { Assertion, Scope } from "../../harness/scope.ts";
import { type Difference, show } from "../../model/difference.ts";
import { member } from "../../model/json.ts";
import { brokenFields, readView } from "./fields.ts";
import { bare, nameOf, SHORT_ID } from "./instances.ts";
import { lentSoFar } from "./loans.ts";

const CLAUSE = "admin-2.field.name";

/** The longest name of an instance of this run but for its last character: where names are kept cut it is the same. None where none was lent. */
async function almostTheLongest(scope: Scope): Promise<string[]> {
  const names = (await scope.use(lentSoFar)).map(({ instance }) => instance.name);
  const [longest] = names.toSorted((one, other) => other.length - one.length);
  return longest === undefined ? [] : [`${longest.slice(0, -1)}z`];
}

/** A read under the beginning of a name, under a name that another begins, and under one that is all but another, answers no instance of this run with another name. */
export const nobodysNames: Assertion = async (scope) => {
  const { name } = await scope.use(bare);
  if ((await scope.use(readView)).body === null || (await scope.use(brokenFields)).has("name"))
    throw new Inconclusive("precondition not met: no read shows the name that a create sent (see admin-4.GET and admin-2.field.name)");
  // Every name of the run begins with this one.
  const beginning = nameOf(scope, "").slice(0, -1);
  const findings: Finding[] = [];
  for (const asked of [beginning, `${name}-none`, ...(await almostTheLongest(scope))]) {
    const answer = await scope.admin.probe("read an unknown name", "GET", asked);
    // Trouble of the service, or of who asks, says nothing of the name; 403 is what some answer where they know no instance.
    if (statusOf(answer) >= 500 || statusOf(answer) === 401) continue;
    const shown = isSuccess(answer) ? member(jsonOf(answer), "name") : undefined;
    // Names of one run can be formed in several ways, and each of them contains the end of the run's id.
    const isOfRun = typeof shown === "string" && shown.toLowerCase().includes(scope.run.runId.slice(-SHORT_ID).toLowerCase());
    const isAnothers = isOfRun && shown !== asked;
    const expected = `no instance, or one with the name ${show(asked)}: the name is the last path segment of a read`;
    const differences: Difference[] = isAnothers ? [{ clause: CLAUSE, path: "name", expected, actual: show(shown) }] : [];
    findings.push({ clauses: [CLAUSE], differences, exchanges: [answer], input: { "last path segment": asked } });
  }
  if (findings.length === 0)
    throw new Inconclusive("each read of an unknown name was answered 401 or 5xx, so the responses show nothing about names");
  return together(findings);
};
