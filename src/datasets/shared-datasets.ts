/** Defines the datasets that most query checks share. Each dataset is pushed once per run, and afterwards only read. */
import { type RelativeStream, evenly } from "../arbitraries/streams.ts";
import { type Fixture, fixture, type Scope } from "../harness/scope.ts";
import { type LineFilter, containing } from "../model/logs.ts";
import { type Dataset } from "./datasets.ts";
import { nowOf, store, acceptedAt } from "./dataset-pushes.ts";
import type { Age } from "./placing.ts";
import { READ_BACK } from "../model/log-answer.ts";
import { comeBack, type PushedSet, readBack, useful } from "./read-back.ts";
import { SECOND } from "../model/times.ts";

/** A dataset for checks of queries. If an entry is not returned as it was pushed, checks that use this dataset become inconclusive. */
export interface SetFixture extends Fixture<Dataset> {
  readonly pushed: Fixture<PushedSet>;
  /** Whether a smoke run pushes this dataset. A smoke run has only a few requests. */
  readonly inSmoke: boolean;
}

const PLAIN: ReadonlyMap<string, string> = new Map([
  ['"', "\u02BA"],
  ["\\", "\u2216"],
]);

/** Returns a replacement of a quote, a backslash or a control character, for services that read JSON escapes wrongly. */
function plainly(character: string): string {
  return PLAIN.get(character) ?? (character < " " ? String.fromCodePoint(0x24_00 + character.charCodeAt(0)) : character);
}

function withPlainLabels({ labels, entries }: RelativeStream): RelativeStream {
  return {
    labels: Object.fromEntries(Object.entries(labels).map(([name, value]) => [name, Array.from(value, plainly).join("")])),
    entries,
  };
}

function onlyLabelsSpoilt({ finding: { differences } }: PushedSet): boolean {
  const labels: readonly string[] = [READ_BACK.labels, READ_BACK.misplaced];
  return differences.length > 0 && differences.every(({ clause }) => labels.includes(clause));
}

/** The maximum number of entries of a dataset that each run reads again. Only nightly runs read larger datasets again. */
const MOST_READ_AGAIN = 2_000;

/**
 * Returns a dataset that is pushed once per run under `name`, and read again at the end of the run. If a service changes label values,
 * checks of push report this. The dataset is then pushed again with values that the service keeps.
 */
export function pushedSet(
  name: string,
  title: string,
  pushes: (scope: Scope) => readonly (readonly RelativeStream[])[],
  { inSmoke = false, age = "settled" }: { readonly inSmoke?: boolean; readonly age?: Age } = {},
): SetFixture {
  const pushedAs = (as: string, change: (stream: RelativeStream) => RelativeStream) => async (scope: Scope) => {
    const bodies = pushes(scope).map((streams) => streams.map(change));
    const dataset = await store(scope, as, { pushes: bodies }, undefined, age);
    const back = await comeBack(scope, dataset);
    scope.run.everyResponse.noteDataset(back.finding);
    // Reading thousands of entries needs many pages, and only a nightly run has enough requests.
    const isDear = dataset.entries > MOST_READ_AGAIN && scope.settings.profile !== "nightly";
    if (back.finding.differences.length === 0 && !isDear) scope.revisit(dataset, readBack(dataset));
    return back;
  };
  const pushed = fixture(
    "logs",
    `${title}, read back`,
    pushedAs(name, (stream) => stream),
  );
  const plain = fixture("logs", `${title}, with plain labels`, pushedAs(`${name}-plain`, withPlainLabels));
  const usable = fixture("logs", title, async (scope) => {
    const back = await scope.use(pushed);
    return useful(onlyLabelsSpoilt(back) ? await scope.use(plain) : back);
  });
  return { ...usable, pushed, inSmoke };
}

function set(name: string, title: string, streams: (scope: Scope) => readonly RelativeStream[], inSmoke = false): SetFixture {
  return pushedSet(name, title, (scope) => [streams(scope)], { inSmoke });
}

/** 130 entries in one stream, which is more than the default limit. */
export const single = set("single", "130 entries in one stream", () => [
  { labels: { svc_size: "one" }, entries: evenly(130, 1_500_000_007n, 13n, (index) => `single ${index}`) },
]);

/** A stream with slightly fewer entries than the highest limit that services usually accept. */
export const large = set("large", "990 entries in one stream", () => [
  { labels: { svc_size: "many" }, entries: evenly(990, 500_000_003n, 5n, (index) => `large ${index}`) },
]);

const SEVERAL_STREAMS = 4;
const SEVERAL_ENTRIES = 160;

