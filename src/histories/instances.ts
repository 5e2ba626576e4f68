/** The instances that checks share. Each instance is created once per run, and its name contains the run id. */
import { type Answered, type Exchange, isAnswered, isPassing, isSuccess, statusOf } from "../client/exchange.ts";
import { Inconclusive, Masked, precondition } from "../client/inconclusive.ts";
import { outcomeOf, outcomesText } from "../client/request-outcome.ts";
import type { UpdatePayload } from "../client/admin.ts";
import type { LimitName, Limits } from "../contract/limits.ts";
import { fixture, type Scope } from "../harness/scope.ts";
import type { Resource } from "../harness/settle.ts";
import { member } from "../model/json.ts";
import { sameAsRead } from "../model/limits.ts";

export interface Instance extends Resource {
  readonly displayName: string;
  readonly cluster: string;
  /** The limits that the create sent, or null if the create sent no limits. */
  readonly sent: Limits | null;
  /** The response to the create. The service may have refused the create. */
  readonly created: Answered;
  /** The display name that the last update of the instance sent. */
  lastName?: string;
}

/** The only status in the document. */
export const STATUS = "active";

export type Writing = (payload: UpdatePayload) => string;

const MOST_CREATES = 5;

/** The maximum length of a name that all targets accept. */
export const LONGEST_NAME = 40;

/** The number of characters of the run id that distinguish runs in short names. */
export const SHORT_ID = 7;

/**
 * Ways to build a name. The usual way is first. There are several, because the documents do not define valid names. If a create is refused,
 * the run tries the other ways. From then on, the run uses the first way that the target accepts.
 */
const NAMINGS: readonly ((runId: string, suffix: string) => string)[] = [
  (runId, suffix) => `plb-${runId}-${suffix}`,
  (runId, suffix) => `plb${runId}x${suffix.replaceAll("-", "x")}`,
  (runId, suffix) => `plb_${runId}_${suffix.replaceAll("-", "_")}`,
  (runId, suffix) => `p${runId.slice(-SHORT_ID)}x${shortened(suffix)}`,
  (runId, suffix) => `plb-${runId}-${suffix}`.slice(0, LONGEST_NAME).replace(/\d$/, (digit) => "abcdefghij"[Number(digit)] ?? digit),
  (runId, suffix) => `PLB${runId}X${suffix.replaceAll("-", "X")}`.toUpperCase(),
];

/** Returns a suffix of at most eight characters. A longer suffix is replaced by its hash. */
function shortened(suffix: string): string {
  const plain = suffix.replaceAll("-", "x");
  if (plain.length <= 8) return plain;
  const number = [...suffix].reduce((sum, character) => (Math.imul(sum, 31) + character.charCodeAt(0)) >>> 0, 7);
  return `${plain.slice(0, 2)}${number.toString(36).slice(-6)}`;
}

/** Returns the name that a create with this suffix tries first. */
export function nameOf(scope: Scope, suffix: string, way = scope.run.naming.way): string {
  return (NAMINGS[way] ?? NAMINGS[0] ?? String)(scope.run.runId, suffix).slice(0, LONGEST_NAME);
}

