/** Checks that ended, with the check that judges their clauses now. `--only` and deviations accept the old ids. */
import { LIMIT_NAMES } from "./limits.ts";

const HISTORIES = "admin-4.3/histories";

const ENDED: Readonly<Record<string, readonly string[]>> = {
  [HISTORIES]: [
    // The longest-lived predecessor comes first: its history in Allure goes on.
    "admin-4.3/any-subset",
    "admin-4.1/all-but-one",
    "admin-4.1/one-limit",
    "admin-4.1/unusual-values",
    "admin-4.1/zeros-are-values",
    "admin-4.2/at-short-notice",
    "admin-4.2/removes",
    "admin-4.3/each-by-itself",
    "admin-4.3/unusual-values",
    "admin-4.3/zeros-are-values",
    "admin-4.PUT-over-limits/generated",
    "admin-4.PUT-over-limits/in-a-row",
    "admin-4.PUT-over-limits/mistakable-values",
    ...LIMIT_NAMES.map((name) => `admin-2.limit.${name}/written`),
  ],
};

/** The id of a check, and the ids of the ended checks that it replaces. */
export function namesOf(check: string): readonly string[] {
  return [check, ...(ENDED[check] ?? [])];
}

/** The id that the history of a check in Allure began with. */
export function firstIdOf(check: string): string {
  return ENDED[check]?.[0] ?? check;
}
