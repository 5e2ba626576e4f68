/**
 * Streams that reach back for hours. A service puts away what is so much older than the newest of its stream, stream by stream, and reads
 * it again from there: many streams at once, out of parts that overlap, beside what it still holds in memory.
 */
import { noise } from "../arbitraries/noise.ts";
import type { RelativeEntry, RelativeStream } from "../arbitraries/streams.ts";
import type { Window } from "../diagnosis/range-request.ts";
import { isSuccess } from "../client/exchange.ts";
import { Inconclusive } from "../client/inconclusive.ts";
import { type Assertion, type Fixture, fixture, type Scope } from "../harness/scope.ts";
import { countEntries, type Matcher, select, within } from "../model/logs.ts";
import { type Dataset, nowOf, storeAt } from "./datasets.ts";
import { type HourBoundaryData, hourBoundaryData, keeps, OVER_HOURS } from "./hour-boundary-data.ts";
import { outOfOrderData } from "./out-of-order-data.ts";
import { clearOf, HALF_HOUR, HOUR } from "./placing.ts";
import { comeBack, type PushedSet, useful } from "./read-back.ts";

const SECOND = 1_000_000_000n;
const MINUTE = 60n * SECOND;

/** Where the streams lie, and where something newer comes in each of them. */
interface Place {
  readonly anchor: bigint;
  /** Offset of a full hour behind all early entries but those of two streams, of which the last lies exactly there. */
  readonly hour: bigint;
  /** Offsets of the newer entries, ascending; the last is some minutes old. */
  readonly newer: readonly bigint[];
}

/**
 * The places that are tried in this order, since what a target takes and shows is not stated: with what is put away twice, and once, and
 * as young as two hours allow, for services that look for older entries where they have not been put away yet.
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

/** From the first to the last early entry, with some time before and behind them. */
const EARLY_SPAN = 13n * MINUTE;
/** With this the early entries lie across half an hour. */
const ACROSS_HALF = 20n * MINUTE;
/** More than two hours behind all that begins before it: nothing is put away before something so much newer comes. */
const STEP = 2n * HOUR + 30n * MINUTE;
/** How long ago the early entries begin where they are young, and at least so. */
const YOUNG_AGE = 140n * MINUTE;
const YOUNGEST_AGE = 136n * MINUTE;
const NEWEST_AGE = 3n * MINUTE;
/** So young is the last full hour at least at which an entry lies: what ends there is not put away. */
const HOUR_AGE = 32n * MINUTE;

/** At any minute clear of full hours, and younger than what services show that do not look for more of what they have not put away. */
function young(now: bigint): Place {
  const anchor = clearOf(HOUR, { begin: now - YOUNG_AGE, span: EARLY_SPAN, latest: now - YOUNGEST_AGE });
  return { anchor, hour: ((now - HOUR_AGE) / HOUR) * HOUR - anchor, newer: [now - anchor - NEWEST_AGE] };
}

/** Many begin here: more than two batches of fifty. Others end there, some up to this millisecond and some within it. */
const MEETING = 6n * MINUTE;
const BEGINNING = 104;
const ENDING = 50;
/** So many of both have a label of their own: as many as a batch. */
const HALF = { svc_a: "half" } as const;
const EQUAL = 5;
/** Lines of the heavy stream: two blocks and more; in a nightly run, which has room for it, a chunk and more. */
const HEAVY = { release: 75, nightly: 176 } as const;
const HEAVY_BYTES = 9_000;
/** The oldest entry of all, seen from the beginning. */
const OLDEST = 30n * SECOND;
/** No early entry lies outside of these but that one and those of two streams behind. */
const EARLY = { from: 45n * SECOND, to: EARLY_SPAN - 30n * SECOND } as const;

/** Different times of streams: each is of several. */
const SHARED = 40;

const word = (index: number): string => (index % 2 === 0 ? "even" : "odd");

/** Two times that some other streams have as well, every other one in whole milliseconds, and now and then three lines at one of them. */
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

/** Where streams end, seen from where others begin: up to that millisecond, within it, and at the very time, ns. */
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

/** From the first to the last line of the heavy stream: so late its entries may come. */
const HEAVY_SPAN = 8n * MINUTE;

