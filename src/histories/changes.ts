/** Updates a borrowed instance, and judges the response and later reads. */
import type { Field } from "../diagnosis/fields.ts";
import { unsentDifferences } from "../diagnosis/filling.ts";
import { type Answered, isSuccess } from "../client/exchange.ts";
import type { ClauseId } from "../contract/catalogue.ts";
import { type LimitName, LIMITS, type Limits } from "../contract/limits.ts";
import type { Finding } from "../harness/finding.ts";
import { type Fixture, fixture, type Scope } from "../harness/scope.ts";
import type { Difference } from "../model/difference.ts";
import type { JsonObject } from "../model/json.ts";
import { brokenFields } from "./instance-fields.ts";
import { updatePlainly } from "./filled-limits.ts";
import { bare, created, type Instance, STATUS, update } from "./instances.ts";
import type { PoolInstance } from "./instance-pool.ts";
import { bodyOf, fieldDifference, limitsIn, noLimits, readSettled, refusal, shownBy } from "./reading.ts";

/** The two values of created_at in the response to an update and in the first read of the instance. */
interface Stamped {
  readonly before: unknown;
  readonly after: unknown;
  readonly exchanges: readonly Answered[];
}

const neverHad = fixture<string | undefined>("admin", "the limits of an instance that never had any", async (scope) => {
  const { body } = bodyOf(await readSettled(scope, created(await scope.use(bare))), "admin-4.GET");
  return body !== null && Object.hasOwn(body, "limits") ? JSON.stringify(body["limits"]) : undefined;
});

/** For each update of the run, created_at in its response, and created_at in the first read of its instance. */
export const stampsSeen = fixture<Stamped[]>("admin", "created_at in the responses to updates", async () => []);

/** The fixtures that `change` uses. These fixtures must be built before an instance is borrowed. */
export const CHANGE_NEEDS: readonly Fixture<unknown>[] = [bare, brokenFields, neverHad, stampsSeen];

/** Judges the limits of an instance object, and returns the differences. */
export type LimitsJudge = (body: JsonObject) => readonly Difference[];

interface State {
  readonly displayName: string;
  readonly limits: LimitsJudge;
}

/** Returns all differences of an instance object, except in fields that are already known to be wrong. */
export function stateDifferences(
  instance: Instance,
  { displayName, limits }: State,
  body: JsonObject,
  known: ReadonlySet<Field>,
): Difference[] {
  const fields = { name: instance.name, display_name: displayName, status: STATUS, cluster: instance.cluster };
  return [
    ...(Object.entries(fields) as [Field, string][])
      // The documents do not define the other values of status.
      .filter(([field]) => !known.has(field) && !(field === "status" && typeof body["status"] === "string"))
      // An update does not send the name in its body. So a wrong name violates the clause of the field, not the clause of updates.
      .flatMap(([field, value]) =>
        fieldDifference(body, field, value, field === "name" && Object.hasOwn(body, field) ? "admin-2.field.name" : "admin-4.PUT"),
      ),
    ...limits(body),
  ];
}

interface Change {
  readonly state: State;
  readonly limits?: Limits | undefined;
  readonly clause: ClauseId;
  readonly input?: unknown;
  /** True if the documents are silent about limits that are not sent. Reads must then show these limits as the response did. */
  readonly isRestOpen?: boolean;
  /** True if a refusal is not judged, because the documents do not say which values a target accepts together. */
  readonly isRefusalOpen?: boolean;
  /** True if no read follows a right response to the update. */
  readonly isResponseEnough?: boolean;
  /** True if no read follows a wrong response either. Otherwise reads confirm each difference, which would use too many requests here. */
  readonly isWrongResponseEnough?: boolean;
}

/** If `refused` is true, the target does not accept these values together, which the documents allow. So nothing was judged. */
export type Changed = Finding & { readonly refused?: true };

