/** Rejected writes must not change the instance, neither immediately nor after settling, and must not block later updates. */
import { type Answered, statusOf } from "../client/exchange.ts";
import { precondition } from "../client/inconclusive.ts";
import type { ClauseId } from "../contract/catalogue.ts";
import type { LimitName, Limits } from "../contract/limits.ts";
import { type Finding, together } from "../harness/finding.ts";
import type { Assertion, Scope } from "../harness/scope.ts";
import { type Difference, difference, show } from "../model/difference.ts";
import { type JsonObject, member } from "../model/json.ts";
import { sameAsRead } from "../model/limits.ts";
import { change } from "./changes.ts";
import { fewLimits, fewOthers } from "./filled-limits.ts";
import { type Instance, newName, payloadOf, update } from "./instances.ts";
import { type PoolInstance, withInstance } from "./instance-pool.ts";
import { bodyOf, readSettled, requireSuccess, shownBy } from "./reading.ts";
import { ADDING_NEEDS, writtenOver } from "./single-updates.ts";
import { changes } from "./unchanged-instances.ts";
import { hasLimits, judged, settledWithLimits } from "./concurrent-updates.ts";

const REFUSED_NAME = "Plumbline refused";

/** These statuses show that the service has read and refused a write. Other statuses may have another reason. */
const REFUSAL: ReadonlySet<number> = new Set([400, 409, 412, 422]);

interface WrongWrite {
  readonly what: string;
  /** Sends the write with a unique display name. */
  readonly send: (scope: Scope, instance: Instance, displayName: string) => Promise<Answered>;
}

/** Returns an update that would remove or change the limits of the instance if it took effect. */
function wrongUpdate(what: string, body: (right: object) => object, headers?: Readonly<Record<string, string>>): WrongWrite {
  return {
    what: `an update ${what}`,
    send: async ({ admin }, instance, displayName) => {
      const condition = headers ?? (await admin.condition(instance.name));
      const sent = body(payloadOf(instance, displayName));
      return admin.probe(`update instance (${what})`, "PUT", instance.name, sent, { kind: "configured" }, condition);
    },
  };
}

const WRONG_UPDATES: readonly WrongWrite[] = [
  wrongUpdate("without display_name", (right) => ({ ...right, display_name: undefined })),
  wrongUpdate("with a limit of a wrong type", (right) => ({ ...right, limits: { max_series_per_user: 31, ingestion_rate: "many" } })),
];

/** More services accept this update than the others. It is sent separately, so that the others can be judged even if it is accepted. */
const ODD_STATUS = wrongUpdate("with an unknown status", (right) => ({ ...right, status: "plumbline" }));

/** A valid update with an ETag that the instance never had. A service with ETags may refuse it. */
const LATE_UPDATE = wrongUpdate("with an old ETag", (right) => right, { "if-match": '"plumbline"' });

const CREATES_AGAIN = ([["without limits"], ["with limits", { max_series_per_user: 31 }]] as const).map(([what, limits]): WrongWrite => ({
  what: `a create under the same name, ${what}`,
  send: async ({ admin }, instance, displayName) =>
    admin.probe(`create instance again (${what})`, "POST", "", { name: instance.name, ...payloadOf(instance, displayName, limits) }),
}));

/** Adds limits to the instance if it has no limits. Resolves to the settled instance object. */
async function limited(scope: Scope, borrowed: PoolInstance): Promise<JsonObject> {
  const { instance } = borrowed;
  // Only a read shows whether the service carried out an update that it answered 5xx.
  const shown = borrowed.bare ? null : bodyOf(await scope.admin.read(instance.name), "admin-4.GET").body;
  // Most borrowed instances have limits from an earlier check, and these limits have settled.
  if (borrowed.bare || (shown !== null && !hasLimits(shown))) {
    requireSuccess(await update(scope, instance, newName(scope), await scope.use(fewLimits)), "an update with limits", "admin-4.PUT");
  }
  const before = await settledWithLimits(scope, instance, "admin-4.3");
  // A second read confirms the first, so that a single wrong read does not count as the state before the refused write.
  if (!isSame(before, await scope.admin.read(instance.name)))
    throw precondition("two reads of an instance differ, without a write between them (see admin-4.GET)");
  return before;
}

/** Returns the changes of an instance, except those of created_at, which a separate check judges. */
function changesIn(before: JsonObject, body: JsonObject): Difference[] {
  return changes(before, body).filter(({ path }) => path !== "created_at");
}

function isSame(before: JsonObject, read: Answered): boolean {
  const { body } = bodyOf(read, "admin-4.GET");
  return body !== null && changesIn(before, body).length === 0;
}

/** Returns a function that judges a read directly after a refused write. There was no other write in between. */
function shownOfRefused(clause: ClauseId, refusedName: string, before: JsonObject): (body: JsonObject) => Difference[] {
  const name = difference(clause, "display_name", `${show(before["display_name"])}, as in an earlier read`, show(refusedName));
  const had = "the limits that the instance had: only a modification removes limits (section 1 rule 3), and the request was refused";
  return (body) => [
    ...(body["display_name"] === refusedName ? [name] : []),
    ...(hasLimits(body) ? [] : [{ clause, path: "limits", expected: had, actual: show(body["limits"]) }]),
  ];
}

