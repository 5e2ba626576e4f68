/** Parses RFC 3339 timestamps strictly: date, `T`, time, 0 to 9 fraction digits, zone. */

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
