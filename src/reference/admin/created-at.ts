/** Makes timestamps with nanoseconds, because JavaScript dates have only milliseconds. */

const SECOND = 1_000_000_000n;

/** Returns the present time in nanoseconds. The milliseconds come from the clock, and the digits after them from a counter. */
export function nowInNanoseconds(nowMs: number): bigint {
  return BigInt(Math.floor(nowMs)) * 1_000_000n + (process.hrtime.bigint() % 1_000_000n);
}

/** Returns the time in RFC 3339, in UTC, with nine fraction digits (docs/1 section 2, created_at). */
export function rfc3339(ns: bigint): string {
  const whole = new Date(Number(ns / 1_000_000n)).toISOString().slice(0, 19);
  return `${whole}.${(ns % SECOND).toString().padStart(9, "0")}Z`;
}
