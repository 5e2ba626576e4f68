/** Defines small datasets. Each is for one part of the query language. */
import { ESCAPED_VALUES, GALLERY_LABELS, GALLERY_LINES, GALLERY_VALUES } from "../arbitraries/gallery.ts";
import { LABEL_VALUE_BYTES, type RelativeStream, evenly } from "../arbitraries/streams.ts";
import { orInconclusive } from "../client/inconclusive.ts";
import { pushedSet } from "./shared-datasets.ts";
import { fixture } from "../harness/scope.ts";
import { type Dataset } from "./datasets.ts";
import { store } from "./dataset-pushes.ts";
import type { Labels } from "../model/logs.ts";
import { hello } from "./first-push.ts";
import { visible } from "./read-back.ts";

/** Numbers of entries in the first push. The second push begins at the last timestamp of the first. Servers often divide data at these numbers. */
export const TIED_AFTER = [
  [1, 2, 64, 100, 128, 500],
  [4, 256, 512],
] as const;

const tiedTime = (index: number): bigint => BigInt(index) * 500_000_003n + 1n;

/** Returns a stream with `count` entries, and the entries of a second push, which begin at the timestamp of the last entry. */
function tiedStream(count: number): readonly [before: RelativeStream, after: RelativeStream] {
  const labels = { svc_size: `same time after ${count}` };
  const entries = Array.from({ length: count }, (_, index) => ({ offset: tiedTime(index), line: `line ${index} of ${count}` }));
  const tie = { offset: tiedTime(count - 1), line: `another after ${count}` };
  // The second push of one stream has the same timestamp and the same length as its first push.
  const after = count === 1 ? [tie] : [tie, { offset: tiedTime(count), line: `later than ${count}` }];
  return [
    { labels, entries },
    { labels, entries: after },
  ];
}

/** Two pairs of texts with the same length and the same 32-bit hash. The hash of the first pair has powers of 31, the second is CRC-32. */
const EQUAL_HASHES = ["Aa", "BB", "plumless", "buckeroo"] as const;

/** Pairs of texts with the same FNV-1a hash. If the same prefix is put before both texts, their hashes differ. */
const EQUAL_HASHES_ALONE = ["costarring", "liquid", "declinate", "macallums"] as const;

/** Each text begins with the previous text. */
const BEGUN = ["b", "begun", "begun and", "begun and gone on"] as const;

/** Each text ends with the next text. */
const ENDED = ["from there to the end", "to the end", "the end", "end"] as const;

/** Texts that differ only in the case of a letter, in a space around them, or in the composition of a letter. */
const NEARLY_EQUAL = ["größe", "Größe", "größe ", " größe", "gro\u0308ße"] as const;

/** Lines at one timestamp. Some have a common beginning or a common end, some contain another line, and some have equal hashes. */
function alikeLines(): RelativeStream {
  const lines = [60, 64, 130, 1_030, 3_000].flatMap((length) => {
    const common = "common part ".repeat(250).slice(0, length);
    return [`${length} ${common}1`, `${length} ${common}2`, `1${common} ${length}`, `2${common} ${length}`];
  });
  lines.push(...EQUAL_HASHES, ...EQUAL_HASHES_ALONE, ...BEGUN, ...ENDED, ...NEARLY_EQUAL);
  return { labels: { svc_size: "alike lines" }, entries: lines.map((line) => ({ offset: 5_000_000_001n, line })) };
}

/** Returns streams with different lines at one timestamp, in one push and in two pushes. Each line is a separate entry. */
export function sameTimes(counts: readonly number[]): RelativeStream[][] {
  const streams = counts.map(tiedStream);
  return [[...streams.map(([before]) => before), alikeLines()], streams.map(([, after]) => after)];
}

/** A backslash and a letter that together look like an escape. */
export const BACKSLASHED = "gamma\\nmid";

/** A part of a line with quotes. A query in backquotes contains these quotes unescaped. */
export const QUOTED = 'a "quoted" word';

/** Lines that are one of the terms, or two terms around another text. */
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

