/** Faults of sizes: long lines, large pushes, and long or many label values. */
import { onPush } from "../change.ts";
import type { Labels } from "../logs/types.ts";
import type { PushedStream } from "../logs/ingest.ts";
import { fault } from "./define.ts";
import type { Fault } from "./types.ts";

const PUSH = "logs-4.push";
const KIB = 1_024;

function pushed(id: string, sentence: string, change: (streams: readonly PushedStream[], bytes: number) => readonly PushedStream[]): Fault {
  return fault(PUSH, id, sentence, (base) => onPush(base, (streams, body) => change(streams, Buffer.byteLength(body))));
}

function firstEntries(streams: readonly PushedStream[], count: number): readonly PushedStream[] {
  let left = count;
  return streams.map(({ labels, entries }) => {
    const taken = entries.slice(0, left);
    left -= taken.length;
    return { labels, entries: taken };
  });
}

function entriesIn(streams: readonly PushedStream[]): number {
  return streams.reduce((sum, { entries }) => sum + entries.length, 0);
}

function cutLabels(length: number): Fault {
  return fault("logs-2.Stream", `logs-seam-label-value-${length}`, `Label values above ${length} characters are shown cut.`, (base) => ({
    labelsOnRead: (labels, kind) => {
      const shown = base.labelsOnRead(labels, kind);
      return kind === "metric" ? shown : cut(shown, length);
    },
  }));
}

function cut(labels: Labels, length: number): Labels {
  return Object.fromEntries(Object.entries(labels).map(([name, value]) => [name, value.slice(0, length)]));
}

const LINES: readonly Fault[] = ([5_000, 20_000, 40_000] as const).map((length) =>
  fault(PUSH, `logs-seam-line-dropped-${length}`, `Entries with lines above ${length} characters are dropped.`, (base) => ({
    entryOnWrite: (entry, context) => (entry.line.length > length ? undefined : base.entryOnWrite(entry, context)),
  })),
);

const PUSHES: readonly Fault[] = [
  pushed("logs-seam-push-256k-half", "A push above 256 KiB stores only the first half of its entries.", (streams, bytes) =>
    bytes > 256 * KIB ? firstEntries(streams, Math.ceil(entriesIn(streams) / 2)) : streams,
  ),
  fault(
    { clause: "logs-1.1", also: [PUSH] },
    "logs-seam-push-64-streams-joined",
    "In a push with more than 64 streams, the 65th is stored as the 64th.",
    (base) =>
      onPush(base, (streams) =>
        streams.map((stream, index) => (index === 64 ? { ...stream, labels: streams[63]?.labels ?? stream.labels } : stream)),
      ),
  ),
  pushed("logs-seam-push-257th-entry", "The 257th entry of a stream in a push is lost.", (streams) =>
    streams.map(({ labels, entries }) => ({ labels, entries: entries.filter((_entry, index) => index !== 256) })),
  ),
];

/** If at least this number of bytes is pushed to a stream within a short time, the faulty server divides the stream into parts. */
const GROWS_BYTES = 15_000_000;
const GROWS_MS = 10_000;
const GROWS_PARTS = 2;

const DIVIDED: Fault = fault(
  { clause: PUSH, needs: "nightly" },
  "logs-seam-push-fast-stream-remainder",
  "A stream that gets 15 MB within ten seconds is divided in two, and the remainder of each push is lost.",
  (base) => {
    const grown = new Map<string, { readonly atMs: number; readonly bytes: number }[]>();
    return onPush(base, (streams) =>
      streams.map(({ labels, entries }) => {
        const key = JSON.stringify(labels);
        const nowMs = Date.now();
        const recent = (grown.get(key) ?? []).filter(({ atMs }) => nowMs - atMs < GROWS_MS);
        grown.set(key, [...recent, { atMs: nowMs, bytes: entries.reduce((sum, { line }) => sum + line.length, 0) }]);
        const isFast = recent.reduce((sum, { bytes }) => sum + bytes, 0) > GROWS_BYTES;
        return { labels, entries: isFast ? entries.slice(0, entries.length - (entries.length % GROWS_PARTS)) : entries };
      }),
    );
  },
);

const LABELS: readonly Fault[] = [
  cutLabels(64),
  cutLabels(128),
  ...([64, 128] as const).map((length) =>
    fault("logs-4.label-values", `logs-seam-values-cut-${length}`, `Label values above ${length} characters are listed cut.`, (base) => ({
      labelValues: (name, streams) => base.labelValues(name, streams).map((value) => value.slice(0, length)),
    })),
  ),
  ...([20, 50] as const).map((count) =>
    fault("logs-4.label-values", `logs-seam-values-${count}`, `At most ${count} values of a label are listed.`, (base) => ({
      labelValues: (name, streams) => base.labelValues(name, streams).slice(0, count),
    })),
  ),
];

export const LOGS_SEAM_SIZE_FAULTS: readonly Fault[] = [...LINES, ...PUSHES, DIVIDED, ...LABELS];
