/** Makes checks of the admin API. */
import { type Check, type CheckSpec, checksOf } from "../../src/harness/check.ts";
import type { Assertion, Scope } from "../../src/harness/scope.ts";
import { adminAnswers } from "../../src/histories/creates.ts";

export const adminCheck = checksOf("admin", adminAnswers);

/** Makes a check that smoke runs leave out. */
export function largerCheck(spec: Omit<CheckSpec, "profiles">): Check {
  return adminCheck({ ...spec, profiles: ["release", "nightly"] });
}

interface ProbedSpec extends Omit<CheckSpec, "run"> {
  /** Resolves to the assertion that the check verifies, or to null if the check does not run for the reason `otherwise`. */
  readonly probe: (scope: Scope) => Promise<Assertion | null>;
  readonly otherwise: string;
}

/** Makes a check of an assertion that may not apply to a target. By default, smoke runs leave it out. */
export function probedCheck({ probe, otherwise, profiles = ["release", "nightly"], ...spec }: ProbedSpec): Check {
  return adminCheck({ ...spec, profiles, run: async (t) => t.verifyProbed(probe, otherwise) });
}
