/** Datasets with many entries or many streams. */
import { noise, plainWords } from "../arbitraries/noise.ts";
import { type RelativeStream, evenly } from "../arbitraries/streams.ts";
import { pushedSet } from "./shared-datasets.ts";

/** Words at the start and the end of lines, for line filters. */
export const HEADS = ["alpha", "beta", "gamma"] as const;
export const TAILS = ["omega", "sigma"] as const;

function wordyLine(index: number, length: number): string {
  const head = HEADS[index % HEADS.length] ?? "";
  const tail = TAILS[index % TAILS.length] ?? "";
  return `${head} ${index} ${noise(index, Math.max(0, length - head.length - tail.length - 8))} ${tail}`;
}

/**
 * Divides the streams into pushes in ascending order of time. `cuts` has the shares of the entries at which all pushes but the last end.
 */
function inPushes(streams: readonly RelativeStream[], cuts: readonly number[]): RelativeStream[][] {
  const [longest] = streams;
  const count = longest?.entries.length ?? 0;
  const edges = [0, ...cuts.map((share) => Math.floor(share * count)), count];
  return edges.slice(0, -1).map((from, push) =>
    streams
      .map(({ labels, entries }) => {
        const [first, last] = [from / count, (edges[push + 1] ?? count) / count].map((share) => Math.round(share * entries.length));
        return { labels, entries: entries.slice(first, last) };
      })
      .filter(({ entries }) => entries.length > 0),
  );
}

/** The length of a line in bytes. The total length of all lines is above 2^20, and a 32-bit float cannot represent it. */
const LINE_BYTES = 1_263;
const BLOCK_ENTRIES = 620;
const EMPTY = 7;

/**
 * Returns an offset in ns: 0.5 s after the previous entry. Every 20 entries, a pause of 3 s follows, where metric queries begin and end.
 */
function blockOffset(index: number): bigint {
  return BigInt(index) * 500_000_007n + BigInt(Math.floor(index / 20)) * 3_000_000_000n + 3n;
}

/** Streams of 750 KiB and 250 KiB that fill several blocks of 256 KiB. The push bodies have 20 KiB to more than 512 KiB. */
export const blocks = pushedSet("blocks", "a megabyte of entries in two streams", () =>
  inPushes(
    [
      {
        labels: { svc_size: "blocks", svc_colour: "large" },
        entries: Array.from({ length: BLOCK_ENTRIES }, (_, index) => ({
          offset: blockOffset(index),
          // A single line is empty. It is in a block that the service has already closed.
          line: index === EMPTY ? "" : wordyLine(index, index === 0 ? LINE_BYTES + 5 : LINE_BYTES),
        })),
      },
      {
        labels: { svc_size: "blocks", svc_colour: "small" },
        entries: Array.from({ length: 220 }, (_, index) => ({
          // Some timestamps are equal to timestamps of the large stream. Closed blocks of both streams then have equal timestamps.
          offset: blockOffset(Math.floor((index * BLOCK_ENTRIES) / 220)) + (index % 4 === 0 ? 0n : 100_000_000n),
          line: wordyLine(1_000 + index, LINE_BYTES),
        })),
      },
    ],
    [0.02, 0.1, 0.38],
  ),
);

/** The distance between entries of the largest stream, in ns. */
export const CHUNK_STEP = 4_000_003n;

const CHUNK_ENTRIES = 930;
/** The common start of the lines. Some services store equal starts of lines once, and compare this many characters to find them. */
const HEADER = "host-1 plumbline[4711]: INFO com.example.plumbline.chunks.Writer - wrote ";
/** The number of entries before a gap of 5 s. A range that begins in this gap contains no entry of earlier chunks. */
const BEFORE_GAP = 790;
const GAP = 5_000_000_000n;

/**
 * A stream of 2.68 MB. This is ten blocks of 256 KiB, the size of a chunk in older services, or 1.5 MB of compressed text. All entries are
 * within a few seconds. If a service names its chunks by the minute, the chunks get equal names.
 */
