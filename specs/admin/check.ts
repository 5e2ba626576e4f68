/** Makes checks of the admin API. */
import { type Check, type CheckSpec, checksOf } from "../../src/harness/check.ts";
import type { Assertion, Scope } from "../../src/harness/scope.ts";
import { adminAnswers } from "../../src/histories/instance-objects.ts";

export const adminCheck = checksOf("admin", adminAnswers);

interface ProbedSpec extends Omit<CheckSpec, "run"> {
  /** Resolves to the assertion that the check verifies, or to null if the check does not run for the reason `otherwise`. */
  readonly probe: (scope: Scope) => Promise<Assertion | null>;
  readonly otherwise: string;
}

export function probedCheck({ probe, otherwise, ...spec }: ProbedSpec): Check {
  return adminCheck({ ...spec, run: async (t) => t.verifyProbed(probe, otherwise) });
}
