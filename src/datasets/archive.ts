/**
 * Streams that span hours. When a much newer entry arrives, a service flushes the older entries of its stream, and later reads them from
 * its store. Reads of these streams combine many streams, overlapping parts, and entries that are still in memory.
 */
import { noise } from "../arbitraries/noise.ts";
import type { RelativeEntry, RelativeStream } from "../arbitraries/streams.ts";
import { fixture, type Scope } from "../harness/scope.ts";

import { type Dataset, ofSize, isAccepted } from "./datasets.ts";
import { nowOf, storeAt, acceptedAt } from "./dataset-pushes.ts";
import { type HourBoundaryData, hourBoundaryData, keeps, OVER_HOURS } from "./hour-boundary-data.ts";
import { outOfOrderData } from "./out-of-order-data.ts";
import { clearOf, HALF_HOUR } from "./placing.ts";
import { comeBack, type PushedSet, useful } from "./read-back.ts";
import { HOUR, MINUTE, SECOND } from "../model/times.ts";

/** The times at which the early entries of the streams, and the newer entries of each stream, are placed. */
interface Place {
  readonly anchor: bigint;
  /** The offset of a full hour. Each stream of `untilTheHour` ends exactly at this hour. All other early entries are older. */
  readonly hour: bigint;
  /** The offsets of the newer entries, in ascending order. The last of the newer entries is some minutes old. */
  readonly newer: readonly bigint[];
}

/**
 * Returns the places to try, in this order: old enough for two flushes, old enough for one flush, and only just old enough to be flushed.
 * The last place is for services that never look for old entries in memory.
 */
function places({ hours, oldest }: HourBoundaryData, now: bigint): Place[] {
  const old = { anchor: oldest + ACROSS_HALF, hour: HOUR - ACROSS_HALF };
  return [
    ...(hours < 4
      ? []
      : [
          { ...old, anchor: old.anchor - 3n * HOUR, newer: [STEP, 2n * STEP + ACROSS_HALF] },
          { ...old, newer: [STEP] },
        ]),
    ...(hours < OVER_HOURS ? [] : [young(now)]),
  ];
}

/** The time from the first to the last early entry in ns, with margins. */
const EARLY_SPAN = 13n * MINUTE;
/** The time from a full hour to the first early entry, in ns. The early entries are then on both sides of a half hour. */
const ACROSS_HALF = 20n * MINUTE;
/** The time from the first early entry to a newer entry, in ns. This time is more than 2 h, so that the newer entry causes a flush. */
const STEP = 2n * HOUR + 30n * MINUTE;
/** If the streams are placed as late as possible: the usual and the minimum age of the first early entry, in ns. */
const YOUNG_AGE = 140n * MINUTE;
const YOUNGEST_AGE = 136n * MINUTE;
const NEWEST_AGE = 3n * MINUTE;
/** If the streams are placed as late as possible: the minimum age of the full hour at which some unflushed streams end, in ns. */
const HOUR_AGE = 32n * MINUTE;

/** Returns the latest possible place. Services may search their memory only up to a maximum age. No full hour is near the early entries. */
function young(now: bigint): Place {
  const anchor = clearOf(HOUR, { begin: now - YOUNG_AGE, span: EARLY_SPAN, latest: now - YOUNGEST_AGE });
  return { anchor, hour: ((now - HOUR_AGE) / HOUR) * HOUR - anchor, newer: [now - anchor - NEWEST_AGE] };
}

/** The offset in ns at which 104 streams begin (more than two batches of 50). All other streams end near this time. */
const MEETING = 6n * MINUTE;
const BEGINNING = 104;
const ENDING = 50;
/** A label of 50 streams that begin at `MEETING`, and of 50 streams that end at this time. Servers often use batches of 50 streams. */
const HALF = { svc_a: "half" } as const;
const EQUAL = 5;
/** The number of lines of the heavy stream. It fills at least two blocks, and in a nightly run, with its larger byte budget, one chunk. */
const HEAVY = { release: 75, nightly: 176 } as const;
const HEAVY_BYTES = 9_000;
/** The offset of the oldest entry in ns. */
const OLDEST = 30n * SECOND;
/** The offsets of the first and the last early entry. The single oldest entry and two streams of `untilTheHour` are outside. */
const EARLY = { from: 45n * SECOND, to: EARLY_SPAN - 30n * SECOND } as const;

/** The number of different timestamps in the streams that begin at `MEETING`. Several streams share each of these timestamps. */
const SHARED = 40;

const word = (index: number): string => (index % 2 === 0 ? "even" : "odd");