/** Creates an instance. After an attempt without a response, the name changes. Throws `Inconclusive` if no attempt gets a response. */
export async function createInstance(
  scope: Scope,
  suffix: string,
  sent: Limits | null,
  {
    // Some services accept only letters, digits and spaces.
    displayName = `plumbline Instance ${suffix.replaceAll(/[^a-z0-9]+/gi, " ")}`.trim(),
    written = JSON.stringify,
    wanted,
    tries = MOST_CREATES,
  }: { readonly displayName?: string; readonly written?: Writing; readonly wanted?: string; readonly tries?: number } = {},
): Promise<Instance> {
  const { cluster } = scope.adminTarget;
  const { room } = scope.run;
  if (room.full !== null) throw room.full;
  requireLimits(sent);
  const outcomes: string[] = [];
  let refused: Instance | null = null;
  let { way } = scope.run.naming;
  for (let attempt = 0; attempt < tries; attempt += 1) {
    if (attempt > 0) await scope.run.pause(scope.run.transport("admin").pauseAfter(attempt));
    const mark = attempt === 0 ? "" : `-r${attempt}`;
    // The mark of a repeated create is near the start of the name. A service that truncates long names then keeps the mark.
    const marked = `${suffix.slice(0, 1)}${mark}${mark === "" || suffix.length === 1 ? "" : "-"}${suffix.slice(1)}`;
    const name = wanted === undefined ? nameOf(scope, marked, way) : `${wanted.slice(0, LONGEST_NAME - mark.length)}${mark}`;
    const payload = { name, display_name: displayName, status: STATUS, cluster, ...(sent === null ? {} : { limits: sent }) };
    const exchange = await scope.admin.create(payload, written(payload));
    if (isAnswered(exchange) && isFinal(exchange)) {
      const instance = { name, displayName, cluster, sent, created: exchange, lastWriteAt: exchange.endedAt };
      const isOtherWay =
        sent === null && wanted === undefined && isNameInDoubt(exchange) && way < NAMINGS.length - 1 && scope.run.naming.left > 0;
      if (isOtherWay) {
        refused ??= instance;
        way += 1;
        scope.run.naming.left -= 1;
        attempt -= 1;
        continue;
      }
      if (isSuccess(exchange)) room.isPlainAccepted ||= sent === null;
      else await requireRoom(scope, exchange);
      // If each way to build a name was refused, the name is not the reason for the refusal.
      if (refused !== null && !isSuccess(exchange)) return refused;
      if (refused !== null) scope.run.naming.way = way;
      return instance;
    }
    outcomes.push(outcomeOf(exchange));
  }
  throw new Inconclusive(`create instance was not answered: ${outcomesText(outcomes)}`);
}

/** The status 507. A service may answer it if its quota of instances is used up. A repeated create would get it again. */
const INSUFFICIENT_STORAGE = 507;

/** Whether a repeat of the create would probably get the same response. */
function isFinal(answer: Answered): boolean {
  const status = statusOf(answer);
  return !isPassing(status) || status === INSUFFICIENT_STORAGE;
}

/** The maximum number of control creates in one run. A control create shows whether the target still accepts instances. */
const MOST_CONTROLS = 4;

/**
 * Creates an instance without limits after each new kind of refusal. Throws `Masked` if the target refuses this create too,
 * although it accepted such creates before. The document does not say how many instances a service must accept.
 */
async function requireRoom(scope: Scope, refusal: Answered): Promise<void> {
  const { room } = scope.run;
  const way = `${statusOf(refusal)} ${refusal.response.body.replaceAll(/[^a-z ]/gi, "")}`;
  if (!room.isPlainAccepted || scope.run.instances().left === 0 || (room.controls.size === MOST_CONTROLS && !room.controls.has(way)))
    return;
  const control = room.controls.get(way) ?? createdPlainly(scope);
  room.controls.set(way, control);
  const exchange = await control;
  if (!isAnswered(exchange) || isSuccess(exchange) || !isFinal(exchange)) return;
  room.full ??= new Masked("admin-4.POST", "each further instance, for example because of a quota", exchange);
  throw room.full;
}

async function createdPlainly(scope: Scope): Promise<Exchange> {
  // The name is as short as those of accepted creates, because a service may refuse longer names.
  const suffix = `r${scope.unique()}`;
  const { cluster } = scope.adminTarget;
  return scope.admin.create({ name: nameOf(scope, suffix), display_name: `plumbline Instance ${suffix}`, status: STATUS, cluster });
}

export class CreateRefused extends Inconclusive {
  override readonly name = "CreateRefused";
}

/** Returns the instance if its create succeeded. Throws `CreateRefused` otherwise, because checks cannot judge without the instance. */
export function created(instance: Instance): Instance {
  if (isSuccess(instance.created)) return instance;
  throw new CreateRefused(
    `precondition not met: creating an instance ${instance.sent === null ? "without limits" : `with ${Object.keys(instance.sent).length} limits`} was answered ${statusOf(instance.created)} (see admin-4.POST and admin-4.1)`,
  );
}