/** 160 entries with different timestamps, distributed unevenly over four streams. */
export const several = set(
  "several",
  "160 entries in four streams",
  () => {
    const all = Array.from({ length: SEVERAL_ENTRIES }, (_, index) => ({
      offset: BigInt(index) * 2_000_000_011n + 7n,
      line: `several ${index}`,
      stream: (index * index + (index >> 3)) % SEVERAL_STREAMS,
    }));
    return Array.from({ length: SEVERAL_STREAMS }, (_, stream) => ({
      labels: { svc_colour: `c${stream}` },
      entries: all.filter((entry) => entry.stream === stream),
    })).filter(({ entries }) => entries.length > 0);
  },
  true,
);

const RELAY_ENTRIES = [7, 14, 9, 11] as const;

/** Streams whose times do not overlap. So the entries that a limited query just reaches belong to one or two streams. */
export const relay = set("relay", "41 entries in four streams, one after the other", () => {
  const ends = RELAY_ENTRIES.map((_, stream) => RELAY_ENTRIES.slice(0, stream + 1).reduce((sum, entries) => sum + entries, 0));
  return RELAY_ENTRIES.map((count, stream) => ({
    labels: { svc_colour: `runner ${stream}` },
    entries: Array.from({ length: count }, (_, index) => ({
      offset: BigInt((ends[stream] ?? 0) - count + index) * 3_000_000_019n + 11n,
      line: `relay ${stream} ${index}`,
    })),
  }));
});

const SPACINGS = [2n, 3n, 1_000n, 250_000_003n];

/** Clusters of entries in three streams. The entries of a cluster are a few ns apart, and windows can begin and end between them. */
export const spread = set(
  "spread",
  "entries a few nanoseconds apart",
  () => {
    const offsets = Array.from(
      { length: 36 },
      (_, index) =>
        BigInt(Math.floor(index / 4)) * 60n * SECOND +
        BigInt(index % 4) * (SPACINGS[Math.floor(index / 4) % SPACINGS.length] ?? 2n) +
        123_456_789n,
    );
    return ["red", "green", "blue"].map((colour, which) => ({
      labels: { svc_colour: colour },
      entries: offsets.flatMap((offset, index) => (index % 3 === which ? [{ offset, line: `spread ${index}` }] : [])),
    }));
  },
  true,
);

/** The number of entries in a group that share a timestamp: two entries in one stream, and one in another. */
export const TIED_GROUP = 3;
export const tied = set("tied", "entries that share timestamps", () => {
  const groups = Array.from({ length: 15 }, (_, group) => BigInt(group) * 5_000_000_003n + 17n);
  return [
    {
      labels: { svc_size: "left" },
      entries: groups.flatMap((offset, group) => [0, 1].map((copy) => ({ offset, line: `tied ${group} left ${copy}` }))),
    },
    { labels: { svc_size: "right" }, entries: groups.map((offset, group) => ({ offset, line: `tied ${group} right` })) },
    { labels: { svc_size: "short" }, entries: groups.slice(6, 8).map((offset, index) => ({ offset, line: `tied ${index + 6} short` })) },
  ];
});

/** A long text. A faulty server compares only its beginning. */
const LONG_OPERAND = "operand".repeat(40);

/** The word at the end of a long line. */
export const NEEDLE = "needle";

const WORDS = ["error", "warn", "started", "stopped", "disk"] as const;
export const AWKWARD_TEXTS = [
  'say "hi"',
  "C:\\temp",
  "a|b",
  "{x}",
  "50%",
  "größe",
  "日本",
  "tab\there",
  "no\u00a0break",
  "`tick`",
  "1+1=2",
  "(paren)",
  "a.b*c?",
  "count # 7",
  "count # 8",
  "%41b",
  "e.ror",
  `${LONG_OPERAND} one`,
  `${LONG_OPERAND} two`,
  `${"padding ".repeat(40)}${NEEDLE}`,
] as const;
export const COLOURS = [
  "red",
  "green",
  "blue",
  'qu"ote',
  "back\\slash",
  "größe",
  "re",
  "redder",
  "amber",
  "RED",
  "1",
  "1.0",
  "%41",
  "a,b",
  "{x}",
  "red ",
  // This label value is also the name of another label.
  "svc_size",
  // An expression with an escaped dot must not match this value.
  "1x0",
] as const;
const SIZES = ["small", "large"] as const;

/** Streams with two labels, whose lines have words and unusual texts, for matchers and line filters. */
export const words = set("words", "lines with words and awkward texts", wordStreams, true);

/** Returns the streams of `words`: one for each colour and size, with four entries each. */
export function wordStreams(): RelativeStream[] {
  return COLOURS.flatMap((colour, c) =>
    SIZES.map((size, s): RelativeStream => ({
      labels: { svc_colour: colour, svc_size: size },
      entries: Array.from({ length: 4 }, (_, index) => {
        const pick = c * 2 + s + index;
        const word = WORDS[pick % WORDS.length] ?? "";
        const text = AWKWARD_TEXTS[(pick * 7 + index) % AWKWARD_TEXTS.length] ?? "";
        return {
          offset: BigInt(pick) * 7n * SECOND + BigInt(index) * 1_000n + BigInt(c * 2 + s),
          line: index % 2 === 0 ? `${word} ${text} ${pick}` : `${text} ${word.toUpperCase()} ${index}`,
        };
      }),
    })),
  );
}