/** Returns a stream with two timestamps that other streams share. Some streams have three lines at one timestamp. */
function beginning(stream: number): RelativeStream {
  const fraction = stream % 2 === 0 ? 0n : BigInt(stream) * 1_000n + 7n;
  const own = [37, 59].map((step, index) => MEETING + BigInt(((stream * step) % SHARED) + 1) * 8n * SECOND + BigInt(index) * 3n * SECOND);
  const lines = (index: number): readonly string[] =>
    stream % 8 === 3 && index === 0 ? ["a", "b", "c"].map((letter) => `archive ${stream} ${letter}`) : [`archive ${stream} ${word(index)}`];
  return {
    labels: { svc_size: "light", svc_zz: `archive ${stream}`, svc_colour: `c${stream % 7}`, ...(stream < ENDING ? HALF : {}) },
    entries: [
      { offset: MEETING, line: `archive ${stream} begins` },
      ...own
        .map((offset, index) => ({ offset: offset + fraction, lines: lines(index) }))
        .toSorted((one, other) => (one.offset < other.offset ? -1 : 1))
        .flatMap(({ offset, lines: all }): RelativeEntry[] => all.map((line) => ({ offset, line }))),
    ],
  };
}

/** The times at which streams end, in ns after `MEETING`. At `MEETING`, other streams begin. */
const ENDS = [-400n, 400n, 0n] as const;

function ending(stream: number): RelativeStream {
  return {
    labels: { svc_size: "light", svc_zz: `ending ${stream}`, svc_colour: `c${stream % 7}`, ...HALF },
    entries: [
      { offset: MEETING - 5n * MINUTE + BigInt(stream) * 6n * SECOND, line: `ending ${stream} even` },
      { offset: MEETING + (ENDS[stream % ENDS.length] ?? 0n), line: `ending ${stream} odd` },
    ],
  };
}

/** The time from the first to the last line of the heavy stream, in ns. An entry is out of order by at most this time. */
const HEAVY_SPAN = 8n * MINUTE;

const heavyOf = (lines: number): RelativeStream => ({
  labels: { svc_size: "heavy", svc_zz: "heavy" },
  entries: Array.from({ length: lines }, (_, index) => ({
    offset: 2n * MINUTE + (BigInt(index) * HEAVY_SPAN) / BigInt(lines) + 3n,
    line: `heavy ${index} ${noise(index, HEAVY_BYTES)}`,
  })),
});

/** The streams with equal entries. A separate check counts these entries. */
const equals = Array.from({ length: EQUAL }, (_, stream): RelativeStream => ({
  labels: { svc_size: "equal", svc_zz: `equal ${stream}` },
  entries: [0n, 20n].map((seconds) => ({ offset: MEETING + MINUTE + seconds * SECOND, line: `equal ${seconds}` })),
}));

const untilTheHour = (hour: bigint): RelativeStream[] =>
  [0n, 1n].map((stream) => ({
    labels: { svc_size: "hour", svc_zz: `until the hour ${stream}` },
    entries: [
      { offset: hour - HALF_HOUR + stream * SECOND, line: `until the hour ${stream}` },
      { offset: hour, line: `at the hour ${stream}` },
    ],
  }));

const light: readonly RelativeStream[] = [
  ...Array.from({ length: ENDING }, (_, stream) => ending(stream)),
  ...Array.from({ length: BEGINNING }, (_, stream) => beginning(stream)),
  ...equals,
];

function later(streams: readonly RelativeStream[], offset: bigint): RelativeStream[] {
  return streams.map(({ labels }, stream) => ({
    labels,
    entries: [{ offset: offset + BigInt(stream) * 1_000_000n + 13n, line: `later ${offset / MINUTE} ${stream}` }],
  }));
}

const PARTS = 3;

/**
 * Returns the pushes: the heavy stream in parts below 1 MiB, all other streams in the first push, and newer entries last. If the target
 * accepts out-of-order entries, each part spans the whole time of the heavy stream. The blocks of a service then overlap.
 */
function pushes(lines: number, { hour, newer }: Place, isLateTaken: boolean): RelativeStream[][] {
  const heavy = heavyOf(lines);
  const early = [...light, ...untilTheHour(hour)];
  const length = Math.ceil(lines / PARTS);
  const partOf = (index: number): number => (isLateTaken ? index % PARTS : Math.floor(index / length));
  const parts = Array.from({ length: PARTS }, (_, part) => ({
    ...heavy,
    entries: heavy.entries.filter((_entry, index) => partOf(index) === part),
  }));
  return [
    ...parts.map((part, index) => (index === 0 ? [...early, part] : [part])),
    ...newer.map((offset) => later([...early, heavy], offset)),
  ];
}

