/**
 * A range query has several parts: matchers, line filters, a window, a limit and a direction. This file makes smaller queries that have
 * only some parts of a query. The responses to the smaller queries show which smallest query is answered wrongly, and so which clause is
 * violated.
 */
import type { ClauseId } from "../contract/catalogue.ts";
import { type ClauseByKind, READ_BACK } from "../model/log-answer.ts";
import type { Direction, LineFilter, Matcher } from "../model/logs.ts";

/** The window of a query. No entry has the timestamp of `start` or `end`. The unit of `start` and `end` is nanoseconds since 1970. */
export interface Window {
  readonly start: bigint;
  readonly end: bigint;
}

/** The limit and the direction of a query. A parameter in `unsent` is not sent, so its value must be the documented default. */
export interface Cut {
  readonly limit: number;
  readonly direction: Direction;
  readonly unsent?: readonly ("limit" | "direction")[];
}

/** The parts of a range query on a dataset. A query without parts returns all entries of the dataset. */
export interface Asked {
  /** The matchers of the query, in addition to the matchers that select the dataset. */
  readonly matchers?: readonly Matcher[];
  /** True if the additional matchers are written before the matchers that select the dataset. */
  readonly ownLast?: true;
  readonly filters?: readonly LineFilter[];
  readonly window?: Window;
  readonly cut?: Cut;
}

/** A matcher that selects no stream. The name of the label differs from the names of all labels that select the dataset. */
export const NOBODY: Matcher = { name: "plumbline_unused", operator: "=", value: "nobody" };

/** Returns the clause that a refused query or a malformed response violates, if all smaller queries get right responses. */
export function answerClauseOf(asked: Asked): ClauseId {
  return asked.cut?.unsent?.includes("limit") === true ? "logs-8.default-limit" : clauseOf(asked);
}

/** Returns the clause that a wrong selection of entries violates, if all smaller queries get right responses. */
export function clauseOf({ matchers = [], filters = [] }: Asked): ClauseId {
  if (filters.length > 0) return "logs-4.3";
  return matchers.length > 0 && !matchers.includes(NOBODY) ? "logs-4.matchers" : "logs-4.query_range";
}

/**
 * Returns, for each kind of difference, the clause that the difference violates. A smaller query has returned all stored entries, so a
 * missing entry was stored and only not read. A missing entry violates `own`, or the default limit if the same query with an explicit limit
 * returns the entry. A wrong choice of the earliest or latest entries violates the clause on the direction.
 */
export function clauseByKindOf(asked: Asked, own: ClauseId = clauseOf(asked)): ClauseByKind {
  const number = asked.cut?.unsent?.includes("limit") === true ? "logs-8.default-limit" : own;
  // If a query for all entries with the same limit is answered rightly, only the matchers or filters can cause a wrong choice of entries.
  const isSelecting = asked.cut === undefined && ((asked.matchers ?? []).length > 0 || (asked.filters ?? []).length > 0);
  const chosen = isSelecting ? own : READ_BACK["wrong-choice"];
  return { ...READ_BACK, lost: number, extra: own, repeated: own, "too-few": number, "too-many": number, "wrong-choice": chosen };
}

/**
 * Returns words that say that the largest of the smaller queries for `asked` got a right response. Returns undefined if `asked` has no
 * parts.
 */
export function contrastOf({ matchers = [], filters = [], window, cut }: Asked): string | undefined {
  const unsent = cut?.unsent ?? [];
  if (unsent.length > 0) return `the same query with ${unsent.join(" and ")} is answered rightly`;
  const names = [...new Set(matchers.map(({ name }) => name))].join(" and ");
  const parts = [
    ...(filters.length > 0 ? [filters.length > 1 ? "its line filters" : "its line filter"] : []),
    ...(matchers.length > 0 ? [`the matcher${matchers.length > 1 ? "s" : ""} of ${names}`] : []),
    ...(window === undefined ? [] : ["this window"]),
    ...(cut === undefined ? [] : ["this limit and direction"]),
  ];
  if (filters.length > 0 || parts.length === 1) return `the same query without ${parts[0]} is answered rightly`;
  return parts.length === 0 ? undefined : `the query is answered rightly if it has only one of these parts: ${parts.join(", ")}`;
}

/**
 * Returns the smaller queries for `asked`, in the order of sending. The first smaller query has no parts, the following queries have one
 * part each, and the last query has all parts except the filters. `selectsNothing` says that the matchers and filters select no entry of
 * the dataset.
 */
export function lesser(asked: Asked, selectsNothing: boolean): Asked[] {
  const { matchers = [], filters = [], window, cut, ownLast } = asked;
  // Smaller queries keep the order of the matchers, because a faulty service may read only the first or the last matcher.
  const selecting: Asked = { matchers, ...(ownLast === undefined ? {} : { ownLast }) };
  const sent = cut === undefined ? undefined : { limit: cut.limit, direction: cut.direction };
  const parts: Asked[] = [
    ...(sent === undefined ? [] : [{ cut: sent }]),
    ...(window === undefined ? [] : [{ window }]),
    ...(matchers.length === 0 ? [] : [selecting]),
    ...(filters.length === 0 ? [] : [{ filters }]),
  ];
  const nothing: Asked[] = selectsNothing ? [{ matchers: [NOBODY] }] : [];
  const explicit: Asked[] = cut?.unsent === undefined || sent === undefined ? [] : [{ ...asked, cut: sent }];
  // If `asked` has fewer than two parts, a query with a single part would be `asked` itself.
  if (parts.length < 2) return [{}, ...nothing, ...explicit];
  const place: Asked = { ...(window === undefined ? {} : { window }), ...(cut === undefined ? {} : { cut }) };
  return [{}, ...nothing, ...parts, ...(filters.length > 0 ? [{ ...place, ...selecting }] : []), ...explicit];
}