const heavyOf = (lines: number): RelativeStream => ({
  labels: { svc_size: "heavy", svc_zz: "heavy" },
  entries: Array.from({ length: lines }, (_, index) => ({
    offset: 2n * MINUTE + (BigInt(index) * HEAVY_SPAN) / BigInt(lines) + 3n,
    line: `heavy ${index} ${noise(index, HEAVY_BYTES)}`,
  })),
});

/** The same entries in each of several streams: of these a check of their own sums. */
const equals = Array.from({ length: EQUAL }, (_, stream): RelativeStream => ({
  labels: { svc_size: "equal", svc_zz: `equal ${stream}` },
  entries: [0n, 20n].map((seconds) => ({ offset: MEETING + MINUTE + seconds * SECOND, line: `equal ${seconds}` })),
}));

/** The last of these lies exactly at a full hour. */
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

/** An entry of each stream that is hours newer. */
function later(streams: readonly RelativeStream[], offset: bigint): RelativeStream[] {
  return streams.map(({ labels }, stream) => ({
    labels,
    entries: [{ offset: offset + BigInt(stream) * 1_000_000n + 13n, line: `later ${offset / MINUTE} ${stream}` }],
  }));
}

const PARTS = 3;

/**
 * The heavy stream in pushes of which each takes its part of a megabyte, with all others in the first; what is newer comes last. Where
 * entries may come late, each part reaches over all of the stream: its blocks overlap.
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

export interface Archive extends PushedSet {
  /** A single entry that is older than all of it. */
  readonly oldest: Dataset;
  /** The first full hour behind the early entries, at which some lie, ns. */
  readonly hour: bigint;
}

/** An entry at a time, ns, `after` those that are newer or as the first; null where this target does not take or show it. */
export async function reached(scope: Scope, ts: bigint, name: string, after: readonly RelativeEntry[] = []): Promise<Dataset | null> {
  const payload = {
    pushes: [...after, { offset: 0n, line: "the oldest of all" }].map((one) => [{ labels: { svc_size: "reach" }, entries: [one] }]),
  };
  const dataset = await storeAt(scope, `archive-${name}`, payload, { anchor: ts, span: HEAVY_SPAN + MINUTE });
  return dataset.pushes.every(isSuccess) && (await keeps(scope, dataset, ts)) ? dataset : null;
}

/** Whether this target takes and shows what comes later than any entry of the heavy stream would, among entries that are so old. */
async function takesLate(scope: Scope, ts: bigint, name: string): Promise<boolean> {
  if ((await scope.use(outOfOrderData)).shown === null) return false;
  return (await reached(scope, ts, `late-${name}`, [{ offset: HEAVY_SPAN, line: "a newer one" }])) !== null;
}

/** Null where this target does not take and show entries that are so old. */
export const archivePushed: Fixture<Archive | null> = fixture("logs", "streams that reach back for hours, read back", async (scope) => {
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
    if (dataset.pushes.every(isSuccess)) return { oldest, hour: anchor + hour, ...(await comeBack(scope, dataset)) };
  }
  return null;
});

/** An assertion that blames nobody where entries so old have gone meanwhile: how long a target shows them is not stated. */
export function whileShown({ oldest }: Pick<Archive, "oldest">, assertion: Assertion): Assertion {
  return async (scope) => {
    const finding = await assertion(scope);
    if (finding.differences.length === 0 || (await keeps(scope, oldest, oldest.anchor))) return finding;
    throw new Inconclusive("the target stopped showing its oldest entries during the run (see logs-3.states)");
  };
}

/** The same where all of it can be found as it was pushed, and parts of it as sets of their own. */
export interface ArchiveParts extends Pick<Archive, "oldest" | "hour"> {
  readonly whole: Dataset;
  /** The early entries of the streams with many neighbours; a window over them lies within one hour of the clock. */
  readonly light: Dataset;
  readonly heavy: Dataset;
  readonly equal: Dataset;
  /** What ends at a full hour, with what is newer. */
  readonly untilTheHour: Dataset;
  /** Between entries that begin many streams and entries that end others. */
  readonly meeting: bigint;
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
    hour: pushed.hour,
    whole,
    light: part(whole, "light", window),
    heavy: part(whole, "heavy", window),
    equal: part(whole, "equal", window),
    untilTheHour: part(whole, "hour", whole),
    meeting: anchor + MEETING + 150n,
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
