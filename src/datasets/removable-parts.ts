/** Defines the parts of a push that a service may refuse, because the documents do not promise them. Makes payloads without these parts. */
import type { Payload, RelativeStream } from "../arbitraries/streams.ts";
import { labelKey, type Labels } from "../model/logs.ts";

/** A part of payloads that a service may refuse, and a function that removes it. */
export interface Reduction {
  readonly slug: string;
  /** The name of the part. The name can follow the words "the target refuses". */
  readonly what: string;
  /** The smallest push with this part. */
  readonly least: readonly RelativeStream[];
  /** Returns the payload without this part, or null if the payload does not have the part. */
  readonly reduce: (payload: Payload) => Payload | null;
}

/** Returns a stream with the given lines, or with a number of short lines. */
export function leastStream(lines: number | readonly string[], labels: Labels = {}): RelativeStream {
  const all = typeof lines === "number" ? Array.from({ length: lines }, () => "a") : lines;
  return { labels, entries: all.map((line, index) => ({ offset: BigInt(index + 1) * 1_000n, line })) };
}

function least(lines: number | readonly string[], labels?: Labels): readonly RelativeStream[] {
  return [leastStream(lines, labels)];
}

const SHORT = 20;

/** Makes a reduction for each size: if the target refuses it, everything of this size or larger is reduced to the next smaller size. */
function rungs(sizes: readonly number[], rung: (size: number, smaller: number) => Reduction): Reduction[] {
  return sizes.slice(1).map((smaller, index) => rung(sizes[index] ?? smaller, smaller));
}

/** Returns the description of a removable part: its id, its name, the smallest push with it, and the function that removes it. */
function removing(slug: string, what: string, smallest: Reduction["least"], reduce: Reduction["reduce"]): Reduction {
  return { slug, what, least: smallest, reduce };
}

const TIED = [{ labels: {}, entries: [1, 2].map((index) => ({ offset: 1_000n, line: `line ${index}` })) }];

const CONTROLS = /\p{Cc}/gu;

export const REDUCTIONS: readonly Reduction[] = [
  removing("empty-line", "empty lines", least(["before", ""]), (payload) => withoutLines(payload, /^$/)),
  removing("blank-line", "lines that have only spaces", least(["before", " "]), (payload) => withoutLines(payload, /^\s*$/)),
  removing("tie", "out-of-order entries", TIED, withoutTies),
  removing("capital", "label names with capitals", least(1, { Svc_a: "a" }), withLabels(withoutCapital)),
  removing("control", "label values with control characters", least(1, { svc_a: "a\tb" }), withValues(inCode(CONTROLS))),
  removing("line-control", "lines with control characters", least(["a\tb\u0001c\nd"]), withLines(inCode(CONTROLS))),
  removing("blank-ends", "label values with blanks at their ends", least(1, { svc_a: " a " }), withValues(inCode(/^\s+|\s+$/gu))),
  removing(
    "unseen",
    "label values with invisible characters",
    least(1, { svc_a: "a\u200bb\u2028c" }),
    withValues(inCode(/[\p{Cf}\p{Zl}\p{Zp}]/gu)),
  ),
  removing("foreign", "label values with characters outside printable ASCII", least(1, { svc_a: "größe" }), withValues(inCode(/[^ -~]/gu))),
  removing("sign", "label values with spaces or punctuation", least(1, { svc_a: 'a "b" {c}' }), withValues(inCode(/[^\w.-]/gu))),
  ...rungs([3_001, 1_000, 300, 80], (more, bytes) =>
    removing(`line-${more}`, `lines of ${more} bytes`, least(["a".repeat(more)]), withLines(beginning(bytes))),
  ),
  ...rungs([141, 100, 40, 12], (more, bytes) =>
    removing(`value-${more}`, `label values of ${more} bytes`, least(1, { svc_a: "a".repeat(more) }), withValues(beginning(bytes))),
  ),
  // Each stream has two labels in addition to this number: the label of the run and the label of the dataset.
  ...rungs([7, 4, 3, 2], (more, count) => {
    const labels = Object.fromEntries(Array.from({ length: more }, (_, index) => [`svc_${index}`, "a"]));
    return removing(
      `labels-${more}`,
      `streams with ${more + 2} labels`,
      least(1, labels),
      withLabels((label, index) => (index < count ? label : null)),
    );
  }),
  // The document shows a list of streams, so a push of two streams is promised.
  ...rungs([101, 20, 5, 2], (more, count) => {
    const streams = Array.from({ length: more }, (_, index) => leastStream(1, { svc_a: `${index}` }));
    return removing(`streams-${more}`, `pushes of ${more} streams`, streams, (payload) => parted(payload, (all) => slices(all, count)));
  }),
  ...rungs([2_001, 500, 100, 20], (more, entries) =>
    removing(`${more - 1}`, `pushes of ${more} entries of one stream`, least(more), (payload) =>
      parted(payload, (streams) => withFewEntriesEach(streams, entries)),
    ),
  ),
  // The streams are short, because a service may accept more entries in several streams than in one.
  ...rungs([5_001, 500, 100, 20], (more, entries) => {
    const lines = Math.min(SHORT, more);
    const streams = Array.from({ length: Math.ceil(more / SHORT) }, (_, index) => leastStream(lines, { svc_a: `${index}` }));
    return removing(`all-${more - 1}`, `pushes of ${more} entries`, streams, (payload) =>
      parted(payload, (all) => withFewEntries(all, entries)),
    );
  }),
];

