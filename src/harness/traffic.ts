/** Counts the requests of a run over time, and the durations of each operation, for the charts of the report. */
import type { Exchange } from "../client/exchange.ts";
import type { Service } from "../contract/clause.ts";
import { baseName } from "./latency.ts";

/** The upper bounds of the buckets of the duration histogram, in ms. The last bucket has no upper bound. */
export const DURATION_BOUNDS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000] as const;

/** The numbers of requests in a slice of time: all requests, those answered 429, and those answered 5xx. */
export type Slice = readonly [requests: number, limited: number, failed: number];

export interface Traffic {
  /** The length of a slice of time, in ms: the shortest length times a power of two. */
  readonly sliceMs: number;
  /** The numbers of requests in each slice of time, beginning at the start of the run. */
  readonly slices: readonly Slice[];
  /** The number of responses in each bucket of durations, by service and operation, such as `logs query_range`. */
  readonly durations: Readonly<Record<string, readonly number[]>>;
}

const MOST_SLICES = 120;
const SHORTEST_MS = 125;

function sum(one: Slice | undefined, other: Slice | undefined): Slice {
  const [a = 0, b = 0, c = 0] = one ?? [];
  const [d = 0, e = 0, f = 0] = other ?? [];
  return [a + d, b + e, c + f];
}

function coarser({ sliceMs, slices, durations }: Traffic): Traffic {
  const pairs = Array.from({ length: Math.ceil(slices.length / 2) }, (_, index) => sum(slices[2 * index], slices[2 * index + 1]));
  return { sliceMs: 2 * sliceMs, slices: pairs, durations };
}

/** Joins the traffic of several shards. `startsMs` has the start time of each shard. */
export function joinedTraffic(all: readonly Traffic[], startsMs: readonly number[]): Traffic {
  const first = Math.min(...startsMs);
  const ends = all.map(({ sliceMs, slices }, index) => (startsMs[index] ?? first) - first + sliceMs * slices.length);
  let sliceMs = Math.max(SHORTEST_MS, ...all.map((one) => one.sliceMs));
  while (Math.max(0, ...ends) > sliceMs * MOST_SLICES) sliceMs *= 2;
  const slices: Slice[] = [];
  const durations: Record<string, number[]> = {};
  for (const [index, one] of all.entries()) {
    let scaled = one;
    while (scaled.sliceMs < sliceMs) scaled = coarser(scaled);
    const offset = Math.floor(((startsMs[index] ?? first) - first) / sliceMs);
    for (const [at, slice] of scaled.slices.entries()) slices[offset + at] = sum(slices[offset + at], slice);
    for (const [name, counts] of Object.entries(one.durations))
      durations[name] = counts.map((count, place) => count + (durations[name]?.[place] ?? 0));
  }
  return { sliceMs, slices: Array.from(slices, (slice) => slice ?? [0, 0, 0]), durations };
}

export class TrafficCount {
  readonly #startMs: number;
  readonly #durations = new Map<string, number[]>();
  #traffic: Traffic = { sliceMs: SHORTEST_MS, slices: [], durations: {} };

  constructor(startMs: number) {
    this.#startMs = startMs;
  }

  note(service: Service, exchange: Pick<Exchange, "operation" | "startedAt" | "durationMs" | "response">): void {
    const { operation, startedAt, durationMs, response } = exchange;
    const status = response?.status ?? 0;
    const after = Math.max(0, startedAt - this.#startMs);
    while (after >= this.#traffic.sliceMs * MOST_SLICES) this.#traffic = coarser(this.#traffic);
    const { sliceMs, slices } = this.#traffic;
    const at = Math.floor(after / sliceMs);
    const padded = Array.from({ length: Math.max(slices.length, at + 1) }, (_, index): Slice => slices[index] ?? [0, 0, 0]);
    padded[at] = sum(padded[at], [1, status === 429 ? 1 : 0, status >= 500 ? 1 : 0]);
    this.#traffic = { ...this.#traffic, slices: padded };
    if (response === null) return;
    const key = `${service} ${baseName(operation)}`;
    const counts = this.#durations.get(key) ?? Array.from({ length: DURATION_BOUNDS.length + 1 }, () => 0);
    this.#durations.set(key, counts);
    const found = DURATION_BOUNDS.findIndex((bound) => durationMs <= bound);
    const place = found === -1 ? DURATION_BOUNDS.length : found;
    counts[place] = (counts[place] ?? 0) + 1;
  }

  counted(): Traffic {
    return { ...this.#traffic, durations: Object.fromEntries(this.#durations) };
  }
}
