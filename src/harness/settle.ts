/**
 * Waiting that neither blames a slow replica nor heals a real fault.
 *
 * A wrong read is wrong for certain only when it began later than SETTLE_TIMEOUT_MS after the last write to what it reads; until then
 * it is "not yet" and repeated, until two reads in a row are right. W, three times the slowest appearance seen on this target and at
 * least `minMs`, is enough for further wrong reads that blame only clauses found broken for certain, and for answers that cannot be
 * read in the same way as one that never could; next to nothing is enough for what was wrong in the very same way again and again.
 * A read that was wrong after W and right afterwards is suspicious: it is asked again when nothing can be late any more.
 * A few writes are scouts: as long as nothing is known of the target only they are looked for, and of those that were not there at the
 * first look only they again, as long as none was seen to appear.
 */
import type { ClauseId } from "../contract/catalogue.ts";
import { blamed, type Difference } from "../model/difference.ts";

/** How long writes took to show, and what that made of W, in whole ms. */
export interface Settling {
  /** The slowest write that a first look had missed; 0 when none was missed. */
  readonly slowestMs: number;
  /** W: reads that began later than this after the last write are taken for settled. */
  readonly windowMs: number;
}

export class Settle {
  readonly #minMs: number;
  readonly #maxMs: number;
  #slowestMs = 0;
  /** How long the writes took that were not there at the first look, ms, ascending. */
  #late: number[] = [];
  /** How many writes were there at a first look that was early for this target. */
  #prompt = 0;
  readonly #scouts = new Set<Resource>();
  /** The scouts that were not there at the first look. */
  readonly #missed = new Set<Resource>();
  /** How many first looks were right. */
  #atOnce = 0;
  readonly #broken = new Set<ClauseId>();
  /** In which ways answers were wrong for certain, and how often. */
  readonly #ways = new Map<string, number>();

  constructor(minMs: number, maxMs: number) {
    this.#minMs = Math.min(minMs, maxMs);
    this.#maxMs = maxMs;
  }

  /** The slowest appearance of a write that a first look had missed, ms; 0 as long as none was missed. */
  get slowestMs(): number {
    return this.#slowestMs;
  }