/** Updates a borrowed instance, judges the response, and then reads until the instance has the expected state. */
export async function change(
  scope: Scope,
  borrowed: PoolInstance,
  { state, limits, clause, input, isRestOpen, isRefusalOpen, isResponseEnough, isWrongResponseEnough }: Change,
): Promise<Changed> {
  const known = await scope.use(brokenFields);
  const answer = await update(scope, borrowed.instance, state.displayName, limits);
  if (!isSuccess(answer) && isRefusalOpen === true) return { clauses: [], differences: [], exchanges: [answer], refused: true };
  if (!isSuccess(answer)) return refusedUpdate(scope, borrowed, answer, limits, clause);
  const { body, differences } = bodyOf(answer, clause);
  const onAnswer = body === null ? differences : stateDifferences(borrowed.instance, state, body, known);
  if (body !== null && borrowed.createdAt !== undefined)
    (await scope.use(stampsSeen)).push({ before: borrowed.createdAt, after: body["created_at"], exchanges: [answer, borrowed.firstRead] });
  if (isResponseEnough === true && body !== null && onAnswer.length === 0)
    return { clauses: [clause], differences: [], held: [clause], exchanges: [answer] };
  scope.settle.noteCertain(onAnswer);
  const asInput = input ?? {
    "sent, besides status and cluster": { display_name: state.displayName, ...(limits === undefined ? {} : { limits }) },
  };
  if (isWrongResponseEnough === true && onAnswer.length > 0)
    return { clauses: [clause], differences: onAnswer.map(prefixed("in the response")), held: [], exchanges: [answer], input: asInput };
  const read = await shownBy(borrowed.instance, clause, (shown) => {
    const entryDifferences = stateDifferences(borrowed.instance, state, shown, known);
    const isAnswerTelling = isRestOpen === true && body !== null && onAnswer.length === 0 && entryDifferences.length === 0;
    // If the response and a read show the same wrong value, lag is not the cause.
    return isAnswerTelling ? notAsAnswered(limits ?? {}, body, shown) : entryDifferences.filter((later) => !isIn(onAnswer, later));
  })(scope);
  // If the response was right and a read is not, the service did not store the values of its response.
  const unreadable = bodyOf(read.exchanges[0] as Answered, "admin-4.GET").body === null;
  const later = read.differences.filter(
    ({ clause: clauseByKind, path }) => unreadable || !onAnswer.some((early) => early.clause === clauseByKind && early.path === path),
  );
  return {
    ...read,
    clauses: [clause],
    differences: [...onAnswer.map(prefixed("in the response")), ...later.map(prefixed("in a later read"))],
    held: onAnswer.length + later.length === 0 ? [clause] : [],
    exchanges: onAnswer.length > 0 ? [answer, ...read.exchanges] : [...read.exchanges, answer],
    input: asInput,
  };
}

function isIn(differences: readonly Difference[], { clause, path, actual }: Difference): boolean {
  return differences.some((one) => one.clause === clause && one.path === path && one.actual === actual);
}

/** Compares the limits that were not sent: a read must show them as the response did, because the response is the modified instance. */
function notAsAnswered(sent: Limits, answered: JsonObject, shown: JsonObject): Difference[] {
  const clause = "admin-4.PUT";
  const limits = limitsIn(answered, clause).limits ?? {};
  const later = limitsIn(shown, clause).limits ?? {};
  // Only numbers are compared, because a period can be written in two ways. A duration that is not a number violates another clause.
  const isTelling = (name: LimitName): boolean =>
    limits[name] !== undefined && (LIMITS[name].time !== true || [limits, later].every((one) => typeof one[name] === "number"));
  const rest = unsentDifferences(sent, later, (name) => (isTelling(name) ? [limits[name]] : []), clause);
  return rest.map((difference) => ({ ...difference, expected: `${difference.expected}, as in the response to the update` }));
}

function prefixed(where: string): (difference: Difference) => Difference {
  return (difference) => ({ ...difference, path: `${difference.path} (${where})` });
}

/** Judges a refused update. The refusal is legal if the target accepts the same limits with other values, such as the defaults. */
async function refusedUpdate(
  scope: Scope,
  borrowed: PoolInstance,
  answer: Answered,
  limits: Limits | undefined,
  clause: ClauseId,
): Promise<Changed> {
  const count = Object.keys(limits ?? {}).length;
  const defaults = count === 1 ? "one limit at its global default" : `${count} limits at their global defaults`;
  const what = `an update ${limits === undefined ? "without limits" : `with ${defaults}`}`;
  const { refused, taken } = limits === undefined ? { refused: answer, taken: null } : await updatePlainly(scope, borrowed, limits);
  if (taken !== null) return { clauses: [], differences: [], exchanges: [taken, answer], refused: true };
  const first = refused ?? answer;
  const differences = [refusal(clause, `success (2xx) for ${what}`, first)];
  return { clauses: [clause], differences, exchanges: [first, answer], refused: true };
}

/** Judges removed limits. If an instance that never had limits shows the same limits, the violated clause is that of the field. */
export async function removedFrom(scope: Scope): Promise<LimitsJudge> {
  const usual = await scope.use(neverHad);
  return (body) => noLimits(body, JSON.stringify(body["limits"]) === usual ? "admin-2.field.limits" : "admin-4.2");
}
