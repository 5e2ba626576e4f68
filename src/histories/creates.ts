/**
 * Assertions about creates: a create is accepted, its instance can be read, keeps the sent limits, and has defaults for the other limits. A
 * new instance must show nothing of a create that was rejected before. Assertions about instance objects in responses to reads and updates,
 * and whether the admin API works at all.
 */
import { isDeepStrictEqual } from "node:util";
import { isSuccess, jsonOf, statusOf, type Answered } from "../client/exchange.ts";
import { precondition, Inconclusive } from "../client/inconclusive.ts";
import type { LimitName } from "../contract/limits.ts";
import { found, type Finding, together } from "../harness/finding.ts";
import { type Assertion, type Fixture, type Scope, fixture } from "../harness/scope.ts";
import { type Difference, difference, show } from "../model/difference.ts";
import { answerDifferences } from "../model/schemas.ts";
import { type FilledLimits, filledLimits, type LimitsView, fewLimits } from "./filled-limits.ts";
import { bare, type Instance, payloadOf, sampled, created, createInstance } from "./instances.ts";
import { keptLimits } from "./limit-findings.ts";
import { readSettled, refusal, shownBy, noLimits, bodyOf } from "./reading.ts";
import type { ClauseId } from "../contract/catalogue.ts";
import type { LimitsJudge } from "./changes.ts";
import { incompleteCreate, wrongCreate } from "./observations.ts";
import { addedTo } from "./single-updates.ts";
import { type Field, fieldState, missingOnRead, readingOf, wrongFieldIn, wrongOnUpdate } from "../diagnosis/fields.ts";
import { fieldViews, readView } from "./instance-fields.ts";
import { firstOfPool, firstReads } from "./instance-pool.ts";

/** A create must be accepted, and its instance must be readable. If no instance can be read, the clause of reads is violated instead. */
export function createAccepted(which: Fixture<Instance>): Assertion {
  return async (scope) => {
    const first = await scope.use(which);
    // A target may refuse some values only together. In this case, an instance that was created with other limits is judged.
    const instance =
      isSuccess(first.created) || first.sent === null ? first : ((await scope.use(filledLimits)).views[0]?.instance ?? first);
    const { created: answer } = instance;
    const clauses = ["admin-4.POST"] as const;
    if (!isSuccess(answer)) return { clauses, differences: [refusal("admin-4.POST", "success (2xx)", answer)], exchanges: [answer] };
    const read = await shownBy(instance, clauses, () => [], { after: [answer] })(scope);
    if (read.differences.length === 0 || read.differences.some(({ path }) => path !== "status")) return read;
    const others = await Promise.all([bare, sampled].map(async (other) => canBeRead(scope, await scope.use(other))));
    if (!others.some(Boolean) && !(await isUnknown(scope, instance))) return read;
    const blamed = { clause: "admin-4.POST", expected: "success (2xx), because the instance was created" } as const;
    return { ...read, differences: read.differences.map((one): Difference => ({ ...one, ...blamed })) };
  };
}

/** Whether neither a read nor an update finds an instance whose create was accepted. Such an instance was not created. */
async function isUnknown(scope: Scope, instance: Instance): Promise<boolean> {
  const read = await readSettled(scope, instance);
  const update = await scope.admin.probe("update instance (probe)", "PUT", instance.name, payloadOf(instance, instance.displayName));
  return !isSuccess(read) && statusOf(read) === statusOf(update);
}

/** Whether an instance was created and can be read. */
async function canBeRead(scope: Scope, instance: Instance): Promise<boolean> {
  return isSuccess(instance.created) && isSuccess(await readSettled(scope, instance));
}

/** From the reads of instances with limits, returns those that show limits. Throws `Inconclusive` if no read shows limits. */
export function shownViews({ views }: FilledLimits): readonly [LimitsView, ...LimitsView[]] {
  const [first, ...others] = views.filter(({ limits }) => limits !== undefined);
  if (first === undefined) throw precondition("no read showed limits of a created instance (see admin-4.1 and admin-4.GET)");
  return [first, ...others];
}