export const chunks = pushedSet("chunks", "nearly three megabytes in one stream", () =>
  inPushes(
    [
      {
        labels: { svc_size: "chunks" },
        entries: Array.from({ length: CHUNK_ENTRIES }, (_, index) => ({
          offset: BigInt(index) * CHUNK_STEP + (index < BEFORE_GAP ? 9n : GAP),
          // Some entries have the same line as the previous entry.
          line: `${HEADER}${wordyLine(index % 10 === 9 ? index - 1 : index, 2_880 - HEADER.length)}`,
        })),
      },
      // This smaller stream follows the larger stream in each push. A service that splits the larger one must still store it.
      { labels: { svc_size: "chunks", svc_colour: "beside" }, entries: evenly(10, 390_000_011n, 7n, (index) => `beside ${index}`) },
    ],
    [0.2, 0.4, 0.6, 0.8],
  ),
);

/** The number of entries in each push, of the larger and of the smaller stream. Neither number is divisible by 2 or 3. */
const VOLUME_ENTRIES = [23, 5] as const;
const VOLUME_PUSHES = 30;
/**
 * Each end of a window is moved later by this fraction of the time that a push covers. Otherwise rounding could exclude the last entry of
 * the push.
 */
const VOLUME_BEHIND = 0.001;
const VOLUME_SPAN = 520_000_000_000n;

/**
 * The total number of bytes is odd and above 2^24, and so is that of the larger stream. A 32-bit float cannot represent such numbers. The
 * larger stream gets more than 2 MB/s for so long that most services split it.
 */
export const volume = pushedSet("volume", "more than twenty megabytes in two streams", () =>
  inPushes(
    VOLUME_ENTRIES.map((each, stream) => ({
      labels: { svc_size: "volume", svc_colour: stream === 0 ? "one" : "two" },
      entries: Array.from({ length: each * VOLUME_PUSHES }, (_, index) => ({
        offset: (BigInt(index) * VOLUME_SPAN) / BigInt(each * VOLUME_PUSHES) + BigInt(stream) * 300_000_001n + 13n,
        line: wordyLine(index, index + stream === 0 ? 28_002 : 28_001),
      })),
    })),
    // Each push has less than 1 MB.
    Array.from({ length: VOLUME_PUSHES - 1 }, (_, push) => (push + 1 + VOLUME_BEHIND) / VOLUME_PUSHES),
  ),
);

/** Words that few entries contain. A search for such a word may skip blocks without the word, but no block that contains it. */
export const SELDOM = { first: "seldomfirst", middle: "seldommiddle", last: "seldomlast" } as const;
const PROSE_ENTRIES = 600;
const SELDOM_ENTRIES: ReadonlyMap<number, string> = new Map([
  [2, SELDOM.first],
  [3, SELDOM.first],
  [300, SELDOM.middle],
  [PROSE_ENTRIES - 3, SELDOM.last],
  [PROSE_ENTRIES - 2, SELDOM.last],
]);

/** Returns the offset of an entry in ns. Eight entries share a timestamp, so that a block probably ends between them. */
function proseOffset(index: number): bigint {
  return BigInt(index - (index % 8)) * 550_000_003n + 21n;
}

/**
 * 330 KiB of plain words. A service may keep an index of the words in each block, and random text would fill this index. Some entries share
 * a timestamp. A service must keep all of them, in closed and in open blocks.
 */
export const prose = pushedSet("prose", "a third of a megabyte of plain words in one stream", () =>
  inPushes(
    [
      {
        labels: { svc_size: "prose" },
        entries: Array.from({ length: PROSE_ENTRIES }, (_, index) => {
          const word = SELDOM_ENTRIES.get(index);
          return {
            offset: proseOffset(index),
            // The word is near the start of the line, because messages quote only the start of a line.
            line: `${index} ${word === undefined ? "" : `${word} `}${plainWords(index, 280)}${plainWords(index + 7, 280)}`,
          };
        }),
      },
    ],
    [],
  ),
);

const DENSE_ENTRIES = 1_025;

/**
 * 1,025 entries within 11 ms, one more than a multiple of usual batch sizes. All characters are below U+0100.
 * A block of some hundred entries ends in the millisecond in which it begins, or soon after.
 */
export const dense = pushedSet("dense", "a thousand entries within a few milliseconds", () => [
  [{ labels: { svc_size: "dense" }, entries: evenly(DENSE_ENTRIES, 10_003n, 400_001n, (index) => `caf\u00e9 ${index} fran\u00e7ais`) }],
]);

