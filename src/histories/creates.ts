/**
 * Assertions about creates: a create is accepted and can be read, keeps the sent limits and fills the others.
 * A new instance must show nothing of a create that was rejected before.
 */
import { isDeepStrictEqual } from "node:util";
import { isSuccess, jsonOf, statusOf, type Answered } from "../client/exchange.ts";
import { precondition } from "../client/inconclusive.ts";
import type { LimitName } from "../contract/limits.ts";
import { found, type Finding, together } from "../harness/finding.ts";
import { type Assertion, type Fixture, type Scope, fixture } from "../harness/scope.ts";
import { type Difference, show } from "../model/difference.ts";
import { answerDifferences } from "../model/schemas.ts";
import { type FilledLimits, filledLimits, type LimitsView, fewLimits } from "./filled-limits.ts";
import { bare, type Instance, payloadOf, sampled, created, createInstance } from "./instances.ts";
import { keptLimits } from "./limit-findings.ts";
import { readSettled, refusal, shownBy, noLimits } from "./reading.ts";
import type { ClauseId } from "../contract/catalogue.ts";
import type { LimitsJudge } from "./changes.ts";
import { incompleteCreate, wrongCreate } from "./observations.ts";
import { addedTo } from "./single-updates.ts";

/** A create must be accepted, and its instance readable. If no instance can be read, the clause of reads is violated instead. */
export function createAccepted(which: Fixture<Instance>): Assertion {
  return async (scope) => {
    const first = await scope.use(which);
    // A target may refuse some values together, so an instance that was created with other limits is judged instead.
    const instance =
      isSuccess(first.created) || first.sent === null ? first : ((await scope.use(filledLimits)).views[0]?.instance ?? first);
    const { created: answer } = instance;
    const clauses = ["admin-4.POST"] as const;
    if (!isSuccess(answer)) return { clauses, differences: [refusal("admin-4.POST", "success (2xx)", answer)], exchanges: [answer] };
    const read = await shownBy(instance, clauses, () => [], { after: [answer] })(scope);
    if (read.differences.length === 0 || read.differences.some(({ path }) => path !== "status")) return read;
    const others = await Promise.all([bare, sampled].map(async (other) => canBeRead(scope, await scope.use(other))));
    if (!others.some(Boolean) && !(await isUnknown(scope, instance))) return read;
    const blamed = { clause: "admin-4.POST", expected: "the created instance can be read" } as const;
    return { ...read, differences: read.differences.map((one): Difference => ({ ...one, ...blamed })) };
  };
}

/** Whether neither a read nor an update finds an instance whose create was accepted. Such an instance was not created. */
export async function isUnknown(scope: Scope, instance: Instance): Promise<boolean> {
  const read = await readSettled(scope, instance);
  const update = await scope.admin.probe("update instance (probe)", "PUT", instance.name, payloadOf(instance, instance.displayName));
  return !isSuccess(read) && statusOf(read) === statusOf(update);
}

/** Whether an instance was created and can be read. */
export async function canBeRead(scope: Scope, instance: Instance): Promise<boolean> {
  return isSuccess(instance.created) && isSuccess(await readSettled(scope, instance));
}

/** Returns the reads of instances with limits that show limits. Throws `Inconclusive` if no read shows limits. */
export function shownViews({ views }: FilledLimits): readonly [LimitsView, ...LimitsView[]] {
  const [first, ...others] = views.filter(({ limits }) => limits !== undefined);
  if (first === undefined) throw precondition("no read showed limits of a created instance (see admin-4.1 and admin-4.GET)");
  return [first, ...others];
}

/** Returns the differences of the form of the object `limits`. Other checks judge the single limits of this object. */
function malformedIn({ exchange }: LimitsView): Difference[] {
  return answerDifferences("read instance", jsonOf(exchange)).filter(
    ({ clause, path }) => path.startsWith("limits") && !clause.startsWith("admin-2.limit."),
  );
}