/** The distance between entries in s. The times of queries are half a step away from them. */
export const GRID_SECONDS = 10;
export const GRID_STEPS = 45;

/** A stream with more entries than a defective server counts. */
const dense: RelativeStream = {
  labels: { svc_colour: "dense", svc_size: "large" },
  entries: Array.from({ length: GRID_STEPS * 6 }, (_, index) => ({
    // Several lines share a timestamp, and the same line occurs again later. A metric query must count each of these entries.
    offset: BigInt(Math.floor(index / 6) * 10) * SECOND + BigInt(Math.floor((index % 6) / 2)),
    line: `dense ${index % 50}`,
  })),
};

/**
 * Entries every 10 s in four streams. The lines have more bytes than characters. Each line contains the name of its stream, so no two
 * streams have equal entries. The dataset `equals` has equal entries.
 */
export const grid = set(
  "grid",
  "entries on a grid of ten seconds",
  () =>
    ["red", "blue"]
      .flatMap((colour, c) =>
        SIZES.map((size, s): RelativeStream => ({
          labels: { svc_colour: colour, svc_size: size },
          entries: Array.from({ length: GRID_STEPS }, (_, step) => step)
            .filter((step) => (step + c) % (s + 2) !== 0)
            .map((step) => ({
              offset: BigInt(step * GRID_SECONDS) * SECOND + BigInt(step),
              line: `${step % 3 === 0 ? "error" : "ok"} größe 日本 ${colour} ${size} ${"x".repeat(step)}`,
            })),
        })),
      )
      .concat(dense),
  true,
);

const MANY_STREAMS = 110;
export const MANY_LABEL = "svc_zz";

/** The values of MANY_LABEL. No value has a character with a special meaning in regular expressions. */
export function manyValues(runId: string): string[] {
  return Array.from({ length: MANY_STREAMS }, (_, index) => `${runId}:many ${index}`);
}

/** A single entry in each of many streams. The entries are young, for endpoints that look back only a few minutes. */
export const many = pushedSet(
  "many",
  `${MANY_STREAMS} streams`,
  (scope) => [
    manyValues(scope.run.runId).map((value, index) => ({
      labels: { [MANY_LABEL]: value },
      entries: [{ offset: BigInt(index) * 100_000_000n + 1n, line: `many ${index}` }],
    })),
  ],
  { age: "young" },
);

/** Paths, addresses and punctuation. Only lists of values and reads of whole streams show these label values. */
const PATHS = ["/var//log/a", "https://h:8080/p?q=1&r=2#f", "a|b;c*d<e>"] as const;

/** A young stream for each unusual label value. */
export const colours = pushedSet(
  "colours",
  "a stream for each awkward label value",
  () => [
    [...COLOURS, ...PATHS].map((colour, index) => ({
      labels: { svc_colour: colour },
      entries: [{ offset: BigInt(index) * SECOND + 1n, line: `colour ${index}` }],
    })),
  ],
  { age: "young" },
);

/** The newest entries are this time (in ns) in the future of the target. Two clocks differ by less, and services accept more. */
const AHEAD = 55n * SECOND;
/** The time from the start of the dataset to the present time at the target, in ns. */
const BEFORE = 60n * SECOND;

/**
 * Pushes entries of the last minute, and two in the future. A service may hide these two until then. Resolves to null if the push is
 * refused or entries are missing. Each call pushes a new dataset, because after 1 min no entry is in the future.
 */
export async function aheadOfClock(scope: Scope): Promise<Dataset | null> {
  const anchor = (await nowOf(scope)) - BEFORE;
  const offsets = [0n, 20n * SECOND, 40n * SECOND, BEFORE + AHEAD, BEFORE + AHEAD + SECOND];
  const entries = offsets.map((offset, index) => ({ offset: offset + 17n, line: `ahead ${index}` }));
  const pushes = [[{ labels: { svc_size: "ahead" }, entries }]];
  const dataset = await acceptedAt(scope, `ahead-${scope.unique()}`, pushes, { anchor, span: BEFORE + AHEAD + 10n * SECOND });
  if (dataset === null) return null;
  const { finding } = await comeBack(scope, dataset);
  return finding.differences.length === 0 ? dataset : null;
}

/** The datasets that checks of queries use. */
export const QUERY_SETS: readonly SetFixture[] = [single, large, several, relay, spread, tied, words, grid, many];

/** Returns a filter for the word at the start of each line of most of these datasets. */
export function everyLine({ streams }: Dataset): LineFilter[] {
  const text = streams[0]?.entries[0]?.line.split(" ")[0] ?? "";
  return [containing(text)];
}
