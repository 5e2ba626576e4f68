/** A dataset of few entries in past minutes. A service may cache for a long time that a query found nothing in a window. */
import type { Window } from "../diagnosis/range-request.ts";
import type { RelativeStream } from "../arbitraries/streams.ts";
import { fixture } from "../harness/scope.ts";
import { type Dataset, nowOf, acceptedAt } from "./datasets.ts";
import { comeBack, type PushedSet } from "./read-back.ts";
import { HOUR, SECOND } from "../model/times.ts";

const STEP = 10n * SECOND;
/** The length of the dataset in steps. */
const STEPS = 47n;
/** The minimum age of the newest entry, in ns: a service may no longer change a window that is older than 10 min. */
const YOUNGEST = 640n * SECOND;

/** Each stream has an entry every ten steps. Each stream begins one step after the stream before it. */
const streams = [0, 1, 2].map((stream): RelativeStream => ({
  labels: { svc_size: "quiet", svc_colour: `quiet ${stream}` },
  entries: [6, 16, 26, 36].map((step) => ({ offset: BigInt(step + stream) * STEP + 11n, line: `quiet ${stream} ${step + stream}` })),
}));

/** The line of the entry at step 17. */
export const BETWEEN = "quiet 1 17";

/** The start of the lines at the steps 8, 18, 28 and 38. */
export const AROUND = "quiet 2";

/** The start of the lines at the steps 6, 16, 26 and 36. */
export const BEFORE = "quiet 0";

/** Returns the window from one whole step to another. No entry is near an edge, because no entry is near a whole step. */
export function steps({ anchor }: Dataset, from: number, to: number): Window {
  return { start: anchor + BigInt(from) * STEP, end: anchor + BigInt(to) * STEP };
}

/** Returns an anchor before `now`, in ns. With this anchor, no full hour is within the dataset. */
function anchorBefore(now: bigint): bigint {
  const end = now - YOUNGEST;
  const hour = (end / HOUR) * HOUR;
  const last = end - STEPS * STEP <= hour ? hour - SECOND : end;
  return ((last - STEPS * STEP) / SECOND) * SECOND;
}

/** The pushed dataset of few entries. The value is null if the target refuses entries of this age. */
export const sparseDataPushed = fixture<Dataset | null>("logs", "a few entries of the last minutes", async (scope) => {
  const anchor = anchorBefore(await nowOf(scope));
  return acceptedAt(scope, "quiet", [streams], { anchor, span: STEPS * STEP });
});

/** The dataset after the service had time to return it. Nothing may be read earlier, because a service may cache an empty response. */
export const sparseData = fixture<PushedSet | null>("logs", "a few entries of the last minutes, read back", async (scope) => {
  const dataset = await scope.use(sparseDataPushed);
  return dataset === null ? null : comeBack(scope, dataset);
});