interface Archive extends PushedSet {
  /** A single entry that is older than all other entries. */
  readonly oldest: Dataset;
  /** The first full hour after the early entries, in ns. Some entries are exactly at this time. */
  readonly hour: bigint;
}

/** Pushes the newer entries `after`, and then an entry at `ts` (in ns). Resolves to null if this entry is refused or not returned. */
export async function reached(scope: Scope, ts: bigint, name: string, after: readonly RelativeEntry[] = []): Promise<Dataset | null> {
  const entries = [...after, { offset: 0n, line: "the oldest of all" }];
  const pushes = entries.map((one) => [{ labels: { svc_size: "reach" }, entries: [one] }]);
  const dataset = await acceptedAt(scope, `archive-${name}`, pushes, { anchor: ts, span: HEAVY_SPAN + MINUTE });
  return dataset !== null && (await keeps(scope, dataset, ts)) ? dataset : null;
}

/** Whether the target returns an out-of-order entry that is further from the newest entry than each entry of the heavy stream. */
async function takesLate(scope: Scope, ts: bigint, name: string): Promise<boolean> {
  if ((await scope.use(outOfOrderData)).shown === null) return false;
  return (await reached(scope, ts, `late-${name}`, [{ offset: HEAVY_SPAN, line: "a newer one" }])) !== null;
}

/** Whether the target accepts an entry that is more than an hour old, although no read returns the entry. */
export const hidesHistory = fixture<boolean>("logs", "whether old entries are accepted and not returned", async (scope) => {
  const anchor = (await nowOf(scope)) - 70n * MINUTE;
  const streams = [{ labels: { svc_size: "hidden" }, entries: [{ offset: 0n, line: "more than an hour old" }] }];
  const dataset = await acceptedAt(scope, "archive-hidden", [streams], { anchor, span: MINUTE });
  return dataset !== null && !(await keeps(scope, dataset, anchor));
});

/** The pushed streams, as reads returned them. Null if the target refuses entries of this age or does not return them. */
export const archivePushed = fixture<Archive | null>("logs", "streams that reach back for hours, read back", async (scope) => {
  const set = await scope.use(hourBoundaryData);
  if (set === null) return null;
  const lines = HEAVY[scope.settings.profile === "nightly" ? "nightly" : "release"];
  for (const [index, place] of places(set, await nowOf(scope)).entries()) {
    const { anchor, hour, newer } = place;
    const name = String(index + 1);
    const oldest = await reached(scope, anchor + OLDEST, `reach-${name}`);
    if (oldest === null) continue;
    const placing = { anchor, span: (newer.at(-1) ?? 0n) + 5n * MINUTE };
    const isLateTaken = await takesLate(scope, anchor + OLDEST, name);
    const dataset = await storeAt(scope, `archive-${name}`, { pushes: pushes(lines, place, isLateTaken) }, placing);
    if (isAccepted(dataset)) return { oldest, hour: anchor + hour, ...(await comeBack(scope, dataset)) };
  }
  return null;
});

/** The whole dataset, and each of its parts as a dataset. Reads have returned all entries as they were pushed. */
export interface ArchiveParts extends Pick<Archive, "oldest" | "hour"> {
  readonly whole: Dataset;
  /** The early entries of the many small streams. No full hour is between these entries. */
  readonly light: Dataset;
  readonly heavy: Dataset;
  readonly equal: Dataset;
  /** The streams that end at a full hour, with their newer entries. */
  readonly untilTheHour: Dataset;
  /** A time in ns. Many streams begin before it, and other streams end after it. */
  readonly meeting: bigint;
}

/** The wait in ms until old entries are flushed. Real services flush such entries every 30 s, and remove them from memory 30 s later. */
export const AWAY_MS = 95_000;

export const archive = fixture<ArchiveParts | null>("logs", "streams that reach back for hours", async (scope) => {
  const pushed = await scope.use(archivePushed);
  if (pushed === null) return null;
  const whole = useful(pushed);
  if (scope.settings.profile === "nightly") await scope.untilAfterWrite(whole, AWAY_MS);
  const { anchor } = whole;
  const window = { start: anchor + EARLY.from, end: anchor + EARLY.to };
  return {
    oldest: pushed.oldest,
    hour: pushed.hour,
    whole,
    light: ofSize(whole, "light", window),
    heavy: ofSize(whole, "heavy", window),
    equal: ofSize(whole, "equal", window),
    untilTheHour: ofSize(whole, "hour", whole),
    meeting: anchor + MEETING + 150n,
  };
});
