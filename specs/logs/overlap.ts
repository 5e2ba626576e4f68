/** Section 4 when much happens at once: pushes side by side, and reads while pushes go on. */
import type { Check } from "../../src/harness/check.ts";
import type { ClauseId } from "../../src/contract/catalogue.ts";
import type { Trial } from "../../src/harness/finding.ts";
import { overlappingPushes, readsDuringPushes } from "../../src/world/logs/overlapping.ts";
import { logsCheck } from "./check.ts";

function overlapCheck(slug: string, title: string, clause: ClauseId, trial: Trial): Check {
  return logsCheck({
    slug,
    title,
    clauses: [clause],
    profiles: ["release", "nightly"],
    async run(t) {
      await t.verify(trial);
    },
  });
}

export const OVERLAP_CHECKS: readonly Check[] = [
  overlapCheck(
    "side-by-side",
    "what is acknowledged of pushes to one stream at the same time comes back once",
    "logs-4.push",
    overlappingPushes("one"),
  ),
  overlapCheck(
    "side-by-side-streams",
    "what is acknowledged of pushes to many streams at the same time comes back once",
    "logs-4.push",
    overlappingPushes("many"),
  ),
  overlapCheck(
    "during-pushes",
    "entries that are there stay in range queries while more is pushed",
    "logs-4.query_range",
    readsDuringPushes("logs-4.query_range"),
  ),
  overlapCheck(
    "during-pushes",
    "entries that are there stay counted while more is pushed",
    "logs-4.query",
    readsDuringPushes("logs-4.query"),
  ),
];
