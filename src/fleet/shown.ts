/** Selects the faults that a run of a profile can detect. */
import type { Fault } from "../reference/faults/types.ts";
import { FAULTS } from "../reference/faults/index.ts";
import type { Profile } from "../settings/types.ts";

/** Returns the faults that a run of this profile can detect. */
export function shownIn(profile: Profile): Fault[] {
  return FAULTS.filter(({ needs }) => needs === undefined || needs === profile);
}
