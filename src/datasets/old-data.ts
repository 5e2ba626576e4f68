/**
 * Old entries of three kinds. Entries of past minutes: a service may cache for a long time that a query found nothing in a window. Entries
 * on both sides of a midnight, old enough to be flushed: a service may store flushed data by day. Streams with one hour whose entries are
 * flushed in two parts: a service must read both. Each part also has entries that are hours away. Only runs of some minutes use the two
 * parts.
 */
import { type RelativeStream, evenly, type RelativeEntry } from "../arbitraries/streams.ts";
import { fixture, type Assertion } from "../harness/scope.ts";
import { reached, AWAY_MS } from "./archive.ts";
import { type Dataset, isAccepted, untilFlushed, withStreams } from "./datasets.ts";
import { nowOf, acceptedAt, extend } from "./dataset-pushes.ts";
import { hourBoundaryData, keeps, overHours, showsOldest, unlessGone } from "./hour-boundary-data.ts";
import { comeBack, type PushedSet, useful } from "./read-back.ts";
import { DAY, HOUR, MINUTE, SECOND } from "../model/times.ts";
import { within } from "../model/logs.ts";
import { shown } from "./out-of-order-data.ts";
import type { Window } from "../diagnosis/range-request.ts";

/** The time from the start of the dataset to midnight, in ns. */
const BEFORE_MIDNIGHT = 45n * MINUTE;
/** The times of two newer entries, in ns after midnight, more than 2 h apart. A single push has all entries, in a fixed order. */
const NEWER = [3n * HOUR + 7n * MINUTE, 6n * HOUR + 7n * MINUTE] as const;

const STREAMS = 3;
const ENTRIES = 9;

const early = Array.from({ length: STREAMS }, (_, stream): RelativeStream => ({
  labels: { svc_size: "midnight", svc_colour: `midnight ${stream}` },
  entries: evenly(ENTRIES, 10n * MINUTE, BigInt(stream + 1) * MINUTE + 11n, (index) => `midnight ${stream} ${index}`),
}));

/** Streams with entries on only one side of midnight. */
const ofOneDay = (
  [
    [4n, "midnight before"],
    [54n, "midnight after"],
  ] as const
).map(([minute, colour]): RelativeStream => ({
  labels: { svc_size: "midnight", svc_colour: colour },
  entries: evenly(4, 10n * MINUTE, minute * MINUTE + 11n, (index) => `${colour} ${index}`),
}));

const newer = (offset: bigint): RelativeStream[] =>
  early.map(({ labels }, stream) => ({
    labels,
    entries: [{ offset: BEFORE_MIDNIGHT + offset + BigInt(stream) * MINUTE, line: `newer ${offset / HOUR}` }],
  }));

interface Pushed {
  readonly dataset: Dataset;
  /** A single entry that is older than all entries of the dataset. */
  readonly oldest: Dataset;
  /** The time of the midnight, in ns. */
  readonly midnight: bigint;
}

/** The pushed entries around a midnight. Null if the target refuses entries of this age or does not return them. */
export const midnightPushed = fixture<Pushed | null>("logs", "entries on both sides of midnight", async (scope) => {
  if ((await scope.use(hourBoundaryData)) === null) return null;
  const now = await nowOf(scope);
  // The last midnight for which the newer entries are at least 10 min old.
  const at = ((now - NEWER[1] - 10n * MINUTE) / DAY) * DAY;
  const anchor = at - BEFORE_MIDNIGHT;
  // This entry is older than each entry of the dataset.
  const oldest = await reached(scope, anchor, "reach-midnight");
  if (oldest === null) return null;
  const pushes = [[...early, ...ofOneDay, ...NEWER.flatMap(newer)]];
  const dataset = await acceptedAt(scope, "midnight", pushes, { anchor, span: BEFORE_MIDNIGHT + NEWER[1] + 5n * MINUTE });
  return dataset && { dataset, oldest, midnight: at };
});

/** The dataset, read back after the service had time to flush it. Earlier reads are not allowed: a service may cache an empty response. */
export const midnight = fixture<(Omit<Pushed, "dataset"> & PushedSet) | null>(
  "logs",
  "entries on both sides of midnight, read back",
  async (scope) => {
    const pushed = await scope.use(midnightPushed);
    if (pushed === null) return null;
    await untilFlushed(scope, pushed.dataset);
    return { ...pushed, ...(await comeBack(scope, pushed.dataset)) };
  },
);

/** The time from the oldest entry to the hour, and from the hour to the newest entry, in ns. Each part is then longer than 2 h. */
const BEFORE_HOUR = 2n * HOUR - MINUTE;
const AFTER_HOUR = 2n * HOUR + 45n * MINUTE;
/** The number of entries of a stream in each part of the hour. */
const PART_ENTRIES = 20;
/** When each part starts within the hour, in ns. A part is half as long as the time between the two starts. */
const PARTS = [10n * MINUTE, 30n * MINUTE] as const;
const PART_STEP = 29n * SECOND;

