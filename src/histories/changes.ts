/** Updates a borrowed instance, and judges the response and later reads. */
import type { Field } from "../diagnosis/fields.ts";
import { unsentDifferences } from "../diagnosis/filling.ts";
import { type Answered, isSuccess, statusOf } from "../client/exchange.ts";
import type { ClauseId } from "../contract/catalogue.ts";
import { type LimitName, LIMITS, type Limits } from "../contract/limits.ts";
import { expecting } from "../harness/expect.ts";
import type { Finding } from "../harness/finding.ts";
import { type Fixture, fixture, type Scope } from "../harness/scope.ts";
import { type Difference, show } from "../model/difference.ts";
import type { JsonObject } from "../model/json.ts";
import { brokenFields } from "./instance-fields.ts";
import { updatePlainly } from "./filled-limits.ts";
import { bare, created, type Instance, STATUS, update } from "./instances.ts";
import type { PoolInstance } from "./instance-pool.ts";
import { bodyOf, fieldDifference, limitsIn, noLimits, reading, readSettled } from "./reading.ts";

/** created_at in the answer of an update, and as the instance's first read showed it. */
export interface Stamped {
  readonly before: unknown;
  readonly after: unknown;
  readonly exchanges: readonly Answered[];
}

/** The limits of an instance that never had any, as it shows them; undefined when it shows none. */
const neverHad: Fixture<string | undefined> = fixture("admin", "the limits of an instance that never had any", async (scope) => {
  const { body } = bodyOf(await readSettled(scope, created(await scope.use(bare))), "admin-4.GET");
  return body !== null && Object.hasOwn(body, "limits") ? JSON.stringify(body["limits"]) : undefined;
});

/** created_at in the responses to all updates of the run. */
export const stampsSeen: Fixture<Stamped[]> = fixture("admin", "created_at in the responses to updates", async () => []);

/** The fixtures that `change` uses. They must exist before an instance is borrowed. */
export const CHANGE_NEEDS: readonly Fixture<unknown>[] = [bare, brokenFields, neverHad, stampsSeen];

/** What is wrong with the limits of an instance object. */
export type LimitsJudge = (body: JsonObject) => readonly Difference[];

/** What an instance must be after an update. */
export interface State {
  readonly displayName: string;
  readonly limits: LimitsJudge;
}

/** Everything wrong with an instance object; fields known to be wrong by themselves are left out. */
export function stateDifferences(
  instance: Instance,
  { displayName, limits }: State,
  body: JsonObject,
  known: ReadonlySet<Field>,
): Difference[] {
  const fields = { name: instance.name, display_name: displayName, status: STATUS, cluster: instance.cluster };
  return [
    ...(Object.entries(fields) as [Field, string][])
      // Which other values a status takes, and when, is not shown.
      .filter(([field]) => !known.has(field) && !(field === "status" && typeof body["status"] === "string"))
      // An update does not send the name: shown wrong, it is the field that is wrong.
      .flatMap(([field, value]) =>
        fieldDifference(body, field, value, field === "name" && Object.hasOwn(body, field) ? "admin-2.field.name" : "admin-4.PUT"),
      ),
    ...limits(body),
  ];
}

/** What an update is to do, and the clause it is to show. */
export interface Change {
  readonly state: State;
  readonly limits?: Limits | undefined;
  readonly clause: ClauseId;
  readonly input?: unknown;
  /** Whether it is left open what the limits are that are not sent: reads show them as the update answered them. */
  readonly isRestOpen?: boolean;
  /** Whether a refusal is not judged, because the documents do not say which values go together. */
  readonly isRefusalOpen?: boolean;
  /** Whether a right response is enough, without a read after it. */
  readonly isResponseEnough?: boolean;
  /** Whether a wrong response is enough too. Reads until it is certainly wrong would use up the requests of the run. */
  readonly isWrongResponseEnough?: boolean;
}

/** `refused`: the values do not go together on this target, which the documents leave open; nothing was judged. */
export type Changed = Finding & { readonly refused?: true };

