/** What reads of an instance with limits show while others write it, or are refused to: never what it never was. */
import type { Answered } from "../../client/exchange.ts";
import { isSuccess, statusOf } from "../../client/exchange.ts";
import { Inconclusive } from "../../client/inconclusive.ts";
import type { ClauseId } from "../../contract/catalogue.ts";
import { expecting } from "../../harness/expect.ts";
import { type Finding, together, type Trial } from "../../harness/finding.ts";
import type { Scope } from "../../harness/scope.ts";
import { type Difference, show } from "../../model/difference.ts";
import { isObject, type JsonObject } from "../../model/json.ts";
import { afterRefusals } from "./after-refusal.ts";
import { fewLimits, fewOthers } from "./few-limits.ts";
import { created, type Instance, newName, payloadOf, update } from "./instances.ts";
import { bodyOf, reading, readSettled } from "./reading.ts";
import { changes } from "./untouched.ts";

/** When an instance is read while an update of it goes on, ms after it was sent: a service may take a while to write, and be read then. */
const READ_AFTER_MS = [0, 0, 3, 8, 16];

function hasLimits(body: JsonObject): boolean {
  return isObject(body["limits"]) && Object.keys(body["limits"]).length > 0;
}

/** The instance object when writes have had their time. Throws `Inconclusive` where it has no limits then. */
async function settledWithLimits(scope: Scope, instance: Instance, clause: ClauseId): Promise<JsonObject> {
  await scope.untilAfterWrite(instance, scope.settle.windowMs);
  const { body } = bodyOf(await readSettled(scope, instance), "admin-4.GET");
  if (body === null || !hasLimits(body))
    throw new Inconclusive(`precondition: an instance that was given limits is not read with limits (see ${clause})`);
  return body;
}

/** An answer to a read of which only what it must not show is judged: one without an instance object shows nothing. */
function judged(clause: ClauseId, read: Answered, wrong: (body: JsonObject) => readonly Difference[], input: unknown): Finding {
  const { body } = bodyOf(read, clause);
  return { clauses: [clause], differences: body === null ? [] : wrong(body), exchanges: [read], input };
}

/** Updates of an instance that had limits from the beginning, from some to others, and reads of it meanwhile: each shows limits. */
export function limitedThroughout(rounds: number): Trial {
  return async (scope) => {
    const clause = "admin-4.GET";
    const instance = created((await scope.use(afterRefusals)).instance);
    const few = await scope.use(fewLimits);
    const others = (await scope.use(fewOthers)) ?? few;
    await settledWithLimits(scope, instance, "admin-4.1");
    const findings: Finding[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const limits = round % 2 === 0 ? others : few;
      // What the update needs to know is asked before, so that it goes out together with the reads.
      await scope.admin.condition(instance.name);
      const [answer, ...reads] = await Promise.all([
        update(scope, instance, newName(scope), limits),
        ...READ_AFTER_MS.map(async (ms) => {
          await scope.run.pause(ms);
          return scope.admin.read(instance.name);
        }),
      ]);
      if (!isSuccess(answer))
        throw new Inconclusive(`precondition: an update of limits was answered ${statusOf(answer)} (see admin-4.PUT-over-limits)`);
      const expected = "an object with all limits: the instance has had limits since it was created";
      const finding = together(
        reads.map((read) =>
          judged(clause, read, (body) => (hasLimits(body) ? [] : [{ clause, path: "limits", expected, actual: show(body["limits"]) }]), {
            "read while an update went on that sent": { limits },
          }),
        ),
      );
      if (reads.every((read) => bodyOf(read, clause).body === null))
        throw new Inconclusive("no read while an update went on was answered with the instance object (see admin-4.GET)");
      if (finding.differences.length > 0) await settledWithLimits(scope, instance, "admin-4.PUT-over-limits");
      findings.push({ ...finding, exchanges: [...finding.exchanges, answer] });
      if (finding.differences.length > 0) break;
    }
    return together(findings);
  };
}

const REFUSED_NAME = "Plumbline refused";

/** The statuses of a write that was understood and not done; anything else says less. */
const REFUSAL: ReadonlySet<number> = new Set([400, 409, 412, 422]);

