/** A push in smaller parts, for a service that takes less at once: how large a push may be is not stated. */
import { countEntries, type Stream } from "../model/logs.ts";

/** A push of no more entries and bytes than this is taken whole by every service, or it refuses more than size. */
const SMALL = { entries: 50, bytes: 16_384 };

/** Bytes of the lines of a push, which is what MAX_PUSH_BYTES counts. */
export function lineBytes(streams: readonly Stream[]): number {
  return streams.reduce((sum, { entries }) => entries.reduce((bytes, { line }) => bytes + Buffer.byteLength(line), sum), 0);
}

/** The push in two parts that follow each other in time within each stream, or null when it is small already. */
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

/** A push that was refused: one answered 413 for its size for certain, one answered 429 perhaps for its rate. */
interface Refused extends Size {
  readonly isTooLarge: boolean;
}

/** A service that limits its rate refuses small pushes, too: those say nothing of size. */
const LARGE_BYTES = 65_536;

/** What a target takes in one push, as learned from its answers: 413, and 429 to a large push, which alone may be more than is taken at once. */
export class PushSizes {
  #refused: readonly Refused[] = [];
  /** The most entries and the most bytes of any push that was taken. */
  #taken: Size = { entries: 0, bytes: 0 };
  #trial: Promise<void> = Promise.resolve();

  /**
   * Waits while other pushes larger than any that was taken are on their way: of a service that takes only small ones, one is refused
   * and not all. Resolves to what must be called when this one is answered; what `parts` says may have changed meanwhile.
   */
  async turn(streams: readonly Stream[]): Promise<() => void> {
    const isUntried = (): boolean => sizeOf(streams).bytes > Math.max(LARGE_BYTES, this.#taken.bytes);
    if (!isUntried()) return ended;
    const before = this.#trial;
    let end = ended;
    const own = new Promise<void>((resolve) => {
      end = resolve;
    });
    this.#trial = before.then(async () => own);
    await before;
    if (!isUntried()) end();
    return end;
  }

  /** Notes how a push was answered. */
  answered(streams: readonly Stream[], status: number): void {
    const size = sizeOf(streams);
    if (status === 413 || (status === 429 && size.bytes > LARGE_BYTES))
      this.#refused = [...this.#refused, { ...size, isTooLarge: status === 413 }];
    else if (status >= 200 && status < 300) {
      this.#taken = { entries: Math.max(this.#taken.entries, size.entries), bytes: Math.max(this.#taken.bytes, size.bytes) };
      // What was refused of no larger size was not refused for its size.
      this.#refused = this.#refused.filter((refused) => size.entries < refused.entries || size.bytes < refused.bytes);
    }
  }

  /** The push in parts, in order, none of which is as large as one that was refused, where it can be parted so. */
  parts(streams: readonly Stream[]): [readonly Stream[], ...(readonly Stream[])[]] {
    const size = sizeOf(streams);
    const two = this.#refused.some((refused) => this.#reaches(size, refused)) ? halves(streams) : null;
    return two === null ? [streams] : [...this.parts(two[0]), ...this.parts(two[1])];
  }

  /** Whether a push is as large as one that was refused, in what that was refused for: as many entries or bytes were taken of others. */
  #reaches(size: Size, refused: Refused): boolean {
    const [manyEntries, manyBytes] = [size.entries >= refused.entries, size.bytes >= refused.bytes];
    const [forEntries, forBytes] = [refused.bytes <= this.#taken.bytes, refused.entries <= this.#taken.entries];
    if (!refused.isTooLarge) return manyBytes && (manyEntries || this.#isBeyondBytes(refused));
    if (forEntries === forBytes) return manyEntries && manyBytes;
    return forEntries ? manyEntries : manyBytes;
  }

  /** Whether so many bytes were never taken and refused more than once: one refusal may be for the rate, of several it is their size. */
  #isBeyondBytes({ bytes }: Refused): boolean {
    return bytes > this.#taken.bytes && this.#refused.filter((other) => other.bytes > this.#taken.bytes).length > 1;
  }
}

function ended(): void {
  // Nobody waits for a push of a size that was taken before.
}
