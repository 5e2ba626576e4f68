/** Compares values of limits, and the limits object of a read with the expected limits. */
import type { Ajv2020, ValidateFunction } from "ajv/dist/2020.js";
import type { ClauseId } from "../contract/catalogue.ts";
import { LIMIT_TYPES } from "../contract/limit-types.ts";
import { LIMITS, LIMIT_NAMES, type LimitName, type LimitType, type LimitValue, type Limits } from "../contract/limits.ts";
import { newAjv } from "./ajv.ts";
import { type Difference, show } from "./difference.ts";
import { isObject, type JsonObject } from "./json.ts";
import { type DaysOfYear, durationLength, YEARS } from "./times.ts";

/** The values that a read may show for a limit: the values in `oneOf`, or with `any` each value of the limit's type. */
export type ExpectedLimit = { readonly oneOf: readonly LimitValue[]; readonly why: string } | { readonly any: true; readonly why: string };

type ExpectedLimits = Readonly<Record<LimitName, ExpectedLimit>>;

/** Returns the limits of an instance as a message shows them: their number and the first limit, or `absent`. */
export function showLimits(limits: unknown): string {
  const all = isObject(limits) ? Object.entries(limits) : [];
  const [first] = all;
  return first === undefined ? show(limits) : `${all.length} limits, such as ${first[0]}: ${show(first[1])}`;
}

type LimitProblem = "absent" | "type" | "value";

const validators = new Map<LimitType, ValidateFunction>();
let ajv: Ajv2020 | undefined;

/** Whether `value` is valid by the JSON Schema of the type that the limit `name` has in the table. */
export function hasLimitType(name: LimitName, value: unknown): boolean {
  const { type } = LIMITS[name];
  ajv ??= newAjv();
  const validate = validators.get(type) ?? ajv.compile(LIMIT_TYPES[type].schema);
  validators.set(type, validate);
  return validate(value);
}

function lengthOf(value: unknown, daysOfYear: DaysOfYear): bigint | null {
  if (typeof value === "string") return durationLength(value, daysOfYear);
  return typeof value === "number" && Number.isInteger(value) ? BigInt(value) : null;
}

/** Returns the lengths of a year (in days) with which two durations are equal. If neither duration is in years, returns all lengths. */
export function yearsThatFit(left: unknown, right: unknown): DaysOfYear[] {
  return YEARS.filter((days) => {
    const length = lengthOf(left, days);
    return length !== null && length === lengthOf(right, days);
  });
}

/** Whether two values mean the same. Durations are compared by length, and lists without their order. An empty list equals null. */
export function sameLimit(name: LimitName, left: unknown, right: unknown): boolean {
  switch (LIMITS[name].type) {
    case "list": {
      const [one, other] = [left ?? [], right ?? []];
      if (!Array.isArray(one) || !Array.isArray(other)) return false;
      const [items, others] = [new Set<unknown>(one), new Set<unknown>(other)];
      return items.size === others.size && [...items].every((item) => others.has(item));
    }
    case "duration":
    case "retention": {
      return yearsThatFit(left, right).length > 0;
    }
    default:
      return left === right;
  }
}

/** Like `sameLimit`, for values that reads showed, which may have a wrong type. */
export function sameAsRead(name: LimitName, left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right) || (left !== undefined && right !== undefined && sameLimit(name, left, right));
}

/** Returns how a value differs from the expected value of a limit, or null. The value undefined stands for a missing limit. */
export function limitProblem(name: LimitName, expected: ExpectedLimit, value: unknown): LimitProblem | null {
  if (value === undefined) return "absent";
  if (!hasLimitType(name, value)) return "type";
  if ("any" in expected) return null;
  return expected.oneOf.some((candidate) => sameLimit(name, candidate, value)) ? null : "value";
}

/** Returns words that describe the expected value of a limit. */
export function describeExpected(name: LimitName, expected: ExpectedLimit): string {
  const type = LIMIT_TYPES[LIMITS[name].type].words;
  if ("any" in expected) return `${type} (${expected.why})`;
  return `${expected.oneOf.map((value) => shortened(value)).join(" or ")} (${type}; ${expected.why})`;
}

/** The number of items of a long list that a message shows. */
const SHOWN_ITEMS = 3;
const LONG_LIST = 10;

function shortened(value: LimitValue): string {
  if (!Array.isArray(value) || value.length < LONG_LIST) return show(value);
  return `a list of ${value.length} items that begins with ${show(value.slice(0, SHOWN_ITEMS))}`;
}

interface LimitFinding {
  readonly name: LimitName;
  readonly problem: LimitProblem;
  readonly difference: Difference;
}

/** Returns a difference for each limit with an unexpected value. Each difference violates the clause of the limit. */
export function limitFindings(expected: ExpectedLimits, actual: JsonObject, path = "limits"): LimitFinding[] {
  return LIMIT_NAMES.flatMap((name) => {
    const value = Object.hasOwn(actual, name) ? actual[name] : undefined;
    const problem = limitProblem(name, expected[name], value);
    if (problem === null) return [];
    const clause: ClauseId = `admin-2.limit.${name}`;
    const difference = {
      clause,
      path: `${path}.${name}`,
      expected: describeExpected(name, expected[name]),
      actual: show(value),
      kind: problem,
    };
    return [{ name, problem, difference }];
  });
}

/** Returns the global default of each limit: from METRICS_EXPECTED_DEFAULTS, or else from the table. Undefined if neither has a default. */
export function globalDefaults(overrides: Limits): Readonly<Record<LimitName, LimitValue | undefined>> {
  return Object.fromEntries(
    LIMIT_NAMES.map((name) => [name, overrides[name] !== undefined ? overrides[name] : LIMITS[name].default]),
  ) as Record<LimitName, LimitValue | undefined>;
}

/** Returns the limits after a write of `sent` to an instance without limits: all limits that were not sent have their global defaults. */
export function filledLimits(sent: Limits, overrides: Limits): ExpectedLimits {
  const defaults = globalDefaults(overrides);
  return perLimit((name) => {
    const value = sent[name];
    if (value !== undefined) return { oneOf: [value], why: "sent in the request" };
    return defaultOf(name, defaults);
  });
}

function defaultOf(name: LimitName, defaults: ReturnType<typeof globalDefaults>): ExpectedLimit {
  const value = defaults[name];
  return value === undefined
    ? { any: true, why: "not sent: the global default, which the table does not show" }
    : { oneOf: [value], why: "not sent: the global default" };
}

function perLimit(expect: (name: LimitName) => ExpectedLimit): ExpectedLimits {
  return Object.fromEntries(LIMIT_NAMES.map((name) => [name, expect(name)])) as ExpectedLimits;
}
