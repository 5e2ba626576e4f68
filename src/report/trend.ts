/** Keeps the trend of a run: the earlier complete runs with the same targets and the same profile. */
import type { Settings } from "../settings/types.ts";
import type { FinishedRun, FirstSeen, Summary } from "./model.ts";

/** The number of runs that a trend keeps. The number is limited, because each kept run makes all later reports larger. */
export const KEPT_RUNS = 30;

/** Returns the name of the Allure report, which is also the name of its trend. Runs with different names never enter the same trend. */
export function trendName({ embedded, admin, logs, profile }: Settings): string {
  const targets = embedded
    ? ["embedded reference server"]
    : [...new Set([admin?.baseUrl, logs?.baseUrl].filter((url) => url !== undefined))];
  return `Plumbline, ${profile}: ${targets.join(" and ")}`;
}

/** Whether the run is complete, was not interrupted, and had no error of the suite itself. */
export function entersTrend({ only, shard }: Settings, { run }: Summary): boolean {
  return only.length === 0 && shard === null && run.interrupted === undefined && run.internalError === undefined;
}

interface HistoryEntry {
  readonly name: string;
  /** The time of the run, in milliseconds since 1970. */
  readonly timestamp: number;
  readonly testResults: Readonly<Record<string, { readonly fullName?: string; readonly status?: string }>>;
  /** The record that Plumbline adds to a line of the history. Lines of older versions of Plumbline lack this record. */
  readonly plumbline?: RunRecord;
}

/** The facts about a run that Allure does not record. */
interface RunRecord extends FirstSeen {
  readonly durationMs: number;
  readonly defects: readonly string[];
}

function entriesOf(history: string): readonly { readonly line: string; readonly entry: HistoryEntry }[] {
  return history.split("\n").flatMap((line) => {
    try {
      return line === "" ? [] : [{ line, entry: JSON.parse(line) as HistoryEntry }];
    } catch {
      // A line that cannot be parsed, for example after a full disk, loses only its own run.
      return [];
    }
  });
}

/** The maximum number of runs of all other trends, which would grow without bound if the port of a target changes in each run. */
const KEPT_OTHERS = 2 * KEPT_RUNS;

/** Returns the lines of the history that belong to this trend, and all other lines. */
export function splitHistory(history: string, name: string): { readonly own: string; readonly others: string } {
  const entries = entriesOf(history);
  const lines = (own: boolean): string[] =>
    entries
      .filter(({ entry }) => (entry.name === name) === own)
      .toSorted((one, other) => one.entry.timestamp - other.entry.timestamp)
      .map(({ line }) => `${line}\n`);
  return { own: lines(true).join(""), others: lines(false).slice(-KEPT_OTHERS).join("") };
}

/** Returns the history of a trend. The last line gets the record of the present run. */
export function withRecord(history: string, { run, defects = [] }: Summary): string {
  const entries = entriesOf(history);
  const record: RunRecord = { run: run.id, startedAt: run.startedAt, durationMs: run.durationMs, defects: defects.map(({ id }) => id) };
  return entries
    .map(({ line, entry }, index) => `${index === entries.length - 1 ? JSON.stringify({ ...entry, plumbline: record }) : line}\n`)
    .join("");
}

/** Returns the finished run with a corrected `firstSeen` in each defect: the earliest run of the trend that found this defect. */
export function sinceFirstSeen(finished: FinishedRun, settings: Settings, history: string | null): FinishedRun {
  const { defects } = finished.summary;
  if (defects === undefined) return finished;
  const records = entriesOf(splitHistory(history ?? "", trendName(settings)).own).flatMap(({ entry }) => entry.plumbline ?? []);
  const dated = defects.map((defect) => {
    const first = records.find(({ defects: ids }) => ids.includes(defect.id));
    return first === undefined ? defect : { ...defect, firstSeen: { run: first.run, startedAt: first.startedAt } };
  });
  return { ...finished, summary: { ...finished.summary, defects: dated } };
}

export interface TrendPoint {
  /** The start time of the run, in the format ISO 8601. */
  readonly at: string;
  readonly passed: number;
  readonly failed: number;
  readonly inconclusive: number;
  /** The defects and ms of the run, or null for an older version of Plumbline, which did not record them. */
  readonly defects: number | null;
  readonly durationMs: number | null;
  /** The Allure status of each check, by the id of the check. */
  readonly statuses: ReadonlyMap<string, string>;
}

/** Returns the runs of a history, with the oldest run first. */
export function trendOf(history: string): TrendPoint[] {
  return entriesOf(history)
    .map(({ entry }) => {
      const results = Object.values(entry.testResults);
      const count = (wanted: string): number => results.filter(({ status }) => status === wanted).length;
      return {
        at: new Date(entry.timestamp).toISOString(),
        passed: count("passed"),
        failed: count("failed"),
        inconclusive: count("broken"),
        defects: entry.plumbline?.defects.length ?? null,
        durationMs: entry.plumbline?.durationMs ?? null,
        statuses: new Map(results.map(({ fullName = "", status = "unknown" }) => [fullName, status])),
      };
    })
    .toSorted((one, other) => one.at.localeCompare(other.at));
}
