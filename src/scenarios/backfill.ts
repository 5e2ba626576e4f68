/** Tests backfill: old entries are pushed late to streams of several hours. They are equal to flushed entries, or have their timestamps. */
import type { RelativeEntry, RelativeStream } from "../arbitraries/streams.ts";
import type { Window } from "../diagnosis/range-request.ts";
import { type Assertion, fixture, type Scope } from "../harness/scope.ts";
import { containing, withEntries } from "../model/logs.ts";
import { AWAY_MS } from "../datasets/archive.ts";
import { instant } from "../datasets/requests.ts";
import { type Dataset, isAccepted, withStreams } from "../datasets/datasets.ts";
import { extend, acceptedAt } from "../datasets/dataset-pushes.ts";
import type { Placing } from "../datasets/placing.ts";
import { answeredFrom } from "../queries/observations.ts";
import { type HourBoundaryData, keeps, overHours, showsOldest, whileBegun, whileKept } from "../datasets/hour-boundary-data.ts";
import { outOfOrderData, shown } from "../datasets/out-of-order-data.ts";
import { metricText, COUNT } from "../queries/metrics.ts";
import { dividedAt } from "../queries/window-cases.ts";
import { HOUR, MINUTE, SECOND } from "../model/times.ts";

/** Ages in minutes: of the entries that are backfilled, and of the newest entry of each stream. */
const SAME_AGES = [5n, 4n, 3n] as const;
const LAST_AGE = 2n;

/** The wait after the first push, in ms. In this time, a service can look for entries to flush, and in a nightly run also flush them. */
const FLUSHED_AFTER_MS = { release: 6_000, nightly: AWAY_MS } as const;

const STREAMS = 6;
const FIRST = "first";
/** The first 80 characters of lines at the same timestamp. A service may wrongly compare only the beginning of lines. */
const COMMON = "a line that begins like another line with the same timestamp ".padEnd(80, ".");
const LATE = `${COMMON} late`;
const isBackfilled = ({ line }: Pick<RelativeEntry, "line">): boolean => line.startsWith(LATE);

function streams(size: string, entries: (stream: number) => readonly RelativeEntry[]): RelativeStream[] {
  return Array.from({ length: STREAMS }, (_, stream) => ({
    labels: { svc_size: size, svc_colour: `beside-${stream}` },
    entries: entries(stream),
  }));
}

/** Returns entries that several streams have. `now` is the time of the push, in ns after the first entry. */
function same(now: bigint): RelativeEntry[] {
  return SAME_AGES.map((minutes) => ({ offset: now - minutes * MINUTE, line: `${COMMON} same ${minutes}` }));
}

function before(now: bigint): RelativeStream[] {
  return streams("old", (stream) => [
    { offset: 0n, line: `${FIRST} ${stream}` },
    ...same(now),
    { offset: now - LAST_AGE * MINUTE, line: `last ${stream}` },
  ]);
}

interface BackfilledStreams {
  readonly dataset: Dataset;
  /** The time of the push, in ns after the first entry. */
  readonly now: bigint;
}

/** The streams before the backfill, pushed early in a run. Null if the target refuses such entries or does not return them. */
export const backfilledStreams = fixture<BackfilledStreams | null>("logs", "streams of more than two hours", async (scope) => {
  const placing = await overHours(scope);
  if (placing === null) return null;
  const dataset = await acceptedAt(scope, "beside-old", [before(placing.span)], placing);
  return dataset && { dataset, now: placing.span };
});

/** The streams with the backfilled entries. Null if the target refuses a push, or if there are no streams to backfill. */
export const backfilledEntries = fixture<Dataset | null>("logs", "backfilled entries beside older streams", async (scope) => {
  const old = await scope.use(backfilledStreams);
  if (old === null) return null;
  const isLateTaken = (await scope.use(outOfOrderData)).shown !== null;
  await scope.untilAfterWrite(old.dataset, FLUSHED_AFTER_MS[scope.settings.profile === "nightly" ? "nightly" : "release"]);
  const equal = streams("equal", () => same(old.now));
  const late = streams("old", (stream) => same(old.now).map(({ offset }, index) => ({ offset, line: `${LATE} ${stream} ${index}` })));
  const dataset = await extend(scope, old.dataset, isLateTaken ? [...equal, ...late] : equal);
  if (dataset === null || !isAccepted(dataset)) return null;
  if (!isLateTaken) return dataset;
  const without = withEntries(dataset.streams, (entry) => !isBackfilled(entry));
  return (await shown(scope, dataset, isBackfilled, 1)) ?? withStreams(dataset, without);
});

/** Throws `Inconclusive` if the assertion finds a difference, and old entries that earlier reads showed have disappeared. */
export function whileFirstShown(hours: HourBoundaryData, dataset: Dataset, assertion: Assertion): Assertion {
  return async (scope) => {
    const finding = await assertion(scope);
    if (finding.differences.length === 0 || (await showsOldest(scope, dataset, STREAMS))) return finding;
    return whileKept(
      hours,
      whileBegun(dataset, async () => finding),
    )(scope);
  };
}

/**
 * Two ranges meet at the first entry of a stream: the first ends exactly there, and the second begins there. Resolves to how many of the
 * two ranges count the entry: 0, 1 or 2. The documents do not say whether a range includes its ends.
 */
export async function countsAtMeeting(scope: Scope, dataset: Dataset, before: bigint, after: bigint): Promise<number> {
  const meeting = dataset.anchor;
  const filters = [containing(FIRST)] as const;
  let counted = 0;
  for (const window of dividedAt({ start: meeting - before, end: meeting + after }, meeting)) {
    const text = metricText(dataset, { ...COUNT, filters, window });
    counted += (await instant(text, window.end)(scope)).answer?.[0]?.value ?? 0;
  }
  return counted / STREAMS;
}

/** Some services read entries up to a maximum age from memory, and older ones from a store. SHOWN_AGE is some minutes below it. */
const SHOWN_AGE = 156n * MINUTE;
const BEFORE_HOUR = 40n * SECOND;

/**
 * Returns the time of an old entry. A window that starts much earlier reads it. The time is shortly before a full hour if possible.
 * Otherwise, a service could divide the window between its store, which does not have the entry, and its memory.
 */
function loneAnchor(placing: Placing): bigint {
  const hour = (placing.anchor / HOUR) * HOUR;
  const now = placing.anchor + placing.span;
  return now - hour <= SHOWN_AGE ? hour - BEFORE_HOUR : placing.anchor;
}

/** A stream with a single old entry. No newer entry causes a flush. Null if the target refuses the entry or does not return it. */
export const loneOld = fixture<Dataset | null>("logs", "a single entry that is more than two hours old", async (scope) => {
  const placing = await overHours(scope);
  if (placing === null) return null;
  const lone = [{ labels: { svc_size: "lone" }, entries: [{ offset: 0n, line: "an old entry that is pushed alone" }] }];
  const dataset = await acceptedAt(scope, "lone-old", [lone], { ...placing, anchor: loneAnchor(placing) });
  return dataset !== null && (await keeps(scope, dataset, dataset.anchor)) ? dataset : null;
});

/** The length of the window before the entry, in ns. Current versions of services still read an entry of this age from memory. */
const LONG_BEFORE = 60n * MINUTE;

/** Resolves to a window from long before a dataset, or to null if the target refuses it, which the documents allow. */
export function fromLongBefore(dataset: Dataset): (scope: Scope) => Promise<Window | null> {
  return answeredFrom(dataset, LONG_BEFORE);
}
