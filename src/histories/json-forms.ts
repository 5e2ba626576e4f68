/** Sends updates in other JSON spellings and in chunked bodies. Each of these forms must have the same effect as the usual form. */
import { sentDifferences } from "../diagnosis/filling.ts";
import { type Answered, isAnswered, isSuccess, statusOf } from "../client/exchange.ts";
import { Inconclusive } from "../client/inconclusive.ts";
import { IN_CHUNKS } from "../client/bodies.ts";
import type { ClauseId } from "../contract/catalogue.ts";
import type { LimitName, Limits } from "../contract/limits.ts";
import { expecting } from "../harness/expect.ts";
import { type Finding, together } from "../harness/finding.ts";
import type { Assertion, Scope } from "../harness/scope.ts";
import { show, showApart } from "../model/difference.ts";
import { acceptedLimits } from "./accepted-limits.ts";
import { fewLimits } from "./filled-limits.ts";
import { brokenFields } from "./instance-fields.ts";
import { type Instance, newName, payloadOf, update, type Writing } from "./instances.ts";
import { keptLimits } from "./limit-findings.ts";
import { onPoolInstance } from "./instance-pool.ts";
import { limitsIn, reading } from "./reading.ts";
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
  const answer = await scope.admin.updateOnce(instance.name, payloadOf(instance, displayName, limits), IN_CHUNKS);
  instance.lastWriteAt = answer.endedAt;
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
    const actual = `status ${statusOf(answer)}: ${show(answer.response.body)}`;
    const expected = "success (2xx), as for the same payload in the usual JSON form";
    return { clauses: [clause], differences: [{ clause, path: "status", expected, actual }], exchanges: [answer], refused: true };
  }
  const read = await expecting({
    clauses: clause,
    of: instance,
    ask: reading(instance),
    expect: (body) => {
      const shown = limitsIn(body, clause);
      return [
        ...(body["display_name"] === displayName
          ? []
          : [{ clause, path: "display_name", ...showApart(displayName, body["display_name"]) }]),
        ...(shown.limits === null ? shown.differences : sentDifferences(limits, shown.limits, clause, isRowBroken)),
      ];
    },
  })(scope);
  return { ...read, exchanges: [...read.exchanges, answer] };
}

export const updatesInOtherForms: Assertion = onPoolInstance(
  [acceptedLimits, fewLimits, brokenFields, keptLimits],
  async (scope, borrowed) => {
    if ((await scope.use(brokenFields)).has("display_name"))
      throw new Inconclusive(
        "precondition not met: the instance does not keep a display name in the usual JSON form (see admin-2.field.display_name)",
      );
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
            throw new Inconclusive(
              "precondition not met: an update with limits does not always take effect, even in the usual JSON form (see admin-4.PUT)",
            );
        }
        findings.push({ ...finding, input: { "the body is written with": form.what } });
      }
      return together(findings);
    }
    throw new Inconclusive("precondition not met: the same update in the usual JSON form has no effect (see admin-4.PUT)");
  },
);