  /** W, ms. */
  get windowMs(): number {
    return Math.min(Math.max(3 * this.#slowestMs, this.#minMs), this.#maxMs);
  }

  /** What was learned of this target. */
  get learned(): Settling {
    return { slowestMs: Math.round(this.#slowestMs), windowMs: Math.round(this.windowMs) };
  }

  /** The longest a write may take to appear, ms: SETTLE_TIMEOUT_MS. */
  get deadlineMs(): number {
    return this.#maxMs;
  }

  /** How long a write usually takes that is not there at the first look, ms; 0 as long as none was seen. */
  get usualMs(): number {
    return this.#late[Math.floor(this.#late.length / 2)] ?? 0;
  }

  /** How long after a write a first look is worth a request, ms: where nearly all are late, not before they usually are there. */
  get firstLookMs(): number {
    return this.#late.length >= MANY && this.#late.length > MOSTLY * this.#prompt ? this.usualMs : 0;
  }

  /** Whether a write is to be looked for, for the first time or again, or is left to the scouts for now. */
  isLookedFor(resource: Resource, attempt: number): boolean {
    // What is there at once may be nothing that was written.
    if (this.#late.length > 0 || (attempt === 0 && this.#atOnce > MOSTLY * this.#missed.size)) return true;
    if (this.#scouts.size < SCOUTS) this.#scouts.add(resource);
    if (!this.#scouts.has(resource)) return false;
    if (attempt > 0) this.#missed.add(resource);
    return true;
  }

  /** Notes that nobody looks for a write any more: another may become a scout. */
  noteGivenUp(resource: Resource): void {
    this.#scouts.delete(resource);
    this.#missed.delete(resource);
  }

  /** Notes that a write was there at the first look, which began so long after it. */
  notePrompt(ms: number): void {
    this.#atOnce += 1;
    if (ms < this.usualMs / 2) this.#prompt += 1;
  }

  /** Notes how long a write took that was not there at the first look. */
  noteAppearance(ms: number): void {
    this.#slowestMs = Math.max(this.#slowestMs, ms);
    this.#late = [...this.#late, ms].toSorted((one, other) => one - other);
  }

  /** Notes what was found for certain. */
  noteCertain(differences: readonly Difference[]): void {
    for (const clause of blamed(differences)) this.#broken.add(clause);
    for (const way of new Set(differences.map(wayOf))) this.#ways.set(way, (this.#ways.get(way) ?? 0) + 1);
  }

  /** How long after the last write a read that is wrong in this way must begin for the wrong to be certain, ms. */
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

/** Whether a whole answer is nothing that could be read: that is no matter of what was written when. */
function isUnreadable({ path }: Difference): boolean {
  return /^body\b/.test(path);
}

/** What one wrong answer has in common with others, whatever they were asked for: where it is wrong, and what stands there. */
function wayOf({ path, actual }: Difference): string {
  return `${path.replace(/ \(.*$/, "")} ${actual}`;
}

/** So many at a time tell how long writes take. */
const SCOUTS = 3;

/** After so many late writes, and so many times as many as prompt ones, the next is taken to be late as well. */
const MANY = SCOUTS;
const MOSTLY = 4;

/** What was wrong for certain so often in the same way is taken for how this target answers. */
const OFTEN = 3;

/** `hasty`: while an input that is known to fail is shrunk; what comes of it is confirmed with patience. */
export type Haste = "patient" | "hasty";

const HASTY_MS = 150;

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
  /** Right in the end, but wrong in a read that began later than W after the last write. */
  readonly suspicious: boolean;
}

export interface Eventually<T> {
  readonly resource: Resource;
  readonly read: () => Promise<T>;
  readonly judge: (value: T) => readonly Difference[];
}

export interface Patience {
  readonly settle: Settle;
  readonly haste: Haste;
  readonly pollMs: number;
  readonly pause: (ms: number) => Promise<void>;
}

const LONGEST_POLL_MS = 2_500;
/** How often one that is no scout asks whether one has seen its write. */
const UNTIL_KNOWN_MS = 20;
/**
 * The parts of the time that writes usually take after which a read is repeated: first, and from then on. The first is less
 * than all of it: an appearance is only as early as the look that saw it, and one slow write must not make all seem slow.
 */
const FIRST_PART = 0.75;
const NEXT_PART = 0.25;
const RIGHT_IN_A_ROW = 2;

/** Reads until the answer is right, or wrong for certain, as the rules above say. Rejects when a read does. */
export async function eventually<T>(wanted: Eventually<T>, patience: Patience): Promise<Settled<T>> {
  try {
    return await lookedFor(wanted, patience);
  } finally {
    patience.settle.noteGivenUp(wanted.resource);
  }
}

async function lookedFor<T>({ resource, read, judge }: Eventually<T>, { settle, haste, pollMs, pause }: Patience): Promise<Settled<T>> {
  const sightings: Sighting[] = [];
  let right = 0;
  let firstRightAt = 0;
  let suspicious = false;
  const leftMs = (untilMs: number): number => untilMs - (performance.now() - resource.lastWriteAt);
  /** Leaves a look to the scouts, until one has seen its write or what is wrong here is wrong for certain; then until it usually is there. */
  const leave = async (attempt: number, certainMs: () => number): Promise<void> => {
    while (leftMs(certainMs()) > 0 && !settle.isLookedFor(resource, attempt))
      await pause(Math.min(UNTIL_KNOWN_MS, leftMs(certainMs()) + 1));
    const usually = Math.min(leftMs(settle.usualMs), leftMs(certainMs()) + 1);
    if (usually > 0) await pause(usually);
  };
  if (!settle.isLookedFor(resource, 0)) await leave(0, () => settle.deadlineMs);
  const early = leftMs(settle.firstLookMs);
  if (early > 0) await pause(early);
  for (let attempt = 0; ; attempt += 1) {
    const beganMs = performance.now() - resource.lastWriteAt;
    const value = await read();
    const afterWriteMs = performance.now() - resource.lastWriteAt;
    const differences = judge(value);
    sightings.push({ afterWriteMs, differences });
    let certainMs = settle.deadlineMs;
    if (differences.length === 0) {
      right += 1;
      if (right === 1) firstRightAt = afterWriteMs;
      if (attempt === 0) {
        settle.notePrompt(beganMs);
        return { value, differences, sightings, suspicious };
      }
      if (right === RIGHT_IN_A_ROW) {
        settle.noteAppearance(firstRightAt);
        return { value, differences, sightings, suspicious };
      }
    } else {
      right = 0;
      certainMs = settle.certainMs(differences, haste);
      if (beganMs > certainMs) {
        // What was found in haste is certain only once it has been repeated with patience.
        if (haste === "patient") settle.noteCertain(differences);
        return { value, differences, sightings, suspicious: false };
      }
      suspicious ||= beganMs > settle.windowMs;
    }
    const grown = Math.min(Math.max(pollMs * 2 ** attempt, NEXT_PART * settle.usualMs), LONGEST_POLL_MS);
    const usual = attempt === 0 ? FIRST_PART * settle.usualMs - afterWriteMs : 0;
    // A read right after the time is up decides; one before it would only have to be repeated.
    const left = leftMs(certainMs);
    await pause(Math.max(pollMs, Math.min(Math.max(grown, usual), left > 0 ? left + 1 : pollMs)));
    if (right === 0 && !settle.isLookedFor(resource, attempt + 1)) await leave(attempt + 1, () => settle.certainMs(differences, haste));
  }
}
