/** Splits a push into smaller parts for a service that accepts only smaller bodies. The document does not say how large a push may be. */
import { countEntries, type Stream } from "../model/logs.ts";

/** Every service should accept a push of this size. If a push of at most this size is refused, the reason is not its size. */
const SMALL = { entries: 50, bytes: 16_384 };

/** Returns the number of bytes of the log lines in a push. MAX_PUSH_BYTES limits these bytes. */
export function lineBytes(streams: readonly Stream[]): number {
  return streams.reduce((sum, { entries }) => entries.reduce((bytes, { line }) => bytes + Buffer.byteLength(line), sum), 0);
}

/** Divides a push into two parts. The second part has the newer entries of each stream. Returns null if the push is small. */
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

/** The size of a refused push. The size is the cause of a 413, but a 429 may have another cause: the rate of pushes. */
interface Refused extends Size {
  readonly isTooLarge: boolean;
}

/** A 429 to a push of fewer bytes shows nothing about size limits, because a rate limit also refuses small pushes. */
const LARGE_BYTES = 65_536;

/** Learns the size of pushes that the target accepts, from 413 responses, and from 429 responses to large pushes. */
export class PushSizes {
  #refused: readonly Refused[] = [];
  /** The largest number of entries and of bytes of any accepted push. */
  #taken: Size = { entries: 0, bytes: 0 };
  #lastTurn: Promise<void> = Promise.resolve();

  /**
   * If a push is larger than each accepted push, it waits for the response to the previous such push, so that a service refuses only one.
   * Resolves to a function that must be called after the response to the push. After the wait, `parts` may divide the push differently.
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

  answered(streams: readonly Stream[], status: number): void {
    const size = sizeOf(streams);
    if (status === 413 || (status === 429 && size.bytes > LARGE_BYTES))
      this.#refused = [...this.#refused, { ...size, isTooLarge: status === 413 }];
    else if (status >= 200 && status < 300) {
      this.#taken = { entries: Math.max(this.#taken.entries, size.entries), bytes: Math.max(this.#taken.bytes, size.bytes) };
      // The service has accepted a push of this size. So size was not the reason for the refusals of pushes that were not larger.
      this.#refused = this.#refused.filter((refused) => size.entries < refused.entries || size.bytes < refused.bytes);
    }
  }

  /** Divides a push into parts, in the order of sending. If possible, each part is smaller than each refused push. */
  parts(streams: readonly Stream[]): [readonly Stream[], ...(readonly Stream[])[]] {
    const size = sizeOf(streams);
    const two = this.#refused.some((refused) => this.#reaches(size, refused)) ? halves(streams) : null;
    return two === null ? [streams] : [...this.parts(two[0]), ...this.parts(two[1])];
  }

  /** Whether a push is as large as a refused push. Bytes (or entries) are not compared if another push with that number was accepted. */
  #reaches(size: Size, refused: Refused): boolean {
    const [manyEntries, manyBytes] = [size.entries >= refused.entries, size.bytes >= refused.bytes];
    const [forEntries, forBytes] = [refused.bytes <= this.#taken.bytes, refused.entries <= this.#taken.entries];
    if (!refused.isTooLarge) return manyBytes && (manyEntries || this.#isBeyondBytes(refused));
    if (forEntries === forBytes) return manyEntries && manyBytes;
    return forEntries ? manyEntries : manyBytes;
  }

  /** Whether several refused pushes had more bytes than each accepted push. A single refusal may be caused by the rate of pushes. */
  #isBeyondBytes({ bytes }: Refused): boolean {
    return bytes > this.#taken.bytes && this.#refused.filter((other) => other.bytes > this.#taken.bytes).length > 1;
  }
}

function ended(): void {
  // Nothing to do: the service has accepted a push of this size before, so no other push waits for this push.
}
