/** Trials of the names of limits: exact wherever limits are shown. */
import { type Answered, isSuccess, jsonOf, statusOf } from "../../client/exchange.ts";
import { Inconclusive } from "../../client/inconclusive.ts";
import { expecting } from "../../harness/expect.ts";
import { found, together, type Trial } from "../../harness/finding.ts";
import type { Difference } from "../../model/difference.ts";
import { isObject, member } from "../../model/json.ts";
import { misspelt } from "../../model/limit-names.ts";
import { shownViews } from "./created.ts";
import { fewLimits } from "./few-limits.ts";
import { filledLimits, updatePlainly } from "./filled-limits.ts";
import { newName, update } from "./instances.ts";
import { onLoan } from "./loans.ts";
import { reading } from "./reading.ts";

const CLAUSE = "admin-2.3a";

/** The limits of an instance object that stand under a name that is nearly the table's. */
function misnamed(body: unknown, where = ""): Difference[] {
  const limits = member(body, "limits");
  if (!isObject(limits)) return [];
  return Object.keys(limits).flatMap((key): Difference[] => {
    const meant = misspelt(key);
    if (meant === undefined || Object.hasOwn(limits, meant)) return [];
    return [{ clause: CLAUSE, path: `limits.${key}${where}`, expected: `the name ${meant}`, actual: `the name ${key}` }];
  });
}

/** Limit names come back exactly as the table writes them. */
export const namesExact: Trial = async (scope) => {
  const views = shownViews(await scope.use(filledLimits));
  const wrong = new Map(views.flatMap(({ exchange }) => misnamed(jsonOf(exchange)).map((one) => [one.path, one] as const)));
  return found(CLAUSE, [...wrong.values()], { exchanges: views.map(({ exchange }) => exchange) })(scope);
};

/** The same in the answer of an update, and in what a read shows after it. */
export const namesExactOnUpdate: Trial = onLoan([fewLimits], async (scope, loan) => {
  const { instance } = loan;
  const sent = await scope.use(fewLimits);
  loan.bare = false;
  const first: Answered = await update(scope, instance, newName(scope), sent);
  const answer = isSuccess(first) ? first : ((await updatePlainly(scope, loan, sent)).taken ?? first);
  if (!isSuccess(answer)) throw new Inconclusive(`precondition: an update with limits was answered ${statusOf(answer)} (see admin-4.3)`);
  const onAnswer = await found(CLAUSE, misnamed(jsonOf(answer), " (answer of the update)"), { exchanges: [answer] })(scope);
  const onRead = expecting({ clauses: CLAUSE, of: instance, ask: reading(instance), expect: (body) => misnamed(body) });
  return together([onAnswer, await onRead(scope)]);
});
