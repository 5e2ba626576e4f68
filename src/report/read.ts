/** Reads the report folder of an earlier run. Throws a `SettingsError` if the report folder cannot be read. */
import { readFileSync } from "node:fs";
import { codeOf, SettingsError } from "../settings/error.ts";
import type { Summary } from "./model.ts";
import { outputsIn } from "./outputs.ts";

function readJson(path: string, label: string): unknown {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw new SettingsError(
      `${label} has no report: ${path} cannot be read (${codeOf(error)}); name the REPORTS_DIR of a run that has ended`,
    );
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new SettingsError(`${label} has no report: ${path} is not JSON; name the REPORTS_DIR of a run that has ended`);
  }
}

/** Reads `summary.json` of a report folder. */
export function readSummary(folder: string, label: string): Summary {
  const summary = readJson(outputsIn(folder).summary, label) as Partial<Summary> | null;
  if (summary?.schemaVersion !== 1 || !Array.isArray(summary.clauses)) {
    throw new SettingsError(`${label} has a report of another version of this program, which this version cannot read`);
  }
  return summary as Summary;
}

/** An observation of an earlier run: the observed value and its id. */
export interface Observed {
  readonly id: string;
  readonly title: string;
  readonly seen: unknown;
}

/** The data of a run that a comparison reads from its report folder. */
export interface Compared {
  readonly summary: Summary;
  readonly observations: readonly Observed[];
}

export function readRun(folder: string, label: string): Compared {
  const summary = readSummary(folder, label);
  const file = readJson(outputsIn(folder).observations, label) as { readonly observations?: readonly Observed[] } | null;
  return { summary, observations: file?.observations ?? [] };
}
