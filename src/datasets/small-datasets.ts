/** Small datasets, each for one part of the query language. */
import { ESCAPED_VALUES, GALLERY_LABELS, GALLERY_LINES, GALLERY_VALUES } from "../arbitraries/gallery.ts";
import { LABEL_VALUE_BYTES, type RelativeStream } from "../arbitraries/streams.ts";
import { pushedSet } from "./shared-datasets.ts";
import { type Fixture, fixture } from "../harness/scope.ts";
import { type Dataset, store } from "./datasets.ts";
import { hello } from "./first-push.ts";
import { visible } from "./read-back.ts";

/** How many entries a stream has when a push begins at the very time of its last: where a careless server cuts what it keeps. */
export const TIED_AFTER = [
  [1, 2, 64, 100, 128, 500],
  [4, 256, 512],
] as const;

const tiedTime = (index: number): bigint => BigInt(index) * 500_000_003n + 1n;

/** A stream of some entries, and what a second push adds to it at the time of the last. */
function tiedStream(count: number): readonly [before: RelativeStream, after: RelativeStream] {
  const labels = { svc_size: `same time after ${count}` };
  const entries = Array.from({ length: count }, (_, index) => ({ offset: tiedTime(index), line: `line ${index} of ${count}` }));
  const tie = { offset: tiedTime(count - 1), line: `another after ${count}` };
  // One push begins as the one before it and is as long.
  const after = count === 1 ? [tie] : [tie, { offset: tiedTime(count), line: `later than ${count}` }];
  return [
    { labels, entries },
    { labels, entries: after },
  ];
}

/** Texts of the same length that have one 32-bit hash in pairs: by factors of 31, by the checksum of archives. */
const EQUAL_HASHES = ["Aa", "BB", "plumless", "buckeroo"] as const;

/** The same for FNV-1a, of which only what has nothing before it has one. */
const EQUAL_HASHES_ALONE = ["costarring", "liquid", "declinate", "macallums"] as const;

/** Each begins as the one before it. */
const BEGUN = ["b", "begun", "begun and", "begun and gone on"] as const;

/** Each ends as the one after it. */
const ENDED = ["from there to the end", "to the end", "the end", "end"] as const;

/** Lines at one time that differ only behind, or only before, what they have in common, hold each other, or whose hashes are the same. */
function alikeLines(): RelativeStream {
  const lines = [60, 64, 130, 1_030, 3_000].flatMap((length) => {
    const common = "common part ".repeat(250).slice(0, length);
    return [`${length} ${common}1`, `${length} ${common}2`, `1${common} ${length}`, `2${common} ${length}`];
  });
  lines.push(...EQUAL_HASHES, ...EQUAL_HASHES_ALONE, ...BEGUN, ...ENDED);
  return { labels: { svc_size: "alike lines" }, entries: lines.map((line) => ({ offset: 5_000_000_001n, line })) };
}

/** Different lines at one time, in one push and in two: all of them are entries. */
export function sameTimes(counts: readonly number[]): RelativeStream[][] {
  const streams = counts.map(tiedStream);
  return [[...streams.map(([before]) => before), alikeLines()], streams.map(([, after]) => after)];
}

/** A backslash before a letter with which it would be an escape. */
export const BACKSLASHED = "gamma\\nmid";

/** A part of a line: quotes that stand in a query as they are, where the text is in backquotes. */
export const QUOTED = 'a "quoted" word';

/** Lines that are one of the terms and nothing else, or two of them around something. */
const TERMS = [
  "alpha",
  "beta",
  "gamma",
  "delta",
  "alpha|beta",
  "alpha mid omega",
  "omega mid alpha",
  "alphaomega",
  "ALPHA",
  "alpha.*omega",
  BACKSLASHED,
  QUOTED,
  "",
];

/** Expressions with alternatives and gaps that tell these lines from each other. */
export const TERM_PATTERNS = [
  "alpha|beta",
  "beta|gamma|nobody",
  "gamma|delta",
  "alpha.+omega",
  "alpha.*omega",
  "omega.*alpha",
  "ALPHA|beta",
  "alpha( mid omega|omega|nobody)",
  "(gamm|bet|nobod)a",
  "gam(ma|x|yz)",
] as const;

/**
 * Expressions that a shorter way to carry them out mistakes: for a text, for a beginning, for two texts, for fewer alternatives, for one
 * without its ends.
 */
