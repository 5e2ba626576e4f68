/**
 * Entries that are pushed later into streams over hours, which the service may have flushed: equal to older entries, or at their
 * timestamps.
 */
import type { RelativeEntry, RelativeStream } from "../arbitraries/streams.ts";
import type { Window } from "../diagnosis/range-request.ts";
import { isSuccess } from "../client/exchange.ts";
import { type Assertion, type Fixture, fixture, type Scope } from "../harness/scope.ts";
import { countEntries } from "../model/logs.ts";
import { AWAY_MS } from "../datasets/archive.ts";
import { instant } from "../datasets/requests.ts";
import { type Dataset, extend, type Placing, storeAt } from "../datasets/datasets.ts";
import { answeredFrom } from "../queries/observations.ts";
import { type HourBoundaryData, keeps, overHours, showsOldest, whileBegun, whileKept } from "../datasets/hour-boundary-data.ts";
import { outOfOrderData, shown } from "../datasets/out-of-order-data.ts";
import { metricText } from "../queries/metrics.ts";
import { HOUR } from "../datasets/placing.ts";

const SECOND = 1_000_000_000n;
const MINUTE = 60n * SECOND;

/** How long ago the entries lie that others come beside, and the last of each stream. */
const SAME_AGES = [5n, 4n, 3n] as const;
const LAST_AGE = 2n;

/** After which a service may have looked for what it can put away; a nightly run waits until it has. */
const PUT_AWAY_MS = { release: 6_000, nightly: AWAY_MS } as const;

const STREAMS = 6;
const FIRST = "first";
const LATE = "late";

function streams(size: string, entries: (stream: number) => readonly RelativeEntry[]): RelativeStream[] {
  return Array.from({ length: STREAMS }, (_, stream) => ({
    labels: { svc_size: size, svc_colour: `beside ${stream}` },
    entries: entries(stream),
  }));
}

/** The same entries in every stream that has them; `now` is seen from the first. */
function same(now: bigint): RelativeEntry[] {
  return SAME_AGES.map((minutes) => ({ offset: now - minutes * MINUTE, line: `same ${minutes}` }));
}

function before(now: bigint): RelativeStream[] {
  return streams("old", (stream) => [
    { offset: 0n, line: `${FIRST} ${stream}` },
    ...same(now),
    { offset: now - LAST_AGE * MINUTE, line: `last ${stream}` },
  ]);
}

export interface BackfilledStreams {
  readonly dataset: Dataset;
  /** When they were pushed, seen from the first entry, ns. */
  readonly now: bigint;
}

/** Pushed early in a run; null where this target does not take or show entries that are so old. */
export const backfilledStreams: Fixture<BackfilledStreams | null> = fixture("logs", "streams of more than two hours", async (scope) => {
  const placing = await overHours(scope);
  if (placing === null) return null;
  const dataset = await storeAt(scope, "beside-old", { pushes: [before(placing.span)] }, placing);
  return dataset.pushes.every(isSuccess) ? { dataset, now: placing.span } : null;
});

/** The same with what was pushed long after it; null where that was not taken or nothing so old is to be had. */
export const backfilledEntries: Fixture<Dataset | null> = fixture("logs", "backfilled entries beside older streams", async (scope) => {
  const old = await scope.use(backfilledStreams);
  if (old === null) return null;
  const isLateTaken = (await scope.use(outOfOrderData)).shown !== null;
  await scope.untilAfterWrite(old.dataset, PUT_AWAY_MS[scope.settings.profile === "nightly" ? "nightly" : "release"]);
  const equal = streams("equal", () => same(old.now));
  const late = streams("old", (stream) => same(old.now).map(({ offset }, index) => ({ offset, line: `${LATE} ${stream} ${index}` })));
  const dataset = await extend(scope, old.dataset, isLateTaken ? [...equal, ...late] : equal);
  if (dataset === null || !dataset.pushes.every(isSuccess)) return null;
  if (!isLateTaken) return dataset;
  return (await shown(scope, dataset, ({ line }) => line.startsWith(LATE), 1)) ?? withoutLate(dataset);
});

/** An assertion that blames nobody where none of the oldest entries is shown, or some are not and those of the last hours are not as they were. */
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
 * By how many of two ranges that meet where each stream begins what lies there is counted: which of its ends a range holds is not stated.
 * Of a service whose ranges hold neither, and that makes a long one out of short ones, nothing follows for an entry where they meet.
 */
export async function countsAtMeeting(scope: Scope, dataset: Dataset, before: bigint, after: bigint): Promise<number> {
  const meeting = dataset.anchor;
  const filters = [{ operator: "|=", text: FIRST }] as const;
  let counted = 0;
  for (const window of [
    { start: meeting - before, end: meeting },
    { start: meeting, end: meeting + after },
  ]) {
    const text = metricText(dataset, { metric: "count_over_time", by: [], matchers: [], filters, window });
    counted += (await instant(text, window.end)(scope)).answer?.[0]?.value ?? 0;
  }
  return counted / STREAMS;
}

/** So old are entries at most that services show which look for older ones elsewhere, with some minutes for a run. */
const SHOWN_AGE = 156n * MINUTE;
const BEFORE_HOUR = 40n * SECOND;

/**
 * Where an old entry lies that a window holds from long before: services cut windows at full hours, and what is cut off before the entry
 * must not be all that is too old for what they hold in memory.
 */
function loneAnchor(placing: Placing): bigint {
  const hour = (placing.anchor / HOUR) * HOUR;
  const now = placing.anchor + placing.span;
  return now - hour <= SHOWN_AGE ? hour - BEFORE_HOUR : placing.anchor;
}

/** An entry so old that is the only one of its stream: nothing newer has it put away. Null where it is not taken or shown. */
export const loneOld: Fixture<Dataset | null> = fixture("logs", "a single entry that is more than two hours old", async (scope) => {
  const placing = await overHours(scope);
  if (placing === null) return null;
  const payload = { pushes: [[{ labels: { svc_size: "lone" }, entries: [{ offset: 0n, line: "an old one by itself" }] }]] };
  const dataset = await storeAt(scope, "lone-old", payload, { ...placing, anchor: loneAnchor(placing) });
  return dataset.pushes.every(isSuccess) && (await keeps(scope, dataset, dataset.anchor)) ? dataset : null;
});

/** Behind what services of the current generation look for elsewhere: the entry is younger. */
const LONG_BEFORE = 60n * MINUTE;

/** A window that begins long before a set; null where reads so far back are not answered, which they need not be. */
export function fromLongBefore(dataset: Dataset): (scope: Scope) => Promise<Window | null> {
  return answeredFrom(dataset, LONG_BEFORE);
}

function withoutLate(dataset: Dataset): Dataset {
  const left = dataset.streams.map(({ labels, entries }) => ({ labels, entries: entries.filter(({ line }) => !line.startsWith(LATE)) }));
  return { ...dataset, streams: left, entries: countEntries(left) };
}
