/** Assertions about updates that change the rest of an instance: its display name, or nothing but the limits. */
import { type Answered, type Exchange, isAnswered, isSuccess, statusOf } from "../../client/exchange.ts";
import { Inconclusive } from "../../client/inconclusive.ts";
import type { Limits } from "../../contract/limits.ts";
import { expecting } from "../../harness/expect.ts";
import { type Finding, together } from "../../harness/finding.ts";
import type { Assertion, Fixture, Scope } from "../../harness/scope.ts";
import { type Difference, showApart } from "../../model/difference.ts";
import type { JsonObject } from "../../model/json.ts";
import { fieldState } from "../../diagnosis/fields.ts";
import { fieldViews } from "./fields.ts";
import { type Instance, newName, payloadOf, update } from "./instances.ts";
import { onLoan, withLoan } from "./loans.ts";
import { bodyOf, reading } from "./reading.ts";
import { change, type LimitsJudge, removedFrom, CHANGE_NEEDS } from "./change.ts";
import { addedTo, ADDING_NEEDS } from "./updating.ts";

async function judgeOf(scope: Scope, limits: Limits | undefined): Promise<LimitsJudge> {
  return limits === undefined ? removedFrom(scope) : addedTo(scope, limits);
}

function needsOf(limits: Limits | undefined): readonly Fixture<unknown>[] {
  return limits === undefined ? CHANGE_NEEDS : ADDING_NEEDS;
}

/** An update changes the display name of an instance without limits, with limits or without. */
export function renamed(limits: Limits | undefined): Assertion {
  return onLoan(needsOf(limits), async (scope, loan) => {
    if (!loan.bare) await update(scope, loan.instance, newName(scope));
    return change(scope, loan, {
      state: { displayName: newName(scope), limits: await judgeOf(scope, limits) },
      limits,
      clause: "admin-4.PUT",
    });
  });
}

const SENT: Limits = { max_series_per_user: 4_567 };

/** An update that changes nothing but the limits is carried out: they are added and then removed under one name. */
export const onlyLimits: Assertion = onLoan(ADDING_NEEDS, async (scope, loan) => {
  const same = newName(scope);
  // Removed and added together with a new name the limits must be right: then what fails below is the update of limits alone.
  for (const [displayName, limits] of [
    [newName(scope), undefined],
    [newName(scope), SENT],
    [same, undefined],
  ] as const) {
    const { differences } = await change(scope, loan, {
      state: { displayName, limits: await judgeOf(scope, limits) },
      limits,
      clause: "admin-4.PUT",
    });
    if (differences.length > 0)
      throw new Inconclusive(
        "precondition not met: an update with a new display name does not add or remove limits (see admin-4.2 and admin-4.3)",
      );
  }
  const findings = [];
  for (const limits of [SENT, undefined]) {
    const finding = await change(scope, loan, {
      state: { displayName: same, limits: await judgeOf(scope, limits) },
      limits,
      clause: "admin-4.PUT",
    });
    findings.push({ ...finding, differences: finding.differences.map((one): Difference => ({ ...one, clause: "admin-4.PUT" })) });
  }
  return together(findings);
});

/** Fewer answers of 5xx than this may be trouble that passes. */
const LEAST_ROUNDS = 5;

/** An update to this display name is answered 5xx each time, though it is carried out, and one to a plain name between never is; null where that is not so. */
async function unansweredAlways(scope: Scope, instance: Instance, displayName: string): Promise<Finding | null> {
  const once = async (name: string): Promise<Exchange> => {
    const exchange = await scope.admin.updateOnce(instance.name, payloadOf(instance, name));
    instance.lastWriteAt = exchange.endedAt;
    return exchange;
  };
  const exchanges: Exchange[] = [];
  for (let round = 0; round < LEAST_ROUNDS; round += 1) {
    if (round > 0) await scope.run.pause(scope.run.transport("admin").pauseAfter(Math.min(round, 3)));
    const [plain, failed] = [await once(newName(scope)), await once(displayName)];
    if (!isAnswered(failed) || statusOf(failed) < 500 || !isAnswered(plain) || !isSuccess(plain)) return null;
    exchanges.push(failed, plain);
  }
  const [first] = exchanges;
  const clause = "admin-4.PUT";
  const expected =
    "success (2xx) with the modified instance object: reads show that this update took effect, and an update to a plain display name succeeds";
  const actual = `status ${statusOf(first as Exchange)}, ${LEAST_ROUNDS} times`;
  return {
    clauses: [clause],
    differences: [{ clause, path: "status", expected, actual }],
    exchanges: exchanges.slice(0, 2),
    input: { display_name: displayName },
  };
}

