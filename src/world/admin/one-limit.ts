/** A create with a single limit. */
import { sentDifferences, unsentDifferences } from "../../blame/filling.ts";
import { isSuccess, statusOf } from "../../client/exchange.ts";
import { expecting } from "../../harness/expect.ts";
import type { Trial } from "../../harness/finding.ts";
import type { Scope } from "../../harness/scope.ts";
import { show } from "../../model/difference.ts";
import { acceptedLimits } from "./accepted-limits.ts";
import { shownDefaults } from "./filled-limits.ts";
import { createInstance } from "./instances.ts";
import { keptLimits } from "./kept-limits.ts";
import { limitsIn, reading } from "./reading.ts";

/** A value that few servers refuse which let the limit be set at all. */
const USUAL = 4_321;

/** The limit is kept and the others are filled; null where this target does not let the limit be set. */
export async function createdWithOne(scope: Scope): Promise<Trial | null> {
  const { names, values } = await scope.use(acceptedLimits);
  if (!names.includes("max_series_per_user")) return null;
  const effective = await scope.use(shownDefaults);
  const { brokenRows } = await scope.use(keptLimits);
  const first = await createInstance(scope, "o", { max_series_per_user: USUAL });
  const { max_series_per_user: taken = USUAL } = values;
  const instance = isSuccess(first.created) ? first : await createInstance(scope, "o2", { max_series_per_user: taken });
  const { created: answer, sent } = instance;
  if (!isSuccess(answer)) {
    const expected = `success (2xx) for a create with ${show(sent)}, which an update is allowed to set`;
    const actual = `status ${statusOf(answer)}: ${show(answer.response.body)}`;
    return async () => ({
      clauses: ["admin-4.1"],
      differences: [{ clause: "admin-4.1", path: "status", expected, actual }],
      exchanges: [answer],
    });
  }
  const read = expecting({
    clauses: "admin-4.1",
    of: instance,
    ask: reading(instance),
    expect: (body) => {
      const { limits, differences } = limitsIn(body, "admin-4.1");
      if (limits === null) return differences;
      return [
        ...sentDifferences(sent ?? {}, limits, "admin-4.1", (name) => brokenRows.has(name)),
        ...unsentDifferences(sent ?? {}, limits, (name) => (effective[name] === undefined ? [] : [effective[name]]), "admin-4.1"),
      ];
    },
    input: { created: { limits: sent } },
  });
  return async (later) => {
    const finding = await read(later);
    return { ...finding, exchanges: [...finding.exchanges, answer] };
  };
}
