/**
 * Each kind of update must succeed. If a service always answers 5xx to one kind and not to the others, it refuses this kind. Updates in
 * other JSON spellings and in chunked bodies must have the same effect as updates in the usual form.
 */
import { outcomeOf } from "../client/request-outcome.ts";
import { type Answered, type Exchange, isAnswered, isSuccess, statusOf } from "../client/exchange.ts";
import { Inconclusive, orInconclusive, precondition } from "../client/inconclusive.ts";
import type { ClauseId } from "../contract/catalogue.ts";
import type { Limits, LimitName } from "../contract/limits.ts";
import { type Finding, together } from "../harness/finding.ts";
import type { Assertion, Scope } from "../harness/scope.ts";
import { fewLimits } from "./filled-limits.ts";
import { created, type Instance, LEAST_ROUNDS, newName, rest, sampled, update, updateOnce, type Writing } from "./instances.ts";
import { type PoolInstance, withInstance, onPoolInstance } from "./instance-pool.ts";
import { bodyOf, fieldDifference, limitsJudgedBy, refusal, shownBy } from "./reading.ts";
import { sentDifferences } from "../diagnosis/filling.ts";
import { IN_CHUNKS } from "../client/bodies.ts";
import type { Difference } from "../model/difference.ts";
import type { JsonObject } from "../model/json.ts";
import { acceptedLimits } from "./accepted-limits.ts";
import { brokenFields, requireDisplayName } from "./instance-fields.ts";
import { keptLimits } from "./limit-findings.ts";
import { WRITINGS } from "./json-spellings.ts";

interface Kind {
  readonly clause: ClauseId;
  readonly what: string;
  /** The limits of the instance before the update. `sent` has the limits of the update. */
  readonly before: Limits | undefined;
  readonly sent: Limits | undefined;
}

/** The kinds of updates for an instance with or without limits. Most updates leave the state that the next one needs. */
function kindsOf(limits: Limits, fromBare: boolean): readonly Kind[] {
  const [had, none] = ["for an instance that has limits", "for an instance without limits"];
  const adding: Kind = { clause: "admin-4.3", what: `with limits, ${none}`, before: undefined, sent: limits };
  const over: Kind = { clause: "admin-4.PUT-over-limits", what: `with limits, ${had}`, before: limits, sent: limits };
  const removing: Kind = { clause: "admin-4.2", what: `without limits, ${had}`, before: limits, sent: undefined };
  const plain: Kind = { clause: "admin-4.PUT", what: `without limits, ${none}`, before: undefined, sent: undefined };
  const again: Kind = { ...adding, what: "with limits, for an instance whose limits were removed" };
  return fromBare ? [adding, over, removing, plain, again] : [over, removing, again, plain];
}

/** A few limits to send. If updates fail so often that no accepted limits are found, the limits of an accepted create are used. */
export async function limitsToSend(scope: Scope): Promise<Limits> {
  return orInconclusive(
    async () => scope.use(fewLimits),
    async () => created(await scope.use(sampled)).sent ?? {},
  );
}

/** Each kind of update must be answered with success. */
export const everyKindAnswered: Assertion = async (scope) => {
  const limits = await limitsToSend(scope);
  return withInstance(scope, async (borrowed) => eachKind(scope, borrowed, limits));
};

async function eachKind(scope: Scope, borrowed: PoolInstance, limits: Limits): Promise<Finding> {
  const { instance } = borrowed;
  const findings: Finding[] = [];
  /** Whether the instance has limits, or null if this is unknown. */
  let isLimited = await stateOf(scope, borrowed, limits);
  const kinds = kindsOf(limits, isLimited === false);
  for (const kind of kinds) {
    if (
      isLimited !== (kind.before !== undefined) &&
      !(await broughtTo(scope, instance, kind.before, kind.before === undefined ? limits : undefined))
    )
      break;
    const answer = await sent(scope, instance, kind.sent);
    const finding = isAnswered(answer) && isSuccess(answer) ? right(kind, answer) : await repeated(scope, instance, kind, limits, answer);
    findings.push(finding);
    isLimited = finding.differences.length > 0 ? null : kind.sent !== undefined;
  }
  const isWrong = findings.some(({ differences }) => differences.length > 0);
  if (!isWrong && findings.length < kinds.length)
    throw precondition(
      "for at least one kind of update, no instance could be brought into the state that the update needs (see admin-4.2 and admin-4.3)",
    );
  if (!isWrong) {
    const last = await unchanged(scope, borrowed);
    return together(last === null ? findings : [...findings, last]);
  }
  // After a kind of update has failed, the instance lacks the state that the next kinds need.
  const broken = new Set(findings.flatMap(({ differences }) => differences.map(({ clause }) => clause)));
  const held = findings.flatMap(({ clauses }) => clauses).filter((clause) => !broken.has(clause));
  return { ...together(findings), clauses: kinds.map(({ clause }) => clause), held };
}