export const SIMPLIFIED_PATTERNS = [
  "alpha.mid",
  "(beta|gamma|delta)",
  "((alpha|nobody)|(gamma|delta))",
  "nobody|beta|gamma|delta",
  "(al|ga)(pha|mma)",
  "alpha(omega| mid omega|nobody)",
  "alpha.+",
  ".*alpha.*mid.*",
  "^alpha",
  "alpha$",
  `${Array.from({ length: 8 }, (_, index) => `nobody says ${index}`).join("|")}|gamma|delta`,
] as const;

/** Expressions of a class, and of what is repeated, alone and beside a plain text: a way to carry them out shorter may take any line for it, or leave it out. */
export const REPEATED_PATTERNS = [
  "[b-d]",
  "[b-d]+",
  "beta|am{2}a",
  "h?omega|beta",
  "m{2}",
  "alpha( mid )?omega",
  "al(pha|nobody)omega",
  "^alpha|mid alpha",
] as const;

export const terms = pushedSet("terms", "lines of one term each", () => [
  ["left", "right"].map((size, s): RelativeStream => ({
    labels: { svc_size: size },
    entries: [0, 1, 2].flatMap((copy) =>
      TERMS.map((line, index) => ({ offset: BigInt(copy * 40 + index * 2 + s) * 1_000_000_003n + 17n, line })),
    ),
  })),
]);

/** Labels as services are usually given them, with values that stay the same from run to run. */
export const usual = pushedSet("usual", "streams with labels such as app and job", () => [
  [
    { app: "plumbline", job: "plumbline/checks", level: "info" },
    { app: "plumbline", job: "plumbline/others", level: "error" },
    { job: "plumbline/checks", namespace: "plumbline", pod: "plumbline-0", container: "checks" },
    // As label sets are written in many places: with a comma and a blank between two.
    { service: "plumbline", host: "plumbline", instance: "plumbline:1", filename: "/plumbline.log", zone: "one, two" },
  ].map((labels, stream): RelativeStream => ({
    labels,
    entries: [0, 1].map((index) => ({ offset: BigInt(index * 4 + stream + 1) * 1_000_000_007n, line: `usual ${stream} ${index}` })),
  })),
]);

/**
 * Label sets that are the same text when their values, or names and values, are written one after the other: with nothing between
 * them, or with what usually stands there; sets whose values are the same under other names; and sets whose hashes are the same.
 */
export const groups = pushedSet("groups", "label sets whose names and values form the same text when they are joined", () => [
  [
    { svc_a: "x", svc_ab: "yz", svc_abc: "1" },
    { svc_a: "xy", svc_ab: "z", svc_abc: "1" },
    { svc_a: "p", svc_ab: "q", svc_abc: "1" },
    { svc_a: "q", svc_ab: "p", svc_abc: "1" },
    { svc_a: "p", svc_ab: "q", svc_abc: "2" },
    { svc_a: "p" },
    { svc_ab: "p" },
    { svc_abc: "p" },
    {},
    { svc_a: "1", svc_ab: "2" },
    { svc_a: "1svc_ab2" },
    { svc_a: "u", svc_ab: "v" },
    { svc_a: "u,svc_ab=v" },
    { svc_a: 'u", svc_ab="v' },
    { svc_a: 'u","svc_ab":"v' },
    ...EQUAL_HASHES.map((value) => ({ svc_ab: value })),
    { svc_a: "b7" },
    { svc_ab: "7" },
  ].map((labels, stream): RelativeStream => ({
    labels: { svc_size: "groups", ...labels },
    entries: Array.from({ length: (stream % 7) + 2 }, (_, index) => ({
      offset: BigInt(index) * 10_000_000_000n + BigInt(stream),
      line: `group ${stream} ${index % 2 === 0 ? "even" : "odd"}`,
    })),
  })),
]);

/** The same entry in two streams, and the same line again and again: each of them is an entry of its own stream. */
export const equals = pushedSet("equals", "equal entries of several streams", () => [
  ["one", "two", "three"].map((colour): RelativeStream => ({
    labels: { svc_size: "equals", svc_colour: colour },
    entries: Array.from({ length: 12 }, (_, index) => ({ offset: BigInt(index) * 10_000_000_000n + 1n, line: `equal ${index % 3}` })),
  })),
]);

/** What means something in a query, in the text of a line filter or a value; the last begins a second time before it is whole. */
export const SIGNS = ["{", "}", "[1s]", ")", '"', "#", "a | b", "C:\\", "re&d;a=b+c", "\u{1f9f5}", "aab"] as const;

export const signs = pushedSet("signs", "lines and values with signs of the query language", () => [
  SIGNS.map((sign, stream): RelativeStream => ({
    labels: { svc_colour: sign },
    entries: [`before ${sign} after`, `a${sign}`, `a ${sign}\n"quoted"\tand more`, `b ${sign}\r\nmore`].map((line, index) => ({
      offset: BigInt(index) * 10_000_000_000n + BigInt(stream) * 11n + 1n,
      line,
    })),
  })),
]);