/** Throws `Inconclusive` if an instance with limits changes within `ms` without a write. */
async function requireStaying(scope: Scope, borrowed: PoolInstance, ms: number): Promise<void> {
  const before = await limited(scope, borrowed);
  await scope.run.pause(ms);
  if (!isSame(before, await readSettled(scope, borrowed.instance)))
    throw precondition("an instance changes even without a refused request (see admin-4.GET)");
}

/**
 * Sends wrong writes, and judges the read after each and the read after settling. Resolves to null if no write is refused. If a wrong write
 * is accepted, its effect is undocumented. So the other writes are sent again without it.
 */
async function withoutEffect(
  scope: Scope,
  clause: ClauseId,
  borrowed: PoolInstance,
  wrong: readonly WrongWrite[],
): Promise<Finding | null> {
  const { instance } = borrowed;
  const before = await limited(scope, borrowed);
  const begun = performance.now();
  const refused: Answered[] = [];
  const atOnce: Finding[] = [];
  for (const { what, send } of wrong) {
    const name = `${REFUSED_NAME} ${scope.unique()}`;
    const answer = await send(scope, instance, name);
    instance.lastWriteAt = answer.endedAt;
    if (!REFUSAL.has(statusOf(answer))) {
      await scope.admin.read(instance.name);
      await update(scope, instance, newName(scope));
      const others = wrong.filter((one) => one.what !== what);
      return others.length === 0 ? null : withoutEffect(scope, clause, borrowed, others);
    }
    const input = { "a request that was refused": what };
    const read = judged(clause, await scope.admin.read(instance.name), shownOfRefused(clause, name, before), input);
    refused.push(answer);
    atOnce.push({ ...read, exchanges: [...read.exchanges, answer] });
    if (read.differences.length > 0) return together(atOnce);
  }
  const input = { "requests that were refused": wrong.map(({ what }) => what) };
  const expect = (body: JsonObject): Difference[] => changesIn(before, body).map((one) => ({ ...one, clause }));
  const later = await shownBy(instance, clause, expect, { when: "settled", input, after: refused })(scope);
  if (later.differences.length > 0) await requireStaying(scope, borrowed, performance.now() - begun);
  const next = later.differences.length === 0 && clause === "admin-4.PUT" ? [await nextUpdate(scope, borrowed, before)] : [];
  return together([later, ...atOnce, ...next]);
}

/** An accepted update after the refused writes must take effect. A refusal is legal, because this is an update over limits. */
async function nextUpdate(scope: Scope, borrowed: PoolInstance, before: JsonObject): Promise<Finding> {
  const [others, few] = [await scope.use(fewOthers), await scope.use(fewLimits)];
  const isNew = (limits: Limits): boolean =>
    Object.entries(limits).some(([name, value]) => !sameAsRead(name as LimitName, value, member(before["limits"], name)));
  const limits = others !== null && isNew(others) ? others : few;
  const state = { displayName: newName(scope), limits: await writtenOver(scope, limits, "admin-4.PUT") };
  return change(scope, borrowed, { state, limits, clause: "admin-4.PUT", isRefusalOpen: true });
}

/** Judges several groups of wrong writes, each on its own instance. Resolves to null if none of the writes is refused. */
async function allWithoutEffect(scope: Scope, clause: ClauseId, groups: readonly (readonly WrongWrite[])[]): Promise<Assertion | null> {
  // Building these fixtures borrows an instance, so they are built first.
  for (const need of clause === "admin-4.PUT" ? [...ADDING_NEEDS, fewLimits, fewOthers] : [fewLimits]) await scope.use(need);
  const found = await Promise.all(
    groups.map(async (wrong) => withInstance(scope, async (borrowed) => withoutEffect(scope, clause, borrowed, wrong))),
  );
  const findings = found.filter((one) => one !== null);
  return findings.length === 0 ? null : async () => together(findings);
}

/** Resolves to an assertion that refused updates change nothing, or to null if no update is refused. */
export async function refusedUpdates(scope: Scope): Promise<Assertion | null> {
  // A read of any instance shows whether this service has ETags.
  const hasEtag = await withInstance(scope, async ({ instance }) => "if-match" in (await scope.admin.condition(instance.name)));
  return allWithoutEffect(scope, "admin-4.PUT", [[...WRONG_UPDATES, ...(hasEtag ? [LATE_UPDATE] : [])], [ODD_STATUS]]);
}

/** Resolves to an assertion that a refused create with an existing name changes nothing, or to null if it is not refused. */
export async function refusedCreate(scope: Scope): Promise<Assertion | null> {
  return allWithoutEffect(scope, "admin-4.GET", [CREATES_AGAIN]);
}