const CROWD_STREAMS = 120;
const CROWD_SIZES = ["s", "m", "l", "xl"] as const;

/** Five entries in each of 120 streams. Within a few milliseconds, the entries of all streams alternate. */
export const crowd = pushedSet("crowd", "600 entries of 120 streams within a few milliseconds", () => [
  Array.from({ length: CROWD_STREAMS }, (_, stream): RelativeStream => ({
    labels: {
      svc_zz: `crowd ${stream}`,
      svc_size: CROWD_SIZES[stream % CROWD_SIZES.length] ?? "",
      svc_colour: `c${stream % 7}`,
      ...(stream % 3 === 0 ? { svc_a: "third" } : {}),
    },
    entries: Array.from({ length: 5 }, (_entry, round) => ({
      // Consecutive entries belong to streams that are far apart in each order of the labels.
      offset: BigInt(round) * 45_000_000_000n + BigInt((stream * 53) % CROWD_STREAMS) * 8_011n + 5n,
      line: `crowd ${stream} ${round} ${HEADS[(stream + round) % HEADS.length] ?? ""}`,
    })),
  })),
]);

/** The numbers of entries of the smaller streams. A stream of 512 entries is a full batch. */
const HEAP = [910, 512, 230, 120, 870, 870, 880, 900];

/** More than 9,000 entries of nine streams in one push, with 4,300 in one stream. */
export const heap = pushedSet("heap", "nine thousand entries of nine streams in one push", () => [
  [
    {
      labels: { svc_size: "heap", svc_colour: "heap and all" },
      entries: evenly(4_300, 110_000_001n, 77n, (index) => `heap ${index} ${noise(index, 60)}`),
    },
    ...HEAP.map((count, stream): RelativeStream => ({
      labels: { svc_size: "heap", svc_colour: `heap ${stream}` },
      entries: evenly(count, 500_000_001n, BigInt(stream) * 1_003n, (index) => `heap ${stream} ${index}`),
    })),
  ],
]);

const SWARM_ENTRIES = 4_400;

/** More than 2^12 short entries of one stream, which fit into one open block. */
export const swarm = pushedSet("swarm", "more than four thousand short entries of one stream", () =>
  inPushes([{ labels: { svc_size: "swarm" }, entries: evenly(SWARM_ENTRIES, 100_000_003n, 5n, (index) => `s${index}`) }], [0.5]),
);

/** Characters that need two or six bytes as JSON escapes, or two or three bytes in UTF-8. A page of bytes can end within one of them. */
const ESCAPED = '"\\\n\u0001\u001f\u007f\u00e9\u6307\u6a19\u306e\u540d\u524d\t';
const ESCAPED_ENTRIES = 72;

/** Lines full of escapes, so that a buffer always ends within an escape. All lines have the same length, start and end. */
const escaped = pushedSet("escaped", "lines of characters that JSON must escape, which differ only in the middle", () => [
  [
    {
      labels: { svc_size: "escaped" },
      entries: evenly(ESCAPED_ENTRIES, 2_000_000_003n, 21n, (index) => `${ESCAPED.repeat(40)}${100 + index}${ESCAPED.repeat(40)}`),
    },
  ],
]);

const HOST_STREAMS = 300;
export const HOST_LABEL = "svc_0";

/** 300 streams of one entry each in one push. Each stream has a label value of its own. */
export const host = pushedSet(
  "host",
  "300 streams in one push",
  (scope) => [
    Array.from({ length: HOST_STREAMS }, (_, stream): RelativeStream => ({
      labels: { [HOST_LABEL]: `${scope.run.runId}:host ${stream}` },
      entries: [{ offset: BigInt(stream) * 50_000_000n + 1n, line: `host ${stream}` }],
    })),
  ],
  { age: "young" },
);

/** The large datasets of a release run and of a nightly run. Only a nightly run has enough of `MAX_PUSH_BYTES` for `volume`. */
export const LARGE_SETS = {
  release: [blocks, prose, dense, crowd, heap, swarm, host, escaped, chunks],
  nightly: [blocks, prose, dense, crowd, heap, swarm, host, escaped, chunks, volume],
} as const;