/** Texts that a reader tells apart and a careless key does not: by blanks, by case, by how a letter is composed, by their middle. */
const ALIKE = [
  "dark red",
  "dark  red",
  "dark\tred",
  "Dark Red",
  "darkred",
  "dark red ",
  "dark r\u00e9d",
  "dark re\u0301d",
  ...["1", "2", "3"].map((middle) => `${"dark ".repeat(6)}${middle}${" red".repeat(8)}`),
] as const;

export const ALIKE_TEXTS: readonly string[] = ALIKE;

/** Lines only: letters outside ASCII in two cases, and values of JSON and logfmt with an escaped line end and escaped quotes. */
const ALIKE_LINES = [...ALIKE, "Straße ÄPFEL", "straße äpfel", ...ESCAPED_VALUES] as const;

/** Parts of some of these lines. A service that folds the case, or carries out the escapes, finds other lines. */
export const ALIKE_PARTS = ["ÄPFEL", String.raw`a\nb \"q`] as const;

/** Each text as the value of a stream and as lines, beside all others. */
export const alikes = pushedSet("alikes", "values and lines that are nearly the same", () => [
  ALIKE.map((value, stream): RelativeStream => ({
    labels: { svc_colour: value },
    entries: ALIKE_LINES.map((_, index) => ({
      offset: BigInt(index) * 7_000_000_000n + BigInt(stream) * 11n + 1n,
      line: ALIKE_LINES[(index + stream) % ALIKE_LINES.length] ?? "",
    })),
  })),
]);

/** Those that begin with something else than a small letter, hold more than letters, or hold a word of a path or of the query language. */
export const ODD_NAMES = ["Svc_a", "_svc", "labels_0", "svc_values", "count"] as const;
/** With the two that every stream of a run has they are ten, as many as are taken everywhere. */
export const NAMES = ["svc_a", "svc_ab", "svc_abc", ...ODD_NAMES] as const;

/** Of these names the one that no other set has. */
const OWN_NAME: (typeof NAMES)[number] = "svc_values";

/** Of all names that a run pushes, the last in the order of the alphabet. */
const LAST_NAME = "zone";

/** The values of one of these labels in a run. */
export function valuesFor(runId: string, name: string): string[] {
  const own = `${name}:${runId}`;
  // The last but one differ from the first in case and in a blank only.
  return [`${own}:one`, `${own}:"two", \\ {größe}`, `${own}:ONE`, `${own}:one `, `${own}:`.padEnd(LABEL_VALUE_BYTES, "v")];
}

export const labelled: Fixture<Dataset> = fixture("logs", "streams with many labels", async (scope) => {
  // What is known of a label before anything was pushed under it says nothing of later.
  await scope.use(hello);
  await scope.logs.probe("label names before all are pushed", "labels", {});
  await scope.logs.probe("values of a label before they are pushed", `label/${OWN_NAME}/values`, {});
  const streams = [0, 1, 2, 3, 4].map((which): RelativeStream => ({
    labels: Object.fromEntries(NAMES.map((name) => [name, valuesFor(scope.run.runId, name)[which] ?? ""])),
    entries: [{ offset: BigInt(which + 1) * 1_000_000_000n, line: `labelled ${which}` }],
  }));
  const last: RelativeStream = {
    labels: { [LAST_NAME]: `${scope.run.runId}:last` },
    entries: [{ offset: 6_000_000_000n, line: "labelled last" }],
  };
  return visible(scope, await store(scope, "labels", { pushes: [[...streams, last]] }, undefined, "young"));
});

const BETWEEN = 1_000_000_007n;

/** The stream of the lines is named twice in the push. */
export function galleryStreams(): RelativeStream[] {
  const lines = GALLERY_LINES.map((line, index) => ({ offset: BigInt(index + 1) * BETWEEN, line }));
  const labels = { svc_size: "gallery" };
  return [
    { labels, entries: lines.slice(0, -1) },
    ...GALLERY_VALUES.map((value, index) => ({
      labels: { svc_colour: value },
      entries: [{ offset: BigInt(index + 1) * BETWEEN, line: `value ${index}` }],
    })),
    ...GALLERY_LABELS.map((own, index) => ({
      labels: own,
      entries: [{ offset: BigInt(index + 1) * BETWEEN, line: `labels ${index}` }],
    })),
    { labels, entries: lines.slice(-1) },
  ];
}
