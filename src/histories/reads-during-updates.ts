/** Reads during updates of an instance with limits never show a state that no update wrote. */
import type { Answered } from "../client/exchange.ts";
import { Inconclusive, precondition } from "../client/inconclusive.ts";
import type { ClauseId } from "../contract/catalogue.ts";
import { type Finding, together } from "../harness/finding.ts";
import type { Assertion, Scope } from "../harness/scope.ts";
import { type Difference, show } from "../model/difference.ts";
import { isObject, type JsonObject } from "../model/json.ts";
import { afterRefusals } from "./rejected-creates.ts";
import { fewLimits, fewOthers } from "./filled-limits.ts";
import { created, type Instance, newName, update } from "./instances.ts";
import { bodyOf, readSettled, requireSuccess } from "./reading.ts";

/** The times of reads during an update, in ms after it was sent. A service may take some time to write. */
const READ_AFTER_MS = [0, 0, 3, 8, 16];

export function hasLimits(body: JsonObject): boolean {
  return isObject(body["limits"]) && Object.keys(body["limits"]).length > 0;
}

/** The instance object after settling. Throws `Inconclusive` if the settled instance has no limits. */
export async function settledWithLimits(scope: Scope, instance: Instance, clause: ClauseId): Promise<JsonObject> {
  await scope.untilAfterWrite(instance, scope.settle.windowMs);
  const { body } = bodyOf(await readSettled(scope, instance), "admin-4.GET");
  if (body === null || !hasLimits(body)) throw precondition(`reads of an instance with limits show no limits (see ${clause})`);
  return body;
}

/** Returns a finding about values that a read must not show. A response without an instance object shows nothing. */
export function judged(clause: ClauseId, read: Answered, wrong: (body: JsonObject) => readonly Difference[], input: unknown): Finding {
  const { body } = bodyOf(read, clause);
  return { clauses: [clause], differences: body === null ? [] : wrong(body), exchanges: [read], input };
}

/** Updates an instance that had limits since its create, and reads it meanwhile. Each read must show limits. */
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
        ...READ_AFTER_MS.map(async (ms) => {
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
