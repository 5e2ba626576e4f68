/** Entries on both sides of a midnight that are old enough to be flushed. A service may find flushed data by its day. */
import { isSuccess } from "../client/exchange.ts";
import type { RelativeStream } from "../arbitraries/streams.ts";
import { type Fixture, fixture } from "../harness/scope.ts";
import { reached } from "./archive.ts";
import { type Dataset, nowOf, storeAt } from "./datasets.ts";
import { hourBoundaryData } from "./hour-boundary-data.ts";
import { HOUR } from "./placing.ts";
import { comeBack, type PushedSet } from "./read-back.ts";

const MINUTE = 60n * 1_000_000_000n;
const DAY = 24n * HOUR;
/** How long before midnight the set begins. */
const BEFORE = 45n * MINUTE;
/**
 * Something newer comes twice, each time more than two hours behind what is older; all in one push, which no service can take in another
 * order.
 */
const NEWER = [3n * HOUR + 7n * MINUTE, 6n * HOUR + 7n * MINUTE] as const;

const STREAMS = 3;
const ENTRIES = 9;

const early = Array.from({ length: STREAMS }, (_, stream): RelativeStream => ({
  labels: { svc_size: "midnight", svc_colour: `midnight ${stream}` },
  entries: Array.from({ length: ENTRIES }, (_entry, index) => ({
    offset: BigInt(index * 10 + stream + 1) * MINUTE + 11n,
    line: `midnight ${stream} ${index}`,
  })),
}));

const newer = (offset: bigint): RelativeStream[] =>
  early.map(({ labels }, stream) => ({
    labels,
    entries: [{ offset: BEFORE + offset + BigInt(stream) * MINUTE, line: `newer ${offset / HOUR}` }],
  }));

interface Pushed {
  readonly dataset: Dataset;
  /** A single entry that is older than all of it. */
  readonly oldest: Dataset;
  /** ns. */
  readonly midnight: bigint;
}

/** Null where this target does not take and show entries that are so old. */
export const midnightPushed: Fixture<Pushed | null> = fixture("logs", "entries on both sides of midnight", async (scope) => {
  if ((await scope.use(hourBoundaryData)) === null) return null;
  const now = await nowOf(scope);
  // The last midnight behind which there is room for all that is newer.
  const at = ((now - NEWER[1] - 10n * MINUTE) / DAY) * DAY;
  const anchor = at - BEFORE;
  // Older than any entry of the set.
  const oldest = await reached(scope, anchor, "reach-midnight");
  if (oldest === null) return null;
  const payload = { pushes: [[...early, ...NEWER.flatMap(newer)]] };
  const dataset = await storeAt(scope, "midnight", payload, { anchor, span: BEFORE + NEWER[1] + 5n * MINUTE });
  return dataset.pushes.every(isSuccess) ? { dataset, oldest, midnight: at } : null;
});

/**
 * The same, read back; to be used when a service has had time to show it and to put it away. An empty answer about hours ago may be kept,
 * so that it must not be asked for before.
 */
export const midnight: Fixture<(Omit<Pushed, "dataset"> & PushedSet) | null> = fixture(
  "logs",
  "entries on both sides of midnight, read back",
  async (scope) => {
    const pushed = await scope.use(midnightPushed);
    return pushed === null ? null : { ...pushed, ...(await comeBack(scope, pushed.dataset)) };
  },
);
