import { setTimeout as sleep } from "node:timers/promises";
import { Interrupted } from "./inconclusive.ts";

/** Waits `ms` milliseconds. Throws `Interrupted` when the run is interrupted meanwhile. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, { signal });
  } catch {
    throw new Interrupted();
  }
}