const lineOf = (which: 0 | 1): string => `part ${which} `;

function part(which: 0 | 1, edge: (stream: number) => RelativeEntry): RelativeStream[] {
  return Array.from({ length: STREAMS }, (_, stream) => {
    const begin = BEFORE_HOUR + PARTS[which] + BigInt(stream) * SECOND + 7n;
    const own = evenly(
      PART_ENTRIES,
      PART_STEP,
      begin,
      (index) => `${lineOf(which)}of ${stream}, ${index} ${index % 2 === 0 ? "even" : "odd"}`,
    );
    return {
      labels: { svc_size: "twice", svc_colour: `twice ${stream}` },
      entries: [...own, edge(stream)].toSorted((one, other) => (one.offset < other.offset ? -1 : 1)),
    };
  });
}

const first = part(0, (stream) => ({ offset: BigInt(stream) * SECOND, line: `the oldest of ${stream}` }));
const second = part(1, (stream) => ({
  offset: BEFORE_HOUR + AFTER_HOUR - 5n * MINUTE + BigInt(stream) * SECOND,
  line: `the newest of ${stream}`,
}));

/** The first part, which is pushed early in a run. Null if the target refuses such entries or does not return them. */
export const firstPart = fixture<Dataset | null>(
  "logs",
  "the first part of streams, pushed so early that it is flushed before the second part",
  async (scope) => {
    if ((await overHours(scope)) === null) return null;
    const hour = (((await nowOf(scope)) - AFTER_HOUR) / HOUR) * HOUR;
    return acceptedAt(scope, "twice", [first], { anchor: hour - BEFORE_HOUR, span: BEFORE_HOUR + AFTER_HOUR });
  },
);

/** The streams with both parts. The second part is pushed when the first part may be flushed. Then the fixture waits for a second flush. */
const secondPart = fixture<Dataset | null>("logs", "streams whose entries of one hour are flushed in two parts", async (scope) => {
  const begun = await scope.use(firstPart);
  if (begun === null) return null;
  await scope.untilAfterWrite(begun, AWAY_MS);
  if (!(await keeps(scope, begun, begun.anchor))) return null;
  const dataset = await extend(scope, useful(await comeBack(scope, begun)), second);
  if (dataset === null || !isAccepted(dataset)) return null;
  await scope.untilAfterWrite(dataset, AWAY_MS);
  return shown(scope, dataset, ({ line }) => line.startsWith(lineOf(1)));
});

/** Throws `Inconclusive` if the assertion finds a difference, and the oldest entry of a stream is gone, which the documents allow. */
export function whileAllShown(whole: Dataset, assertion: Assertion): Assertion {
  return unlessGone(assertion, async (scope) => showsOldest(scope, whole, STREAMS));
}

interface TwoParts {
  readonly whole: Dataset;
  readonly hour: Dataset;
  /** A time between the parts, in ns. */
  readonly between: bigint;
}

/** The streams of both parts, as reads returned them, or null if such entries are refused or not returned, which the documents allow. */
export const twoFlushes = fixture<TwoParts | null>("logs", "an hour that is flushed in two parts", async (scope) => {
  const whole = await scope.use(secondPart);
  if (whole === null) return null;
  const hour = whole.anchor + BEFORE_HOUR;
  const window = { start: hour + MINUTE, end: hour + 50n * MINUTE };
  const streams = within(whole.streams, window.start, window.end);
  return { whole, hour: { ...withStreams(whole, streams), ...window }, between: hour + 25n * MINUTE };
});

const STEP = 10n * SECOND;
/** The length of the dataset in steps. */
const STEPS = 47n;
/** The minimum age of the newest entry, in ns. A service may cache the result of a window that is older than 10 min. */
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

/** Returns the window from step `from` to step `to`. No entry is exactly at an edge. */
export function steps({ anchor }: Dataset, from: number, to: number): Window {
  return { start: anchor + BigInt(from) * STEP, end: anchor + BigInt(to) * STEP };
}

/** Returns an anchor before `now`, in ns. It is chosen so that no full hour is within the dataset. */
function anchorBefore(now: bigint): bigint {
  const end = now - YOUNGEST;
  const hour = (end / HOUR) * HOUR;
  const last = end - STEPS * STEP <= hour ? hour - SECOND : end;
  return ((last - STEPS * STEP) / SECOND) * SECOND;
}

/** The pushed dataset of few entries. Null if the target refuses entries of this age. */
export const sparseDataPushed = fixture<Dataset | null>("logs", "a few entries of the last minutes", async (scope) => {
  const anchor = anchorBefore(await nowOf(scope));
  return acceptedAt(scope, "quiet", [streams], { anchor, span: STEPS * STEP });
});

/** The dataset, read back after some time. Earlier reads are not allowed, because a service may cache an empty response. */
export const sparseData = fixture<PushedSet | null>("logs", "a few entries of the last minutes, read back", async (scope) => {
  const dataset = await scope.use(sparseDataPushed);
  return dataset === null ? null : comeBack(scope, dataset);
});