/** Whether a display name is shown as it was sent, or with its letters composed (NFC): the same text in another spelling. */
function isKept(displayName: string, shown: unknown, composed: Set<string>): boolean {
  if (shown === displayName) return true;
  if (shown !== displayName.normalize("NFC")) return false;
  composed.add(displayName);
  return true;
}

/** Whether reads show a display name that an update sets, `clause` being blamed when not; null when the update is refused. */
async function shown(
  scope: Scope,
  instance: Instance,
  displayName: string,
  clause: "admin-2.field.display_name" | "admin-4.PUT",
  composed: Set<string> = new Set(),
) {
  const answer = await update(scope, instance, displayName);
  if (!isSuccess(answer)) return null;
  // A read that shows what was asked stands for an answer that did not come.
  if (answer.operation === "read instance") {
    const always = await unansweredAlways(scope, instance, displayName);
    if (always !== null) return always;
  }
  const judge = (body: JsonObject, path: string): Difference[] =>
    isKept(displayName, body["display_name"], composed) ? [] : [{ clause, path, ...showApart(displayName, body["display_name"]) }];
  const answered = bodyOf(answer, clause);
  const onAnswer = answered.body === null ? answered.differences : judge(answered.body, "display_name (in the response)");
  const input = { display_name: displayName };
  if (onAnswer.length > 0) return { clauses: [clause], differences: onAnswer, exchanges: [answer], input };
  const finding = await expecting({ clauses: clause, of: instance, ask: reading(instance), expect: (body) => judge(body, "display_name") })(
    scope,
  );
  return { ...finding, exchanges: [...finding.exchanges, answer], input };
}

/** Throws `Inconclusive` where an update of an instance about which nothing is special is not shown either. */
export async function requireRenaming(scope: Scope): Promise<void> {
  const plain = await withLoan(scope, async ({ instance }) => shown(scope, instance, newName(scope), "admin-4.PUT"));
  if (plain === null || plain.differences.length > 0)
    throw new Inconclusive("precondition not met: reads do not show an update of an ordinary instance (see admin-4.PUT)");
}

/**
 * A display name is kept once an update that sets it was accepted; null when every one of `names` is refused. Throws `Inconclusive`
 * when a plain one is not kept either. Names that are shown composed are added to `composed`.
 */
export function displayNamesKept(
  names: readonly ((unique: number, name: string) => string)[],
  composed: Set<string>,
): (scope: Scope) => Promise<Assertion | null> {
  return async (scope) => {
    const { onRead } = await scope.use(fieldViews);
    if (fieldState(onRead, "display_name") !== "right")
      throw new Inconclusive("precondition not met: the instance does not keep a plain display name (see admin-2.field.display_name)");
    let taken = 0;
    const finding = await onLoan([], async (inner, { instance }) => {
      const control = await shown(inner, instance, newName(inner), "admin-4.PUT");
      if (control === null || control.differences.length > 0)
        throw new Inconclusive("precondition not met: an update to a plain display name has no effect (see admin-4.PUT)");
      const findings = [];
      for (const unusual of names) {
        const one = await shown(inner, instance, unusual(inner.unique(), instance.name), "admin-2.field.display_name", composed);
        if (one === null) continue;
        taken += 1;
        const [deciding] = one.exchanges as readonly Answered[];
        if (deciding?.operation === "read instance" && bodyOf(deciding, "admin-4.GET").body === null)
          throw new Inconclusive("precondition not met: the instance cannot be read (see admin-4.GET)");
        findings.push(one);
      }
      return together(findings.length > 0 ? findings : [control]);
    })(scope);
    return taken === 0 ? null : async () => finding;
  };
}
