import { setTimeout as sleep } from "node:timers/promises";
import { Interrupted } from "./inconclusive.ts";

/** Waits `ms` milliseconds. Throws `Interrupted` if the run is interrupted during the wait. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, { signal });
  } catch {
    throw new Interrupted();
  }
}
