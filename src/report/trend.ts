/** Earlier complete runs with the same targets and the same profile. */
import type { Settings } from "../settings/types.ts";
import type { Summary } from "./model.ts";

/** How many runs of each kind are kept. Each adds to the size of every later report. */
export const KEPT_RUNS = 30;

/** The name of the report and its trend. Runs with another name never enter the same trend. */
export function trendName({ embedded, admin, logs, profile }: Settings): string {
  const targets = embedded
    ? ["embedded reference server"]
    : [...new Set([admin?.baseUrl, logs?.baseUrl].filter((url) => url !== undefined))];
  return `Plumbline, ${profile}: ${targets.join(" and ")}`;
}

/** Whether other runs may be compared with this run: it is complete, not interrupted, and has no error of the suite itself. */
export function entersTrend({ only, shard }: Settings, { run }: Summary): boolean {
  return only.length === 0 && shard === null && run.interrupted === undefined && run.internalError === undefined;
}

/** One line of Allure's history. */
interface HistoryEntry {
  readonly name: string;
  /** ms since the epoch. */
  readonly timestamp: number;
  readonly testResults: Readonly<Record<string, { readonly fullName?: string; readonly status?: string }>>;
}

function entriesOf(history: string): readonly { readonly line: string; readonly entry: HistoryEntry }[] {
  return history.split("\n").flatMap((line) => {
    try {
      return line === "" ? [] : [{ line, entry: JSON.parse(line) as HistoryEntry }];
    } catch {
      // A line that is cut short, for example by a full disk, loses one run, and not the report.
      return [];
    }
  });
}

/** The number of runs kept of all other trends. Otherwise targets with changing ports would let the history grow without bound. */
const KEPT_OTHERS = 2 * KEPT_RUNS;

/** The lines of the history that belong to this trend, and the others. */
export function splitHistory(history: string, name: string): { readonly own: string; readonly others: string } {
  const entries = entriesOf(history);
  const lines = (own: boolean): string[] =>
    entries
      .filter(({ entry }) => (entry.name === name) === own)
      .toSorted((one, other) => one.entry.timestamp - other.entry.timestamp)
      .map(({ line }) => `${line}\n`);
  return { own: lines(true).join(""), others: lines(false).slice(-KEPT_OTHERS).join("") };
}

/** A run, as numbers of checks. */
export interface TrendPoint {
  /** ISO 8601. */
  readonly at: string;
  readonly passed: number;
  readonly failed: number;
  readonly inconclusive: number;
  /** Allure's status of each check, by the check's id. */
  readonly statuses: ReadonlyMap<string, string>;
}

/** The runs of a history, oldest first. */
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
        statuses: new Map(results.map(({ fullName = "", status = "unknown" }) => [fullName, status])),
      };
    })
    .toSorted((one, other) => one.at.localeCompare(other.at));
}
