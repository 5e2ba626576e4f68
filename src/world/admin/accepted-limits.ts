/** Which limits this target takes, found out once: a refused set is halved until the refusing limits are known. */
import { everyLimit, otherValues } from "../../arbitraries/limits.ts";
import { type Answered, isSuccess } from "../../client/exchange.ts";
import { LIMIT_NAMES, type LimitName, type Limits, type LimitValue } from "../../contract/limits.ts";
import { type Fixture, fixture, type Scope } from "../../harness/scope.ts";
import { newName, update } from "./instances.ts";
import { type LoanedInstance, withLoan } from "./loans.ts";

/** A limit of which a value was refused. */
export interface Refusal {
  readonly value: LimitValue;
  readonly exchange: Answered;
  /** Another value, not its default, that was taken; undefined when none was. */
  readonly alternative: LimitValue | undefined;
  /** Whether any value that was tried was taken, the default included. */
  readonly settable: boolean;
}

export interface AcceptedLimits {
  /** A value of each limit that was sent; those of `names` were taken. */
  readonly values: Limits;
  /** The limits whose ordinary values are taken. */
  readonly names: readonly LimitName[];
  /** The limits of which a value was refused. */
  readonly refused: ReadonlyMap<LimitName, Refusal>;
}

export const acceptedLimits: Fixture<AcceptedLimits> = fixture("admin", "which limits can be written", async (scope) =>
  withLoan(scope, async (loan) => {
    const [limits = {}] = scope.draw(everyLimit(), "writable", 1);
    const found = await refusals(scope, loan, limits);
    // Where not a single limit can be added it is adding that is refused, and no value.
    if (found.size === LIMIT_NAMES.length) return { values: limits, names: LIMIT_NAMES, refused: new Map<LimitName, Refusal>() };
    const refused = new Map<LimitName, Refusal>();
    for (const [name, { value, exchange }] of found) refused.set(name, { value, exchange, ...(await another(scope, loan, name)) });
    return { values: limits, names: LIMIT_NAMES.filter((name) => !refused.has(name)), refused };
  }),
);

/** The limits of a set that are refused even by themselves, each with the value and the answer that refused it. */
export async function refusals(
  scope: Scope,
  loan: LoanedInstance,
  limits: Limits,
): Promise<Map<LimitName, { readonly value: LimitValue; readonly exchange: Answered }>> {
  const found = new Map<LimitName, { readonly value: LimitValue; readonly exchange: Answered }>();
  const parts: Limits[] = [limits];
  for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
    const exchange = await update(scope, loan.instance, newName(scope), part);
    if (isSuccess(exchange)) {
      loan.bare = false;
      continue;
    }
    const entries = Object.entries(part) as [LimitName, LimitValue][];
    const [only] = entries;
    if (entries.length > 1) {
      const middle = Math.ceil(entries.length / 2);
      parts.push(Object.fromEntries(entries.slice(0, middle)), Object.fromEntries(entries.slice(middle)));
    } else if (only !== undefined) {
      found.set(only[0], { value: only[1], exchange });
    }
  }
  return found;
}

/** Another value of a limit that is taken, of those near its default first and its default last: which values a server takes is not stated. */
async function another(scope: Scope, loan: LoanedInstance, name: LimitName): Promise<Pick<Refusal, "alternative" | "settable">> {
  const { ordinary, usual } = otherValues(name);
  for (const value of ordinary) {
    if ((await refusals(scope, loan, { [name]: value })).size === 0) return { alternative: value, settable: true };
  }
  const settable = usual !== undefined && (await refusals(scope, loan, { [name]: usual })).size === 0;
  return { alternative: undefined, settable };
}
