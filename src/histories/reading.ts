/** Defines the documented read of an instance as a value, and finds the instance object in a response. */
import { type Answered, type Exchange, isSuccess, jsonOf, statusOf } from "../client/exchange.ts";
import { precondition } from "../client/inconclusive.ts";
import type { ClauseId } from "../contract/catalogue.ts";
import { type Ask, type Expectation, expecting } from "../harness/expect.ts";
import type { Assertion, Scope } from "../harness/scope.ts";
import type { Settled } from "../harness/settle.ts";
import { type Difference, difference, show, showApart, showInvalid, wrongStatus } from "../model/difference.ts";
import { showLimits } from "../model/limits.ts";
import { isObject, type JsonObject } from "../model/json.ts";
import { underExactNames } from "../model/limit-names.ts";
import type { Instance } from "./instances.ts";

export function reading({ name }: Instance, how: "read" | "readCompressed" = "read"): Ask<JsonObject> {
  return async ({ admin }) => {
    const exchange = await admin[how](name);
    const { body, differences } = bodyOf(exchange, "admin-4.GET");
    return { answer: body, malformed: differences, exchanges: [exchange] };
  };
}

interface ReadOptions extends Partial<Pick<Expectation<JsonObject>, "ask" | "when" | "input">> {
  /** Exchanges that a finding lists after the read, such as the write that the read must show. */
  readonly after?: readonly Exchange[];
}

/** Returns an assertion that a read of the instance is as expected. */
export function shownBy(
  instance: Instance,
  clauses: Expectation<JsonObject>["clauses"],
  expect: (body: JsonObject) => readonly Difference[],
  { after = [], ...rest }: ReadOptions = {},
): Assertion {
  const assertion = expecting({ clauses, of: instance, ask: reading(instance), expect, ...rest });
  return async (scope) => {
    const finding = await assertion(scope);
    return { ...finding, exchanges: [...finding.exchanges, ...after] };
  };
}

/** Reads until `judge` returns no difference for the instance object. The caller judges the result. */
export async function readUntil(
  scope: Scope,
  instance: Instance,
  judge: (body: JsonObject) => readonly Difference[],
): Promise<Settled<Answered>> {
  return scope.eventually({
    resource: instance,
    read: () => scope.admin.read(instance.name),
    judge: (exchange) => {
      const { body, differences } = bodyOf(exchange, "admin-4.GET");
      return body === null ? differences : judge(body);
    },
    impossibleIn: (exchange, differences) => scope.run.everyResponse.impossibleIn(exchange, differences),
  });
}

/** Resolves to a read of an instance, repeated until it shows the instance object or the write has settled. */
export async function readSettled(scope: Scope, instance: Instance): Promise<Answered> {
  return (await readUntil(scope, instance, () => [])).value;
}

function withoutBody(...differences: Difference[]): { body: null; differences: Difference[] } {
  return { body: null, differences };
}

/** Returns the instance object. A wrong status or body violates `clause`, and a body that is not JSON violates admin-4.json. */
export function bodyOf(exchange: Answered, clause: ClauseId): { body: JsonObject | null; differences: Difference[] } {
  if (!isSuccess(exchange)) return withoutBody(refusal(clause, "success (2xx) with the instance object", exchange));
  if (exchange.response.body === "") {
    const missing = {
      path: "body",
      expected: "the instance object as JSON",
      actual: `an empty body (status ${statusOf(exchange)})`,
      kind: "form",
    } as const;
    return withoutBody({ ...missing, clause }, { ...missing, clause: "admin-4.json" });
  }
  const body = jsonOf(exchange);
  if (body === undefined) return withoutBody(difference("admin-4.json", "body", "JSON", showInvalid(exchange.response.body), "form"));
  if (!isObject(body) || !INSTANCE_FIELDS.some((field) => Object.hasOwn(body, field)))
    return withoutBody(difference(clause, "body", "the instance object", show(body), "form"));
  return { body, differences: [] };
}

/** Returns a difference if the object has `limits`. The values null and {} are differences too. */
export function noLimits(body: JsonObject, clause: ClauseId): Difference[] {
  if (!Object.hasOwn(body, "limits")) return [];
  return [
    {
      clause,
      path: "limits",
      expected: "absent, because the last write sent no limits",
      actual: showLimits(body["limits"]),
      kind: "present",
    },
  ];
}

/** Returns the difference of a request that should have succeeded. */
export function refusal(clause: ClauseId, expected: string, answer: Answered): Difference {
  return wrongStatus(clause, expected, `status ${statusOf(answer)}: ${show(answer.response.body)}`);
}

/** Throws `Inconclusive` if a request did not succeed that other checks judge. `see` is the clause of the request. */
export function requireSuccess(answer: Answered, what: string, see: ClauseId): void {
  if (!isSuccess(answer)) throw precondition(`${what} was answered ${statusOf(answer)} (see ${see})`);
}

/** Judges the limits of an instance object. An object without limits violates `clause`. */
export function limitsJudgedBy(body: JsonObject, clause: ClauseId, judge: (limits: JsonObject) => Difference[]): Difference[] {
  const { limits, differences } = limitsIn(body, clause);
  return limits === null ? differences : judge(limits);
}

export function limitsIn(body: JsonObject, clause: ClauseId): { limits: JsonObject | null; differences: Difference[] } {
  const limits = body["limits"];
  if (Object.hasOwn(body, "limits") && isObject(limits)) return { limits: underExactNames(limits), differences: [] };
  const actual = Object.hasOwn(body, "limits") ? show(limits) : "absent";
  return { limits: null, differences: [{ clause, path: "limits", expected: "an object with all limits", actual }] };
}

const INSTANCE_FIELDS = ["name", "display_name", "created_at", "status", "cluster"];

/** Returns the difference of one field, which violates `clause`, or an empty list. */
export function fieldDifference(body: JsonObject, field: string, expected: string, clause: ClauseId): Difference[] {
  const actual = Object.hasOwn(body, field) ? body[field] : undefined;
  return actual === expected ? [] : [{ clause, path: field, ...showApart(expected, actual) }];
}
