/**
 * Where sets lie in time. Servers take at least the last twenty minutes; many cut windows at full hours, some at half hours, which is for
 * checks of their own. So a set keeps clear of both, at whatever minute a run begins.
 */

const SECOND = 1_000_000_000n;
const MINUTE = 60n * SECOND;
export const HOUR = 60n * MINUTE;
export const HALF_HOUR = HOUR / 2n;

/** Sets span at most this long after their anchor, ns. */
export const SPAN = 9n * MINUTE;
const USUAL_BEFORE = 15n * MINUTE;
/** No entry is younger than this, so that clocks that differ a little do not put it into the future. */
const YOUNGEST = MINUTE;
const MARGIN = 3n * SECOND;

/** `young`: less than a minute old, for endpoints that may look back a few minutes only. */
export type Age = "settled" | "young";

export const YOUNG_BEFORE = 50n * SECOND;
export const YOUNG_SPAN = 20n * SECOND;

/** The anchor of a set that is pushed at `now` (ns): about a quarter of an hour ago, all of its span within one half hour of the clock. */
export function clearOfHalfHours(now: bigint): bigint {
  const usual = ((now - USUAL_BEFORE) / SECOND) * SECOND;
  const border = (now / HALF_HOUR) * HALF_HOUR;
  if (border <= usual - MARGIN || border > usual + SPAN + MARGIN) return usual;
  return border + MARGIN + SPAN + YOUNGEST <= now ? border + MARGIN : border - SPAN - 2n * MARGIN;
}

/** The last full hour (ns) that lies at least two minutes before `now`. */
export function lastFullHour(now: bigint): bigint {
  return ((now - 2n * MINUTE) / HOUR) * HOUR;
}