/** Whether a borrowed instance has limits. If unknown, updates set a known state. Resolves to null if these updates fail. */
async function stateOf(scope: Scope, borrowed: PoolInstance, limits: Limits): Promise<boolean | null> {
  if (borrowed.bare) return false;
  if (await broughtTo(scope, borrowed.instance, limits, undefined)) return true;
  return (await broughtTo(scope, borrowed.instance, undefined, limits)) ? false : null;
}

/** Adds or removes limits in several rounds, directly or after another update. Resolves to true if an update succeeded. */
async function broughtTo(scope: Scope, instance: Instance, limits: Limits | undefined, other: Limits | undefined): Promise<boolean> {
  for (let round = 0; round < LEAST_ROUNDS; round += 1) {
    if (round > 0) await rest(scope, round);
    for (const steps of [[limits], [other, limits]]) {
      const answers: boolean[] = [];
      for (const step of steps) answers.push(await isTaken(scope, instance, step));
      if (answers.at(-1) === true) return true;
    }
  }
  return false;
}

/** Whether an update succeeds. After a failed precondition or a rate limit, the update is sent again. */
async function isTaken(scope: Scope, instance: Instance, limits: Limits | undefined): Promise<boolean> {
  const answer = await sent(scope, instance, limits);
  if (!isAnswered(answer) || statusOf(answer) >= 500) return false;
  return isSuccess(answer) || isSuccess(await update(scope, instance, newName(scope), limits));
}

/** The response to an update without changes must be the instance object. Resolves to null on a refusal, which the documents allow. */
async function unchanged(scope: Scope, { instance }: PoolInstance): Promise<Finding | null> {
  const same = newName(scope);
  await update(scope, instance, same);
  const answer = await update(scope, instance, same);
  if ([400, 409, 422].includes(statusOf(answer))) return null;
  const { differences } = bodyOf(answer, "admin-4.PUT");
  const input = { "the update is sent": "twice, with the same display name" };
  return { clauses: ["admin-4.PUT"], differences, exchanges: [answer], input };
}

async function sent(scope: Scope, instance: Instance, limits: Limits | undefined): Promise<Exchange> {
  return updateOnce(scope, instance, newName(scope), limits);
}

function right({ clause, what }: Kind, answer: Answered): Finding {
  if (bodyOf(answer, clause).body === null)
    throw precondition(`the response to an update ${what} is not the instance object (see admin-4.PUT and admin-4.json)`);
  return { clauses: [clause], differences: [], exchanges: [answer] };
}

/**
 * Repeats a failed update. Before each attempt, other updates bring the instance to the needed state. If this kind of update always gets
 * 5xx and the other updates succeed, the service refuses this kind. Throws `Inconclusive` in all other cases.
 */
async function repeated(scope: Scope, instance: Instance, kind: Kind, limits: Limits, first: Exchange): Promise<Finding> {
  const ends = performance.now() + scope.settings.settleTimeoutMs;
  const { clause, what, before } = kind;
  let refused = first;
  /** The number of rounds in which the update of another kind succeeded. */
  let shown = 0;
  for (let round = 0; ; round += 1) {
    if (isAnswered(refused) && statusOf(refused) < 500) {
      // A failed precondition or a rate limit may be temporary, so the update is repeated. If it lasts, it is still no server error.
      await rest(scope, round);
      const answer = await sent(scope, instance, kind.sent);
      if (isAnswered(answer) && isSuccess(answer)) return right(kind, answer);
      if (isAnswered(answer) && statusOf(answer) < 500 && round >= LEAST_ROUNDS)
        throw precondition(`an update ${what} is refused (see ${clause})`);
      refused = answer;
      continue;
    }
    if (!isAnswered(refused)) throw new Inconclusive(`an update ${what} got no response: ${outcomeOf(refused)}`);
    await rest(scope, round);
    // The number of other updates varies from one to three, because a service that fails each n-th request must not always fail this kind
    // of update.
    for (let times = 0; times <= round % 3; times += 1) await sent(scope, instance, before === undefined ? limits : undefined);
    const beside = await sent(scope, instance, before);
    if (isSuccess(beside)) shown += 1;
    if (round >= LEAST_ROUNDS && performance.now() > ends) {
      if (shown <= LEAST_ROUNDS)
        throw new Inconclusive(`an update ${what} was answered ${outcomeOf(refused)}, and so was an update of another kind`);
      const expected = `success (2xx) for an update ${what}, as for other kinds of updates`;
      const actual = `${outcomeOf(refused)}, ${round + 1} times; in ${shown} of these attempts, an update of another kind succeeded`;
      return { clauses: [clause], differences: [{ clause, path: "status", expected, actual }], exchanges: [refused, beside] };
    }
    const answer = await sent(scope, instance, kind.sent);
    if (isAnswered(answer) && isSuccess(answer)) return right(kind, answer);
    refused = answer;
  }
}

