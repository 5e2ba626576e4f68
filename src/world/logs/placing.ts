/**
 * Where sets lie in time. Servers take at least the last twenty minutes; many cut windows at full hours, which are for checks of
 * their own. So a set keeps clear of them, at whatever minute a run begins.
 */

const SECOND = 1_000_000_000n;
const MINUTE = 60n * SECOND;
export const HOUR = 60n * MINUTE;

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

/** The anchor of a set that is pushed at `now` (ns): about a quarter of an hour ago, all of its span within one hour of the clock. */
export function clearOfHours(now: bigint): bigint {
  const usual = ((now - USUAL_BEFORE) / SECOND) * SECOND;
  const hour = (now / HOUR) * HOUR;
  if (hour <= usual - MARGIN || hour > usual + SPAN + MARGIN) return usual;
  return hour + MARGIN + SPAN + YOUNGEST <= now ? hour + MARGIN : hour - SPAN - 2n * MARGIN;
}

/** The last full hour (ns) that lies at least two minutes before `now`. */
export function lastFullHour(now: bigint): bigint {
  return ((now - 2n * MINUTE) / HOUR) * HOUR;
}