/** Judges whether `limits` is an object of the right form. Other checks judge each limit in it. */
function malformedIn({ exchange }: LimitsView): Difference[] {
  return answerDifferences("read instance", jsonOf(exchange)).filter(
    ({ clause, path }) => path.startsWith("limits") && !clause.startsWith("admin-2.limit."),
  );
}

/** If a create sends some limits, each other limit must get its global default, whatever the sent values are. */
export const filledOnCreate: Assertion = async (scope) => {
  const { views, refused, filling, readsHideLimits } = await scope.use(filledLimits);
  if (views.length === 0 && refused.length === 0) throw precondition("no instance was created with limits (see admin-4.POST)");
  const problems = refused.map(({ sent, created }) =>
    refusal("admin-4.1", `success (2xx) for a create with ${Object.keys(sent ?? {}).length} limits at their global defaults`, created),
  );
  const unreadable = views.flatMap((view) => view.problems);
  const expected = "all limits, because the response to the update of this instance shows them";
  const hidden = difference("admin-4.GET", "limits", expected, `absent in the reads of ${views.length + 1} instances`);
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

/** Each instance must have the limits that its create sent. */
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

/** If reads show the limit with a wrong type, returns the difference. Reads without the exact name of the limit do not count. */
function malformedRow(name: LimitName, views: readonly LimitsView[]): Difference | undefined {
  return views
    .flatMap(({ exchange }) => answerDifferences("read instance", jsonOf(exchange)))
    .find(({ clause, path, actual }) => clause === `admin-2.limit.${name}` && path === `limits.${name}` && actual !== "absent");
}

/** Limits outside the table must be filled with the defaults that the configuration expects for this deployment. */
export const extraDefaultsFilled: Assertion = async (scope) => {
  const views = shownViews(await scope.use(filledLimits));
  const wrong = Object.entries(scope.adminTarget.expectedDefaults.extra).flatMap(([name, expected]): Difference[] => {
    const other = views.find(({ limits }) => !isDeepStrictEqual(limits?.[name], expected));
    const actual = show(other?.limits?.[name]);
    return other === undefined ? [] : [{ clause: "admin-4.1", path: `limits.${name}`, expected: show(expected), actual }];
  });
  return found("admin-4.1", wrong, { exchanges: wrongFirst(views, wrong[0]).map(({ exchange }) => exchange) })(scope);
};

/** Returns the reads. Reads that show the difference come first. */
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

/** The minimum time between the first create and the creates after the refusals, in ms. Each clock then gives them different times. */
const TICK_MS = 1_000;

/** Instances that were created after refused creates. Throws `Inconclusive` if the target refuses the valid creates too. */
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
 * After refused creates, an instance is created with limits and must have only these limits and the defaults. A second instance is created
 * without limits and must have no limits. Resolves to null if no create is refused.
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

const UNKNOWN =
  "precondition not met: the create of the instance succeeded, and neither a read nor an update finds the instance (see admin-4.POST)";

/** A read must answer with the instance object. If a field is absent only in reads, the clause of reads is violated. */
export const readAnswers: Assertion = async (scope) => {
  const onRead = await scope.use(readView);
  const finding = { clauses: ["admin-4.GET"], exchanges: [onRead.exchange], attempts: onRead.attempts } as const;
  if (!isSuccess(onRead.exchange) && (await canBeRead(scope, await scope.use(sampled))))
    throw precondition("an instance that was created without limits cannot be read (see admin-4.POST)");
  if (!isSuccess(onRead.exchange) && (await isUnknown(scope, created(await scope.use(bare))))) throw new Inconclusive(UNKNOWN);
  if (onRead.problems.length > 0) return { ...finding, differences: onRead.problems };
  const views = await scope.use(fieldViews);
  const missing = missingOnRead(views).map((field) => difference("admin-4.GET", field, show(onRead.expected[field]), "absent"));
  // Other checks judge single fields and limits.
  const malformed = answerDifferences("read instance", onRead.body).filter(({ clause }) => !clause.startsWith("admin-2."));
  return { ...finding, differences: missing.length > 0 ? missing : malformed };
};

/** An update must answer with the modified instance object. A field that is wrong only in this response violates the clause of updates. */
export const updateAnswers: Assertion = async (scope) => {
  const views = await scope.use(fieldViews);
  const { body, expected, exchange, problems } = views.onUpdate;
  const clause = "admin-4.PUT";
  const refused = isSuccess(exchange) ? [] : [refusal(clause, "success (2xx) with the modified instance object", exchange)];
  const wrong = wrongOnUpdate(views).map((field) => difference(clause, field, show(expected[field]), show(body?.[field])));
  return { clauses: [clause], differences: [...refused, ...problems, ...wrong], exchanges: [exchange] };
};

export const bodiesAreJson: Assertion = async (scope) => {
  const { onRead, onUpdate } = await scope.use(fieldViews);
  const views = [onRead, onUpdate].filter(({ exchange }) => isSuccess(exchange));
  if (views.length === 0) throw precondition("neither a read nor an update succeeded (see admin-4.GET)");
  return together(
    views.map(({ problems, exchange }) => ({
      clauses: ["admin-4.json"],
      differences: problems.filter(({ clause }) => clause === "admin-4.json"),
      exchanges: [exchange],
    })),
  );
};

/** A read must show a field as it was sent. */
export function fieldKept(field: Field): Assertion {
  return async (scope) => {
    const clause = `admin-2.field.${field}` as const;
    const views = await scope.use(fieldViews);
    const wrong = wrongFieldIn(views, field);
    // The documents do not define the other values of status. So a status only has to be a string.
    if (field === "status" && wrong !== null && typeof wrong.body?.["status"] === "string")
      return { clauses: [clause], differences: [], exchanges: [wrong.exchange] };
    if (wrong !== null) {
      const { body, expected, exchange, attempts } = wrong;
      const difference = { clause, path: field, expected: show(expected[field]), actual: show(body?.[field]) };
      return { clauses: [clause], differences: [difference], exchanges: [exchange], attempts };
    }
    const right = [readingOf(views, field), views.onUpdate].find((view) => fieldState(view, field) === "right");
    if (right === undefined)
      throw precondition("neither a read nor an update showed this field as it was sent (see admin-4.GET and admin-4.PUT)");
    const malformed = answerDifferences("read instance", right.body).filter((difference) => difference.clause === clause);
    return { clauses: [clause], differences: malformed, exchanges: [right.exchange] };
  };
}

/** An instance that never had limits must not show limits. */
export const neverAnyLimits: Assertion = async (scope) => {
  const clause = "admin-2.field.limits";
  const instance = created(await scope.use(bare));
  const read = await shownBy(instance, clause, (body) => noLimits(body, clause))(scope);
  if (read.differences.some(({ path }) => path === "status") && (await isUnknown(scope, instance))) throw new Inconclusive(UNKNOWN);
  const others = (await scope.use(firstReads)).flatMap((exchange): Finding[] => {
    const { body } = bodyOf(exchange, "admin-4.GET");
    return body === null ? [] : [{ clauses: [clause], differences: noLimits(body, clause), exchanges: [exchange] }];
  });
  return together([read, ...others]);
};

/** The number of instances that most checks share. The first instance of the run is not counted. */
const SHARED_INSTANCES = 6;

/** Resolves if the service answers a documented request with success. Throws `Inconclusive` otherwise. */
export const adminAnswers = fixture<void>("admin", "the admin API answers", async (scope) => {
  const first = await scope.use(bare);
  if (isSuccess(first.created)) {
    // If the checks of a shard need only the first instance, the shard may have no budget for more instances.
    if (scope.settings.shard !== null && scope.run.instances().left < SHARED_INSTANCES) return;
    // Most checks need the shared instances, and a service may have a quota of instances. So the shared instances are created first. The
    // checks that use an instance report what is wrong with it.
    await scope.use(firstOfPool).catch(() => null);
    await scope.use(filledLimits).catch(() => null);
    return;
  }
  const second = await scope.use(sampled);
  if (isSuccess(second.created)) return;
  throw new Inconclusive(
    `no documented request to the admin API was answered with success: create instance was answered ${statusOf(first.created)}; ${hint(statusOf(first.created))}`,
  );
});

function hint(status: number): string {
  if (status === 404 || status === 405) return "is the base URL of the admin API right?";
  if (status === 400 || status === 422) return "does the cluster named by METRICS_CLUSTER exist?";
  return "does the target speak this API?";
}