interface WrongWrite {
  readonly what: string;
  readonly body: (right: object) => object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Updates that a service may refuse; each would remove the limits, or change them, if it were carried out. */
const WRONG_UPDATES: readonly WrongWrite[] = [
  { what: "without display_name", body: (right) => ({ ...right, display_name: undefined }) },
  { what: "with a limit of a wrong type", body: (right) => ({ ...right, limits: { max_series_per_user: 31, ingestion_rate: "many" } }) },
];

/** More services than of the others may take this one. */
const ODD_STATUS: WrongWrite = { what: "with a status that is none", body: (right) => ({ ...right, status: "plumbline" }) };

/** Right in itself; a service that gives ETags may refuse it for an ETag that the instance never had. */
const LATE_UPDATE: WrongWrite = { what: "with an old ETag", body: (right) => right, headers: { "if-match": '"plumbline"' } };

/** The instance with limits and a display name of its own, as it is read when that has settled. */
async function limitedAnew(scope: Scope): Promise<{ readonly instance: Instance; readonly before: JsonObject }> {
  const instance = created((await scope.use(afterRefusals)).instance);
  const answer = await update(scope, instance, newName(scope), await scope.use(fewLimits));
  if (!isSuccess(answer)) throw new Inconclusive(`precondition: an update with limits was answered ${statusOf(answer)} (see admin-4.PUT)`);
  return { instance, before: await settledWithLimits(scope, instance, "admin-4.3") };
}

/** What a read shows right after a refused write that is not as before it, though nobody else wrote. */
function shownOfRefused(clause: ClauseId, refusedName: string, before: JsonObject): (body: JsonObject) => Difference[] {
  return (body) => [
    ...(body["display_name"] === refusedName
      ? [{ clause, path: "display_name", expected: `${show(before["display_name"])}, as before`, actual: show(refusedName) }]
      : []),
    ...(hasLimits(body)
      ? []
      : [
          {
            clause,
            path: "limits",
            expected: "the limits it had: modifying an instance removes them, and it was not modified (section 1 rule 3)",
            actual: show(body["limits"]),
          },
        ]),
  ];
}

/** What comes of a refused write of an instance, right after it and when writes have settled: nothing. */
async function withoutEffect(
  scope: Scope,
  clause: ClauseId,
  { instance, before }: { readonly instance: Instance; readonly before: JsonObject },
  { refused, name, what }: { readonly refused: Answered; readonly name: string; readonly what: string },
): Promise<Finding> {
  const input = { "a request that was refused": what };
  const begun = performance.now();
  const atOnce = judged(clause, await scope.admin.read(instance.name), shownOfRefused(clause, name, before), input);
  if (atOnce.differences.length > 0) return { ...atOnce, exchanges: [...atOnce.exchanges, refused] };
  const later = await expecting({
    clauses: clause,
    of: instance,
    ask: reading(instance),
    when: "settled",
    // What becomes of created_at is a matter of its own.
    expect: (body) =>
      changes(before, body)
        .filter(({ path }) => path !== "created_at")
        .map((one) => ({ ...one, clause })),
    input,
  })(scope);
  if (later.differences.length > 0) await requireStaying(scope, performance.now() - begun);
  return { ...later, exchanges: [...later.exchanges, refused] };
}

/** Throws `Inconclusive` where an instance with limits changes by itself within `ms`. */
async function requireStaying(scope: Scope, ms: number): Promise<void> {
  const { instance, before } = await limitedAnew(scope);
  await scope.run.pause(ms);
  const { body } = bodyOf(await readSettled(scope, instance), "admin-4.GET");
  if (body === null || changes(before, body).some(({ path }) => path !== "created_at"))
    throw new Inconclusive("precondition: an instance does not stay what it was, though no request was refused (see admin-4.GET)");
}

/** Updates that are refused change nothing; null where none of them is refused. What one that is taken makes of the instance is not shown. */
export async function refusedUpdates(scope: Scope): Promise<Trial | null> {
  const clause = "admin-4.PUT";
  const limited = await limitedAnew(scope);
  const { instance } = limited;
  const findings: Finding[] = [];
  const hasEtag = "if-match" in (await scope.admin.condition(instance.name));
  for (const { what, body, headers } of [...WRONG_UPDATES, ...(hasEtag ? [LATE_UPDATE] : []), ODD_STATUS]) {
    const name = `${REFUSED_NAME} ${scope.unique()}`;
    const condition = headers ?? (await scope.admin.condition(instance.name));
    const sent = body(payloadOf(instance, name));
    const refused = await scope.admin.probe(`update instance (${what})`, "PUT", instance.name, sent, { kind: "configured" }, condition);
    instance.lastWriteAt = refused.endedAt;
    if (!REFUSAL.has(statusOf(refused))) {
      await scope.admin.read(instance.name);
      await update(scope, instance, newName(scope));
      break;
    }
    findings.push(await withoutEffect(scope, clause, limited, { refused, name, what: `an update ${what}` }));
    if (findings.some(({ differences }) => differences.length > 0)) break;
  }
  return findings.length === 0 ? null : async () => together(findings);
}

/** A create under the name of an instance that is refused changes nothing of it; null where it is not refused. */
export async function refusedCreate(scope: Scope): Promise<Trial | null> {
  const limited = await limitedAnew(scope);
  const { instance } = limited;
  const name = `${REFUSED_NAME} ${scope.unique()}`;
  const refused = await scope.admin.probe("create instance again", "POST", "", { name: instance.name, ...payloadOf(instance, name) });
  instance.lastWriteAt = refused.endedAt;
  if (!REFUSAL.has(statusOf(refused))) return null;
  const finding = await withoutEffect(scope, "admin-4.GET", limited, {
    refused,
    name,
    what: "a create under the same name, without limits",
  });
  return async () => finding;
}
