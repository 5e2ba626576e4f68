/**
 * Sends concurrent updates of an instance, and updates during and right after reads. Reads must not mix the values of several updates.
 * Reads must not show a state that no update wrote, or a cached earlier response.
 */
import { isSuccess, statusOf, type Answered } from "../client/exchange.ts";
import { precondition, Inconclusive } from "../client/inconclusive.ts";
import { type Finding, together } from "../harness/finding.ts";
import type { Assertion, Scope } from "../harness/scope.ts";
import { type Difference, show } from "../model/difference.ts";
import { brokenFields, requireDisplayName } from "./instance-fields.ts";
import { type Instance, newName, update, created } from "./instances.ts";
import { onPoolInstance } from "./instance-pool.ts";
import { limitsJudgedBy, shownBy, bodyOf, readSettled, requireSuccess, fieldDifference, reading } from "./reading.ts";
import type { LimitName, Limits } from "../contract/limits.ts";
import { type JsonObject, isObject } from "../model/json.ts";
import { sameAsRead } from "../model/limits.ts";
import { fewLimits, fewOthers } from "./filled-limits.ts";
import { keptLimits } from "./limit-findings.ts";
import type { ClauseId } from "../contract/catalogue.ts";
import { everyInstance } from "./creation-time.ts";
import { limitsToSend } from "./update-forms.ts";
import { afterRefusals } from "./creates.ts";

const CLAUSE = "admin-4.PUT";

interface ConcurrentUpdate {
  readonly displayName: string;
  readonly limits: Limits;
}

/** Sends several rounds of updates, because requests overlap only for ms. Resolves to null if two sets of values are not accepted. */
export function updatedConcurrently(rounds: number): (scope: Scope) => Promise<Assertion | null> {
  return async (scope) => {
    const others = await scope.use(fewOthers);
    return others === null ? null : concurrentRounds(rounds, await scope.use(fewLimits), others);
  };
}

function concurrentRounds(rounds: number, taken: Limits, others: Limits): Assertion {
  return onPoolInstance([keptLimits, brokenFields], async (scope, borrowed) => {
    await requireDisplayName(scope, "a single update does not change the display name");
    // The existing limits are removed first. A service that merges updates would add them to the result.
    if (!borrowed.bare) await update(scope, borrowed.instance, newName(scope));
    const findings: Finding[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const updates = [taken, others, taken, others].map((limits) => ({ displayName: newName(scope), limits }));
      const finding = await atOnce(scope, borrowed.instance, updates);
      findings.push(finding);
      if (finding.differences.length === 0) continue;
      await requireTurns(scope, borrowed.instance, [taken, others]);
      break;
    }
    return together(findings);
  });
}

/** Adds limits and then overwrites them, one update after the other. Throws `Inconclusive` if one of the updates has no effect. */
async function requireTurns(scope: Scope, instance: Instance, turns: readonly Limits[]): Promise<void> {
  const { brokenRows } = await scope.use(keptLimits);
  await update(scope, instance, newName(scope));
  for (const limits of turns) {
    const alone: ConcurrentUpdate = { displayName: newName(scope), limits };
    await update(scope, instance, alone.displayName, limits);
    const { differences } = await shownBy(instance, CLAUSE, (body) => mixtures(body, [alone], brokenRows))(scope);
    if (differences.length > 0) throw precondition("consecutive updates have no effect (see admin-4.3 and admin-4.PUT-over-limits)");
  }
}

async function atOnce(scope: Scope, instance: Instance, updates: readonly ConcurrentUpdate[]): Promise<Finding> {
  const { brokenRows } = await scope.use(keptLimits);
  // The ETag is requested first, so that all updates are sent at the same time.
  await scope.admin.condition(instance.name);
  const answers = await Promise.all(updates.map(({ displayName, limits }) => update(scope, instance, displayName, limits)));
  // A service may refuse concurrent updates, and the documents do not say how. So only accepted updates are judged.
  const refused = answers.find((answer) => !isSuccess(answer));
  if (refused !== undefined && (statusOf(refused) >= 500 || answers.every((answer) => !isSuccess(answer))))
    throw precondition(`an update was answered ${statusOf(refused)} (see ${CLAUSE})`);
  return shownBy(instance, CLAUSE, (body) => mixtures(body, updates, brokenRows), {
    input: { "concurrent updates": updates },
    after: answers,
  })(scope);
}

