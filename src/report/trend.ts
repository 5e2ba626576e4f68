/** The runs before this one that are of its kind: the same targets and the same profile, each of them whole. */
import type { Settings } from "../settings/types.ts";
import type { Summary } from "./model.ts";

/** Runs kept of each kind; each adds to the size of every later report. */
export const KEPT_RUNS = 30;

/** What the report and its trend are called: runs of another name never enter the same trend. */
export function trendName({ embedded, admin, logs, profile }: Settings): string {
  const targets = embedded
    ? ["embedded reference server"]
    : [...new Set([admin?.baseUrl, logs?.baseUrl].filter((url) => url !== undefined))];
  return `Plumbline, ${profile}: ${targets.join(" and ")}`;
}

/** Whether a run is one that others may be compared with: not a part, not interrupted, no error of the suite itself. */
export function entersTrend({ only, shard }: Settings, { run }: Summary): boolean {
  return only.length === 0 && shard === null && run.interrupted === undefined && run.internalError === undefined;
}

/** One line of Allure's history. */
interface HistoryEntry {
  readonly name: string;
  /** ms since the epoch. */
  readonly timestamp: number;
  readonly testResults: Readonly<Record<string, { readonly status?: string }>>;
}

function entriesOf(history: string): readonly { readonly line: string; readonly entry: HistoryEntry }[] {
  return history.split("\n").flatMap((line) => {
    try {
      return line === "" ? [] : [{ line, entry: JSON.parse(line) as HistoryEntry }];
    } catch {
      // A line cut short by a full disk is one run less, not a report less.
      return [];
    }
  });
}

/** Of all other trends together the newest runs are kept: targets on ever new ports would else make the history grow without end. */
const KEPT_OTHERS = 2 * KEPT_RUNS;

/** The lines of the history that are of this trend, and the others. */
export function splitHistory(history: string, name: string): { readonly own: string; readonly others: string } {
  const entries = entriesOf(history);
  const lines = (own: boolean): string[] =>
    entries
      .filter(({ entry }) => (entry.name === name) === own)
      .toSorted((one, other) => one.entry.timestamp - other.entry.timestamp)
      .map(({ line }) => `${line}\n`);
  return { own: lines(true).join(""), others: lines(false).slice(-KEPT_OTHERS).join("") };
}

/** An earlier run in numbers of checks. */
export interface TrendPoint {
  /** ISO 8601. */
  readonly at: string;
  readonly passed: number;
  readonly failed: number;
  readonly inconclusive: number;
}

/** The runs of a history, oldest first. */
export function trendOf(history: string): TrendPoint[] {
  return entriesOf(history)
    .map(({ entry }) => {
      const statuses = Object.values(entry.testResults).map(({ status }) => status);
      const count = (wanted: string): number => statuses.filter((status) => status === wanted).length;
      return {
        at: new Date(entry.timestamp).toISOString(),
        passed: count("passed"),
        failed: count("failed"),
        inconclusive: count("broken"),
      };
    })
    .toSorted((one, other) => one.at.localeCompare(other.at));
}
