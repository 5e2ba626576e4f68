/** Faults of PUT: what is modified, and what becomes of the limits (docs/1 section 4 rules 2 and 3). */
import { fault } from "./define.ts";
import type { Fault } from "./types.ts";

export const ADMIN_UPDATE_FAULTS: readonly Fault[] = [
  fault("admin-4.2", "admin-removal-ignored", "A PUT without limits leaves the limits as they were.", () => ({
    withoutLimits: (old) => old,
  })),
  fault(
    "admin-4.2",
    "admin-removal-resets",
    "A PUT without limits resets the limits to the global defaults instead of removing them.",
    () => ({
      withoutLimits: (old, defaults) => (old === undefined ? undefined : defaults),
    }),
  ),
];
