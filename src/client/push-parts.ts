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

/** Whether neither the entries nor the bytes of `one` are fewer. */
function reaches(one: Size, other: Size): boolean {
  return one.entries >= other.entries && one.bytes >= other.bytes;
}

/** A service that limits its rate refuses small pushes, too: those say nothing of size. */
const LARGE_BYTES = 65_536;

/** What a target takes in one push, as learned from its answers: 413, and 429 to a large push, which alone may be more than is taken at once. */
export class PushSizes {
  #refused: readonly Size[] = [];

  /** Notes how a push was answered. */
  answered(streams: readonly Stream[], status: number): void {
    const size = sizeOf(streams);
    if (status === 413 || (status === 429 && size.bytes > LARGE_BYTES)) this.#refused = [...this.#refused, size];
    // What was refused of no larger size was not refused for its size.
    else if (status >= 200 && status < 300) this.#refused = this.#refused.filter((refused) => !reaches(size, refused));
  }

  /** The push in parts, in order, none of which is as large as one that was refused, where it can be parted so. */
  parts(streams: readonly Stream[]): [readonly Stream[], ...(readonly Stream[])[]] {
    const size = sizeOf(streams);
    const two = this.#refused.some((refused) => reaches(size, refused)) ? halves(streams) : null;
    return two === null ? [streams] : [...this.parts(two[0]), ...this.parts(two[1])];
  }
}
