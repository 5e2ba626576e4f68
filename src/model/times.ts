/**
 * Units of time in nanoseconds. Parses RFC 3339 timestamps strictly: date, `T`, time, 0 to 9 fraction digits, zone.
 * Parses the text of a duration into its length, so that `30d`, `720h0m0s` and `P30D` are equal.
 */

export const MILLISECOND = 1_000_000n;
export const SECOND = 1_000_000_000n;
export const MINUTE = 60n * SECOND;
export const HOUR = 60n * MINUTE;
export const DAY = 24n * HOUR;

const RFC_3339 = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)$/i;

export interface Timestamp {
  /** The whole seconds of the timestamp since 1970, in milliseconds. */
  readonly epochMs: number;
  /** The timestamp in nanoseconds since 1970. */
  readonly epochNs: bigint;
  /** The number of digits after the decimal point of the seconds, from 0 to 9. */
  readonly digits: number;
}

/** Returns the instant of an RFC 3339 timestamp, or null. A leap second counts as the next second. */
export function parseRfc3339(text: string): Timestamp | null {
  const match = RFC_3339.exec(text);
  if (match === null) return null;
  const [, year, month, day, hour, minute, second] = match.map(Number) as [number, number, number, number, number, number, number];
  const lastDay = new Date(Date.UTC(year, month, 0)).getUTCDate();
  if (month < 1 || month > 12 || day < 1 || day > lastDay || hour > 23 || minute > 59 || second > 60) return null;
  const offset = offsetMinutes(match[8] ?? "Z");
  if (offset === null) return null;
  const epochMs = Date.UTC(year, month - 1, day, hour, minute, second) - offset * 60_000;
  const fraction = match[7] ?? "";
  return { epochMs, epochNs: BigInt(epochMs) * 1_000_000n + BigInt(fraction.padEnd(9, "0")), digits: fraction.length };
}

function offsetMinutes(zone: string): number | null {
  if (zone.toUpperCase() === "Z") return 0;
  const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(4, 6))];
  if (hours > 23 || minutes > 59) return null;
  return (zone.startsWith("-") ? -1 : 1) * (hours * 60 + minutes);
}

/** The possible lengths of a year in days. A read may show years in another unit, and the documents do not define a year. */
export const YEARS = [365, 365.25, 366] as const;
export type DaysOfYear = (typeof YEARS)[number];

/** Nanoseconds per unit, except years. The document names only `y` and `d`, but real servers also show the others. */
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

/** Returns the length in ns, or null if `text` is none of: one or more `<number><unit>`, `0`, or an ISO 8601 duration such as `P30D`. */
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
