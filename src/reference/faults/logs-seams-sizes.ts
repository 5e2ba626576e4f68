/** Faults of sizes: long lines, large pushes, and long or many label values. */
import { changedResult, onPush } from "../change.ts";
import type { PushedStream } from "../logs/ingest.ts";
import { broken, fault, faultsOf, type Row } from "./define.ts";
import { firstEntries } from "./helpers.ts";
import type { Fault } from "./types.ts";

const PUSH = "logs-4.push";
const KIB = 1_024;

function pushed(sentence: string, change: (streams: readonly PushedStream[], bytes: number) => readonly PushedStream[]): Row {
  return broken(sentence, (base) => onPush(base, (streams, body) => change(streams, Buffer.byteLength(body))));
}

function entriesIn(streams: readonly PushedStream[]): number {
  return streams.reduce((sum, { entries }) => sum + entries.length, 0);
}

/** If a stream gets at least this number of bytes in a short time, the faulty server divides the stream into parts. */
const GROWS_BYTES = 15_000_000;
const GROWS_MS = 10_000;
const GROWS_PARTS = 2;

export const LOGS_SEAM_SIZE_FAULTS: readonly Fault[] = [
  ...[5_000, 20_000, 40_000].map((length) =>
    fault(
      PUSH,
      `logs-seam-line-dropped-${length}`,
      `Entries with lines above ${length} characters are dropped.`,
      changedResult("entryOnWrite", (written, { line }) => (line.length > length ? undefined : written)),
    ),
  ),
  ...faultsOf(PUSH, {
    "logs-seam-push-256k-half": pushed("A push above 256 KiB stores only the first half of its entries.", (streams, bytes) =>
      bytes > 256 * KIB ? firstEntries(streams, Math.ceil(entriesIn(streams) / 2)) : streams,
    ),
    "logs-seam-push-64-streams-joined": broken(
      { clause: "logs-1.1", sentence: "In a push with more than 64 streams, the 65th is stored as the 64th.", also: [PUSH] },
      (base) =>
        onPush(base, (streams) =>
          streams.map((stream, index) => (index === 64 ? { ...stream, labels: streams[63]?.labels ?? stream.labels } : stream)),
        ),
    ),
    "logs-seam-push-257th-entry": pushed("The 257th entry of a stream in a push is lost.", (streams) =>
      streams.map(({ labels, entries }) => ({ labels, entries: entries.filter((_entry, index) => index !== 256) })),
    ),
    "logs-seam-push-fast-stream-remainder": broken(
      {
        sentence: "A stream that gets 15 MB within ten seconds is divided in two, and the remainder of each push is lost.",
        needs: "nightly",
      },
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
    ),
  }),
  ...[64, 128].map((length) =>
    fault(
      "logs-2.Stream",
      `logs-seam-label-value-${length}`,
      `Label values above ${length} characters are shown cut.`,
      changedResult("labelsOnRead", (labels, _labels, kind) => {
        const cut = Object.entries(labels).map(([name, value]) => [name, value.slice(0, length)] as const);
        return kind === "metric" ? labels : Object.fromEntries(cut);
      }),
    ),
  ),
  ...[64, 128].map((length) =>
    fault(
      "logs-4.label-values",
      `logs-seam-values-cut-${length}`,
      `Label values above ${length} characters are listed cut.`,
      changedResult("labelValues", (values) => values.map((value) => value.slice(0, length))),
    ),
  ),
  ...[20, 50].map((count) =>
    fault(
      "logs-4.label-values",
      `logs-seam-values-${count}`,
      `At most ${count} values of a label are listed.`,
      changedResult("labelValues", (values) => values.slice(0, count)),
    ),
  ),
];
