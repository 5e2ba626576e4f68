/** Tests creates after rejected creates: a new instance must show nothing of a rejected create. */
import { type Answered, statusOf } from "../client/exchange.ts";
import type { ClauseId } from "../contract/catalogue.ts";
import { type Finding, together } from "../harness/finding.ts";
import { type Assertion, fixture, type Scope } from "../harness/scope.ts";
import type { LimitsJudge } from "./changes.ts";
import { fewLimits } from "./filled-limits.ts";
import { bare, created, createInstance, type Instance } from "./instances.ts";
import { incompleteCreate, wrongCreate } from "./observations.ts";
import { noLimits, shownBy } from "./reading.ts";
import { addedTo } from "./single-updates.ts";

interface AfterRefusals {
  readonly instance: Instance;
  /** An instance that was created without limits directly after the refused creates. */
  readonly without: Instance;
  readonly refused: readonly Answered[];
}

/** The time in ms between the first create and the creates after the refusals, so that each clock gives them different times. */
const TICK_MS = 1_000;

/** Instances that were created after refused creates and later than the first instance. Throws `Inconclusive` if a create is refused. */
export const afterRefusals = fixture<AfterRefusals>("admin", "an instance that was created after refused creates", async (scope) => {
  const sent = await scope.use(fewLimits);
  await scope.untilAfterWrite(await scope.use(bare), TICK_MS);
  // The first create lacks a field, and the second has a wrong limit. A service may process different parts of the two creates before it
  // refuses them.
  const wrong = [await incompleteCreate(scope, "m2"), await wrongCreate(scope, "m3")];
  const without = created(await createInstance(scope, "p", null));
  const instance = created(await createInstance(scope, "q", sent));
  return { instance, without, refused: wrong.filter((answer) => [400, 422].includes(statusOf(answer))) };
});

/**
 * The first instance after refused creates must have only its own limits and the defaults, and the second no limits.
 * Resolves to null if no create is refused.
 */
export async function createdAfterRefusal(scope: Scope): Promise<Assertion | null> {
  const sent = await scope.use(fewLimits);
  const filled = await addedTo(scope, sent, "admin-4.1");
  const { instance, without, refused } = await scope.use(afterRefusals);
  if (refused.length === 0) return null;
  const before = refused.map(({ request }) => JSON.parse(request.body ?? "null") as unknown);
  const of = async (later: Scope, one: Instance, clause: ClauseId, judge: LimitsJudge): Promise<Finding> => {
    const finding = await shownBy(one, clause, judge, { after: [one.created, ...refused] })(later);
    const created = one.sent === null ? "without limits" : { limits: one.sent };
    return { ...finding, input: { "refused creates before this create": before, created } };
  };
  const none = "admin-2.field.limits";
  return async (later) =>
    together(await Promise.all([of(later, instance, "admin-4.1", filled), of(later, without, none, (body) => noLimits(body, none))]));
}