/** Updates a loaned instance, judges the answer, then reads until the instance is as expected. */
export async function change(
  scope: Scope,
  borrowed: PoolInstance,
  { state, limits, clause, input, isRestOpen, isRefusalOpen, isResponseEnough, isWrongResponseEnough }: Change,
): Promise<Changed> {
  const known = await scope.use(brokenFields);
  const answer = await update(scope, borrowed.instance, state.displayName, limits);
  if (!isSuccess(answer) && isRefusalOpen === true) return { clauses: [], differences: [], exchanges: [answer], refused: true };
  if (!isSuccess(answer)) return refusedUpdate(scope, borrowed, answer, limits, clause);
  borrowed.bare = limits === undefined;
  const { body, differences } = bodyOf(answer, clause);
  const onAnswer = body === null ? differences : stateDifferences(borrowed.instance, state, body, known);
  if (body !== null && borrowed.createdAt !== undefined)
    (await scope.use(stampsSeen)).push({ before: borrowed.createdAt, after: body["created_at"], exchanges: [answer, borrowed.firstRead] });
  if (isResponseEnough === true && body !== null && onAnswer.length === 0)
    return { clauses: [clause], differences: [], held: [clause], exchanges: [answer] };
  const asInput = input ?? {
    "sent, besides status and cluster": { display_name: state.displayName, ...(limits === undefined ? {} : { limits }) },
  };
  if (isWrongResponseEnough === true && onAnswer.length > 0)
    return { clauses: [clause], differences: onAnswer.map(prefixed("in the response")), held: [], exchanges: [answer], input: asInput };
  const read = await expecting({
    clauses: clause,
    of: borrowed.instance,
    ask: reading(borrowed.instance),
    expect: (shown) => {
      const entryDifferences = stateDifferences(borrowed.instance, state, shown, known);
      const isAnswerTelling = isRestOpen === true && body !== null && onAnswer.length === 0 && entryDifferences.length === 0;
      return isAnswerTelling ? notAsAnswered(limits ?? {}, body, shown) : entryDifferences;
    },
  })(scope);
  // Where the answer was right, a read that differs shows that what was answered is not what is stored.
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

/** The limits that were not sent in a read, against those that the update answered: it answers the modified instance. */
function notAsAnswered(sent: Limits, answered: JsonObject, shown: JsonObject): Difference[] {
  const clause = "admin-4.PUT";
  const limits = limitsIn(answered, clause).limits ?? {};
  const later = limitsIn(shown, clause).limits ?? {};
  // Of a length of time that is no number its type is wrong already, and the same length may be written in two ways.
  const isTelling = (name: LimitName): boolean =>
    limits[name] !== undefined && (LIMITS[name].time !== true || [limits, later].every((one) => typeof one[name] === "number"));
  const rest = unsentDifferences(sent, later, (name) => (isTelling(name) ? [limits[name]] : []), clause);
  return rest.map((difference) => ({ ...difference, expected: `${difference.expected}, as in the response to the update` }));
}

function prefixed(where: string): (difference: Difference) => Difference {
  return (difference) => ({ ...difference, path: `${difference.path} (${where})` });
}

/** A refused update breaks its clause, unless it is the values that do not go together: which ones do is not stated. */
export async function refusedUpdate(
  scope: Scope,
  borrowed: PoolInstance,
  answer: Answered,
  limits: Limits | undefined,
  clause: ClauseId,
): Promise<Changed> {
  const what =
    limits === undefined ? "an update without limits" : `an update with ${Object.keys(limits).length} limits at their global defaults`;
  const refusal = (refused: Answered): Changed => ({
    clauses: [clause],
    differences: [
      {
        clause,
        path: "status",
        expected: `success (2xx) for ${what}`,
        actual: `status ${statusOf(refused)}: ${show(refused.response.body)}`,
      },
    ],
    exchanges: [refused, answer],
    refused: true,
  });
  if (limits === undefined) return refusal(answer);
  const { refused, taken } = await updatePlainly(scope, borrowed, limits);
  return taken === null ? refusal(refused ?? answer) : { clauses: [], differences: [], exchanges: [taken, answer], refused: true };
}

/** No limits after an update without them; where an instance that never had any shows the same, that is what is wrong. */
export async function removedFrom(scope: Scope): Promise<LimitsJudge> {
  const usual = await scope.use(neverHad);
  return (body) => noLimits(body, JSON.stringify(body["limits"]) === usual ? "admin-2.field.limits" : "admin-4.2");
}
