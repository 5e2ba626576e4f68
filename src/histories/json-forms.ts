/** Sends updates in other JSON spellings and in chunked bodies. Each of these forms must have the same effect as the usual form. */
import { sentDifferences } from "../diagnosis/filling.ts";
import { type Answered, isAnswered, isSuccess, statusOf } from "../client/exchange.ts";
import { precondition } from "../client/inconclusive.ts";
import { IN_CHUNKS } from "../client/bodies.ts";
import type { ClauseId } from "../contract/catalogue.ts";
import type { LimitName, Limits } from "../contract/limits.ts";
import { type Finding, together } from "../harness/finding.ts";
import type { Assertion, Scope } from "../harness/scope.ts";
import type { Difference } from "../model/difference.ts";
import type { JsonObject } from "../model/json.ts";
import { acceptedLimits } from "./accepted-limits.ts";
import { fewLimits } from "./filled-limits.ts";
import { brokenFields, requireDisplayName } from "./instance-fields.ts";
import { type Instance, newName, update, updateOnce, type Writing } from "./instances.ts";
import { keptLimits } from "./limit-findings.ts";
import { onPoolInstance } from "./instance-pool.ts";
import { fieldDifference, limitsJudgedBy, refusal, shownBy } from "./reading.ts";
import { WRITINGS } from "./json-spellings.ts";

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

/** Resolves to null after 5xx or without a response, because a service may refuse bodies of unknown length (RFC 9110, 15.5.12). */
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

async function sent(scope: Scope, sending: Sending, displayName: string, { send }: Form): Promise<Sent> {
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
      const usual = await sent(scope, sending, text(scope.unique()), USUAL);
      if (usual.differences.length > 0) continue;
      const findings: Finding[] = [];
      for (const form of FORMS) {
        const finding = await sent(scope, sending, text(scope.unique()), form);
        if (form.mayBeRefused === true && finding.refused === true) continue;
        // The form is the cause only if the usual form succeeds and this form fails again.
        if (finding.differences.length > 0) {
          const control = await sent(scope, sending, text(scope.unique()), USUAL);
          const second = await sent(scope, sending, text(scope.unique()), form);
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
