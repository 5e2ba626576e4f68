/** Long names, names that contain another name, and names of no instance. */
import { isSuccess, jsonOf, statusOf } from "../client/exchange.ts";
import { Inconclusive } from "../client/inconclusive.ts";
import { expecting } from "../harness/expect.ts";
import { type Finding, together } from "../harness/finding.ts";
import type { Assertion, Scope } from "../harness/scope.ts";
import { type Difference, show, showApart } from "../model/difference.ts";
import { brokenFields, readView } from "./instance-fields.ts";
import { bare, createInstance, type Instance, LONGEST_NAME, nameOf, newName, SHORT_ID, update } from "./instances.ts";
import { fieldDifference, reading, readSettled } from "./reading.ts";
import { requireRenaming } from "./single-updates.ts";
import { type JsonObject, member } from "../model/json.ts";
import { poolInstances } from "./instance-pool.ts";

const CLAUSE = "admin-2.field.name";

/** A read of the instance shows this display name. */
function shows(instance: Instance, displayName: string): Assertion {
  return expecting({
    clauses: CLAUSE,
    of: instance,
    ask: reading(instance),
    expect: (body): Difference[] =>
      body["display_name"] === displayName
        ? []
        : [{ clause: CLAUSE, path: "display_name", ...showApart(displayName, body["display_name"]) }],
    input: { name: instance.name },
  });
}

/** Null where no such instance can be had: its name is too long, or its create is refused. The rules of names are not shown. */
export async function aroundAnother(scope: Scope): Promise<Assertion | null> {
  const inner = await scope.use(bare);
  const { body } = await scope.use(readView);
  if (body === null || (await scope.use(brokenFields)).has("display_name"))
    throw new Inconclusive(
      "precondition not met: an instance with a plain name cannot be read, or does not show the sent values (see admin-4.GET)",
    );
  // The name of the older one is the run's with one more letter, which this one begins with, too.
  const suffix = `${inner.name.slice(nameOf(scope, "").length)}-${inner.name}`;
  if (nameOf(scope, suffix).length > LONGEST_NAME) return null;
  const outer = await createInstance(scope, suffix, null);
  if (!isSuccess(outer.created) || outer.name !== nameOf(scope, suffix)) return null;
  return async (later) => {
    const findings: Finding[] = [await shows(outer, outer.displayName)(later), await shows(inner, inner.displayName)(later)];
    const displayName = newName(later);
    if (findings.some(({ differences }) => differences.length > 0)) return together(findings);
    const answer = await update(later, outer, displayName);
    if (!isSuccess(answer))
      throw new Inconclusive(
        `precondition not met: an update of the instance whose name begins and ends with the name of another instance was answered ${statusOf(answer)} (see admin-4.PUT)`,
      );
    const renamed = await shows(outer, displayName)(later);
    if (renamed.differences.length > 0) await requireRenaming(later);
    return together([...findings, renamed, await shows(inner, inner.displayName)(later)]);
  };
}

/** An instance with such a name, or with one that does not end with a dash where that is refused. */
async function longNamed(scope: Scope, first: string): Promise<Instance> {
  const length = LONGEST_NAME - nameOf(scope, "").length;
  const dashed = await createInstance(scope, `${`${first}--`.padEnd(length - 1, "x1")}-`, null);
  return isSuccess(dashed.created) ? dashed : createInstance(scope, `${first}--`.padEnd(length, "x1"), null);
}

/** An instance that cannot be read though another with such a name can was not created. */
async function hasAlike(scope: Scope): Promise<boolean> {
  // One after the other: what is created beside others may be lost for that.
  for (const first of ["p", "q", "r"]) {
    const other = await longNamed(scope, first);
    if (isSuccess(other.created) && isSuccess(await readSettled(scope, other))) return true;
  }
  return false;
}

/** An instance with such a name is read and updated under it; null where its create is refused: the rules of names are not shown. */
export async function longestName(scope: Scope): Promise<Assertion | null> {
  const { body: plain } = await scope.use(readView);
  const instance = await longNamed(scope, "o");
  if (!isSuccess(instance.created)) return null;
  if (plain === null || (await scope.use(brokenFields)).has("display_name"))
    throw new Inconclusive(
      "precondition not met: an instance with a plain name cannot be read, or does not show the sent values (see admin-4.GET)",
    );
  const ask = reading(instance);
  const shows = (displayName: string): Assertion =>
    expecting({
      clauses: CLAUSE,
      of: instance,
      ask: async (asking) => {
        const { malformed, ...read } = await ask(asking);
        // Another instance can be read: what is wrong here comes from the name.
        return { ...read, malformed: malformed.map((one): Difference => ({ ...one, clause: CLAUSE })) };
      },
      expect: (body: JsonObject) => [
        ...fieldDifference(body, "name", instance.name, CLAUSE),
        ...(body["display_name"] === displayName
          ? []
          : [{ clause: CLAUSE, path: "display_name", ...showApart(displayName, body["display_name"]) } as const]),
      ],
    });
  return async (later) => {
    const first = await shows(instance.displayName)(later);
    if (first.differences.length > 0) {
      const isLost = first.differences.some(({ path }) => path === "status") && (await hasAlike(later));
      const differences = first.differences.map((one): Difference => (isLost ? { ...one, clause: "admin-4.POST" } : one));
      return { ...first, differences, exchanges: [...first.exchanges, instance.created] };
    }
    const displayName = newName(later);
    const answer = await update(later, instance, displayName);
    if (isSuccess(answer)) {
      const second = await shows(displayName)(later);
      if (second.differences.length > 0) await requireRenaming(later);
      return { ...second, exchanges: [...second.exchanges, answer] };
    }
    const actual = `status ${statusOf(answer)}: ${show(answer.response.body)}`;
    const differences = [
      { clause: CLAUSE, path: "status", expected: "success (2xx) for an update of an instance that can be read", actual },
    ] as const;
    return { clauses: [CLAUSE], differences, exchanges: [answer, ...first.exchanges] };
  };
}

/** The longest name of an instance of this run but for its last character: where names are kept cut it is the same. None where none was lent. */
async function almostTheLongest(scope: Scope): Promise<string[]> {
  const names = (await scope.use(poolInstances)).map(({ instance }) => instance.name);
  const [longest] = names.toSorted((one, other) => other.length - one.length);
  return longest === undefined ? [] : [`${longest.slice(0, -1)}z`];
}

/** A read under the beginning of a name, under a name that another begins, and under one that is all but another, answers no instance of this run with another name. */
export const unknownNames: Assertion = async (scope) => {
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
