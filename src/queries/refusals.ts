/** Makes assertions about a request that must be refused. A control request that differs in one part must be accepted. */
import { type Answered, isSuccess, jsonOf, statusOf } from "../client/exchange.ts";
import type { LogsOverride } from "../client/logs.ts";
import { Inconclusive, Masked, Unanswered } from "../client/inconclusive.ts";
import type { ClauseId } from "../contract/catalogue.ts";
import { type Assertion, type Fixture, fixture, type Scope } from "../harness/scope.ts";
import { isObject } from "../model/json.ts";
import type { Direction } from "../model/logs.ts";
import { selectorText } from "../model/query-text.ts";
import type { Dataset } from "../datasets/datasets.ts";
import { masked } from "../datasets/masking.ts";
import { takesForm } from "./metrics.ts";
import { wrongStatus } from "../model/difference.ts";
import { requireUntroubled, restBetween, timesNeeded } from "./unknown-forms.ts";

/** A valid query, and an invalid query that differs in exactly one part. */
export interface Invalid {
  /** A few words that say what is wrong with the query. */
  readonly title?: string;
  readonly clause: ClauseId;
  readonly endpoint: "query_range" | "query";
  readonly valid: (selector: string) => string;
  /** Returns the invalid query, or undefined if the request is sent without the parameter `query`. */
  readonly invalid: (selector: string) => string | undefined;
  readonly direction?: Direction;
  /** The limit that the invalid query sends. Its endpoint has no parameter `limit`. */
  readonly limit?: string;
  readonly override?: LogsOverride;
  /** True if the invalid query is sent without the parameter `time`. */
  readonly isTimeless?: true;
  /** True if any 4xx status is right. Without `anyError`, the status must be 400. */
  readonly anyError?: true;
}

/** The responses to valid queries. They are kept, because many invalid queries have the same valid query as their control. */
const validAnswers: Fixture<Map<string, Promise<Answered>>> = fixture("logs", "the answers to valid queries", async () => new Map());

/** Resolves to the response to the valid query. Only a successful response is used again. */
async function validAnswer(scope: Scope, dataset: Dataset, row: Invalid, selector: string): Promise<Answered> {
  const known = await scope.use(validAnswers);
  const key = [row.endpoint, row.direction, row.override?.tenant, row.valid(selector)].join(" ");
  const asked = known.get(key) ?? sendValid(scope, dataset, row, selector);
  known.set(key, asked);
  const answer = await asked.catch(() => null);
  return answer !== null && isSuccess(answer) ? answer : sendValid(scope, dataset, row, selector);
}

/**
 * Asserts that the invalid request is refused and the valid one is not. Throws `Inconclusive` if both are refused.
 * An invalid request with a successful response is always a violation. So is an invalid request after which the target always closes the
 * connection without a response.
 */
export function refused(dataset: Dataset, row: Invalid): Assertion {
  const { title, clause, anyError } = row;
  return async (scope) => {
    const selector = selectorText(dataset.matchers);
    const invalid = row.invalid(selector);
    for (let serverErrors = 1; ; serverErrors += 1) {
      const before = await orReason((serverErrors === 1 ? validAnswer : sendValid)(scope, dataset, row, selector));
      const answer = await orCrash(sendOnce(scope, dataset, row, "invalid", invalid));
      if (before instanceof Error && (answer instanceof Unanswered || !isAnsweredWithData(answer))) throw before;
      const expected = expectedText(row, invalid);
      const input = {
        ...(title === undefined ? {} : { case: title }),
        invalid: invalid ?? "query parameter absent",
        valid: row.valid(selector),
      };
      if (answer instanceof Unanswered) {
        const control = requireSuccess(await sendValid(scope, dataset, row, selector));
        const closed = scope.exchanges.findLast(({ response }) => response === null);
        const actual = `${answer.last} in each attempt, while the valid query succeeds`;
        return {
          clauses: [clause],
          differences: [wrongStatus(clause, expected, actual)],
          exchanges: closed === undefined ? [control] : [closed, control],
          input,
        };
      }
      const status = statusOf(answer);
      if (status < 500 && serverErrors > 1) scope.run.transport("logs").notePassingError(serverErrors - 1);
      const right = anyError === true ? !isSuccess(answer) && status < 500 : status === 400;
      // A response without data is a violation only if the valid request still succeeds.
      if (!right && !isAnsweredWithData(answer)) requireSuccess(await sendValid(scope, dataset, row, selector));
      if (status >= 500 && serverErrors < timesNeeded(scope)) {
        await restBetween(scope);
        continue;
      }
      if (status >= 500) requireUntroubled(scope);
      const actual = status >= 500 ? `status ${status}, ${serverErrors} times, while the valid query succeeds` : `status ${status}`;
      return {
        clauses: [clause],
        differences: right ? [] : [wrongStatus(clause, expected, actual)],
        exchanges: before instanceof Error ? [answer] : [answer, before],
        input,
      };
    }
  };
}

