/** The instances that checks share. Each is created once per run, and its name shows the run. */
import { type Answered, isAnswered, isSuccess, statusOf } from "../client/exchange.ts";
import { Inconclusive } from "../client/inconclusive.ts";
import { outcomeOf, outcomesText } from "../client/transport.ts";
import type { UpdatePayload } from "../client/admin.ts";
import type { LimitName, Limits } from "../contract/limits.ts";
import { type Fixture, fixture, type Scope } from "../harness/scope.ts";
import type { Resource } from "../harness/settle.ts";
import { member } from "../model/json.ts";
import { sameAsRead } from "../model/limits.ts";

export interface Instance extends Resource {
  readonly displayName: string;
  readonly cluster: string;
  /** What the create sent; null: no limits. */
  readonly sent: Limits | null;
  /** The answered create; not a success when the server refused it. */
  readonly created: Answered;
  /** The display name that the last update sent. */
  lastName?: string;
}

/** The one status the document shows. */
export const STATUS = "active";

/** How a payload is written as JSON. */
export type Writing = (payload: UpdatePayload) => string;

const MOST_CREATES = 5;

/** Names of up to so many characters are taken everywhere. */
export const LONGEST_NAME = 40;

/** So many characters of the run's id tell runs apart where names must be short. */
export const SHORT_ID = 7;

/**
 * How names are built from the run's id and a suffix, the usual way first: which letters and lengths a service takes is not shown. The
 * others are tried in turn where a plain create is refused, and the one that was taken serves for all names after it.
 */
const NAMINGS: readonly ((runId: string, suffix: string) => string)[] = [
  (runId, suffix) => `plb-${runId}-${suffix}`,
  (runId, suffix) => `plb${runId}x${suffix.replaceAll("-", "x")}`,
  (runId, suffix) => `plb_${runId}_${suffix.replaceAll("-", "_")}`,
  (runId, suffix) => `p${runId.slice(-SHORT_ID)}x${shortened(suffix)}`,
  (runId, suffix) => `plb-${runId}-${suffix}`.slice(0, LONGEST_NAME).replace(/\d$/, (digit) => "abcdefghij"[Number(digit)] ?? digit),
  (runId, suffix) => `PLB${runId}X${suffix.replaceAll("-", "X")}`.toUpperCase(),
];

/** A suffix of at most eight characters; one that is longer is told from others by a number made of it. */
function shortened(suffix: string): string {
  const plain = suffix.replaceAll("-", "x");
  if (plain.length <= 8) return plain;
  const number = [...suffix].reduce((sum, character) => (Math.imul(sum, 31) + character.charCodeAt(0)) >>> 0, 7);
  return `${plain.slice(0, 2)}${number.toString(36).slice(-6)}`;
}

/** The name of the instance that a create with this suffix is first tried under. */
export function nameOf(scope: Scope, suffix: string, way = scope.run.naming.way): string {
  return (NAMINGS[way] ?? NAMINGS[0] ?? String)(scope.run.runId, suffix).slice(0, LONGEST_NAME);
}

/**
 * Creates an instance named after the run and `suffix`. A create whose outcome is unknown is not repeated: another name is drawn.
 * Throws `Inconclusive` when no create was answered.
 */