/** Display names with letters of several Unicode planes and a slash. A refused name is replaced by the next, plainer name. */
const TEXTS: readonly ((unique: number) => string)[] = [
  (unique) => `Übung/指標 "\u{1f600}" ${unique}`,
  (unique) => `Plumbline/Jot ${unique}`,
  (unique) => `Plumbline ${unique}`,
];

interface Sending {
  readonly instance: Instance;
  readonly limits: Limits;
  readonly isRowBroken: (name: LimitName) => boolean;
}

interface Form {
  readonly what: string;
  readonly send: (scope: Scope, sending: Sending, displayName: string) => Promise<Answered | null>;
  readonly mayBeRefused?: true;
}

function writtenAs(written: Writing): Form["send"] {
  return async (scope, { instance, limits }, displayName) => update(scope, instance, displayName, limits, written);
}

/** Resolves to null on 5xx or no response, because a service may refuse bodies of unknown length (RFC 9110, 15.5.12). */
const inChunks: Form["send"] = async (scope, { instance, limits }, displayName) => {
  const answer = await updateOnce(scope, instance, displayName, limits, IN_CHUNKS);
  instance.lastName = displayName;
  return isAnswered(answer) && statusOf(answer) < 500 ? answer : null;
};

const USUAL: Form = { what: "no whitespace and no needless escapes", send: writtenAs(JSON.stringify) };
const FORMS: readonly Form[] = [
  ...WRITINGS.map(({ written, ...named }): Form => ({ ...named, send: writtenAs(written) })),
  { what: "the usual JSON, sent in three chunks", send: inChunks, mayBeRefused: true },
];

/** `refused` means that the target did not accept the update. */
type Sent = Finding & { readonly refused?: true };

async function judgedForm(scope: Scope, sending: Sending, displayName: string, { send }: Form): Promise<Sent> {
  const { instance, limits, isRowBroken } = sending;
  const clause: ClauseId = "admin-4.json";
  const answer = await send(scope, sending, displayName);
  if (answer === null) return { clauses: [clause], differences: [], exchanges: [], refused: true };
  if (!isSuccess(answer)) {
    const differences = [refusal(clause, "success (2xx), as for the same payload in the usual JSON form", answer)];
    return { clauses: [clause], differences, exchanges: [answer], refused: true };
  }
  const expect = (body: JsonObject): Difference[] => [
    ...fieldDifference(body, "display_name", displayName, clause),
    ...limitsJudgedBy(body, clause, (shown) => sentDifferences(limits, shown, clause, isRowBroken)),
  ];
  return shownBy(instance, clause, expect, { after: [answer] })(scope);
}

export const updatesInOtherForms: Assertion = onPoolInstance(
  [acceptedLimits, fewLimits, brokenFields, keptLimits],
  async (scope, borrowed) => {
    await requireDisplayName(scope, "the instance does not keep a display name in the usual JSON form");
    const { together: accepted } = await scope.use(acceptedLimits);
    const { brokenRows } = await scope.use(keptLimits);
    const usable = Object.entries(accepted).filter(([name]) => !brokenRows.has(name as LimitName));
    // Numbers with several digits are added, because some forms write numbers with exponents.
    const large = usable.filter(([, value]) => typeof value === "number" && value >= 10);
    const wanted: Limits = Object.fromEntries([...usable.slice(0, 3), ...large.slice(0, 2)]);
    const isTaken = isSuccess(await update(scope, borrowed.instance, newName(scope), wanted));
    const limits = isTaken ? wanted : await scope.use(fewLimits);
    const sending: Sending = { instance: borrowed.instance, limits, isRowBroken: (name) => brokenRows.has(name) };
    for (const text of TEXTS) {
      const usual = await judgedForm(scope, sending, text(scope.unique()), USUAL);
      if (usual.differences.length > 0) continue;
      const findings: Finding[] = [];
      for (const form of FORMS) {
        const finding = await judgedForm(scope, sending, text(scope.unique()), form);
        if (form.mayBeRefused === true && finding.refused === true) continue;
        // The form is the cause only if the usual form succeeds and this form fails again.
        if (finding.differences.length > 0) {
          const control = await judgedForm(scope, sending, text(scope.unique()), USUAL);
          const second = await judgedForm(scope, sending, text(scope.unique()), form);
          if (control.differences.length > 0 || second.differences.length === 0)
            throw precondition("an update with limits does not always take effect, even in the usual JSON form (see admin-4.PUT)");
        }
        findings.push({ ...finding, input: { "the body is written with": form.what } });
      }
      return together(findings);
    }
    throw precondition("the same update in the usual JSON form has no effect (see admin-4.PUT)");
  },
);