/** A create that sends some limits must fill the other limits with their global defaults, whatever values it sends. */
export const filledOnCreate: Assertion = async (scope) => {
  const { views, refused, filling, readsHideLimits } = await scope.use(filledLimits);
  if (views.length === 0 && refused.length === 0) throw precondition("no instance was created with limits (see admin-4.POST)");
  const problems = refused.map(({ sent, created }) =>
    refusal("admin-4.1", `success (2xx) for a create with ${Object.keys(sent ?? {}).length} limits at their global defaults`, created),
  );
  const unreadable = views.flatMap((view) => view.problems);
  const hidden: Difference = {
    clause: "admin-4.GET",
    path: "limits",
    expected: "all limits, because the response to the update of this instance shows them",
    actual: `absent in the reads of ${views.length + 1} instances`,
  };
  const differences = [...problems, ...(readsHideLimits ? [hidden] : filling.rule)];
  const malformed = views.flatMap(malformedIn);
  const chosen = [differences, unreadable, malformed].find((found) => found.length > 0) ?? [];
  const shows = (view: LimitsView): boolean =>
    chosen === unreadable ? view.problems.length > 0 : chosen === malformed && malformedIn(view).length > 0;
  return {
    clauses: ["admin-4.1"],
    differences: chosen,
    exchanges: [
      ...refused.map(({ created }) => created),
      ...thoseFirst(views, shows).map(({ exchange }) => exchange),
      ...views.map(({ instance }) => instance.created),
    ],
    attempts: views[0]?.attempts ?? [],
  };
};

/** The instances must have the limits that their creates sent. */
export const keptOnCreate: Assertion = async (scope) => {
  const { differences } = await scope.use(keptLimits);
  const views = shownViews(await scope.use(filledLimits));
  const rule = differences.filter(({ clause }) => clause === "admin-4.1");
  const exchanges = wrongFirst(views, rule[0]).flatMap(({ exchange, instance }) => [exchange, instance.created]);
  return found("admin-4.1", rule, { exchanges })(scope);
};

/** A limit that is not sent must be filled with its global default. */
export function filledWithDefault(name: LimitName): Assertion {
  return async (scope) => {
    const { filling, views } = await scope.use(filledLimits);
    if (filling.rowsFollow !== null) throw precondition(filling.rowsFollow);
    const telling = views.filter(({ sent, limits }) => sent[name] === undefined && limits !== undefined);
    if (telling.length === 0) throw precondition("no read showed an instance that was created without this limit (see admin-4.1)");
    if (filling.rule.some(({ path }) => path === `limits.${name}`))
      throw precondition("the value that the service fills in for this limit depends on the request (see admin-4.1)");
    const row = filling.rows.get(name) ?? malformedRow(name, telling);
    const exchanges = telling.slice(0, 2).flatMap(({ exchange, instance }) => [exchange, instance.created]);
    return found(`admin-2.limit.${name}`, row === undefined ? [] : [row], { exchanges, attempts: telling[0]?.attempts ?? [] })(scope);
  };
}

/** Returns the difference of the form of one limit, from the reads that show its exact name, or undefined. */
function malformedRow(name: LimitName, views: readonly LimitsView[]): Difference | undefined {
  return views
    .flatMap(({ exchange }) => answerDifferences("read instance", jsonOf(exchange)))
    .find(({ clause, path, actual }) => clause === `admin-2.limit.${name}` && path === `limits.${name}` && actual !== "absent");
}

/** Limits outside the table must be filled as the expected defaults of the deployment say. */
export const extraDefaultsFilled: Assertion = async (scope) => {
  const views = shownViews(await scope.use(filledLimits));
  const wrong = Object.entries(scope.adminTarget.expectedDefaults.extra).flatMap(([name, expected]): Difference[] => {
    const other = views.find(({ limits }) => !isDeepStrictEqual(limits?.[name], expected));
    const actual = show(other?.limits?.[name]);
    return other === undefined ? [] : [{ clause: "admin-4.1", path: `limits.${name}`, expected: show(expected), actual }];
  });
  return found("admin-4.1", wrong, { exchanges: wrongFirst(views, wrong[0]).map(({ exchange }) => exchange) })(scope);
};

/** Returns the reads, with those that show the difference first. */
export function wrongFirst(views: readonly LimitsView[], wrong: Difference | undefined): LimitsView[] {
  const shows = ({ limits }: LimitsView): boolean =>
    wrong !== undefined && show(limits?.[wrong.path.slice("limits.".length)]) === wrong.actual;
  return thoseFirst(views, shows);
}

function thoseFirst<T>(all: readonly T[], isFirst: (one: T) => boolean): T[] {
  return [...all.filter(isFirst), ...all.filter((one) => !isFirst(one))];
}

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
