/** Duration strings as lengths, so that `365d`, `1y` and `8760h0m0s` compare equal. */

const SECOND = 1_000_000_000n;
const DAY = 86_400n * SECOND;

/** Nanoseconds per unit; the document names `y` and `d`, real servers print the others on read. */
const UNITS: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  μs: 1_000n,
  ms: 1_000_000n,
  s: SECOND,
  m: 60n * SECOND,
  h: 3_600n * SECOND,
  d: DAY,
  w: 7n * DAY,
  y: 365n * DAY,
};

const TERM = /(\d+)(?:\.(\d+))?(ns|us|µs|μs|ms|s|m|h|d|w|y)/y;

/** The length in nanoseconds of a duration string (one or more `<number><unit>`, or a bare `0`), or null when it is none. */
export function durationLength(text: string): bigint | null {
  if (text === "0") return 0n;
  let total = 0n;
  let position = 0;
  while (position < text.length) {
    TERM.lastIndex = position;
    const term = TERM.exec(text);
    if (term === null) return null;
    const [matched, whole = "0", fraction = "", unit = "s"] = term;
    const scale = UNITS[unit] ?? 0n;
    total += BigInt(whole) * scale;
    if (fraction !== "") total += (BigInt(fraction) * scale) / 10n ** BigInt(fraction.length);
    position += matched.length;
  }
  return position === 0 ? null : total;
}
