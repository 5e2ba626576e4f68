/**
 * Chooses the times of datasets. Servers usually accept entries of the last 20 min. Many servers divide windows at full hours, and some at
 * half hours. So datasets do not contain these times. Separate checks have datasets around a full hour.
 */
import { HOUR, MINUTE, SECOND } from "../model/times.ts";

export const HALF_HOUR = HOUR / 2n;

/** The maximum time from the anchor of a dataset to its last entry, in ns. */
export const SPAN = 9n * MINUTE;
const USUAL_BEFORE = 15n * MINUTE;
/** The minimum age of an entry in ns, so that small differences between clocks do not put it into the future. */
const YOUNGEST = MINUTE;
const MARGIN = 3n * SECOND;

/** `young` datasets are less than 1 min old, for endpoints that may look back only a few minutes. */
export type Age = "settled" | "young";

export const YOUNG_BEFORE = 50n * SECOND;
export const YOUNG_SPAN = 20n * SECOND;

/** The times of a dataset: from `anchor` for at most `span` ns. */
export interface Placing {
  readonly anchor: bigint;
  readonly span: bigint;
}

/** In ns: the usual start of a dataset, its length, and its latest start. */
interface Usual {
  readonly begin: bigint;
  readonly span: bigint;
  readonly latest: bigint;
}

/** Returns the start of a dataset in ns. If the dataset would contain a multiple of `step`, its start is moved. */
export function clearOf(step: bigint, { begin, span, latest }: Usual): bigint {
  const border = ((begin + span + MARGIN) / step) * step;
  if (border <= begin - MARGIN) return begin;
  return border + MARGIN <= latest ? border + MARGIN : border - span - 2n * MARGIN;
}

/** Returns the anchor in ns of a dataset that is pushed at `now`: about 15 min ago, with no full or half hour inside. */
export function clearOfHalfHours(now: bigint): bigint {
  const begin = ((now - USUAL_BEFORE) / SECOND) * SECOND;
  return clearOf(HALF_HOUR, { begin, span: SPAN, latest: now - YOUNGEST - SPAN });
}

/** Returns the last full hour that is at least 2 min before `now`, in ns. */
export function lastFullHour(now: bigint): bigint {
  return ((now - 2n * MINUTE) / HOUR) * HOUR;
}
