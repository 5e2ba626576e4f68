/**
 * Decides how long a run waits for a right read. A slow replica must not count as a fault, and a real fault must be found.
 * - A wrong read is certain if it began later than SETTLE_TIMEOUT_MS after the last write to its data.
 * - A wrong read that began earlier is repeated until two consecutive reads are right.
 * - W is three times the longest delay that was measured on this target, and at least `minMs`.
 * - After W, a wrong read is certain if earlier certain reads violated all its clauses too, or if an earlier body could not be parsed for
 *   the same reason.
 * - A read is certainly wrong even before W if three consecutive reads, over 0.6 s, show values that no write can have caused.
 * - A difference is certain even before W if the same difference was certain several times before.
 * - A read is suspicious if it was wrong after W and right when repeated. Suspicious reads are repeated when all writes must be visible.
 * - Until the delay is known, only three writes are polled. Other reads wait, because the delay is usually the same for all writes.
 */
import type { ClauseId } from "../contract/catalogue.ts";
import { blamed, type Difference } from "../model/difference.ts";

/** The delays until reads showed the writes, and the W that follows from them, in whole ms. */
export interface Settling {
  /** The longest delay of a write that was not visible in its first read. It is 0 if there was no such write. */
  readonly slowestMs: number;
  /** W in ms. A read that began later than W after the last write counts as settled. */
  readonly windowMs: number;
}

export class Settle {
  readonly #minMs: number;
  readonly #maxMs: number;
  #slowestMs = 0;
  /** The delays of the writes that were not visible in their first read, in ms, ascending. */
  #late: number[] = [];
  /** The number of writes whose first read was right, and was sent before half of the usual delay. */
  #prompt = 0;
  /** The number of consecutive first reads that waited for the usual delay. After `#mostWaiting` of them, a first read does not wait. */
  #waiting = 0;
  #mostWaiting = MANY;
  readonly #polled = new Set<Resource>();
  /** The polled writes that were not visible in their first read. */
  readonly #missed = new Set<Resource>();
  /** The number of writes whose first read was right. */
  #atOnce = 0;
  #repeats = 0;
  readonly #broken = new Set<ClauseId>();
  /** For each clause, the number of consecutive diagnoses that found no nearer cause than this clause. */
  readonly #confirmed = new Map<ClauseId, number>();
  /** For each path and actual value, the number of certain differences with them. */
  readonly #ways = new Map<string, number>();

  constructor(minMs: number, maxMs: number) {
    this.#minMs = Math.min(minMs, maxMs);
    this.#maxMs = maxMs;
  }

  /** The longest delay in ms until a read showed a write. It is 0 if each first read showed its write. */
  get slowestMs(): number {
    return this.#slowestMs;
  }

