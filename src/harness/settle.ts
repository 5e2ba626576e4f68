/**
 * Waiting that neither blames a slow replica nor heals a real fault.
 *
 * W is three times the slowest appearance seen on this target, at least `minMs`, at most SETTLE_TIMEOUT_MS. Up to W after
 * the last write to a resource, a wrong read is "not yet": it is repeated until two consecutive reads are right, or
 * until the deadline. A read that starts later than W is judged once. Where writes have been seen to take their time, a read
 * that comes too early is repeated after most of that time: polling in between would only cost the target requests.
 */
import type { Difference } from "../model/difference.ts";

export class Settle {
  readonly #minMs: number;
  readonly #maxMs: number;
  #slowestMs = 0;
  /** How long the writes took that were not there at the first look, ms, ascending. */
  #late: number[] = [];

  constructor(minMs: number, maxMs: number) {
    this.#minMs = Math.min(minMs, maxMs);
    this.#maxMs = maxMs;
  }

  /** The slowest appearance of a write in a read seen so far, ms. */
  get slowestMs(): number {
    return this.#slowestMs;
  }

  /** W, ms. */
  get windowMs(): number {
    return Math.min(Math.max(3 * this.#slowestMs, this.#minMs), this.#maxMs);
  }

  /** The longest a write may take to appear, ms: SETTLE_TIMEOUT_MS. */
  get deadlineMs(): number {
    return this.#maxMs;
  }

  /** How long a write usually takes that is not there at the first look, ms; 0 as long as none was seen. */
  get usualMs(): number {
    return this.#late[Math.floor(this.#late.length / 2)] ?? 0;
  }

  /** `late`: it was not there at the first look. */
  noteAppearance(ms: number, late: boolean): void {
    this.#slowestMs = Math.max(this.#slowestMs, ms);
    if (late) this.#late = [...this.#late, ms].toSorted((one, other) => one - other);
  }
}

/** Something that is written and then read: an instance, or the streams of one push. */
export interface Resource {
  readonly name: string;
  /** `performance.now()` when the answer to the last write had arrived. */
  lastWriteAt: number;
}

/** One look at a resource: when, in ms after its last write, and what was wrong. */
export interface Sighting {
  readonly afterWriteMs: number;
  readonly differences: readonly Difference[];
}

export interface Settled<T> {
  /** What the last read returned. */
  readonly value: T;
  /** What is wrong with it; empty when it is right. */
  readonly differences: readonly Difference[];
  readonly sightings: readonly Sighting[];
}

export interface Eventually<T> {
  readonly resource: Resource;
  readonly read: () => Promise<T>;
  readonly judge: (value: T) => readonly Difference[];
}

export interface Patience {
  readonly settle: Settle;
  /** `full`: wait up to SETTLE_TIMEOUT_MS; `short`: up to W, when a first failure has already been waited for in full. */
  readonly deadline: "full" | "short";
  readonly pollMs: number;
  readonly pause: (ms: number) => Promise<void>;
}

const LONGEST_POLL_MS = 2_000;
/**
 * The parts of the time that writes usually take after which a read is repeated: first, and from then on. The first is less
 * than all of it: an appearance is only as early as the look that saw it, and one slow write must not make all seem slow.
 */
const FIRST_PART = 0.75;
const NEXT_PART = 0.25;
const RIGHT_IN_A_ROW = 2;

/** Reads until the answer is right, or judged wrong, as the rules above say. Rejects when a read does. */
export async function eventually<T>({ resource, read, judge }: Eventually<T>, patience: Patience): Promise<Settled<T>> {
  const { settle } = patience;
  const sightings: Sighting[] = [];
  const started = performance.now();
  const settledAlready = started - resource.lastWriteAt > settle.windowMs;
  const deadline = resource.lastWriteAt + (patience.deadline === "full" ? settle.deadlineMs : settle.windowMs);
  let right = 0;
  let firstRightAt = 0;
  for (let attempt = 0; ; attempt += 1) {
    const value = await read();
    const afterWriteMs = performance.now() - resource.lastWriteAt;
    const differences = judge(value);
    sightings.push({ afterWriteMs, differences });
    if (settledAlready) return { value, differences, sightings };
    if (differences.length === 0) {
      right += 1;
      if (right === 1) firstRightAt = afterWriteMs;
      if (right === RIGHT_IN_A_ROW || attempt === 0) {
        settle.noteAppearance(firstRightAt, attempt > 0);
        return { value, differences, sightings };
      }
    } else {
      right = 0;
      if (performance.now() >= deadline) return { value, differences, sightings };
    }
    const poll = Math.min(Math.max(patience.pollMs * 1.6 ** attempt, NEXT_PART * settle.usualMs), LONGEST_POLL_MS);
    const usual = attempt === 0 ? Math.min(FIRST_PART * settle.usualMs - afterWriteMs, deadline - performance.now()) : 0;
    await patience.pause(Math.max(poll, usual));
  }
}
