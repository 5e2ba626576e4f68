/** Reads and writes `corpus/cases.json`: the generated cases that violated a clause in nightly runs. The file is kept between runs. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type KeptCase, keptAfter } from "../harness/corpus.ts";
import { SettingsError } from "../settings/error.ts";
import type { FinishedRun } from "./model.ts";

interface CorpusFile {
  readonly schemaVersion: 1;
  readonly cases: readonly KeptCase[];
}

function corpusPath(reportsDir: string): string {
  return join(reportsDir, "corpus", "cases.json");
}

/** Returns the cases of earlier nightly runs, or an empty list without a file. Throws a `SettingsError` for an unknown format. */
export function readCorpus(reportsDir: string): readonly KeptCase[] {
  const path = corpusPath(reportsDir);
  if (!existsSync(path)) return [];
  try {
    const file = JSON.parse(readFileSync(path, "utf8")) as Partial<CorpusFile> | null;
    if (file?.schemaVersion === 1 && Array.isArray(file.cases)) return file.cases as readonly KeptCase[];
  } catch {
    // A file that is not JSON is refused below, like a file with an unknown format.
  }
  throw new SettingsError(`${path} is not a corpus of this program; remove the file to start a new one`);
}

/** Writes the corpus file after a nightly run. The corpus file is created when a case fails for the first time. */
export function writeCorpus(reportsDir: string, before: readonly KeptCase[], { results, summary }: FinishedRun): void {
  const ran = new Set(results.flatMap(({ id, verdict }) => (verdict === "inconclusive" || verdict === "not-run" ? [] : [id])));
  const failing = results.flatMap((result) => result.failing ?? []);
  const cases = keptAfter(before, failing, ran, summary.run.startedAt.slice(0, 10));
  if (cases.length === 0 && before.length === 0) return;
  const path = corpusPath(reportsDir);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${JSON.stringify({ schemaVersion: 1, cases } satisfies CorpusFile, null, 2)}\n`);
}
