/** Tests creates after rejected creates: a new instance must show nothing of a rejected create. */
import { sentDifferences, unsentDifferences } from "../diagnosis/filling.ts";
import { type Answered, statusOf } from "../client/exchange.ts";
import type { ClauseId } from "../contract/catalogue.ts";
import type { LimitName } from "../contract/limits.ts";
import { expecting } from "../harness/expect.ts";
import { type Finding, together } from "../harness/finding.ts";
import { type Assertion, type Fixture, fixture, type Scope } from "../harness/scope.ts";
import type { Difference } from "../model/difference.ts";
import type { JsonObject } from "../model/json.ts";
import { fewLimits, shownDefaults } from "./filled-limits.ts";
import { bare, created, createInstance, type Instance } from "./instances.ts";
import { keptLimits } from "./limit-findings.ts";
import { incompleteCreate, wrongCreate } from "./observations.ts";
import { limitsIn, noLimits, reading } from "./reading.ts";

interface AfterRefusals {
  readonly instance: Instance;
  /** An instance that was created without limits directly after the refused creates. */
  readonly without: Instance;
  readonly refused: readonly Answered[];
}

/** The time in ms between the first create and the creates after the refusals, so that each clock gives them different times. */
const TICK_MS = 1_000;

/** Instances that were created after refused creates and later than the first instance. Throws `Inconclusive` if a create is refused. */
export const afterRefusals: Fixture<AfterRefusals> = fixture(
  "admin",
  "an instance that was created after refused creates",
  async (scope) => {
    const sent = await scope.use(fewLimits);
    await scope.untilAfterWrite(await scope.use(bare), TICK_MS);
    // The first create lacks a field, and the second has a wrong limit. A service may process different parts of the two creates before it
    // refuses them.
    const wrong = [await incompleteCreate(scope, "m2"), await wrongCreate(scope, "m3")];
    const without = created(await createInstance(scope, "p", null));
    const instance = created(await createInstance(scope, "q", sent));
    return { instance, without, refused: wrong.filter((answer) => [400, 422].includes(statusOf(answer))) };
  },
);

/**
 * The first instance after refused creates must have only its own limits and the defaults, and the second no limits.
 * Resolves to null if no create is refused.
 */
export async function createdAfterRefusal(scope: Scope): Promise<Assertion | null> {
  const sent = await scope.use(fewLimits);
  const { brokenRows } = await scope.use(keptLimits);
  const effective = await scope.use(shownDefaults);
  const { instance, without, refused } = await scope.use(afterRefusals);
  if (refused.length === 0) return null;
  const defaultOf = (name: LimitName): readonly unknown[] => (effective[name] === undefined ? [] : [effective[name]]);
  const filled = (body: JsonObject): readonly Difference[] => {
    const { limits, differences } = limitsIn(body, "admin-4.1");
    if (limits === null) return differences;
    return [
      ...sentDifferences(sent, limits, "admin-4.1", (name) => brokenRows.has(name)),
      ...unsentDifferences(sent, limits, defaultOf, "admin-4.1"),
    ];
  };
  const before = {
    "refused creates before this create": refused.map(({ request }) => JSON.parse(request.body ?? "null") as unknown),
  };
  const of = async (
    later: Scope,
    one: Instance,
    clauses: ClauseId,
    expect: (body: JsonObject) => readonly Difference[],
  ): Promise<Finding> => {
    const finding = await expecting({ clauses, of: one, ask: reading(one), expect: (body) => [...expect(body)] })(later);
    const input = { ...before, created: one.sent === null ? "without limits" : { limits: one.sent } };
    return { ...finding, exchanges: [...finding.exchanges, one.created, ...refused], input };
  };
  const none = "admin-2.field.limits";
  return async (later) =>
    together(await Promise.all([of(later, instance, "admin-4.1", filled), of(later, without, none, (body) => noLimits(body, none))]));
}
