/** The assertion of a name that begins and ends with the whole name of an older instance: what is written under either reaches that one only. */
import { isSuccess, statusOf } from "../../client/exchange.ts";
import { Inconclusive } from "../../client/inconclusive.ts";
import { expecting } from "../../harness/expect.ts";
import { type Finding, together } from "../../harness/finding.ts";
import type { Assertion, Scope } from "../../harness/scope.ts";
import { type Difference, showApart } from "../../model/difference.ts";
import { brokenFields, readView } from "./fields.ts";
import { bare, createInstance, type Instance, LONGEST_NAME, nameOf, newName, update } from "./instances.ts";
import { reading } from "./reading.ts";
import { requireRenaming } from "./renaming.ts";

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
