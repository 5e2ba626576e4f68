/** Exports the harness of the suite. With it, you can write your own checks. */
export { default as fc } from "fast-check";
export { adminCheck } from "./admin/check.ts";
export { logsCheck } from "./logs/check.ts";
export type { Check, CheckSpec } from "../src/harness/check.ts";
export type { CheckContext } from "../src/harness/context.ts";
export { type Expectation, expecting } from "../src/harness/expect.ts";
export { type Finding, found, together } from "../src/harness/finding.ts";
export type { PropertyOptions } from "../src/harness/property.ts";
export { type Assertion, fixture, type Fixture, type Scope } from "../src/harness/scope.ts";
/** @deprecated The old name of `Assertion`. Version 1.2 removes this name. */
export type { Assertion as Trial } from "../src/harness/scope.ts";
