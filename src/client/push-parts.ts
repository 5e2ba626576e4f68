/** Splits a push into smaller parts for a service that accepts only smaller bodies. The document does not say how large a push may be. */
import { countEntries, type Stream } from "../model/logs.ts";

/** The size of a push that each service accepts. If a service refuses a push of at most this size, size is not the reason. */
const SMALL = { entries: 50, bytes: 16_384 };

/** Returns the number of bytes of the lines of a push, which MAX_PUSH_BYTES limits. */
export function lineBytes(streams: readonly Stream[]): number {
  return streams.reduce((sum, { entries }) => entries.reduce((bytes, { line }) => bytes + Buffer.byteLength(line), sum), 0);
}

/** Returns the push in two parts that follow each other in time within each stream. Returns null if the push is already small. */
function halves(streams: readonly Stream[]): [Stream[], Stream[]] | null {
  if (countEntries(streams) <= 1 || (countEntries(streams) <= SMALL.entries && lineBytes(streams) <= SMALL.bytes)) return null;
  if (streams.length > 1) {
    const middle = Math.ceil(streams.length / 2);
    return [streams.slice(0, middle), streams.slice(middle)];
  }
  const part = (from: number, to?: number): Stream[] =>
    streams.map(({ labels, entries }) => ({ labels, entries: entries.slice(from, to) }));
  const middle = Math.ceil(countEntries(streams) / 2);
  return [part(0, middle), part(middle)];
}

interface Size {
  readonly entries: number;
  readonly bytes: number;
}

function sizeOf(streams: readonly Stream[]): Size {
  return { entries: countEntries(streams), bytes: lineBytes(streams) };
}

/** A refused push. The reason for a 413 is the size, and the reason for a 429 may be the rate. */
interface Refused extends Size {
  readonly isTooLarge: boolean;
}

/** A service with a rate limit also refuses small pushes, so refusals of pushes with fewer bytes say nothing about size. */
const LARGE_BYTES = 65_536;

/** The size that a target accepts in one push, learned from 413, and from 429 to a push that alone may be too large. */
export class PushSizes {
  #refused: readonly Refused[] = [];
  /** The largest number of entries and of bytes of any accepted push. */
  #taken: Size = { entries: 0, bytes: 0 };
  #lastTurn: Promise<void> = Promise.resolve();

  /**
   * Waits while other pushes that are larger than any accepted push are in flight. Because of that, a service that accepts only small
   * pushes refuses a single large push, and not all large pushes. Resolves to a function that must be called when this push is answered.
   * The result of `parts` may have changed after the wait.
   */
  async turn(streams: readonly Stream[]): Promise<() => void> {
    const isUntried = (): boolean => sizeOf(streams).bytes > Math.max(LARGE_BYTES, this.#taken.bytes);
    if (!isUntried()) return ended;
    const before = this.#lastTurn;
    let end = ended;
    const own = new Promise<void>((resolve) => {
      end = resolve;
    });
    this.#lastTurn = before.then(async () => own);
    await before;
    if (!isUntried()) end();
    return end;
  }

  /** Records the response to a push. */
  answered(streams: readonly Stream[], status: number): void {
    const size = sizeOf(streams);
    if (status === 413 || (status === 429 && size.bytes > LARGE_BYTES))
      this.#refused = [...this.#refused, { ...size, isTooLarge: status === 413 }];
    else if (status >= 200 && status < 300) {
      this.#taken = { entries: Math.max(this.#taken.entries, size.entries), bytes: Math.max(this.#taken.bytes, size.bytes) };
      // A push of this size was accepted, so refusals of pushes that were not larger had another reason.
      this.#refused = this.#refused.filter((refused) => size.entries < refused.entries || size.bytes < refused.bytes);
    }
  }

  /** The push in parts, in order. If possible, no part is as large as a refused push. */
  parts(streams: readonly Stream[]): [readonly Stream[], ...(readonly Stream[])[]] {
    const size = sizeOf(streams);
    const two = this.#refused.some((refused) => this.#reaches(size, refused)) ? halves(streams) : null;
    return two === null ? [streams] : [...this.parts(two[0]), ...this.parts(two[1])];
  }

  /**
   * Whether a push is as large as a refused push. If other pushes with as many entries or as many bytes were accepted, only the other of
   * the two measures counts.
   */
  #reaches(size: Size, refused: Refused): boolean {
    const [manyEntries, manyBytes] = [size.entries >= refused.entries, size.bytes >= refused.bytes];
    const [forEntries, forBytes] = [refused.bytes <= this.#taken.bytes, refused.entries <= this.#taken.entries];
    if (!refused.isTooLarge) return manyBytes && (manyEntries || this.#isBeyondBytes(refused));
    if (forEntries === forBytes) return manyEntries && manyBytes;
    return forEntries ? manyEntries : manyBytes;
  }

  /**
   * Whether no push of this size was accepted and several were refused. A single refusal may be about the rate, but several refusals are
   * about the size.
   */
  #isBeyondBytes({ bytes }: Refused): boolean {
    return bytes > this.#taken.bytes && this.#refused.filter((other) => other.bytes > this.#taken.bytes).length > 1;
  }
}

function ended(): void {
  // If a push of this size was accepted before, the push did not wait, so no turn has to end.
}
