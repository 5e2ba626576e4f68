/**
 * A query asks for several things at once: entries of a set, matchers, line filters, a window, a limit, a direction. What asks for less,
 * so that a wrong answer can be traced to the least that is answered wrongly already, and the clause that each wrong choice breaks.
 */
import type { ClauseId } from "../contract/catalogue.ts";
import { type ClauseByKind, READ_BACK } from "../model/log-answer.ts";
import type { Direction, LineFilter, Matcher } from "../model/logs.ts";

/** A stretch of time whose edges lie on no entry (ns). */
export interface Window {
  readonly start: bigint;
  readonly end: bigint;
}

/** What limits an answer; `unsent` parameters are left to their documented defaults, which must be the values given here. */
export interface Cut {
  readonly limit: number;
  readonly direction: Direction;
  readonly unsent?: readonly ("limit" | "direction")[];
}

/** What a range query asks of a set; everything of it when empty. */
export interface Asked {
  /** Matchers beyond those that select the set. */
  readonly matchers?: readonly Matcher[];
  /** Those stand before the ones that select the set. */
  readonly ownLast?: true;
  readonly filters?: readonly LineFilter[];
  readonly window?: Window;
  readonly cut?: Cut;
}

/** Selects nothing, and is about no label that selects the set. */
export const NOBODY: Matcher = { name: "plumbline_unused", operator: "=", value: "nobody" };

/** The clause that a refused or malformed answer breaks when everything less is answered rightly. */
export function answerClauseOf(asked: Asked): ClauseId {
  return asked.cut?.unsent?.includes("limit") === true ? "logs-8.default-limit" : clauseOf(asked);
}

/** The clause that a wrong choice of entries breaks when everything less is answered rightly. */
export function clauseOf({ matchers = [], filters = [] }: Asked): ClauseId {
  if (filters.length > 0) return "logs-4.3";
  return matchers.length > 0 && !matchers.includes(NOBODY) ? "logs-4.matchers" : "logs-4.query_range";
}

/**
 * What is asked for was seen to be stored, so what is missing was not read: `own` is blamed for it. Which end comes first is a matter
 * of the direction.
 */
export function clauseByKindOf(asked: Asked, own: ClauseId = clauseOf(asked)): ClauseByKind {
  const number = asked.cut?.unsent?.includes("limit") === true ? "logs-8.default-limit" : own;
  return { ...READ_BACK, lost: own, extra: own, repeated: own, "too-few": number, "too-many": number };
}

/**
 * What asks for less than `asked`: nothing beyond the set first, then each of its parts by itself, then all but the filters.
 * `selectsNothing` says whether the matchers and filters select none of the set's entries.
 */
export function lesser(asked: Asked, selectsNothing: boolean): Asked[] {
  const { matchers = [], filters = [], window, cut } = asked;
  const sent = cut === undefined ? undefined : { limit: cut.limit, direction: cut.direction };
  const parts: Asked[] = [
    ...(sent === undefined ? [] : [{ cut: sent }]),
    ...(window === undefined ? [] : [{ window }]),
    ...(matchers.length === 0 ? [] : [{ matchers }]),
    ...(filters.length === 0 ? [] : [{ filters }]),
  ];
  const nothing: Asked[] = selectsNothing ? [{ matchers: [NOBODY] }] : [];
  const explicit: Asked[] = cut?.unsent === undefined || sent === undefined ? [] : [{ ...asked, cut: sent }];
  // A single part is all that was asked for.
  if (parts.length < 2) return [{}, ...nothing, ...explicit];
  const place: Asked = { ...(window === undefined ? {} : { window }), ...(cut === undefined ? {} : { cut }) };
  return [{}, ...nothing, ...parts, ...(filters.length > 0 ? [{ ...place, matchers }] : []), ...explicit];
}
