/** Makes checks of the admin API. */
import { type Check, type CheckSpec, checksOf } from "../../src/harness/check.ts";
import type { Assertion, Scope } from "../../src/harness/scope.ts";
import { adminAnswers } from "../../src/histories/creates.ts";

export const adminCheck = checksOf("admin", adminAnswers);

/** Makes a check that does not run in smoke runs. */
export function largerCheck(spec: Omit<CheckSpec, "profiles">): Check {
  return adminCheck({ ...spec, profiles: ["release", "nightly"] });
}

interface ProbedSpec extends Omit<CheckSpec, "run"> {
  /** Resolves to the assertion that the check verifies. Resolves to null if the check does not run. `otherwise` is then the reason. */
  readonly probe: (scope: Scope) => Promise<Assertion | null>;
  readonly otherwise: string;
}

/** Makes a check with an assertion that does not apply to each target. By default, it does not run in smoke runs. */
export function probedCheck({ probe, otherwise, profiles = ["release", "nightly"], ...spec }: ProbedSpec): Check {
  return adminCheck({ ...spec, profiles, run: async (t) => t.verifyProbed(probe, otherwise) });
}
