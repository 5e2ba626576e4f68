/** Generates streams: labels, lines and timestamps that each log server accepts, but that faulty servers confuse. */
import fc from "fast-check";
import { labelKey, type Labels } from "../model/logs.ts";
import { fewer, list, text } from "./lists.ts";

/** A log entry at `offset` ns from an anchor, which is a time on the clock of the target. */
export interface RelativeEntry {
  readonly offset: bigint;
  readonly line: string;
}

export interface RelativeStream {
  readonly labels: Labels;
  readonly entries: readonly RelativeEntry[];
}

/** Returns entries with equal distances of `step` ns. The first entry is `first` ns after the anchor. */
export function evenly(count: number, step: bigint, first: bigint, lineOf: (index: number) => string): RelativeEntry[] {
  return Array.from({ length: count }, (_, index) => ({ offset: BigInt(index) * step + first, line: lineOf(index) }));
}

/** The bodies of one or two pushes, in the order of sending. */
export interface Payload {
  readonly pushes: readonly (readonly RelativeStream[])[];
}

/** The label names of generated streams, the same in all runs. Some names are prefixes of other names, and some differ only in case. */
export const LABEL_NAMES = ["svc_a", "svc_ab", "svc_abc", "Svc_a", "_svc", "svc_0", "svc_colour", "svc_size"] as const;

const AWKWARD = ['\\"', "\\\\", "\\n", ...'"\\\n\t{}|=~,`', "'", ..."%&+/?#éΩ日本😀𝒳"];
const ORDINARY = [..."abcdefgxyzABCXYZ0123456789 _-.:"];

const character = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...ORDINARY) }, { weight: 2, arbitrary: fc.constantFrom(...AWKWARD) });

/** The maximum length of a label value in bytes, which each service accepts. A separate dataset has longer values. */
export const LABEL_VALUE_BYTES = 63;

/** Generates label values: any text that is not only white space. Some texts are long. */
export const labelValue: fc.Arbitrary<string> = fc
  .oneof(
    { weight: 9, arbitrary: text(character, fc.integer({ min: 1, max: 24 }), 1) },
    { weight: 1, arbitrary: text(character, fc.integer({ min: 36, max: 48 }), 1) },
  )
  .filter((value) => value.trim() !== "" && Buffer.byteLength(value) <= LABEL_VALUE_BYTES);

/** Generates characters of log lines. Lines have more kinds of characters than label values, because a line may have any text. */
const lineCharacter = fc.oneof(
  { weight: 9, arbitrary: character },
  { weight: 1, arbitrary: fc.constantFrom("\r\n", "e\u0301", "\u0001", "\u007f", "\u2028") },
);

const shortLine = fc.oneof(text(lineCharacter, fc.nat({ max: 10 }), 0), text(lineCharacter, fc.nat({ max: 60 }), 0));
const longLine = fc.integer({ min: 500, max: 4_000 }).map((length) => "long line 0123456789 ".repeat(200).slice(0, length));

/** Generates long lines. Their special characters are only at places where a lookahead or a buffer of a server may end. */
const lateLine = fc
  .tuple(
    fc.constantFrom(0, 15, 31, 63, 64, 127, 128, 255, 256, 511, 512, 1_023, 1_024, 2_047, 2_048),
    text(lineCharacter, fc.nat({ max: 60 }), 0),
  )
  .map(([length, rest]) => `${"plain up to here ".repeat(121).slice(0, length)}${rest}`);

/** Generates lines that are short, empty, long, or similar to another format. */
export const line: fc.Arbitrary<string> = fc.oneof(
  { withCrossShrink: true },
  { weight: 8, arbitrary: shortLine },
  { weight: 1, arbitrary: longLine },
  { weight: 1, arbitrary: lateLine },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      "",
      " ",
      "0",
      "null",
      "1700000000000000000",
      '{"level":"info","n":1}',
      "<b>bold</b> &amp;",
      'level=error msg="a b"',
      "[]",
      "true",
      "-1.5e3",
    ),
  },
);

const SPAN_NS = 600_000_000_000;

/** Generates the time between two entries, in nanoseconds: 0 (another line at the same time), 1, a few, or up to 1 s. */
const gap = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom(0, 1, 2, 3) },
  { weight: 1, arbitrary: fc.constantFrom(1_000, 1_000_000, 1_000_000_000) },
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 999_999_999 }) },
  { weight: 1, arbitrary: fc.integer({ min: 1_000_000_000, max: 20_000_000_000 }) },
);

