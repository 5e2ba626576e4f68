/** docs/2 section 2 rule 2, section 4 rule 2 and section 7: what gets a 400, each beside a valid request that does not. */
import { type Answered, isSuccess, statusOf } from "../../src/client/exchange.ts";
import type { Check } from "../../src/harness/check.ts";
import type { CheckContext } from "../../src/harness/context.ts";
import type { Difference } from "../../src/model/difference.ts";
import { selectorText } from "../../src/model/query-text.ts";
import { hello, logsCheck } from "./check.ts";
import { type Dataset, stored } from "./datasets.ts";
import { type Refusal, REFUSALS } from "./invalid-queries.ts";

/** How often a 5xx is seen beside a healthy twin before it counts as the answer. */
const SERVER_ERRORS = 3;

function refusalCheck(refusal: Refusal): Check {
  const { slug, title, clause, endpoint } = refusal;
  return logsCheck({
    slug,
    title: `${title} is refused by ${endpoint}`,
    clauses: [clause],
    ...(refusal.profiles === undefined ? {} : { profiles: refusal.profiles }),
    run: async (t) => judgeRefusal(t, stored(await t.use(hello)), refusal),
  });
}

async function judgeRefusal(t: CheckContext, dataset: Dataset, refusal: Refusal): Promise<void> {
  const { clause, anyError } = refusal;
  const selector = selectorText(dataset.matchers);
  const invalid = refusal.invalid(selector);
  let serverErrors = 0;
  for (;;) {
    const twin = await sendValid(t, dataset, refusal, selector);
    requireSuccess(t, twin);
    const answer = await sendInvalid(t, dataset, refusal, invalid);
    const status = statusOf(answer);
    const right = anyError === true ? !isSuccess(answer) && status < 500 : status === 400;
    // Any other answer is held against the service only when the valid request still succeeds.
    if (!right) requireSuccess(t, await sendValid(t, dataset, refusal, selector));
    if (status >= 500 && (serverErrors += 1) < SERVER_ERRORS) continue;
    const expected = anyError === true ? "an error" : "status 400";
    const found: Difference[] = right
      ? []
      : [
          {
            clause,
            path: "status",
            expected: `${expected} for ${invalid ?? "a request without query"}`,
            actual: status >= 500 ? `status ${status}, ${SERVER_ERRORS} times, while the valid query succeeds` : `status ${status}`,
          },
        ];
    t.judge(clause, found, {
      exchanges: [twin, answer],
      input: {
        value: { valid: refusal.valid(selector), invalid: invalid ?? "query left out" },
        note: "the valid request and its one change",
      },
    });
    return;
  }
}

/** A passing 5xx to the valid request is waited out; one that stays makes the check inconclusive. */
async function sendValid(
  t: CheckContext,
  { start, end }: Dataset,
  { endpoint, direction, valid }: Refusal,
  selector: string,
): Promise<Answered> {
  const query = valid(selector);
  if (endpoint === "query") return t.logs.query(query, end);
  return t.logs.queryRange({ query, start, end, limit: 10, ...(direction === undefined ? {} : { direction }) });
}

async function sendInvalid(
  t: CheckContext,
  { start, end }: Dataset,
  { endpoint, direction, limit }: Refusal,
  query: string | undefined,
): Promise<Answered> {
  const when =
    endpoint === "query"
      ? { time: end.toString(), ...(limit === undefined ? {} : { limit }) }
      : { start: start.toString(), end: end.toString(), limit: "10" };
  const parameters = { ...(query === undefined ? {} : { query }), ...when, ...(direction === undefined ? {} : { direction }) };
  return t.logs.probe(`${endpoint} (invalid)`, endpoint, parameters);
}

function requireSuccess(t: CheckContext, twin: Answered): void {
  if (!isSuccess(twin))
    return t.inconclusive(`precondition: the valid request is answered ${statusOf(twin)}, so a refusal of the invalid one says nothing`);
}

export const REFUSAL_CHECKS: readonly Check[] = REFUSALS.map(refusalCheck);
