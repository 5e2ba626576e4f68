/**
 * Datasets that are large in one way each: bytes of a stream, entries of a push, streams, or entries close together. If a target refuses
 * the largest size, the run uses the largest size that the target accepts.
 */
import { noise, plainWords } from "../arbitraries/noise.ts";
import type { Payload, RelativeStream } from "../arbitraries/streams.ts";
import { pushedSet } from "./shared-datasets.ts";
import { type Fixture, fixture, type Scope } from "../harness/scope.ts";
import { type Dataset, refusalFinding, store } from "./datasets.ts";
import type { Age } from "./placing.ts";
import { comeBack, type PushedSet, readBack } from "./read-back.ts";

/** Words that lines of these sets begin and end with, for line filters. */
export const HEADS = ["alpha", "beta", "gamma"] as const;
export const TAILS = ["omega", "sigma"] as const;

function wordyLine(index: number, length: number): string {
  const head = HEADS[index % HEADS.length] ?? "";
  const tail = TAILS[index % TAILS.length] ?? "";
  return `${head} ${index} ${noise(index, Math.max(0, length - head.length - tail.length - 8))} ${tail}`;
}

/** Entries of a stream in pushes of growing size, each ascending. */
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

/** All lines together are more than 2^20 bytes, and no multiple of ten: sums of seven digits, beyond what a short float holds exactly. */
const LINE_BYTES = 1_263;
const BLOCK_ENTRIES = 620;
const EMPTY = 7;

/** Half a second apart, with a pause of some seconds after every twenty: there the edges of metric queries find room. */
function blockOffset(index: number): bigint {
  return BigInt(index) * 500_000_007n + BigInt(Math.floor(index / 20)) * 3_000_000_000n + 3n;
}

/** A stream of 750 KiB and one of 250 beside it: several blocks of 256 KiB, pushed in bodies from 20 KiB to more than 512. */
export const blocks = pushedSet("blocks", "a megabyte of entries in two streams", () =>
  inPushes(
    [
      {
        labels: { svc_size: "blocks", svc_colour: "large" },
        entries: Array.from({ length: BLOCK_ENTRIES }, (_, index) => ({
          offset: blockOffset(index),
          // One line is empty, where a block is closed.
          line: index === EMPTY ? "" : wordyLine(index, index === 0 ? LINE_BYTES + 5 : LINE_BYTES),
        })),
      },
      {
        labels: { svc_size: "blocks", svc_colour: "small" },
        entries: Array.from({ length: 220 }, (_, index) => ({
          // Now and then at the very time of an entry of the large one, so that both have such in blocks that are closed.
          offset: blockOffset(Math.floor((index * BLOCK_ENTRIES) / 220)) + (index % 4 === 0 ? 0n : 100_000_000n),
          line: wordyLine(1_000 + index, LINE_BYTES),
        })),
      },
    ],
    [0.02, 0.1, 0.38],
  ),
);

/** From one entry of the largest stream to the next, ns. */
export const CHUNK_STEP = 4_000_003n;

const CHUNK_ENTRIES = 930;
/** As long as what is looked at where lines that begin alike are kept once. */
const HEADER = "host-1 plumbline[4711]: INFO com.example.plumbline.chunks.Writer - wrote ";
/** Behind so many entries nothing comes for a while: a range may begin there that holds nothing of what was a chunk by then. */
const BEFORE_GAP = 790;
const GAP = 5_000_000_000n;

/**
 * 2.68 megabytes in one stream: ten blocks of 256 KiB, which older services make a chunk of, and some entries behind them; of text that no
 * compression makes less than a chunk of one and a half megabytes. All of it lies within a few seconds: what chunks are known by in minutes
 * only is the same for two of them.
 */
export const chunks = pushedSet("chunks", "nearly three megabytes in one stream", () =>
  inPushes(
    [
      {
        labels: { svc_size: "chunks" },
        entries: Array.from({ length: CHUNK_ENTRIES }, (_, index) => ({
          offset: BigInt(index) * CHUNK_STEP + (index < BEFORE_GAP ? 9n : GAP),
          // Now and then a line is that of the entry before it.
          line: `${HEADER}${wordyLine(index % 10 === 9 ? index - 1 : index, 2_880 - HEADER.length)}`,
        })),
      },
      // Behind the other in every push: a service that deals out a stream that has become too large goes on with this one.
      {
        labels: { svc_size: "chunks", svc_colour: "beside" },
        entries: Array.from({ length: 10 }, (_, index) => ({ offset: BigInt(index) * 390_000_011n + 7n, line: `beside ${index}` })),
      },
    ],
    [0.2, 0.4, 0.6, 0.8],
  ),
);

/** Of the larger stream and the smaller in each push of the volume; neither divides into two or three. */
const VOLUME_ENTRIES = [23, 5] as const;
const VOLUME_PUSHES = 30;
/** So much of a push behind its end it is cut, so that no rounding cuts before its last entry. */
const VOLUME_BEHIND = 0.001;
const VOLUME_SPAN = 520_000_000_000n;

/**
 * The sums of the bytes of both streams and of the larger are odd and above 2^24, the last whole number that a short float tells from
 * the next one. The larger grows by more than two megabytes a second, for longer than most services look back for how fast a stream
 * grows: then they divide what is pushed to it.
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
    // Each of less than a megabyte.
    Array.from({ length: VOLUME_PUSHES - 1 }, (_, push) => (push + 1 + VOLUME_BEHIND) / VOLUME_PUSHES),
  ),
);

/** Words of a few entries each: what a block is known not to hold it need not be searched for, and nothing else. */
export const SELDOM = { first: "seldomfirst", middle: "seldommiddle", last: "seldomlast" } as const;
const PROSE_ENTRIES = 600;
const SELDOM_ENTRIES: ReadonlyMap<number, string> = new Map([
  [2, SELDOM.first],
  [3, SELDOM.first],
  [300, SELDOM.middle],
  [PROSE_ENTRIES - 3, SELDOM.last],
  [PROSE_ENTRIES - 2, SELDOM.last],
]);

