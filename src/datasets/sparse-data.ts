/** Few entries in some minutes of the past. A service may remember for long that a query found nothing in a window. */
import { isSuccess } from "../client/exchange.ts";
import type { Window } from "../diagnosis/range-request.ts";
import type { RelativeStream } from "../arbitraries/streams.ts";
import { type Fixture, fixture } from "../harness/scope.ts";
import { type Dataset, nowOf, storeAt } from "./datasets.ts";
import { HOUR } from "./placing.ts";
import { comeBack, type PushedSet } from "./read-back.ts";

const SECOND = 1_000_000_000n;
const STEP = 10n * SECOND;
/** So many steps the set is long. */
const STEPS = 47n;
/** What is older than ten minutes is taken to change no more. */
const YOUNGEST = 640n * SECOND;

/** In each stream an entry every ten steps, beginning a step behind that of the stream before. */
const streams = [0, 1, 2].map((stream): RelativeStream => ({
  labels: { svc_size: "quiet", svc_colour: `quiet ${stream}` },
  entries: [6, 16, 26, 36].map((step) => ({ offset: BigInt(step + stream) * STEP + 11n, line: `quiet ${stream} ${step + stream}` })),
}));

/** The line of one entry, at step 17. */
export const BETWEEN = "quiet 1 17";

/** Of lines at the steps 8, 18, 28 and 38. */
export const AROUND = "quiet 2";

/** Of lines at the steps 6, 16, 26 and 36. */
export const BEFORE = "quiet 0";

/** From one step of the set to another; no entry is near a whole step. */
export function steps({ anchor }: Dataset, from: number, to: number): Window {
  return { start: anchor + BigInt(from) * STEP, end: anchor + BigInt(to) * STEP };
}

/** Before `now` (ns), and all of it within one hour of the clock. */
function anchorBefore(now: bigint): bigint {
  const end = now - YOUNGEST;
  const hour = (end / HOUR) * HOUR;
  const last = end - STEPS * STEP <= hour ? hour - SECOND : end;
  return ((last - STEPS * STEP) / SECOND) * SECOND;
}

/** Null where this target does not take entries that are so old. */
export const sparseDataPushed: Fixture<Dataset | null> = fixture("logs", "few entries in past minutes", async (scope) => {
  const anchor = anchorBefore(await nowOf(scope));
  const dataset = await storeAt(scope, "quiet", { pushes: [streams] }, { anchor, span: STEPS * STEP });
  return dataset.pushes.every(isSuccess) ? dataset : null;
});

/**
 * The same, read back; to be used when a service has had time to show it. An empty answer about minutes that are over may be kept, so
 * that it must not be asked for before.
 */
export const sparseData: Fixture<PushedSet | null> = fixture("logs", "few entries in past minutes, read back", async (scope) => {
  const dataset = await scope.use(sparseDataPushed);
  return dataset === null ? null : comeBack(scope, dataset);
});