export async function createInstance(
  scope: Scope,
  suffix: string,
  sent: Limits | null,
  {
    displayName = `plumbline Instance ${suffix}`,
    written = JSON.stringify,
    wanted,
    tries = MOST_CREATES,
  }: { readonly displayName?: string; readonly written?: Writing; readonly wanted?: string; readonly tries?: number } = {},
): Promise<Instance> {
  const { cluster } = scope.adminTarget;
  const outcomes: string[] = [];
  let refused: Instance | null = null;
  let { way } = scope.run.naming;
  for (let attempt = 0; attempt < tries; attempt += 1) {
    if (attempt > 0) await scope.run.pause(scope.run.transport("admin").pauseAfter(attempt));
    const mark = attempt === 0 ? "" : `-r${attempt}`;
    // The mark stands near the beginning, where cutting a long name cannot reach it.
    const marked = `${suffix.slice(0, 1)}${mark}${mark === "" || suffix.length === 1 ? "" : "-"}${suffix.slice(1)}`;
    const name = wanted === undefined ? nameOf(scope, marked, way) : `${wanted.slice(0, LONGEST_NAME - mark.length)}${mark}`;
    const payload = { name, display_name: displayName, status: STATUS, cluster, ...(sent === null ? {} : { limits: sent }) };
    const exchange = await scope.admin.create(payload, written(payload));
    if (isAnswered(exchange) && statusOf(exchange) !== 429 && statusOf(exchange) < 500) {
      const isOtherWay =
        sent === null && wanted === undefined && isNameInDoubt(exchange) && way < NAMINGS.length - 1 && scope.run.naming.left > 0;
      if (isOtherWay) {
        refused ??= { name, displayName, cluster, sent, created: exchange, lastWriteAt: exchange.endedAt };
        way += 1;
        scope.run.naming.left -= 1;
        attempt -= 1;
        continue;
      }
      // Where no way of naming was taken, the name is not what is refused.
      if (refused !== null && !isSuccess(exchange)) return refused;
      if (refused !== null) scope.run.naming.way = way;
      return { name, displayName, cluster, sent, created: exchange, lastWriteAt: exchange.endedAt };
    }
    outcomes.push(outcomeOf(exchange));
  }
  throw new Inconclusive(`create instance was not answered: ${outcomesText(outcomes)}`);
}

/** The instance, when its create was answered with success; else the checks that need it cannot judge. */
export function created(instance: Instance): Instance {
  if (isSuccess(instance.created)) return instance;
  throw new Inconclusive(
    `precondition not met: creating an instance ${instance.sent === null ? "without limits" : `with ${Object.keys(instance.sent).length} limits`} was answered ${statusOf(instance.created)} (see admin-4.POST and admin-4.1)`,
  );
}

/** Created without limits, never updated. */
export const bare: Fixture<Instance> = fixture("admin", "an instance without limits", (scope) => createInstance(scope, "a", null));

/** Whether a create was refused in a way that may be about its name, and not about the address or the credentials. */
function isNameInDoubt(exchange: Answered): boolean {
  return !isSuccess(exchange) && ![401, 403, 404, 405].includes(statusOf(exchange));
}

/** The document's own example sends these two limits, the ones without a documented default. */
export const SAMPLE: Limits = { max_series_per_query: 123_457, max_series_per_user: 765_433 };

/** Sent in turn where a target refuses the values before: which values it takes is not stated. */
const SMALLER_SAMPLES: readonly Limits[] = [
  { max_series_per_query: 12_000, max_series_per_user: 76_000 },
  { max_series_per_query: 17, max_series_per_user: 79 },
];

/** Created with the limits of the document's example; its create is a refused one only where every choice of values is refused. Never updated. */
export const sampled: Fixture<Instance> = fixture("admin", "an instance with two limits", async (scope) => {
  const first = await createInstance(scope, "s", SAMPLE);
  let latest = first;
  for (const [index, smaller] of SMALLER_SAMPLES.entries()) {
    if (isSuccess(latest.created)) break;
    latest = await createInstance(scope, `s${index + 2}`, smaller);
  }
  return isSuccess(latest.created) ? latest : first;
});

/** The body of an update. */
export function payloadOf(instance: Instance, displayName: string, limits?: Limits): UpdatePayload {
  return { display_name: displayName, status: STATUS, cluster: instance.cluster, ...(limits === undefined ? {} : { limits }) };
}

/** A display name that no other update of this run sends; the word in it says nothing of whether the update has limits. */
export function newName(scope: Scope): string {
  return `plumbline limits ${scope.unique()}`;
}

/**
 * Updates an instance and notes the time of the write. Name and presence of limits tell a read whether it was applied; under the name
 * that the instance has already the limits do.
 */
export async function update(
  scope: Scope,
  instance: Instance,
  displayName: string,
  limits?: Limits,
  written: Writing = JSON.stringify,
): Promise<Answered> {
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