/** Generates labels. Names and values are generated independently, so that each can shrink without the other. */
const labels: fc.Arbitrary<Labels> = fc
  .tuple(
    fewer(fc.uniqueArray(fc.constantFrom(...LABEL_NAMES), { minLength: 0, maxLength: LABEL_NAMES.length }), 0),
    fc.record(Object.fromEntries(LABEL_NAMES.map((name) => [name, labelValue]))),
  )
  .map(([names, values]) => Object.fromEntries(names.map((name) => [name, values[name] ?? ""])));

/** Generates the time at which a stream begins: any time, or a whole second, millisecond or microsecond. */
const start = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 0, max: SPAN_NS / 2 }) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.integer({ min: 0, max: 250 }), fc.constantFrom(1_000, 1_000_000, 1_000_000_000))
      .map(([count, unit]) => count * unit),
  },
);

/** Generates true for one in five entries: such an entry repeats the line of the previous entry. */
const again = fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) });

/** If all lines are empty, makes one of them longer, because real services do not show a stream of empty lines. */
function withMore(entries: readonly RelativeEntry[]): RelativeEntry[] {
  const [first, ...rest] = entries;
  return first !== undefined && entries.every(({ line: own }) => own === "") ? [{ ...first, line: "." }, ...rest] : [...entries];
}

/** Generates entries in ascending order of time. No line occurs twice at the same timestamp, and at least one line is not empty. */
function entries(maxLength: number): fc.Arbitrary<RelativeEntry[]> {
  return fc.tuple(start, list(fc.tuple(gap, line, again), fc.integer({ min: 1, max: maxLength }), 1)).map(([first, items]) => {
    let offset = BigInt(first);
    const placed = new Map<string, RelativeEntry>();
    let last = "";
    for (const [step, drawn, repeats] of items) {
      const own = repeats ? last : drawn;
      last = own;
      offset += BigInt(step);
      placed.set(`${offset} ${own}`, { offset, line: own });
    }
    return withMore([...placed.values()]);
  });
}

interface StreamSeed {
  readonly labels: Labels;
  readonly entries: readonly RelativeEntry[];
  /** The number of entries of the stream in the first push. The second push has the other entries of the stream. */
  readonly cut: number;
  readonly reverseKeys: boolean;
}

const streamSeed: fc.Arbitrary<StreamSeed> = fc.record({ labels, entries: entries(8), cut: fc.nat({ max: 8 }), reverseKeys: fc.boolean() });

type Twin = "none" | "other value" | "other name";

/** Adds a stream that differs from the first only in a label name or value. A faulty server confuses the two. */
function withTwin(streams: readonly StreamSeed[], twin: Twin): StreamSeed[] {
  const [first] = streams;
  if (twin === "none" || first === undefined || Object.keys(first.labels).length === 0) return [...streams];
  const [name = "", value = ""] = Object.entries(first.labels)[0] ?? [];
  const entries = first.entries.map((entry) => ({ ...entry, line: `${entry.line} twin` }));
  if (twin === "other value") return [...streams, { ...first, entries, labels: { ...first.labels, [name]: `${value}2` } }];
  const unused = LABEL_NAMES.find((candidate) => !Object.hasOwn(first.labels, candidate));
  if (unused === undefined) return [...streams];
  const renamed = Object.fromEntries(Object.entries(first.labels).map(([own, kept]) => [own === name ? unused : own, kept]));
  return [...streams, { ...first, entries, labels: renamed }];
}

/** Generates 1 to 8 streams with at most 8 labels each, to be pushed in one or two requests. */
export const payload: fc.Arbitrary<Payload> = fc
  .tuple(list(streamSeed, fc.integer({ min: 1, max: 7 }), 1), fc.constantFrom<Twin>("none", "other value", "other name"))
  .map(([seeds, twin]) => distinct(withTwin(seeds, twin)))
  .map((seeds) => {
    const first = seeds.map((seed) => part(seed, 0, seed.cut));
    const second = seeds.map((seed) => part(seed, seed.cut, seed.entries.length));
    return {
      pushes: [first, second]
        .map((streams) => streams.filter(({ entries: own }) => own.length > 0))
        .filter((streams) => streams.length > 0),
    };
  });

function distinct(seeds: readonly StreamSeed[]): StreamSeed[] {
  const byLabels = new Map(seeds.map((seed) => [labelKey(seed.labels), seed]));
  return [...byLabels.values()];
}

/** Returns the part of a stream in one push. The second push may have the labels in reverse order: this has the same meaning. */
function part({ labels: own, entries: all, reverseKeys }: StreamSeed, from: number, to: number): RelativeStream {
  const ordered = from > 0 && reverseKeys ? Object.fromEntries(Object.entries(own).toReversed()) : own;
  return { labels: ordered, entries: all.slice(from, to) };
}
