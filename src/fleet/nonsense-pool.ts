/** Runs the suite against servers that send invalid data, in worker threads with several runs each. */
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { packageRoot } from "../model/schemas.ts";
import { NONSENSE, type NonsenseMode } from "../reference/nonsense.ts";
import { type EntryOutcome, runEntry } from "./entry.ts";

/** The settings for a server that never answers. The short timeout saves time. */
const IMPATIENT = { REQUEST_TIMEOUT_MS: "150" };

/** The number of runs that a thread does at the same time. Several runs fit into one thread, because a run mostly waits. */
const LANES = 5;

export function serviceOf({ operation }: NonsenseMode): "admin" | "logs" {
  return ["create", "read", "update"].includes(operation) ? "admin" : "logs";
}

interface Told {
  readonly id: string;
  readonly outcome: EntryOutcome;
}

/** Returns a promise of the outcome of a release run for each mode id. The promise rejects if its worker thread fails. */
export function nonsenseOutcomes(modes: readonly NonsenseMode[]): ReadonlyMap<string, Promise<EntryOutcome>> {
  const threads = Math.min(availableParallelism(), 4);
  const outcomes = new Map<string, Promise<EntryOutcome>>();
  for (let thread = 0; thread < threads; thread += 1) {
    const ids = modes.filter((_mode, index) => index % threads === thread).map(({ id }) => id);
    // The worker runs the compiled program, because Node itself loads its file.
    const worker = new Worker(join(packageRoot(), "dist/src/fleet/nonsense-pool.js"), { workerData: { nonsense: ids } });
    worker.setMaxListeners(ids.length + 1);
    for (const id of ids) {
      outcomes.set(
        id,
        new Promise((resolve, reject) => {
          worker.on("message", (told: Told) => told.id === id && resolve(told.outcome));
          worker.once("error", reject);
          worker.once("exit", () => reject(new Error(`the worker ended before ${id}`)));
        }),
      );
    }
  }
  return outcomes;
}

async function runShare(ids: readonly string[]): Promise<void> {
  const waiting = NONSENSE.filter(({ id }) => ids.includes(id));
  const lane = async (): Promise<void> => {
    for (let mode = waiting.shift(); mode !== undefined; mode = waiting.shift()) {
      const entry = mode.kind === "silent" ? { ...mode, settings: IMPATIENT } : mode;
      const outcome = await runEntry(entry, "release", 1, { passes: true, service: serviceOf(mode) });
      parentPort?.postMessage({ id: mode.id, outcome } satisfies Told);
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}

const data: unknown = workerData;
if (!isMainThread && typeof data === "object" && data !== null && "nonsense" in data) await runShare(data.nonsense as readonly string[]);