function expectedText({ anyError, isTimeless, override }: Invalid, invalid: string | undefined): string {
  const tenant = override?.tenant === undefined ? "" : `, sent by tenant ${override.tenant}`;
  const what = invalid === undefined ? "a request without query" : `the invalid query \`${invalid}\``;
  return `${anyError === true ? "an error" : "status 400"} for ${what}${isTimeless === true ? ", sent without time" : ""}${tenant}`;
}

/** Resolves to the response. Resolves to the error if the target closes the connection in each attempt, as a server does that crashes. */
async function orCrash(asked: Promise<Answered>): Promise<Answered | Unanswered> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof Unanswered && error.refused) return error;
    throw error;
  }
}

/** Returns a function: can this pair of queries be judged? It can if the target accepts at least one of the two. */
export function taken(dataset: Dataset, row: Invalid): (scope: Scope) => Promise<boolean> {
  return async (scope) => {
    const selector = selectorText(dataset.matchers);
    return (
      (await takesValid(scope, dataset, row, selector)) ||
      isAnsweredWithData(await sendOnce(scope, dataset, row, "invalid", row.invalid(selector)))
    );
  };
}

async function takesValid(scope: Scope, dataset: Dataset, row: Invalid, selector: string): Promise<boolean> {
  // If the target refuses the other tenant, a refused request proves nothing about the credentials.
  if (row.override !== undefined) return isSuccess(await sendOnce(scope, dataset, row, "as another tenant", row.valid(selector)));
  if (row.endpoint === "query") return (await takesForm(row.valid(selector), dataset.end)(scope)) !== null;
  return isSuccess(await sendValid(scope, dataset, row, selector));
}

async function sendValid(
  scope: Scope,
  { start, end }: Dataset,
  { endpoint, direction, override, valid }: Invalid,
  selector: string,
): Promise<Answered> {
  const query = valid(selector);
  const exchange =
    endpoint === "query"
      ? await scope.logs.query(query, end, override)
      : await scope.logs.queryRange({ query, start, end, limit: 10, ...(direction === undefined ? {} : { direction }) }, override);
  await masked(scope, exchange, { query });
  return exchange;
}

async function sendOnce(
  { logs }: Scope,
  { start, end }: Dataset,
  { endpoint, direction, limit, override, isTimeless }: Invalid,
  what: string,
  query: string | undefined,
): Promise<Answered> {
  const when =
    endpoint === "query"
      ? { ...(isTimeless === true ? {} : { time: end.toString() }), ...(limit === undefined ? {} : { limit }) }
      : { start: start.toString(), end: end.toString(), limit: "10" };
  const parameters = { ...(query === undefined ? {} : { query }), ...when, ...(direction === undefined ? {} : { direction }) };
  return logs.probe(`${endpoint} (${what})`, endpoint, parameters, override);
}

/** Resolves to the response to the valid request, or the reason why it proves nothing. */
async function orReason(asked: Promise<Answered>): Promise<Answered | Inconclusive | Masked> {
  try {
    return requireSuccess(await asked);
  } catch (error) {
    if (error instanceof Inconclusive || error instanceof Masked) return error;
    throw error;
  }
}

/** Returns a successful response with data. Throws `Inconclusive` for each other response. */
function requireSuccess(twin: Answered): Answered {
  if (isAnsweredWithData(twin)) return twin;
  throw new Inconclusive(
    `precondition not met: the valid control request is answered ${statusOf(twin)}, so a refusal of the invalid request shows nothing`,
  );
}

function isAnsweredWithData(answer: Answered): boolean {
  const body = jsonOf(answer);
  return isSuccess(answer) && isObject(body) && Object.hasOwn(body, "data");
}
