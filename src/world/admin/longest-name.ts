/** The assertion of a name of 40 characters with two dashes in a row and one at its end: it is the last segment of the path, as every other. */
import { isSuccess, statusOf } from "../../client/exchange.ts";
import { Inconclusive } from "../../client/inconclusive.ts";
import { expecting } from "../../harness/expect.ts";
import type { Assertion, Scope } from "../../harness/scope.ts";
import { type Difference, show, showApart } from "../../model/difference.ts";
import type { JsonObject } from "../../model/json.ts";
import { brokenFields, readView } from "./fields.ts";
import { createInstance, type Instance, LONGEST_NAME, nameOf, newName, update } from "./instances.ts";
import { fieldDifference, reading, readSettled } from "./reading.ts";
import { requireRenaming } from "./renaming.ts";

const CLAUSE = "admin-2.field.name";

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
