/** Each limit added by itself through an update to an instance without limits: facts that several checks judge. */
import type { SingleLimit } from "../../diagnosis/stored-limits.ts";
import { sentDifferences, unsentDifferences } from "../../diagnosis/filling.ts";
import { otherValues } from "../../arbitraries/limits.ts";
import { type Answered, isSuccess, statusOf } from "../../client/exchange.ts";
import { LIMITS, type LimitName, type Limits, type LimitValue } from "../../contract/limits.ts";
import { type Fixture, fixture, type Scope } from "../../harness/scope.ts";
import type { Attempt } from "../../harness/settle.ts";
import { show } from "../../model/difference.ts";
import { acceptedLimits } from "./accepted-limits.ts";
import { plainer, shownDefaults } from "./filled-limits.ts";
import { newName, update } from "./instances.ts";
import { withLoan } from "./loans.ts";
import { limitsIn, readUntil } from "./reading.ts";

/** What became of one limit that was added by itself. */
export interface SingleLimitView extends SingleLimit {
  readonly sent: Limits;
  readonly attempts: readonly Attempt[];
  /** The deciding answer first. */
  readonly exchanges: readonly Answered[];
}

/** Each limit by itself, a text or a length of time in each form, added by an update to an instance without limits. In a smoke run none. */
export const singleLimits: Fixture<readonly SingleLimitView[]> = fixture("admin", "each limit by itself", async (scope) => {
  if (scope.settings.profile === "smoke") return [];
  const { values: taken, names, valueOf } = await scope.use(acceptedLimits);
  const effective = await scope.use(shownDefaults);
  const defaultOf = (name: LimitName): readonly unknown[] => (effective[name] === undefined ? [] : [effective[name]]);
  const values = names.flatMap((name): [LimitName, LimitValue][] => {
    const drawn = scope.draw(valueOf(name), `sweep ${name}`, 1);
    // Texts of one limit, and units of one length, have little in common: one that is kept says nothing of the others.
    const texts = ["string", "duration"].includes(LIMITS[name].type) ? otherValues(name).ordinary : [];
    return [...new Set([...drawn, ...texts])].map((value) => [name, value]);
  });
  // What a limit must be taken with by itself: its default or what was taken before; the range of a retention period is not stated.
  const least = async (name: LimitName): Promise<readonly Limits[]> => {
    const before = { [name]: taken[name] };
    return LIMITS[name].type === "retention" ? [before] : [...(await plainer(scope, before)).slice(0, 1), before];
  };
  return Promise.all(values.map(async ([name, value]) => addAlone(scope, name, value, await least(name), defaultOf)));
});

async function addAlone(
  scope: Scope,
  name: LimitName,
  value: LimitValue,
  least: readonly Limits[],
  defaultOf: (name: LimitName) => readonly unknown[],
): Promise<SingleLimitView> {
  return withLoan(scope, async (loan) => {
    if (!loan.bare) await update(scope, loan.instance, newName(scope));
    const sent: Limits = { [name]: value };
    const answer = await update(scope, loan.instance, newName(scope), sent);
    loan.bare = false;
    const refusal: SingleLimitView = { name, sent, refused: true, differences: [], attempts: [], exchanges: [answer] };
    if (!isSuccess(answer)) {
      // Alone, this value may not go with the defaults of other limits.
      for (const one of least) if (isSuccess(await update(scope, loan.instance, newName(scope), one))) return refusal;
      const expected = `success (2xx) when ${name} is set to ${show(value)}`;
      return {
        ...refusal,
        differences: [{ clause: `admin-2.limit.${name}`, path: "status", expected, actual: `status ${statusOf(answer)}` }],
      };
    }
    const settled = await readUntil(scope, loan.instance, (body) => {
      const { limits, differences: none } = limitsIn(body, "admin-4.3");
      if (limits === null) return none;
      return [...sentDifferences(sent, limits, "admin-4.3"), ...unsentDifferences(sent, limits, defaultOf, "admin-4.3")];
    });
    const { value: read, differences, attempts } = settled;
    return { name, sent, refused: false, differences, attempts, exchanges: [read, answer] };
  });
}