/** An instance that was created without limits and is never updated. */
export const bare = fixture<Instance>("admin", "an instance without limits", (scope) => createInstance(scope, "a", null));

/** Whether a create may have been refused because of its name, and not because of the address or the credentials. */
function isNameInDoubt(exchange: Answered): boolean {
  return !isSuccess(exchange) && ![401, 403, 404, 405].includes(statusOf(exchange));
}

/** The two limits in the example of the document. These two limits have no documented default. */
export const SAMPLE: Limits = { max_series_per_query: 123_457, max_series_per_user: 765_433 };

/** Pairs of values. If the target refuses a pair, the next pair is tried. The documents do not say which values a target accepts. */
const SMALLER_SAMPLES: readonly Limits[] = [
  { max_series_per_query: 12_000, max_series_per_user: 76_000 },
  { max_series_per_query: 17, max_series_per_user: 79 },
];

/** An instance with the limits of the document's example. Its create counts as refused only if the target refuses all values. */
export const sampled = fixture<Instance>("admin", "an instance with two limits", async (scope) => {
  const first = await createInstance(scope, "s", SAMPLE);
  let latest = first;
  for (const [index, smaller] of SMALLER_SAMPLES.entries()) {
    if (isSuccess(latest.created)) break;
    latest = await createInstance(scope, `s${index + 2}`, smaller);
  }
  return isSuccess(latest.created) ? latest : first;
});

export function payloadOf(instance: Instance, displayName: string, limits?: Limits): UpdatePayload {
  return { display_name: displayName, status: STATUS, cluster: instance.cluster, ...(limits === undefined ? {} : { limits }) };
}

/** Returns a display name that no other update of this run sends. Updates with and without limits get names of the same form. */
export function newName(scope: Scope): string {
  return `plumbline limits ${scope.unique()}`;
}

/** Throws `Inconclusive` if `limits` is empty, because the target then refuses all limits that the check could send. */
function requireLimits(limits: Limits | null | undefined): void {
  if (limits !== null && limits !== undefined && Object.keys(limits).length === 0)
    throw precondition("the target refuses all limits that this check could send (see admin-4.3)");
}

/**
 * Updates an instance, and records the time of the write. A read shows this update if it has the new display name, and has limits or not as
 * sent. If the name is not new, limits are compared.
 */
export async function update(
  scope: Scope,
  instance: Instance,
  displayName: string,
  limits?: Limits,
  written: Writing = JSON.stringify,
): Promise<Answered> {
  requireLimits(limits);
  const payload = payloadOf(instance, displayName, limits);
  const isNewName = instance.lastName !== displayName;
  instance.lastName = displayName;
  const exchange = await scope.admin.update(
    instance.name,
    payload,
    (read) => {
      const shown = member(read, "limits");
      if (member(read, "display_name") !== displayName || (shown !== undefined) !== (limits !== undefined)) return false;
      return isNewName || Object.entries(limits ?? {}).every(([name, value]) => sameAsRead(name as LimitName, value, member(shown, name)));
    },
    written(payload),
  );
  instance.lastWriteAt = exchange.endedAt;
  return exchange;
}

/** Sends an update without retries, and records the time of the write. */
export async function updateOnce(
  scope: Scope,
  instance: Instance,
  displayName: string,
  limits?: Limits,
  headers?: Readonly<Record<string, string>>,
): Promise<Exchange> {
  const exchange = await scope.admin.updateOnce(instance.name, payloadOf(instance, displayName, limits), headers);
  instance.lastWriteAt = exchange.endedAt;
  return exchange;
}

/** The number of 5xx responses after which a failure is no temporary problem. */
export const LEAST_ROUNDS = 5;

/** Waits between two rounds of requests, longer after each of the first rounds. */
export async function rest(scope: Scope, round: number): Promise<void> {
  await scope.run.pause(scope.run.transport("admin").pauseAfter(Math.min(round, 3)));
}
