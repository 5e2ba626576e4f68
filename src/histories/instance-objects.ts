/** Assertions about instance objects in responses to reads and updates, and whether the admin API works at all. */
import { type Field, fieldState, missingOnRead, readingOf, wrongFieldIn, wrongOnUpdate } from "../diagnosis/fields.ts";
import { isSuccess, statusOf } from "../client/exchange.ts";
import { Inconclusive, precondition } from "../client/inconclusive.ts";
import { type Finding, together } from "../harness/finding.ts";
import { type Assertion, fixture } from "../harness/scope.ts";
import { type Difference, show } from "../model/difference.ts";
import { answerDifferences } from "../model/schemas.ts";
import { canBeRead, isUnknown } from "./creates.ts";
import { fieldViews, readView } from "./instance-fields.ts";
import { bare, created, sampled } from "./instances.ts";
import { firstOfPool, firstReads } from "./instance-pool.ts";
import { bodyOf, noLimits, refusal, shownBy } from "./reading.ts";
import { filledLimits } from "./filled-limits.ts";

const UNKNOWN =
  "precondition not met: the create of the instance succeeded, and neither a read nor an update finds the instance (see admin-4.POST)";

/** A read must answer with the instance object. A field that only reads lack violates the clause of reads. */
export const readAnswers: Assertion = async (scope) => {
  const onRead = await scope.use(readView);
  const finding = { clauses: ["admin-4.GET"], exchanges: [onRead.exchange], attempts: onRead.attempts } as const;
  if (!isSuccess(onRead.exchange) && (await canBeRead(scope, await scope.use(sampled))))
    throw precondition("an instance that was created without limits cannot be read (see admin-4.POST)");
  if (!isSuccess(onRead.exchange) && (await isUnknown(scope, created(await scope.use(bare))))) throw new Inconclusive(UNKNOWN);
  if (onRead.problems.length > 0) return { ...finding, differences: onRead.problems };
  const views = await scope.use(fieldViews);
  const missing = missingOnRead(views).map((field): Difference => {
    return { clause: "admin-4.GET", path: field, expected: show(onRead.expected[field]), actual: "absent" };
  });
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
  const wrong = wrongOnUpdate(views).map((field): Difference => ({
    clause,
    path: field,
    expected: show(expected[field]),
    actual: show(body?.[field]),
  }));
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

/** An instance that never had limits must not show any. */
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

/** The number of instances that most checks share, without the first one. */
const SHARED_INSTANCES = 6;

/** Resolves if the service answers a documented request with success. Throws `Inconclusive` otherwise. */
export const adminAnswers = fixture<void>("admin", "the admin API answers", async (scope) => {
  const first = await scope.use(bare);
  if (isSuccess(first.created)) {
    // A shard whose checks need only the first instance may have no budget for others.
    if (scope.settings.shard !== null && scope.run.instances().left < SHARED_INSTANCES) return;
    // Most checks need these instances, so they are created before checks create their own. A service may have a quota of instances. The
    // checks that use them report what is wrong with them.
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