/** Returns the payload with changed streams, or null if no stream changes. */
function mapped(payload: Payload, change: (stream: RelativeStream) => RelativeStream): Payload | null {
  let isChanged = false;
  const pushes = payload.pushes.map((streams) =>
    streams.map((stream) => {
      const next = change(stream);
      isChanged ||= next !== stream;
      return next;
    }),
  );
  return isChanged ? { pushes } : null;
}

/** If an entry is not newer than the previous entry of its stream, it gets a timestamp 1 ns after the previous entry. */
function withoutTies(payload: Payload): Payload | null {
  const newest = new Map<string, bigint>();
  return mapped(payload, (stream) => {
    const key = labelKey(stream.labels);
    let isChanged = false;
    const entries = stream.entries.map((entry) => {
      const before = newest.get(key);
      const offset = before === undefined || entry.offset > before ? entry.offset : before + 1n;
      newest.set(key, offset);
      isChanged ||= offset !== entry.offset;
      return offset === entry.offset ? entry : { ...entry, offset };
    });
    return isChanged ? { ...stream, entries } : stream;
  });
}

type Label = readonly [name: string, value: string];

/** Returns a function that changes or drops each label of a payload. The function returns null if no label changes. */
function withLabels(change: (label: Label, index: number) => Label | null): Reduction["reduce"] {
  return (payload) =>
    mapped(payload, (stream) => {
      const labels = Object.entries(stream.labels);
      const changed = labels.map(change);
      const isSame = changed.every((one, index) => one?.[0] === labels[index]?.[0] && one?.[1] === labels[index]?.[1]);
      return isSame ? stream : { ...stream, labels: Object.fromEntries(changed.filter((one) => one !== null)) };
    });
}

function withValues(change: (value: string) => string): Reduction["reduce"] {
  return withLabels(([name, value]) => [name, change(value)]);
}

/** Returns a function that changes each line of a payload. The function returns null if no line changes. */
function withLines(change: (line: string) => string): Reduction["reduce"] {
  return (payload) =>
    mapped(payload, (stream) => {
      const entries = stream.entries.map((entry) => ({ ...entry, line: change(entry.line) }));
      return entries.every(({ line }, index) => line === stream.entries[index]?.line) ? stream : { ...stream, entries };
    });
}

/** Replaces a label name with capitals by a lower-case name that no other label has. */
function withoutCapital([name, value]: Label): Label {
  return [/[A-Z]/.test(name) ? `svc_was_${name.toLowerCase()}` : name, value];
}

/** Returns a function that replaces each of the given characters by its code. */
function inCode(characters: RegExp): (text: string) => string {
  return (text) => text.replaceAll(characters, (character) => `U${(character.codePointAt(0) ?? 0).toString(16)}`);
}

/**
 * Returns a function that shortens a text to at most `bytes` bytes of UTF-8, without a part of a character.
 * A service may count bytes or characters, and a text has at least as many bytes as characters.
 */
function beginning(bytes: number): (text: string) => string {
  return (text) =>
    Buffer.byteLength(text) <= bytes ? text : new TextDecoder().decode(Buffer.from(text).subarray(0, bytes), { stream: true });
}

/** Divides items into lists of at most `size` items. */
export function slices<T>(items: readonly T[], size: number): (readonly T[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size));
}

/** Returns the payload with some pushes divided into several. Returns null if no push is divided. */
function parted(
  { pushes }: Payload,
  parts: (streams: readonly RelativeStream[]) => readonly (readonly RelativeStream[])[],
): Payload | null {
  const smaller = pushes.flatMap((streams) => (streams.length === 0 ? [streams] : parts(streams)));
  return smaller.length === pushes.length ? null : { pushes: smaller };
}

/** Divides a push into pushes of at most `most` entries of each stream, in the order of each stream. */
function withFewEntriesEach(streams: readonly RelativeStream[], most: number): readonly (readonly RelativeStream[])[] {
  const count = Math.max(1, ...streams.map(({ entries }) => Math.ceil(entries.length / most)));
  return Array.from({ length: count }, (_, part) =>
    streams.flatMap(({ labels, entries }): RelativeStream[] => {
      const own = entries.slice(part * most, (part + 1) * most);
      return own.length === 0 && part > 0 ? [] : [{ labels, entries: own }];
    }),
  );
}

/** Divides a push into pushes of at most `most` entries together, in the order of each stream. */
function withFewEntries(streams: readonly RelativeStream[], most: number): readonly (readonly RelativeStream[])[] {
  const pushes: RelativeStream[][] = [[]];
  let room = most;
  for (const { labels, entries } of streams) {
    for (let from = 0; from === 0 || from < entries.length;) {
      if (room === 0) {
        pushes.push([]);
        room = most;
      }
      const own = entries.slice(from, from + room);
      pushes.at(-1)?.push({ labels, entries: own });
      room -= own.length;
      from += Math.max(1, own.length);
    }
  }
  return pushes;
}

/** Returns a payload without lines that match, and without the streams that have only such lines, or null if no line matches. */
function withoutLines({ pushes }: Payload, refused: RegExp): Payload | null {
  if (!pushes.some((streams) => streams.some(({ entries }) => entries.some(({ line }) => refused.test(line))))) return null;
  const fuller = pushes.map((streams) =>
    streams.flatMap(({ labels, entries }) => {
      const left = entries.filter(({ line }) => !refused.test(line));
      return left.length === 0 && entries.length > 0 ? [] : [{ labels, entries: left }];
    }),
  );
  return { pushes: fuller.filter((streams) => streams.length > 0) };
}