/** Expressions with alternatives and gaps. Each matches some lines of `TERMS`, and not others. */
export const TERM_PATTERNS = [
  "alpha",
  "mid.*",
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

/** Expressions that a server may simplify wrongly: to plain texts, to fewer alternatives, or to an expression without anchors. */
export const SIMPLIFIED_PATTERNS = [
  "alpha.mid",
  "(beta|gamma|delta)",
  "((alpha|nobody)|(gamma|delta))",
  "nobody|beta|gamma|delta",
  "alphaomega|alpha",
  // The last alternative is a text with a bar.
  String.raw`nobody|alpha\|beta`,
  "(al|ga)(pha|mma)",
  "alpha(omega| mid omega|nobody)",
  "alpha.+",
  ".*alpha.*mid.*",
  // The line that matches has no text before or after this text.
  ".*alpha.*",
  ".+alpha.*",
  "^alpha",
  "alpha$",
  `${Array.from({ length: 8 }, (_, index) => `nobody says ${index}`).join("|")}|gamma|delta`,
  // Each line except the empty line matches this expression.
  ".+",
] as const;

/** Expressions with character classes and repetitions. If a server simplifies them wrongly, they may match each line or no line. */
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

/** Labels that are usual in practice. Their values are the same in each run. */
export const usual = pushedSet("usual", "streams with labels such as app and job", () => [
  [
    { app: "plumbline", job: "plumbline/checks", level: "Info" },
    { app: "plumbline", job: "plumbline/others", level: "error" },
    { job: "plumbline/checks", namespace: "plumbline", pod: "plumbline-0", container: "checks" },
    // This value contains a comma and a space, which separate labels in many texts.
    { service: "plumbline", host: "plumbline", instance: "plumbline:1", filename: "/plumbline.log", zone: "one, two" },
  ].map((labels, stream): RelativeStream => ({
    labels,
    entries: [0, 1].map((index) => ({ offset: BigInt(index * 4 + stream + 1) * 1_000_000_007n, line: `usual ${stream} ${index}` })),
  })),
]);

/**
 * Label sets whose names and values form the same text when they are joined, with or without the usual separators. Other sets have equal
 * values under different names, or equal hashes.
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
    entries: evenly((stream % 7) + 2, 10_000_000_000n, BigInt(stream), (index) => `group ${stream} ${index % 2 === 0 ? "even" : "odd"}`),
  })),
]);

/** Equal entries in several streams, and repeated lines. Each is a separate entry of its stream. */
export const equals = pushedSet("equals", "equal entries of several streams", () => [
  ["one", "two", "three"].map((colour): RelativeStream => ({
    labels: { svc_size: "equals", svc_colour: colour },
    entries: evenly(12, 10_000_000_000n, 1n, (index) => `equal ${index % 3}`),
  })),
]);

/** Texts with characters of the query syntax, for line filters and values. A search for the last text must go back in some lines. */
export const SIGNS = ["{", "}", "[1s]", ")", '"', "#", "a | b |= c != d |~ e !~ f", "C:\\", "re&d;a=b+c", "\u{1f9f5}", "aab"] as const;

export const signs = pushedSet("signs", "lines and values with signs of the query language", () => [
  SIGNS.map((sign, stream): RelativeStream => ({
    labels: { svc_colour: sign },
    entries: [`before ${sign} after`, `a${sign}`, `a ${sign}\n"quoted"\tand more`, `b ${sign}\r\nmore`].map((line, index) => ({
      offset: BigInt(index) * 10_000_000_000n + BigInt(stream) * 11n + 1n,
      line,
    })),
  })),
]);

/** Texts that are easily confused: they differ in spaces, in case, in the composition of a letter, or in the middle. */
const ALIKE = [
  "dark red",
  "dark  red",
  "dark\tred",
  "Dark Red",
  "darkred",
  "dark\\red",
  "dark red ",
  "dark r\u00e9d",
  "dark re\u0301d",
  ...["1", "2", "3"].map((middle) => `${"dark ".repeat(6)}${middle}${" red".repeat(8)}`),
] as const;

export const ALIKE_TEXTS: readonly string[] = ALIKE;

/** The texts of `ALIKE`, texts with letters outside ASCII in upper and lower case, and values of JSON and logfmt with escapes. */
const ALIKE_LINES = [...ALIKE, "Straße ÄPFEL", "straße äpfel", ...ESCAPED_VALUES] as const;

/** Parts of some lines of `ALIKE_LINES`. A service that ignores case or decodes escapes finds wrong lines. */
export const ALIKE_PARTS = ["ÄPFEL", String.raw`a\nb \"q`] as const;

/** Each text is the label value of one stream. Each stream has all lines. */
export const alikes = pushedSet("alikes", "values and lines that are nearly the same", () => [
  ALIKE.map((value, stream): RelativeStream => ({
    labels: { svc_colour: value },
    entries: ALIKE_LINES.map((_, index) => ({
      offset: BigInt(index) * 7_000_000_000n + BigInt(stream) * 11n + 1n,
      line: ALIKE_LINES[(index + stream) % ALIKE_LINES.length] ?? "",
    })),
  })),
]);

/** Names that begin with a capital or "_", contain the first and last letters and digits, or a word of a URL path or of the query language. */
export const ODD_NAMES = ["Svc_a", "_svc", "labels_09AZaz", "svc_values", "count"] as const;
/** Label names. With the labels of the run and the dataset there are ten, which all targets accept. */
export const NAMES = ["svc_a", "svc_ab", "svc_abc", ...ODD_NAMES] as const;

/** A name that no other dataset has. */
const OWN_NAME: (typeof NAMES)[number] = "svc_values";

/** Of all names that a run pushes, this name is the last in alphabetical order. */
const LAST_NAME = "zone";

/** Returns the values that a label of `NAMES` has in a run. */
export function valuesFor(runId: string, name: string): string[] {
  const own = `${name}:${runId}`;
  // Two of these values differ from the first value only in case or in a trailing space.
  return [`${own}:one`, `${own}:"two", \\ {größe}`, `${own}:ONE`, `${own}:one `, `${own}:`.padEnd(LABEL_VALUE_BYTES, "v")];
}

export const labelled = fixture<Dataset>("logs", "streams with many labels", async (scope) => {
  // The lists of these labels are read once before the labels are pushed, because a service may cache an empty list.
  await scope.use(hello);
  for (const [operation, path] of [
    ["label names before all are pushed", "labels"],
    ["values of a label before they are pushed", `label/${OWN_NAME}/values`],
  ] as const)
    // If there is no response, the service has cached no list. Other checks can still query the entries.
    await orInconclusive<unknown>(
      async () => scope.logs.probe(operation, path, {}),
      () => null,
    );
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

/** Each text is the common beginning of two long label values that differ only in their last character. */
const LONG = ["x".repeat(70), "y".repeat(140)];

/** Label sets with nearly equal names or values: they differ in one character, in its case, or in its composition. */
const NEARLY_EQUAL_LABELS: readonly Labels[] = [
  ...NEARLY_EQUAL.map((value) => ({ svc_c: value })),
  ...["red", "Red", "red ", " red", "redder", "bred", "blue"].map((value) => ({ svc_a: value })),
  ...["Svc_a", "SVC_A", "_svc"].map((name) => ({ [name]: "red" })),
  ...["1", "01", "1.0"].map((value) => ({ svc_b: value })),
  ...LONG.flatMap((text) => ["1", "2"].map((end) => ({ svc_c: text + end }))),
  // Each of the last two sets differs from the set before them in one label: the first, or the last.
  ...["", NAMES[0], NAMES.at(-1)].map((other) => Object.fromEntries(NAMES.map((name) => [name, name === other ? "one" : "many"]))),
];

/** Streams with nearly equal labels. Each stream has two entries, one of them with a control character. */
export const nearlyEqual = pushedSet("nearly-equal", "streams whose labels are nearly equal", () => [
  NEARLY_EQUAL_LABELS.map((labels, index): RelativeStream => ({
    labels: { ...labels },
    entries: ["plain", "with a \u0001 control"].map((text, at) => ({
      offset: BigInt(at * NEARLY_EQUAL_LABELS.length + index) * 4_000_000_009n + 3n,
      line: `${text} ${index}`,
    })),
  })),
]);

const BETWEEN = 1_000_000_007n;

/** Returns streams for one push. The stream with the lines occurs twice, the second time with its labels in another order. */
export function galleryStreams(): RelativeStream[] {
  const lines = GALLERY_LINES.map((line, index) => ({ offset: BigInt(index + 1) * BETWEEN, line }));
  const labels = { svc_size: "gallery", svc_colour: "twice" };
  return [
    { labels, entries: lines.slice(0, -1) },
    ...GALLERY_VALUES.map((value, index) => ({
      labels: { svc_colour: value },
      entries: [{ offset: BigInt(index + 1) * BETWEEN, line: `value ${index}` }],
    })),
    ...GALLERY_LABELS.map((own, index) => ({ labels: own, entries: [{ offset: BigInt(index + 1) * BETWEEN, line: `labels ${index}` }] })),
    { labels: { svc_colour: "twice", svc_size: "gallery" }, entries: lines.slice(-1) },
  ];
}
