/** Limits that can be added one half at a time can be added all together: a request may set any subset of them. */
import { type Answered, isSuccess, statusOf } from "../../client/exchange.ts";
import { type LimitName, LIMITS, type Limits, type LimitValue } from "../../contract/limits.ts";
import { expecting } from "../../harness/expect.ts";
import type { Finding } from "../../harness/finding.ts";
import type { Assertion, Scope } from "../../harness/scope.ts";
import { type Difference, show } from "../../model/difference.ts";
import type { JsonObject } from "../../model/json.ts";
import { sameAsRead } from "../../model/limits.ts";
import { acceptedLimits, emptied } from "./accepted-limits.ts";
import { shownDefaults } from "./filled-limits.ts";
import { newName, update } from "./instances.ts";
import { type LoanedInstance, withLoan } from "./loans.ts";
import { limitsIn, reading } from "./reading.ts";
import { settableDefaults } from "./similar.ts";

const CLAUSE = "admin-4.3";

async function addedToNone(scope: Scope, loan: LoanedInstance, limits: Limits): Promise<Answered> {
  await emptied(scope, loan);
  const answer = await update(scope, loan.instance, newName(scope), limits);
  if (isSuccess(answer)) loan.bare = false;
  return answer;
}

/** That an update was carried out shows in a read only. */
async function added(scope: Scope, { instance }: LoanedInstance, answer: Answered): Promise<Finding> {
  const expect = (body: JsonObject): readonly Difference[] => limitsIn(body, CLAUSE).differences;
  const read = await expecting({ clauses: CLAUSE, of: instance, ask: reading(instance), expect })(scope);
  return { ...read, exchanges: [...read.exchanges, answer] };
}

/**
 * The other limits that can be set, so that every limit is: one for which the table shows no default as the target fills it, and a
 * retention period, whose default cannot be sent, as it was taken.
 */
async function withoutDefault(
  scope: Scope,
  effective: Readonly<Partial<Record<LimitName, unknown>>>,
  defaults: readonly (readonly [LimitName, LimitValue])[],
): Promise<[LimitName, LimitValue][]> {
  const { together } = await scope.use(acceptedLimits);
  const left = (Object.entries(together) as [LimitName, LimitValue][]).filter(([name]) => !defaults.some(([known]) => known === name));
  return left.map(([name, taken]) => [
    name,
    LIMITS[name].type === "integer" ? ((effective[name] as LimitValue | undefined) ?? taken) : taken,
  ]);
}

/**
 * All limits are added at the global defaults that the target shows, with which they go together wherever they are filled. Where that
 * is refused and both halves are taken, it is refused for its number. Null where fewer than two can be set so, or where a half is
 * refused, too: which values a target takes is not stated.
 */
export async function addedAllTogether(scope: Scope): Promise<Assertion | null> {
  const effective = await scope.use(shownDefaults);
  const settable = Object.entries(await settableDefaults(scope)) as [LimitName, LimitValue][];
  const defaults = settable.filter(([name, value]) => sameAsRead(name, effective[name], value));
  if (defaults.length < 2) return null;
  const others = await withoutDefault(scope, effective, defaults);
  const entries = [...defaults, ...others];
  const all: Limits = Object.fromEntries(entries);
  const middle = Math.ceil(defaults.length / 2);
  // A value that does not go together with a default is refused in one half or the other.
  const halves = [defaults.slice(0, middle), defaults.slice(middle)].map((half) => [...half, ...others]);
  const finding = await withLoan(scope, async (loan): Promise<Finding | null> => {
    const first = await addedToNone(scope, loan, all);
    if (isSuccess(first)) return added(scope, loan, first);
    const exchanges: Answered[] = [];
    for (const half of halves) {
      const answer = await addedToNone(scope, loan, Object.fromEntries(half));
      if (!isSuccess(answer)) return null;
      exchanges.push(answer);
    }
    const again = await addedToNone(scope, loan, all);
    // A body may be too large, whatever it says.
    if (![400, 422].includes(statusOf(again))) return isSuccess(again) ? added(scope, loan, again) : null;
    const expected = `success (2xx) for one update with ${entries.length} limits, because two updates with half of these limits each were accepted`;
    const actual = `status ${statusOf(again)}: ${show(again.response.body)}`;
    return { clauses: [CLAUSE], differences: [{ clause: CLAUSE, path: "status", expected, actual }], exchanges: [again, ...exchanges] };
  });
  return finding === null ? null : async () => finding;
}
