/** Entries on both sides of a midnight that are old enough to be flushed. A service may store flushed data by day. */
import { type RelativeStream, evenly } from "../arbitraries/streams.ts";
import { type Fixture, fixture } from "../harness/scope.ts";
import { reached } from "./archive.ts";
import { type Dataset, nowOf, acceptedAt } from "./datasets.ts";
import { hourBoundaryData } from "./hour-boundary-data.ts";
import { comeBack, type PushedSet } from "./read-back.ts";
import { DAY, HOUR, MINUTE } from "../model/times.ts";

/** The time from the start of the dataset to midnight, in ns. */
const BEFORE = 45n * MINUTE;
/** Offsets of two newer entries in ns after midnight, each more than 2 h later. A single push has all entries, so the order is certain. */
const NEWER = [3n * HOUR + 7n * MINUTE, 6n * HOUR + 7n * MINUTE] as const;

const STREAMS = 3;
const ENTRIES = 9;

const early = Array.from({ length: STREAMS }, (_, stream): RelativeStream => ({
  labels: { svc_size: "midnight", svc_colour: `midnight ${stream}` },
  entries: evenly(ENTRIES, 10n * MINUTE, BigInt(stream + 1) * MINUTE + 11n, (index) => `midnight ${stream} ${index}`),
}));

const newer = (offset: bigint): RelativeStream[] =>
  early.map(({ labels }, stream) => ({
    labels,
    entries: [{ offset: BEFORE + offset + BigInt(stream) * MINUTE, line: `newer ${offset / HOUR}` }],
  }));

interface Pushed {
  readonly dataset: Dataset;
  /** A single entry that is older than all entries of the dataset. */
  readonly oldest: Dataset;
  /** The time of the midnight, in ns. */
  readonly midnight: bigint;
}

/** The pushed entries around a midnight. The value is null if the target refuses entries of this age or does not return them. */
export const midnightPushed: Fixture<Pushed | null> = fixture("logs", "entries on both sides of midnight", async (scope) => {
  if ((await scope.use(hourBoundaryData)) === null) return null;
  const now = await nowOf(scope);
  // The last midnight for which the newer entries are at least 10 min old.
  const at = ((now - NEWER[1] - 10n * MINUTE) / DAY) * DAY;
  const anchor = at - BEFORE;
  // This entry is older than each entry of the dataset.
  const oldest = await reached(scope, anchor, "reach-midnight");
  if (oldest === null) return null;
  const pushes = [[...early, ...NEWER.flatMap(newer)]];
  const dataset = await acceptedAt(scope, "midnight", pushes, { anchor, span: BEFORE + NEWER[1] + 5n * MINUTE });
  return dataset && { dataset, oldest, midnight: at };
});

/** The dataset after the service had time to flush it. Nothing may be read earlier, because a service may cache an empty response. */
export const midnight: Fixture<(Omit<Pushed, "dataset"> & PushedSet) | null> = fixture(
  "logs",
  "entries on both sides of midnight, read back",
  async (scope) => {
    const pushed = await scope.use(midnightPushed);
    return pushed === null ? null : { ...pushed, ...(await comeBack(scope, pushed.dataset)) };
  },
);