  /** W in ms. */
  get windowMs(): number {
    return Math.min(Math.max(3 * this.#slowestMs, this.#minMs), this.#maxMs);
  }

  /** The delays that the run has measured on this target, or null if no read has shown a write. */
  get learned(): Settling | null {
    if (this.#atOnce === 0 && this.#late.length === 0) return null;
    return { slowestMs: Math.round(this.#slowestMs), windowMs: Math.round(this.windowMs) };
  }

  /** The longest legal delay of a write in ms: SETTLE_TIMEOUT_MS. */
  get deadlineMs(): number {
    return this.#maxMs;
  }

  /** The median delay in ms of the writes that were not visible in their first read, or 0 if there are none. */
  get usualMs(): number {
    return this.#late[Math.floor(this.#late.length / 2)] ?? 0;
  }

  /** The time in ms after a write at which a first read is worthwhile: the usual delay if nearly all writes are late, or else 0. */
  get firstReadMs(): number {
    return this.#late.length >= MANY && this.#late.length > MOSTLY * this.#prompt ? this.usualMs : 0;
  }

  /** Returns how many ms after a write its first read is sent. Some do not wait: updates may become visible earlier than creates. */
  nextFirstReadMs(): number {
    const { firstReadMs } = this;
    if (firstReadMs === 0) return 0;
    this.#waiting += 1;
    if (this.#waiting <= this.#mostWaiting) return firstReadMs;
    this.#waiting = 0;
    this.#mostWaiting *= 2;
    return 0;
  }

  /** Whether a write may be read now. If not, the read waits until other writes have shown how long this target needs. */
  isPolled(resource: Resource, attempt: number): boolean {
    // An immediate right response may be a coincidence, for example if the old value equals the new value.
    if (this.#late.length > 0 || (attempt === 0 && this.#atOnce > MOSTLY * this.#missed.size)) return true;
    if (this.#polled.size < POLLED_AT_FIRST) this.#polled.add(resource);
    if (!this.#polled.has(resource)) return false;
    if (attempt > 0) this.#missed.add(resource);
    return true;
  }

  /** Records that a write is no longer polled, so that another write may be polled. */
  noteGivenUp(resource: Resource): void {
    this.#polled.delete(resource);
    this.#missed.delete(resource);
  }

  /** Records that the first read after a write showed the write. The read began `ms` ms after the write. */
  notePrompt(ms: number): void {
    this.#atOnce += 1;
    if (ms >= this.usualMs / 2) return;
    this.#prompt += 1;
    this.#mostWaiting = 1;
  }

  /** Records the delay of a write that was not visible in its first read. */
  noteAppearance(ms: number): void {
    this.#slowestMs = Math.max(this.#slowestMs, ms);
    this.#late = [...this.#late, ms].toSorted((one, other) => one - other);
  }

  /** The number of reads that were sent because an earlier read was wrong. */
  get repeats(): number {
    return this.#repeats;
  }

  noteRepeat(): void {
    this.#repeats += 1;
  }

  noteCertain(differences: readonly Difference[]): void {
    for (const clause of blamed(differences)) this.#broken.add(clause);
    for (const way of new Set(differences.map(wayOf))) this.#ways.set(way, (this.#ways.get(way) ?? 0) + 1);
  }

  /** Records whether a diagnosis found no nearer cause than the clauses of these differences. */
  noteDiagnosis(differences: readonly Difference[], isConfirmed: boolean): void {
    for (const clause of blamed(differences)) this.#confirmed.set(clause, isConfirmed ? (this.#confirmed.get(clause) ?? 0) + 1 : 0);
  }

  /** Whether each of the last diagnoses confirmed the clauses of these differences. */
  areOftenConfirmed(differences: readonly Difference[]): boolean {
    return blamed(differences).every((clause) => (this.#confirmed.get(clause) ?? 0) > OFTEN);
  }

  /** Returns a time in ms after the last write. If a read begins later than that and has these differences, it is certainly wrong. */
  certainMs(differences: readonly Difference[], haste: Haste): number {
    const hastyMs = Math.min(this.windowMs, Math.max(3 * this.#slowestMs, HASTY_MS));
    if (haste === "hasty") return hastyMs;
    const seen = (difference: Difference): number => this.#ways.get(wayOf(difference)) ?? 0;
    const isKnown = (difference: Difference): boolean =>
      this.#broken.has(difference.clause) || (isUnreadable(difference) && seen(difference) > 0);
    if (!differences.every(isKnown)) return this.#maxMs;
    return differences.every((difference) => seen(difference) >= OFTEN) ? hastyMs : this.windowMs;
  }
}

/** Whether the difference says that the whole body cannot be parsed. Lag cannot explain such a difference. */
function isUnreadable({ path }: Difference): boolean {
  return /^body\b/.test(path);
}

/** Returns a key of a difference: its path and its actual value. Equal differences of different requests have the same key. */
function wayOf({ path, actual }: Difference): string {
  return `${path.replace(/ \(.*$/, "")} ${actual}`;
}

/** The number of writes that are polled at the same time to learn the delay. */
const POLLED_AT_FIRST = 3;

/** A write is expected to be late if at least `MANY` writes were late, and `MOSTLY` times more than were visible in an early read. */
const MANY = POLLED_AT_FIRST;
const MOSTLY = 4;

/** After this number of equal certain differences, a further equal difference is certain almost immediately. */
const OFTEN = 3;

/** How long a wrong read is repeated: for a shorter time (`hasty`) when a failing input is shrunk, and otherwise `patient`. */
export type Haste = "patient" | "hasty";

const HASTY_MS = 150;

/** Data that a run writes and then reads: an instance, or the streams of a push. */
export interface Resource {
  readonly name: string;
  /** The value of `performance.now()` when the response to the last write of this data arrived. */
  lastWriteAt: number;
}

/** A read of a resource: its time (in ms after the last write) and its differences. */
export interface Attempt {
  readonly afterWriteMs: number;
  readonly differences: readonly Difference[];
}

export interface Settled<T> {
  readonly value: T;
  /** The differences of the last read that no lag can explain. The list is empty if the last read is right. */
  readonly differences: readonly Difference[];
  readonly attempts: readonly Attempt[];
  /** True if the last read was right and a read that began later than W after the last write was wrong. */
  readonly suspicious: boolean;
}

export interface Eventually<T> {
  readonly resource: Resource;
  readonly read: () => Promise<T>;
  readonly judge: (value: T) => readonly Difference[];
  /** Returns the differences that no late write can have caused. The others may be due to a late write. */
  readonly impossibleIn?: (value: T, differences: readonly Difference[]) => readonly Difference[];
}

export interface Patience {
  readonly settle: Settle;
  readonly haste: Haste;
  readonly pollMs: number;
  readonly pause: (ms: number) => Promise<void>;
}

const LONGEST_POLL_MS = 2_500;
/** The pause, in ms, after which a waiting read checks again whether the delay of the target is known. */
const UNTIL_KNOWN_MS = 20;
/**
 * Parts of the usual delay: the wait before the second read, and the minimum pause before later reads. A measured delay includes the wait
 * for its read. So with a FIRST_PART of 1, a single slow write would slow down all later reads.
 */
const FIRST_PART = 0.75;
const NEXT_PART = 0.25;
const RIGHT_IN_A_ROW = 2;
/**
 * A read is certainly wrong after this number of consecutive reads with impossible values, over this time in ms. If a service shows an
 * impossible value only for a moment, it violates another clause.
 */
const IMPOSSIBLE = { reads: 3, ms: 600 };

/** Repeats a read until it is right or certainly wrong, by the rules of this file. Rejects if a read rejects. */
export async function eventually<T>(wanted: Eventually<T>, patience: Patience): Promise<Settled<T>> {
  try {
    return await lookedFor(wanted, patience);
  } finally {
    patience.settle.noteGivenUp(wanted.resource);
  }
}

async function lookedFor<T>(
  { resource, read, judge, impossibleIn = () => [] }: Eventually<T>,
  { settle, haste, pollMs, pause }: Patience,
): Promise<Settled<T>> {
  const attempts: Attempt[] = [];
  let right = 0;
  let impossible = 0;
  let impossibleSince = 0;
  let firstRightAt = 0;
  let suspicious = false;
  const leftMs = (untilMs: number): number => untilMs - (performance.now() - resource.lastWriteAt);
  /** Waits until the delay of the target is known or a difference is certain, and then for the usual delay. */
  const leave = async (attempt: number, certainMs: () => number): Promise<void> => {
    while (leftMs(certainMs()) > 0 && !settle.isPolled(resource, attempt)) await pause(Math.min(UNTIL_KNOWN_MS, leftMs(certainMs()) + 1));
    const usually = Math.min(leftMs(settle.usualMs), leftMs(certainMs()) + 1);
    if (usually > 0) await pause(usually);
  };
  if (!settle.isPolled(resource, 0)) await leave(0, () => settle.deadlineMs);
  const early = leftMs(settle.nextFirstReadMs());
  if (early > 0) await pause(early);
  for (let attempt = 0; ; attempt += 1) {
    const beganMs = performance.now() - resource.lastWriteAt;
    if (attempt > 0) settle.noteRepeat();
    const value = await read();
    const afterWriteMs = performance.now() - resource.lastWriteAt;
    const differences = judge(value);
    attempts.push({ afterWriteMs, differences });
    let certainMs = settle.deadlineMs;
    const certain = differences.length === 0 ? [] : impossibleIn(value, differences);
    impossible = certain.length > 0 ? impossible + 1 : 0;
    if (differences.length === 0) {
      right += 1;
      if (right === 1) firstRightAt = afterWriteMs;
      if (attempt === 0) {
        settle.notePrompt(beganMs);
        return { value, differences, attempts, suspicious };
      }
      if (right === RIGHT_IN_A_ROW) {
        settle.noteAppearance(firstRightAt);
        return { value, differences, attempts, suspicious };
      }
    } else {
      right = 0;
      if (impossible === 1) impossibleSince = afterWriteMs;
      const isImpossibleForLong = impossible >= IMPOSSIBLE.reads && afterWriteMs - impossibleSince >= IMPOSSIBLE.ms;
      certainMs = settle.certainMs(differences, isImpossibleForLong ? "hasty" : haste);
      if (beganMs > certainMs) {
        const shown = isImpossibleForLong ? certain : differences;
        // With the short waits of `hasty`, lag can look like a fault. So only the long waits of `patient` make a difference certain.
        if (haste === "patient") settle.noteCertain(shown);
        return { value, differences: shown, attempts, suspicious: false };
      }
      suspicious ||= beganMs > settle.windowMs;
    }
    const grown = Math.min(Math.max(pollMs * 2 ** attempt, NEXT_PART * settle.usualMs), LONGEST_POLL_MS);
    const usual = attempt === 0 ? FIRST_PART * settle.usualMs - afterWriteMs : 0;
    // A wrong read before the deadline must be repeated. So if the next read would begin shortly before the deadline, it waits until just
    // after it.
    const left = leftMs(certainMs);
    await pause(Math.max(pollMs, Math.min(Math.max(grown, usual), left > 0 ? left + 1 : pollMs)));
    if (right === 0 && !settle.isPolled(resource, attempt + 1)) await leave(attempt + 1, () => settle.certainMs(differences, haste));
  }
}