/** Returns the differences between an instance and the update that sent its display name. */
function mixtures(body: JsonObject, updates: readonly ConcurrentUpdate[], brokenRows: ReadonlySet<LimitName>): Difference[] {
  const shown = body["display_name"];
  const winner = updates.find(({ displayName }) => displayName === shown);
  if (winner === undefined) {
    const expected = `one of ${show(updates.map(({ displayName }) => displayName))}`;
    return [{ clause: CLAUSE, path: "display_name", expected, actual: show(shown) }];
  }
  return limitsJudgedBy(body, CLAUSE, (limits) =>
    (Object.keys(winner.limits) as LimitName[])
      .filter((name) => !brokenRows.has(name) && !sameAsRead(name, winner.limits[name], limits[name]))
      .map((name): Difference => {
        const expected = `${show(winner.limits[name])}, which was sent by the update that set this display name`;
        return { clause: CLAUSE, path: `limits.${name}`, expected, actual: show(limits[name]) };
      }),
  );
}

/** The times of reads during an update, in ms after the update was sent. A service may need some time to write. */
const READ_MEANWHILE_MS = [0, 0, 3, 8, 16];

export function hasLimits(body: JsonObject): boolean {
  return isObject(body["limits"]) && Object.keys(body["limits"]).length > 0;
}

/** Resolves to the instance object after its writes have settled. Throws `Inconclusive` if it has no limits. */
export async function settledWithLimits(scope: Scope, instance: Instance, clause: ClauseId): Promise<JsonObject> {
  await scope.untilAfterWrite(instance, scope.settle.windowMs);
  const { body } = bodyOf(await readSettled(scope, instance), "admin-4.GET");
  if (body === null || !hasLimits(body)) throw precondition(`reads of an instance with limits show no limits (see ${clause})`);
  return body;
}

/** Returns a finding about values that a read must not show. A response without an instance object has no differences. */
export function judged(clause: ClauseId, read: Answered, wrong: (body: JsonObject) => readonly Difference[], input: unknown): Finding {
  const { body } = bodyOf(read, clause);
  return { clauses: [clause], differences: body === null ? [] : wrong(body), exchanges: [read], input };
}

/** Updates an instance that was created with limits, and reads it during the update. Each read must show limits. */
export function limitedThroughout(rounds: number): Assertion {
  return async (scope) => {
    const clause = "admin-4.GET";
    const instance = created((await scope.use(afterRefusals)).instance);
    const few = await scope.use(fewLimits);
    const others = (await scope.use(fewOthers)) ?? few;
    await settledWithLimits(scope, instance, "admin-4.1");
    const findings: Finding[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const limits = round % 2 === 0 ? others : few;
      // The ETag is requested first, so that the update and the reads are sent at the same time.
      await scope.admin.condition(instance.name);
      const [answer, ...reads] = await Promise.all([
        update(scope, instance, newName(scope), limits),
        ...READ_MEANWHILE_MS.map(async (ms) => {
          await scope.run.pause(ms);
          return scope.admin.read(instance.name);
        }),
      ]);
      requireSuccess(answer, "an update of limits", "admin-4.PUT-over-limits");
      const expected = "an object with all limits, because the instance has had limits since its create";
      const input = { "limits of the update during which the read was sent": { limits } };
      const wrong = (body: JsonObject): Difference[] =>
        hasLimits(body) ? [] : [{ clause, path: "limits", expected, actual: show(body["limits"]) }];
      const finding = together(reads.map((read) => judged(clause, read, wrong, input)));
      if (reads.every((read) => bodyOf(read, clause).body === null))
        throw new Inconclusive("no read during an update returned the instance object (see admin-4.GET)");
      if (finding.differences.length > 0) await settledWithLimits(scope, instance, "admin-4.PUT-over-limits");
      findings.push({ ...finding, exchanges: [...finding.exchanges, answer] });
      if (finding.differences.length > 0) break;
    }
    return together(findings);
  };
}

interface Reads {
  readonly input: Readonly<Record<string, string>>;
  readonly write: (scope: Scope, instance: Instance, displayName: string) => Promise<Answered>;
}

/** The times of reads during an update, in ms after the update was sent. A service may need some time to write. */
const READ_AFTER_MS = [1, 4];

