/** Parses the text of a duration into its length, so that `30d`, `720h0m0s` and `P30D` are equal. */
import { DAY, SECOND } from "./times.ts";

/** The possible numbers of days of a year when a length in years is shown with another unit. The documents do not define a year. */
export const YEARS = [365, 365.25, 366] as const;
export type DaysOfYear = (typeof YEARS)[number];

/** Nanoseconds per unit, except years. The document names only `y` and `d`, but reads of real servers show the others too. */
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
};

function unitNs(unit: string, daysOfYear: DaysOfYear): bigint {
  return unit === "y" ? (BigInt(daysOfYear * 100) * DAY) / 100n : (UNITS[unit] ?? 0n);
}

const TERM = /(\d+)(?:\.(\d+))?(ns|us|µs|μs|ms|s|m|h|d|w|y)/y;

/** Matches an ISO 8601 duration. Months are not matched, because a duration in months has no fixed length. */
const ISO_8601 = /^P(?:(\d+)Y)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/;
const ISO_UNITS = ["y", "w", "d", "h", "m", "s"] as const;

/** Returns nanoseconds, or null for no duration: at least one `<number><unit>`, a bare `0`, or ISO 8601 such as `P30D`. */
export function durationLength(text: string, daysOfYear: DaysOfYear = 365): bigint | null {
  if (text === "0") return 0n;
  const iso = ISO_8601.exec(text);
  if (iso !== null) {
    const parts = ISO_UNITS.flatMap((unit, index) =>
      iso[index + 1] === undefined ? [] : [BigInt(iso[index + 1] ?? 0) * unitNs(unit, daysOfYear)],
    );
    return parts.length === 0 ? null : parts.reduce((sum, part) => sum + part, 0n);
  }
  let total = 0n;
  let position = 0;
  while (position < text.length) {
    TERM.lastIndex = position;
    const term = TERM.exec(text);
    if (term === null) return null;
    const [matched, whole = "0", fraction = "", unit = "s"] = term;
    const scale = unitNs(unit, daysOfYear);
    total += BigInt(whole) * scale;
    if (fraction !== "") total += (BigInt(fraction) * scale) / 10n ** BigInt(fraction.length);
    position += matched.length;
  }
  return position === 0 ? null : total;
}
