/**
 * Where sets lie in time. Servers take at least the last twenty minutes; many cut windows at full hours, some at half hours, which is for
 * checks of their own. So a set keeps clear of both, at whatever minute a run begins.
 */

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

/** Where a set would begin, how long it is, and where it may begin at the latest; ns. */
interface Usual {
  readonly begin: bigint;
  readonly span: bigint;
  readonly latest: bigint;
}

/** Where a set begins so that all of it lies between two multiples of `step`, ns: as usual, or behind or before the one that is there. */
export function clearOf(step: bigint, { begin, span, latest }: Usual): bigint {
  const border = ((begin + span + MARGIN) / step) * step;
  if (border <= begin - MARGIN) return begin;
  return border + MARGIN <= latest ? border + MARGIN : border - span - 2n * MARGIN;
}

/** The anchor of a set that is pushed at `now` (ns): about a quarter of an hour ago, all of its span within one half hour of the clock. */
export function clearOfHalfHours(now: bigint): bigint {
  const begin = ((now - USUAL_BEFORE) / SECOND) * SECOND;
  return clearOf(HALF_HOUR, { begin, span: SPAN, latest: now - YOUNGEST - SPAN });
}

/** The last full hour (ns) that lies at least two minutes before `now`. */
export function lastFullHour(now: bigint): bigint {
  return ((now - 2n * MINUTE) / HOUR) * HOUR;
}
