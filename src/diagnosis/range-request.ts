/**
 * A range query has several parts: matchers, line filters, a window, a limit and a direction. This file gives the smaller queries that have
 * only some parts of a query. The responses to these smaller queries trace a wrong response to the smallest query that is answered wrongly,
 * and to the clause of that query.
 */
import type { ClauseId } from "../contract/catalogue.ts";
import { type ClauseByKind, READ_BACK } from "../model/log-answer.ts";
import type { Direction, LineFilter, Matcher } from "../model/logs.ts";

/** The window of a query. No entry has the timestamp of `start` or `end`. The unit of `start` and `end` is nanoseconds since 1970. */
export interface Window {
  readonly start: bigint;
  readonly end: bigint;
}

/**
 * The limit and the direction of a query. A parameter in `unsent` is not sent, so the value of this parameter here must be the documented
 * default.
 */
export interface Cut {
  readonly limit: number;
  readonly direction: Direction;
  readonly unsent?: readonly ("limit" | "direction")[];
}

/** The parts of a range query on a dataset. A query without parts returns all entries of the dataset. */
export interface Asked {
  /** Matchers in addition to the matchers that select the dataset. */
  readonly matchers?: readonly Matcher[];
  /** The additional matchers are written before the matchers that select the dataset. */
  readonly ownLast?: true;
  readonly filters?: readonly LineFilter[];
  readonly window?: Window;
  readonly cut?: Cut;
}

/** A matcher that selects no stream. The name of the label differs from the names of all labels that select the dataset. */
export const NOBODY: Matcher = { name: "plumbline_unused", operator: "=", value: "nobody" };

/** Returns the clause that a refused query or a malformed response violates, if all smaller queries are answered rightly. */
export function answerClauseOf(asked: Asked): ClauseId {
  return asked.cut?.unsent?.includes("limit") === true ? "logs-8.default-limit" : clauseOf(asked);
}

/** Returns the clause that a wrong selection of entries violates when all smaller queries are answered rightly. */
export function clauseOf({ matchers = [], filters = [] }: Asked): ClauseId {
  if (filters.length > 0) return "logs-4.3";
  return matchers.length > 0 && !matchers.includes(NOBODY) ? "logs-4.matchers" : "logs-4.query_range";
}

/**
 * The clause for each kind of difference. A smaller query returned all stored entries, so a missing entry was stored, and the query did not
 * read it. A missing entry violates `own`, or the default limit if the same query with a limit returns the entry. An error in the choice of
 * the earliest or latest entries belongs to the direction.
 */
export function clauseByKindOf(asked: Asked, own: ClauseId = clauseOf(asked)): ClauseByKind {
  const number = asked.cut?.unsent?.includes("limit") === true ? "logs-8.default-limit" : own;
  // If a query for all entries of a large dataset with the same limit is right, only the matchers or filters can cause a wrong choice of
  // entries.
  const isSelecting = asked.cut === undefined && ((asked.matchers ?? []).length > 0 || (asked.filters ?? []).length > 0);
  const chosen = isSelecting ? own : READ_BACK["wrong-choice"];
  return { ...READ_BACK, lost: number, extra: own, repeated: own, "too-few": number, "too-many": number, "wrong-choice": chosen };
}

/**
 * Returns a sentence about the largest of the smaller queries for `asked`, for the case that all smaller queries are answered rightly.
 * Returns undefined if `asked` has no parts.
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
 * Returns the smaller queries for `asked`, in the order of sending. The first smaller query has no parts, the following ones have one part
 * each, and the last one has all parts except the filters. `selectsNothing` says that the matchers and filters select no entry of the
 * dataset.
 */
export function lesser(asked: Asked, selectsNothing: boolean): Asked[] {
  const { matchers = [], filters = [], window, cut, ownLast } = asked;
  // The order of the matchers is kept in smaller queries, because a service may read only some of the matchers.
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
