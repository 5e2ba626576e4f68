/** Writes `summary.json` and `observations.json`. */
import { writeFileSync } from "node:fs";
import type { Observation } from "../harness/result.ts";
import type { FinishedRun, Summary } from "./model.ts";
import type { Outputs } from "./outputs.ts";

/** Matches a list of numbers over several lines, but never within a string, because JSON escapes line breaks. */
const NUMBERS = /\[\n\s+(\d+(?:,\n\s+\d+)*)\n\s+\]/g;

/** Returns indented JSON. Each list of numbers is on one line, because the coverage has more than a thousand lists. */
function toJson(value: unknown): string {
  const text = JSON.stringify(value, null, 2).replaceAll(NUMBERS, (_, numbers: string) => `[${numbers.replaceAll(/\s+/g, " ")}]`);
  return `${text}\n`;
}

export function writeSummary(outputs: Outputs, { summary }: FinishedRun): void {
  writeFileSync(outputs.summary, toJson(summary));
}

/** An observation in `observations.json`. A comparison of two runs uses `id` and `seen`, and the other members are evidence for people. */
interface ObservationRecord {
  readonly id: string;
  readonly clause: string;
  readonly title: string;
  readonly seen: unknown;
  readonly check: string;
  readonly evidence: readonly { readonly operation: string; readonly status: number | null; readonly curl: string }[];
}

function toRecord({ id, clause, title, seen, exchanges }: Observation, check: string): ObservationRecord {
  const evidence = exchanges.map(({ operation, response, curl }) => ({ operation, status: response?.status ?? null, curl }));
  return { id, clause, title, seen, check, evidence };
}

interface ObservationsFile {
  readonly schemaVersion: 1;
  readonly suite: Summary["suite"];
  readonly run: Pick<Summary["run"], "id" | "seed" | "profile">;
  readonly targets: Summary["targets"];
  readonly observations: readonly ObservationRecord[];
}

/** Returns all observations, ordered by id, so that the files of two runs can be compared line by line. */
export function observationsOf({ summary, results }: FinishedRun): ObservationsFile {
  const records = results.flatMap((result) => result.observations.map((observation) => toRecord(observation, result.id)));
  const { id, seed, profile } = summary.run;
  return {
    schemaVersion: 1,
    suite: summary.suite,
    run: { id, seed, profile },
    targets: summary.targets,
    observations: records.toSorted((left, right) => left.id.localeCompare(right.id, "en") || left.check.localeCompare(right.check, "en")),
  };
}

export function writeObservations(outputs: Outputs, run: FinishedRun): void {
  writeFileSync(outputs.observations, toJson(observationsOf(run)));
}
