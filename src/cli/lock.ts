/** Allows only one run at a time in a report folder. Two runs would overwrite each other's files. */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { codeOf, SettingsError } from "../settings/error.ts";

const NAME = ".plumbline.lock";

interface Holder {
  readonly pid: number;
  readonly runId: string;
}

function holderIn(path: string): Holder | null {
  try {
    const { pid, runId } = JSON.parse(readFileSync(path, "utf8")) as Partial<Holder>;
    return typeof pid === "number" && typeof runId === "string" ? { pid, runId } : null;
  } catch {
    return null;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
}

function take(path: string, runId: string): boolean {
  try {
    writeFileSync(path, JSON.stringify({ pid: process.pid, runId }), { flag: "wx" });
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
}

/** Locks the report folder, and returns a function that unlocks it. Throws a `SettingsError` that names the run that holds the lock. */
export function lock(folder: string, runId: string): () => void {
  const path = join(folder, NAME);
  if (!take(path, runId)) {
    const holder = holderIn(path);
    if (holder !== null && isAlive(holder.pid)) {
      throw new SettingsError(
        `REPORTS_DIR is in use by run ${holder.runId} (process ${holder.pid}); wait for it, or give another folder, for example REPORTS_DIR=./reports-2`,
      );
    }
    // The process that made the lock has ended without removing it, so it is removed here.
    rmSync(path, { force: true });
    if (!take(path, runId))
      throw new SettingsError("another run has just started to use REPORTS_DIR; give another folder, for example REPORTS_DIR=./reports-2");
  }
  // The lock is also removed when the process exits, for example after a second signal.
  const giveBack = (): void => rmSync(path, { force: true });
  process.once("exit", giveBack);
  return () => {
    process.off("exit", giveBack);
    giveBack();
  };
}
