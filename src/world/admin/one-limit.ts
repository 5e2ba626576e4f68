/** Creates with a single limit, and with all limits but one. */
import { sentDifferences, unsentDifferences } from "../../diagnosis/filling.ts";
import { isSuccess, statusOf } from "../../client/exchange.ts";
import { expecting } from "../../harness/expect.ts";
import type { Assertion } from "../../harness/finding.ts";
import type { Scope } from "../../harness/scope.ts";
import { LIMITS, type LimitName, type Limits } from "../../contract/limits.ts";
import { show } from "../../model/difference.ts";
import { acceptedLimits } from "./accepted-limits.ts";
import { shownDefaults } from "./filled-limits.ts";
import { createInstance, type Instance } from "./instances.ts";
import { keptLimits } from "./kept-limits.ts";
import { limitsIn, reading } from "./reading.ts";

/** A value that few servers refuse which let the limit be set at all. */
const USUAL = 4_321;

/** The limit is kept and the others are filled; null where this target does not let the limit be set. */
export async function createdWithOne(scope: Scope): Promise<Assertion | null> {
  const { names, values } = await scope.use(acceptedLimits);
  if (!names.includes("max_series_per_user")) return null;
  const first = await createInstance(scope, "o", { max_series_per_user: USUAL });
  const { max_series_per_user: taken = USUAL } = values;
  return filledAndKept(scope, isSuccess(first.created) ? first : await createInstance(scope, "o2", { max_series_per_user: taken }));
}

/** All limits that this target takes together but one, which is filled wherever it is left out; null where it takes fewer than two. */
export async function allButOne(scope: Scope): Promise<Limits | null> {
  const { together } = await scope.use(acceptedLimits);
  const effective = await scope.use(shownDefaults);
  const names = (Object.keys(together) as LimitName[]).toReversed();
  const left = names.find((name) => effective[name] !== undefined && LIMITS[name].type === "integer") ?? names[0];
  const sent = Object.fromEntries(Object.entries(together).filter(([name]) => name !== left));
  return Object.keys(sent).length === 0 ? null : sent;
}

/** They are kept and the one that was left out is filled; null where this target does not take them. */
export async function createdWithAllButOne(scope: Scope): Promise<Assertion | null> {
  const sent = await allButOne(scope);
  return sent === null ? null : filledAndKept(scope, await createInstance(scope, "w", sent));
}

async function filledAndKept(scope: Scope, instance: Instance): Promise<Assertion> {
  const effective = await scope.use(shownDefaults);
  const { brokenRows } = await scope.use(keptLimits);
  const { created: answer, sent } = instance;
  if (!isSuccess(answer)) {
    const expected = `success (2xx) for a create with ${show(sent)}, which an update accepts`;
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
