/**
 * Datasets with long lines, or with long or many labels. No size is documented. If a target refuses the largest size, the run uses the
 * largest accepted size.
 */
import { noise } from "../arbitraries/noise.ts";
import type { Payload, RelativeStream } from "../arbitraries/streams.ts";
import { type Fixture, fixture, type Scope } from "../harness/scope.ts";
import { type Dataset, refusalFinding } from "./datasets.ts";
import { store } from "./dataset-pushes.ts";
import type { Age } from "./placing.ts";
import { comeBack, type PushedSet, readBack } from "./read-back.ts";

/** A dataset of the largest accepted size. */
export interface SizedDataset extends PushedSet {
  readonly size: number;
}

/** Tries the sizes from the largest. Returns a dataset of the first accepted size, or null if all are refused. No size is documented. */
function largestAccepted(
  name: string,
  title: string,
  sizesOf: (scope: Scope) => readonly number[],
  payload: (size: number, scope: Scope) => Payload,
  age: Age = "settled",
): Fixture<SizedDataset | null> {
  return fixture("logs", title, async (scope) => {
    for (const size of sizesOf(scope)) {
      const dataset: Dataset = await store(scope, `${name}-${size}`, payload(size, scope), undefined, age);
      if (refusalFinding(dataset) !== null) continue;
      const pushed = await comeBack(scope, dataset);
      if (pushed.finding.differences.length === 0) scope.revisit(dataset, readBack(dataset));
      return { ...pushed, size };
    }
    return null;
  });
}

/** The length of the longest line in bytes. Only a nightly run tries this line, because it uses much of `MAX_PUSH_BYTES`. */
const LONGEST = 250_000;
const LINES = [120_000, 65_536, 40_001, 20_001, 16_500, 9_000, 5_001] as const;

function linesOf({ settings }: Scope): readonly number[] {
  return settings.profile === "nightly" ? [LONGEST, ...LINES] : LINES;
}

/** The word at the end of each long line. A filter that searches only the start of a line does not find it. */
export const LAST_WORD = "lastword";

const ACROSS = "\u65e5";
/** Multiples of 4 KiB. A service may split a line there for its search. */
const BORDERS = [1, 2, 4, 8, 16] as const;

/** In a long line, some three-byte characters cross a multiple of 4 KiB. Returns the texts around these characters. */
export function acrossBorders(line: string): string[] {
  const places = [...line.matchAll(new RegExp(ACROSS, "gu"))].map(({ index }) => index);
  return BORDERS.flatMap((border) => {
    const place = places[border - 1];
    return place === undefined ? [] : [line.slice(place - 8, place + 9)];
  });
}

/** Returns noise of `bytes` bytes, with a three-byte character across each multiple of 4 KiB. */
function longLine(seed: number, bytes: number): string {
  const pieces: string[] = [];
  let length = 0;
  while (length + 4_096 < bytes) {
    const piece = `${noise(seed + length, 4_096 - 2 - (length % 4_096))}${ACROSS}`;
    pieces.push(piece);
    length += Buffer.byteLength(piece);
  }
  pieces.push(noise(seed + length, Math.max(0, bytes - length - LAST_WORD.length - 1)), ` ${LAST_WORD}`);
  return pieces.join("");
}

/** The minimum total length of all lines in bytes. It is more than a block of 256 KiB, so that the long lines are in a closed block. */
const ENOUGH_BYTES = 280_000;
const FURTHER_BYTES = 4_000;

/** Lines of each accepted length, each followed by a short line. Lines of 4,000 bytes make the dataset large enough. */
export const longLines = largestAccepted("long-lines", "lines of many kilobytes", linesOf, (longest, scope) => {
  const lengths = linesOf(scope).filter((bytes) => bytes <= longest);
  const further = Math.ceil((ENOUGH_BYTES - lengths.reduce((sum, bytes) => sum + bytes, 0)) / FURTHER_BYTES);
  const lines = [
    ...lengths.flatMap((bytes, index) => [longLine(index, bytes), `short ${index} ${LAST_WORD}`]),
    ...Array.from({ length: further }, (_, index) => longLine(lengths.length + index, FURTHER_BYTES)),
  ];
  const labels = { svc_size: "long lines" };
  const entries = lines.map((line, index) => ({ offset: BigInt(index) * 3_000_000_019n + 11n, line }));
  // The longest line is pushed first and alone. If the target refuses the longest line, the other lines are not pushed.
  return { pushes: [[{ labels, entries: entries.slice(0, 1) }], [{ labels, entries: entries.slice(1) }]] };
});

/** A service keeps label names forever, so each run uses the same names. */
const LONG_NAMES = [`svc_${"n".repeat(40)}`, `svc_${"n".repeat(120)}`] as const;
const MORE_NAMES = ["svc_m1", "svc_m2", "svc_m3", "svc_m4"] as const;

const VALUES = [1_500, 200, 120, 60] as const;
/** The length of the values of streams with several long values. A service may refuse streams with more label text. */
const MOST_WIDE = 200;

/** Returns a value with a quote. JSON escapes the quote. A service may use different code for escaped texts, which may cut a long text. */
function longValue(runId: string, length: number, last: string): string {
  return `${`${runId}:"`.padEnd(length - last.length, "v")}${last}`;
}

/** Returns long label values that differ only in their last character. */
export function longValuesOf(runId: string, length: number): string[] {
  return ["a", "b", "c", "d"].map((last) => longValue(runId, length, last));
}

/** Two streams whose labels have up to 1,000 characters of text. Only the last label differs. */
function wideStreams(value: string): RelativeStream[] {
  const wide = Object.fromEntries(MORE_NAMES.map((name) => [name, value]));
  return ["one", "two"].map((last, index) => ({
    labels: { svc_colour: value, ...wide, svc_size: last },
    entries: [{ offset: BigInt(index + 3) * 1_300_000_003n, line: `wide labels ${last}` }],
  }));
}

export const longLabels = largestAccepted(
  "long-labels",
  "label names up to 120 and label values up to 1,500 characters",
  () => VALUES,
  (length, { run }) => {
    const values = longValuesOf(run.runId, length);
    const streams = values.map((value, index): RelativeStream => ({
      labels: {
        svc_colour: value,
        ...(index === 0 ? { [LONG_NAMES[0]]: "long name" } : {}),
        ...(index === 1 ? { [LONG_NAMES[1].slice(0, length)]: "longer name" } : {}),
      },
      entries: [
        { offset: BigInt(index + 1) * 1_000_000_003n, line: `long labels ${index}` },
        { offset: BigInt(index + 5) * 1_000_000_003n, line: `long labels again ${index}` },
      ],
    }));
    return { pushes: [[...streams, ...wideStreams(longValue(run.runId, Math.min(length, MOST_WIDE), "a"))]] };
  },
  "young",
);

/**
 * The numbers of labels to try. Labels of the run and dataset are not counted. The numbers are small, as services keep label names forever.
 */
const LABELS = [18, 13] as const;

/** Two streams with many labels. The streams differ only in their last label. */
export const manyLabels = largestAccepted(
  "many-labels",
  "streams of up to twenty labels",
  () => LABELS,
  (count) => {
    const names = Array.from({ length: count }, (_, index) => `svc_n${String(index + 1).padStart(2, "0")}`);
    const streams = ["first", "second"].map((last, stream): RelativeStream => ({
      labels: Object.fromEntries(names.map((name, index) => [name, index === count - 1 ? last : `value ${index}`])),
      entries: [{ offset: BigInt(stream + 1) * 1_000_000_007n, line: `many labels ${last}` }],
    }));
    return { pushes: [streams] };
  },
);
