/** Runs the suite against the fleet on all processors, in worker threads with several runs each. */
import { availableParallelism } from "node:os";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import type { Service } from "../contract/clause.ts";
import { FAULTS } from "../reference/faults/index.ts";
import { VARIANTS } from "../reference/variants/index.ts";
import type { Profile } from "../settings/types.ts";
import { type EntryOutcome, runEntry } from "./entry.ts";
import { shownIn } from "./shown.ts";
import { faultRow, judgeMatrix, type Matrix, variantRow } from "./matrix.ts";

export interface MatrixOptions {
  readonly profile: Profile;
  readonly seed: number;
  /** If true, a run against a fault ends as soon as a check reports the clause of the fault. */
  readonly untilCaught?: boolean;
  /** For each fault, the check that runs first. If it reports the fault, no other check runs. Has an effect only with `untilCaught`. */
  readonly begin?: ReadonlyMap<string, string>;
  /** The ids of the checks to run. Without `only`, all checks are run. */
  readonly only?: readonly string[];
  /** The ids of the faults and variants to run. Without `ids`, the whole fleet is run. */
  readonly ids?: readonly string[];
}

const VARIANT_SERVICES: ReadonlyMap<string, Service> = new Map(
  VARIANTS.flatMap(({ id, service }) => (service === undefined ? [] : [[id, service]])),
);

interface Job extends MatrixOptions {
  readonly share: readonly string[];
}

/** The number of concurrent runs in a thread. There are several, because a run mostly waits. */
const LANES = 8;

/** Whether a run against this server must run alone: the server limits the rate of requests, so a busy machine changes the results. */
function isAlone(id: string): boolean {
  const entry = [...FAULTS, ...VARIANTS].find((candidate) => candidate.id === id);
  return entry?.options?.rateLimit !== undefined && entry.options.rateLimit !== null;
}

async function outcomeOf(id: string, { profile, seed, untilCaught = false, begin, only }: MatrixOptions): Promise<EntryOutcome> {
  const entry = [...FAULTS, ...VARIANTS].find((candidate) => candidate.id === id);
  if (entry === undefined) throw new Error(`no fault or variant ${id}`);
  const service = serviceOf(entry);
  const whole = { ...(service === null ? {} : { service }), ...(only === undefined ? {} : { only }) };
  if (!untilCaught || !("clause" in entry)) return runEntry(entry, profile, seed, whole);
  const { clause: until } = entry;
  const check = begin?.get(id);
  if (check !== undefined) {
    const outcome = await runEntry(entry, profile, seed, { ...whole, until, only: [check] });
    if (outcome.red.some(({ clause }) => clause === until)) return outcome;
  }
  return runEntry(entry, profile, seed, { ...whole, until });
}

/** Returns the service that the entry changes. Only this service is then judged. Returns null if it may change both. */
function serviceOf(entry: { readonly id: string; readonly clause?: string }): Service | null {
  const named = entry.clause ?? "";
  return named.startsWith("admin-") ? "admin" : named.startsWith("logs-") ? "logs" : (VARIANT_SERVICES.get(entry.id) ?? null);
}

async function runShare({ share, ...options }: Job, report: (id: string, outcome: EntryOutcome) => void): Promise<void> {
  const waiting = [...share];
  const lane = async (): Promise<void> => {
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) report(id, await outcomeOf(id, options));
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}

/** Runs the suite against all faults and variants, or only against the requested ones. Rejects if a worker thread fails. */
export async function runMatrix(options: MatrixOptions): Promise<Matrix> {
  const started = performance.now();
  const all = [...(options.ids === undefined ? shownIn(options.profile) : FAULTS), ...VARIANTS]
    .map(({ id }) => id)
    .filter((id) => options.ids?.includes(id) ?? true);
  const together = all.filter((id) => !isAlone(id));
  const threads = Math.min(availableParallelism(), 4, Math.max(1, together.length));
  const outcomes = new Map<string, EntryOutcome>();
  await Promise.all(
    Array.from({ length: threads }, (_, thread) =>
      runInWorker({ ...options, share: together.filter((_id, index) => index % threads === thread) }, outcomes),
    ),
  );
  for (const id of all.filter(isAlone)) outcomes.set(id, await outcomeOf(id, options));
  const rows = (): Pick<Matrix, "faults" | "variants"> => ({
    faults: found(FAULTS, faultRow, outcomes),
    variants: found(VARIANTS, variantRow, outcomes),
  });
  const { survivors, misdiagnosed, falseAlarms, blamed } = judgeMatrix(rows());
  // A variant that was blamed is not run again, because a busy machine is no reason for a false alarm.
  const surprising = [...survivors, ...misdiagnosed, ...falseAlarms.filter((id) => !blamed.includes(id))];
  const rerun = surprising.length <= MOST_RERUN ? surprising : [];
  for (const id of rerun) outcomes.set(id, await outcomeOf(id, options));
  return { profile: options.profile, seed: options.seed, durationMs: Math.round(performance.now() - started), ...rows(), rerun };
}

/** At most this number of unexpected results are repeated. If there are more, a busy machine is not the cause. */
const MOST_RERUN = 20;

function found<Item extends { readonly id: string }, Row>(
  items: readonly Item[],
  row: (item: Item, outcome: EntryOutcome) => Row,
  outcomes: ReadonlyMap<string, EntryOutcome>,
): Row[] {
  return items.flatMap((item) => {
    const outcome = outcomes.get(item.id);
    return outcome === undefined ? [] : [row(item, outcome)];
  });
}

function runInWorker(job: Job, outcomes: Map<string, EntryOutcome>): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: { fleetJob: job } });
    worker.on("message", ({ id, outcome }: { id: string; outcome: EntryOutcome }) => outcomes.set(id, outcome));
    worker.once("error", reject);
    worker.once("exit", (code) => (code === 0 ? resolve() : reject(new Error(`a fleet worker ended with code ${code}`))));
  });
}

const data: unknown = workerData;
if (!isMainThread && typeof data === "object" && data !== null && "fleetJob" in data) {
  const port = parentPort;
  await runShare(data.fleetJob as Job, (id, outcome) => port?.postMessage({ id, outcome }));
}