/** Eight entries of plain words at a time share it: wherever a block is closed, most likely some are on either side. */
function proseOffset(index: number): bigint {
  return BigInt(index - (index % 8)) * 550_000_003n + 21n;
}

/**
 * 330 KiB of plain words in one stream: what is kept of the words of a block, to skip it by, is not filled up by them as by noise. Entries
 * share a time, which a block that is closed keeps as well as one that is open.
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
            // Near the beginning, where a message that shows the beginning of a line shows why it is selected.
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
 * One entry more than many whole batches, all within eleven milliseconds, in lines whose letters have eight bits each: a block of a few
 * hundred of them ends in the millisecond in which it begins, or in one of the next.
 */
export const dense = pushedSet("dense", "a thousand entries within a few milliseconds", () => [
  [
    {
      labels: { svc_size: "dense" },
      entries: Array.from({ length: DENSE_ENTRIES }, (_, index) => ({
        offset: BigInt(index) * 10_003n + 400_001n,
        line: `caf\u00e9 ${index} fran\u00e7ais`,
      })),
    },
  ],
]);

const CROWD_STREAMS = 120;
const CROWD_SIZES = ["s", "m", "l", "xl"] as const;

/** Five entries in each of 120 streams, all streams interleaved within each of a few milliseconds. */
export const crowd = pushedSet("crowd", "600 entries of 120 streams within a few milliseconds", () => [
  Array.from({ length: CROWD_STREAMS }, (_, stream): RelativeStream => ({
    labels: {
      svc_zz: `crowd ${stream}`,
      svc_size: CROWD_SIZES[stream % CROWD_SIZES.length] ?? "",
      svc_colour: `c${stream % 7}`,
      ...(stream % 3 === 0 ? { svc_a: "third" } : {}),
    },
    entries: Array.from({ length: 5 }, (_entry, round) => ({
      // Neighbours in time are of streams far apart in any order of labels.
      offset: BigInt(round) * 45_000_000_000n + BigInt((stream * 53) % CROWD_STREAMS) * 8_011n + 5n,
      line: `crowd ${stream} ${round} ${HEADS[(stream + round) % HEADS.length] ?? ""}`,
    })),
  })),
]);

/** Entries of the smaller streams, one of exactly 512: a batch that is full. */
const HEAP = [910, 512, 230, 120, 870, 870, 880, 900];

/** More than nine thousand entries of nine streams in one push, four thousand of them in one stream. */
export const heap = pushedSet("heap", "nine thousand entries of nine streams in one push", () => [
  [
    {
      labels: { svc_size: "heap", svc_colour: "heap and all" },
      entries: Array.from({ length: 4_300 }, (_, index) => ({
        offset: BigInt(index) * 110_000_001n + 77n,
        line: `heap ${index} ${noise(index, 60)}`,
      })),
    },
    ...HEAP.map((count, stream): RelativeStream => ({
      labels: { svc_size: "heap", svc_colour: `heap ${stream}` },
      entries: Array.from({ length: count }, (_, index) => ({
        offset: BigInt(index) * 500_000_001n + BigInt(stream) * 1_003n,
        line: `heap ${stream} ${index}`,
      })),
    })),
  ],
]);

const SWARM_ENTRIES = 4_400;

/** So many short entries that they are one block, still open, and more of them than twelve bits count. */
export const swarm = pushedSet("swarm", "more than four thousand short entries of one stream", () =>
  inPushes(
    [
      {
        labels: { svc_size: "swarm" },
        entries: Array.from({ length: SWARM_ENTRIES }, (_, index) => ({
          offset: BigInt(index) * 100_000_003n + 5n,
          line: `s${index}`,
        })),
      },
    ],
    [0.5],
  ),
);

/** Characters that are written as escapes, in two bytes or in six, and characters of two and three bytes, which pages of bytes may end in. */
const ESCAPED = '"\\\n\u0001\u001f\u007f\u00e9\u6307\u6a19\u306e\u540d\u524d\t';
const ESCAPED_ENTRIES = 72;

/** Lines full of escapes, which lie across any edge of a buffer; all are equally long, begin alike and end alike. */
export const escaped = pushedSet("escaped", "lines of characters that JSON must escape, which differ only in the middle", () => [
  [
    {
      labels: { svc_size: "escaped" },
      entries: Array.from({ length: ESCAPED_ENTRIES }, (_, index) => ({
        offset: BigInt(index) * 2_000_000_003n + 21n,
        line: `${ESCAPED.repeat(40)}${100 + index}${ESCAPED.repeat(40)}`,
      })),
    },
  ],
]);

const HOST_STREAMS = 300;
export const HOST_LABEL = "svc_0";

/** One entry in each of 300 streams of one push, under values of their own. */
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

/** The large sets of a release run, and those that only a nightly run has room for. */
export const LARGE_SETS = {
  release: [blocks, prose, dense, crowd, heap, swarm, host, escaped, chunks],
  nightly: [blocks, prose, dense, crowd, heap, swarm, host, escaped, chunks, volume],
} as const;

/** A set as large as this target takes it. */
export interface SizedDataset extends PushedSet {
  /** The size that was taken. */
  readonly size: number;
}

/** Tries the sizes of a run from the largest on; null when even the smallest is refused, which the documents leave open. */
export function largestAccepted(
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
