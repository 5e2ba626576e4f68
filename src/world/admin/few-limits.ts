/** A few limits for updates of which the limits are not what is asked about. */
import { isSuccess } from "../../client/exchange.ts";
import type { LimitName, Limits, LimitValue } from "../../contract/limits.ts";
import { type Fixture, fixture } from "../../harness/scope.ts";
import { acceptedLimits, emptied } from "./accepted-limits.ts";
import { plainer } from "./filled-limits.ts";
import { newName, update } from "./instances.ts";
import { withLoan } from "./loans.ts";

const FEW = 3;
const MOST_ATTEMPTS = 5;

/**
 * Three limits, each with a value, that this target adds to an instance without limits; fewer where it does not take so many. A limit
 * may be taken only beside another, which is not stated either, so they are tried, unless a smoke run has no request to spare.
 */
export const fewLimits: Fixture<Limits> = fixture("admin", "a few limits that can be added", async (scope) => {
  const { together } = await scope.use(acceptedLimits);
  const entries = Object.entries(together);
  const usual: Limits = Object.fromEntries(entries.slice(0, FEW));
  if (scope.settings.profile === "smoke") return usual;
  return withLoan(scope, async (loan) => {
    for (let attempt = 0; attempt < MOST_ATTEMPTS && attempt * FEW < entries.length; attempt += 1) {
      await emptied(scope, loan);
      const sent: Limits = Object.fromEntries(entries.slice(attempt * FEW, (attempt + 1) * FEW));
      if (isSuccess(await update(scope, loan.instance, newName(scope), sent))) {
        loan.bare = false;
        return sent;
      }
    }
    return usual;
  });
});

/** Other values are drawn this often. */
const MOST_DRAWS = 3;

/**
 * Other values of the same limits, which this target takes over the first ones: their defaults, which go together wherever they are
 * filled, or values that are taken one by one. Null where none is seen to be taken.
 */
export const fewOthers: Fixture<Limits | null> = fixture("admin", "other values of a few limits", async (scope) => {
  const few = await scope.use(fewLimits);
  const { valueOf } = await scope.use(acceptedLimits);
  const [usual = {}] = await plainer(scope, few);
  const drawn = Array.from({ length: MOST_DRAWS }, (_, draw): Limits =>
    Object.fromEntries(
      (Object.keys(few) as LimitName[]).flatMap((name) =>
        scope.draw(valueOf(name), `others ${draw} ${name}`, 1).map((value): [LimitName, LimitValue] => [name, value]),
      ),
    ),
  );
  return withLoan(scope, async (loan) => {
    await emptied(scope, loan);
    for (const others of [usual, ...drawn]) {
      loan.bare = false;
      if (!isSuccess(await update(scope, loan.instance, newName(scope), few))) return null;
      if (isSuccess(await update(scope, loan.instance, newName(scope), others))) return others;
    }
    return null;
  });
});