const READ_BEFORE: Reads = {
  input: { "the instance was read": "right before the update" },
  write: async (scope, instance, displayName) => {
    await scope.admin.read(instance.name);
    return update(scope, instance, displayName);
  },
};

const READ_MEANWHILE: Reads = {
  input: { "the instance was read": "during the update, which followed another update" },
  write: async (scope, instance, displayName) => {
    // After this update, no cache has the instance. So the reads during the next update fill the caches.
    await update(scope, instance, newName(scope));
    // The ETag is requested first, so that the update and the first read are sent at the same time.
    await scope.admin.condition(instance.name);
    const read = async (ms: number): Promise<unknown> => {
      if (ms > 0) await scope.run.pause(ms);
      return scope.admin.read(instance.name);
    };
    const [, answer] = await Promise.all([read(0), update(scope, instance, displayName), ...READ_AFTER_MS.map(read)]);
    return answer;
  },
};

/** Returns the assertion that later reads show an update. */
function shown(instance: Instance, displayName: string, answer: Answered, input: Reads["input"]): Assertion {
  return shownBy(instance, "admin-4.PUT", (body) => fieldDifference(body, "display_name", displayName, "admin-4.PUT"), {
    when: "settled",
    input: { name: instance.name, ...input },
    after: [answer],
  });
}

/** Reads compressed responses before and after an update. The later response must show the update. */
export const updatedAfterCompressed: Assertion = onPoolInstance([brokenFields], async (scope, { instance }) => {
  await requireDisplayName(scope, "the instance does not keep a display name");
  const before = await scope.admin.readCompressed(instance.name);
  const displayName = newName(scope);
  const answer = await update(scope, instance, displayName);
  requireSuccess(answer, "an update", "admin-4.PUT");
  const shows = (how: "read" | "readCompressed"): Assertion =>
    shownBy(instance, "admin-4.GET", (body) => fieldDifference(body, "display_name", displayName, "admin-4.GET"), {
      ask: reading(instance, how),
      input: { "the instance was read": "with a compressed response, before and after the update" },
      after: [answer, before],
    });
  const finding = await shows("readCompressed")(scope);
  if (finding.differences.length > 0 && (await shows("read")(scope)).differences.length > 0)
    throw precondition("an uncompressed response does not show the update (see admin-4.PUT)");
  return finding;
});

/**
 * Sends the same update without limits to two instances, one after the other. Then sends the same update with limits to two further
 * instances. In each pair, the older instance is updated last, to notice an effect of its update on the newer instance.
 */
async function updatedAlike(scope: Scope, instances: readonly Instance[]): Promise<Map<Instance, Assertion>> {
  const assertions = new Map<Instance, Assertion>();
  for (const [pair, limits] of [
    [instances.slice(0, 2), undefined],
    [instances.slice(2, 4), await limitsToSend(scope)],
  ] as const) {
    const displayName = newName(scope);
    for (const instance of pair.toReversed()) {
      const answer = await update(scope, instance, displayName, limits);
      const input = { "the same update was sent to": "two instances" };
      if (isSuccess(answer)) assertions.set(instance, shown(instance, displayName, answer, input));
    }
  }
  return assertions;
}

/** The maximum number of instances to update. A few are enough, because a service with this fault fails on any instance. */
const MOST_INSTANCES = 8;

/** The instances are updated one by one. Afterwards, no check may read them, because the updates remove their limits. */
export const updatedAfterRead: Assertion = async (scope) => {
  await requireDisplayName(scope, "the instance does not keep a display name");
  const assertions = new Map<Instance, Assertion>();
  const instances = (await scope.use(everyInstance)).slice(0, MOST_INSTANCES);
  for (const [index, instance] of instances.entries()) {
    const { input, write } = index % 3 === 1 ? READ_MEANWHILE : READ_BEFORE;
    const displayName = newName(scope);
    const answer = await write(scope, instance, displayName);
    if (isSuccess(answer)) assertions.set(instance, shown(instance, displayName, answer, input));
  }
  for (const [instance, assertion] of await updatedAlike(scope, instances)) assertions.set(instance, assertion);
  if (assertions.size === 0) throw precondition("no update succeeded (see admin-4.PUT)");
  return together(await Promise.all([...assertions.values()].map((assertion) => assertion(scope))));
};
