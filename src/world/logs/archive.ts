/**
 * Streams that reach back for hours. A service puts away what is so much older than the newest of its stream, stream by stream, and reads
 * it again from there: many streams at once, out of parts that overlap, beside what it still holds in memory.
 */
import { noise } from "../../arbitraries/noise.ts";
import type { RelativeEntry, RelativeStream } from "../../arbitraries/streams.ts";
import type { Window } from "../../blame/asked.ts";
import { isSuccess } from "../../client/exchange.ts";
import { Inconclusive } from "../../client/inconclusive.ts";
import type { Trial } from "../../harness/finding.ts";
import { type Fixture, fixture, type Scope } from "../../harness/scope.ts";
import { countEntries, type Matcher, select, within } from "../../model/logs.ts";
import { type Dataset, nowOf, storeAt } from "./datasets.ts";
import { type HourSet, hourSet, keeps } from "./hour-set.ts";
import { lateSet } from "./late-set.ts";
import { HOUR } from "./placing.ts";
import { comeBack, type PushedSet, useful } from "./reading.ts";

const SECOND = 1_000_000_000n;
const MINUTE = 60n * SECOND;

/** Where the streams lie, and where something newer comes in each of them. */
interface Place {
  readonly anchor: bigint;
  /** Offsets of the newer entries, ascending; the last is some minutes old. */
  readonly newer: readonly bigint[];
}

/**
 * The places that are tried in this order, since what a target takes and shows is not stated: with what is put away twice, and once, and
 * as young as two hours allow, for services that look for older entries where they have not been put away yet.
 */
function places({ hours, oldest }: HourSet, now: bigint): Place[] {
  const young = oldest + BigInt(hours - 3) * HOUR;
  return [
    ...(hours < 4
      ? []
      : [
          { anchor: oldest - 3n * HOUR, newer: [STEP, 2n * STEP] },
          { anchor: oldest, newer: [STEP] },
        ]),
    ...(hours < 3 ? [] : [{ anchor: young, newer: [now - young - 10n * MINUTE] }]),
  ];
}

/** Many begin here: more than two batches of fifty. Others end there, some up to this millisecond and some within it. */
const MEETING = 15n * MINUTE;
const BEGINNING = 104;
const ENDING = 50;
/** So many of both have a label of their own: as many as a batch. */
const HALF = { svc_a: "half" } as const;
const EQUAL = 5;
/** Lines of the heavy stream: two blocks and more; in a nightly run, which has room for it, a chunk and more. */
const HEAVY = { release: 75, nightly: 176 } as const;
const HEAVY_BYTES = 9_000;
/** More than two hours behind all that is older: nothing is put away before something so much newer comes. */
const STEP = 2n * HOUR + 50n * MINUTE;
/** No early entry lies outside of these but those at the first full hour. */
const EARLY = { from: MINUTE, to: 50n * MINUTE } as const;

/** The oldest entry of all, seen from the beginning. */
const BESIDE = 4n * MINUTE;

/** Different times of streams: each is of several. */
const SHARED = 40;

const word = (index: number): string => (index % 2 === 0 ? "even" : "odd");

/** Two times that some other streams have as well, every other one in whole milliseconds, and now and then three lines at one of them. */
function beginning(stream: number): RelativeStream {
  const fraction = stream % 2 === 0 ? 0n : BigInt(stream) * 1_000n + 7n;
  const own = [37, 59].map((step, index) => MEETING + BigInt(((stream * step) % SHARED) + 1) * 25n * SECOND + BigInt(index) * 5n * SECOND);
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

/** Where streams end, seen from where others begin: up to that millisecond, within it, and at the very time, ns. */
const ENDS = [-400n, 400n, 0n] as const;

function ending(stream: number): RelativeStream {
  return {
    labels: { svc_size: "light", svc_zz: `ending ${stream}`, svc_colour: `c${stream % 7}`, ...HALF },
    entries: [
      { offset: MEETING - 9n * MINUTE + BigInt(stream) * 10n * SECOND, line: `ending ${stream} even` },
      { offset: MEETING + (ENDS[stream % ENDS.length] ?? 0n), line: `ending ${stream} odd` },
    ],
  };
}

/** From the first to the last line of the heavy stream: so late its entries may come. */
const HEAVY_SPAN = 8n * MINUTE;

const heavyOf = (lines: number): RelativeStream => ({
  labels: { svc_size: "heavy", svc_zz: "heavy" },
  entries: Array.from({ length: lines }, (_, index) => ({
    offset: 5n * MINUTE + (BigInt(index) * HEAVY_SPAN) / BigInt(lines) + 3n,
    line: `heavy ${index} ${noise(index, HEAVY_BYTES)}`,
  })),
});

/** The same entries in each of several streams: of these a check of their own sums. */
const equals = Array.from({ length: EQUAL }, (_, stream): RelativeStream => ({
  labels: { svc_size: "equal", svc_zz: `equal ${stream}` },
  entries: [0n, 20n].map((seconds) => ({ offset: MEETING + MINUTE + seconds * SECOND, line: `equal ${seconds}` })),
}));

/** The last that is put away of these lies exactly at a full hour. */
const untilTheHour = [0n, 1n].map((stream): RelativeStream => ({
  labels: { svc_size: "hour", svc_zz: `until the hour ${stream}` },
  entries: [
    { offset: 30n * MINUTE + stream * SECOND, line: `until the hour ${stream}` },
    { offset: HOUR, line: `at the hour ${stream}` },
  ],
}));

const early: readonly RelativeStream[] = [
  ...Array.from({ length: ENDING }, (_, stream) => ending(stream)),
  ...Array.from({ length: BEGINNING }, (_, stream) => beginning(stream)),
  ...equals,
  ...untilTheHour,
];

/** An entry of each stream that is hours newer. */
function later(heavy: RelativeStream, offset: bigint): RelativeStream[] {
  return [...early, heavy].map(({ labels }, stream) => ({
    labels,
    entries: [{ offset: offset + BigInt(stream) * 1_000_000n + 13n, line: `later ${offset / MINUTE} ${stream}` }],
  }));
}

const PARTS = 3;

/**
 * The heavy stream in pushes of which each takes its part of a megabyte, with all others in the first; what is newer comes last. Where
 * entries may come late, each part reaches over all of the stream: its blocks overlap.
 */
function pushes(lines: number, newer: readonly bigint[], isLateTaken: boolean): RelativeStream[][] {
  const heavy = heavyOf(lines);
  const length = Math.ceil(lines / PARTS);
  const partOf = (index: number): number => (isLateTaken ? index % PARTS : Math.floor(index / length));
  const parts = Array.from({ length: PARTS }, (_, part) => ({
    ...heavy,
    entries: heavy.entries.filter((_entry, index) => partOf(index) === part),
  }));
  return [...parts.map((part, index) => (index === 0 ? [...early, part] : [part])), ...newer.map((offset) => later(heavy, offset))];
}

export interface Archive extends PushedSet {
  /** A single entry that is older than all of it. */
  readonly oldest: Dataset;
}

/**
 * An entry at the beginning of what is to be pushed, `after` one that is newer or as the first; null where this target does not take or
 * show it.
 */
export async function reached(scope: Scope, anchor: bigint, name: string, after: readonly RelativeEntry[] = []): Promise<Dataset | null> {
  const entry = { offset: BESIDE, line: "the oldest of all" };
  const place = { anchor, span: BESIDE + HEAVY_SPAN + MINUTE };
  const payload = { pushes: [...after, entry].map((one) => [{ labels: { svc_size: "reach" }, entries: [one] }]) };
  const dataset = await storeAt(scope, `archive-${name}`, payload, place);
  return dataset.pushes.every(isSuccess) && (await keeps(scope, dataset, anchor + BESIDE)) ? dataset : null;
}

/** Whether this target takes and shows what comes later than any entry of the heavy stream would, among entries that are so old. */
async function takesLate(scope: Scope, anchor: bigint, name: string): Promise<boolean> {
  if ((await scope.use(lateSet)) === null) return false;
  const newer = { offset: BESIDE + HEAVY_SPAN, line: "a newer one" };
  return (await reached(scope, anchor, `late-${name}`, [newer])) !== null;
}

/** Null where this target does not take and show entries that are so old. */
export const archivePushed: Fixture<Archive | null> = fixture("logs", "streams that reach back for hours, read back", async (scope) => {
  const set = await scope.use(hourSet);
  if (set === null) return null;
  const lines = HEAVY[scope.settings.profile === "nightly" ? "nightly" : "release"];
  for (const [index, { anchor, newer }] of places(set, await nowOf(scope)).entries()) {
    const name = String(index + 1);
    const oldest = await reached(scope, anchor, `reach-${name}`);
    if (oldest === null) continue;
    const place = { anchor, span: (newer.at(-1) ?? 0n) + 5n * MINUTE };
    const isLateTaken = await takesLate(scope, anchor, name);
    const dataset = await storeAt(scope, `archive-${name}`, { pushes: pushes(lines, newer, isLateTaken) }, place);
    if (dataset.pushes.every(isSuccess)) return { oldest, ...(await comeBack(scope, dataset)) };
  }
  return null;
});

/** A trial that blames nobody where entries so old have gone meanwhile: how long a target shows them is not stated. */
export function whileShown({ oldest }: Pick<Archive, "oldest">, trial: Trial): Trial {
  return async (scope) => {
    const finding = await trial(scope);
    if (finding.differences.length === 0 || (await keeps(scope, oldest, oldest.anchor + BESIDE))) return finding;
    throw new Inconclusive("what this target shows of entries that are hours old changed during the run (see logs-3.states)");
  };
}

/** The same where all of it can be found as it was pushed, and parts of it as sets of their own. */
export interface ArchiveParts extends Pick<Archive, "oldest"> {
  readonly whole: Dataset;
  /** The early entries of the streams with many neighbours; a window over them lies within one hour of the clock. */
  readonly light: Dataset;
  readonly heavy: Dataset;
  readonly equal: Dataset;
  /** What ends at a full hour, with what is newer. */
  readonly untilTheHour: Dataset;
  /** Between entries that begin many streams and entries that end others. */
  readonly meeting: bigint;
  /** The first full hour behind the early entries. */
  readonly hour: bigint;
}

/** Real services look every thirty seconds for what they can put away, and forget it thirty seconds later when they look again. */
export const AWAY_MS = 95_000;

export const archive: Fixture<ArchiveParts | null> = fixture("logs", "streams that reach back for hours", async (scope) => {
  const pushed = await scope.use(archivePushed);
  if (pushed === null) return null;
  const whole = useful(pushed);
  if (scope.settings.profile === "nightly") await scope.untilAfterWrite(whole, AWAY_MS);
  const { anchor } = whole;
  const window = { start: anchor + EARLY.from, end: anchor + EARLY.to };
  return {
    oldest: pushed.oldest,
    whole,
    light: part(whole, "light", window),
    heavy: part(whole, "heavy", window),
    equal: part(whole, "equal", window),
    untilTheHour: part(whole, "hour", whole),
    meeting: anchor + MEETING + 150n,
    hour: anchor + HOUR,
  };
});

/** The streams of one size in a window, as a set. */
function part(dataset: Dataset, size: string, { start, end }: Window): Dataset {
  const own: Matcher = { name: "svc_size", operator: "=", value: size };
  const streams = within(select(dataset.streams, { matchers: [own], filters: [] }), start, end);
  return {
    ...dataset,
    name: `${dataset.name}, ${size}`,
    streams,
    matchers: [...dataset.matchers, own],
    start,
    end,
    entries: countEntries(streams),
  };
}
