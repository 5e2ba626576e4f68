/** Makes smaller queries with only some parts of a range query. The smaller queries show which clause a wrong part violates. */
import { show } from "../model/difference.ts";
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
 * Returns the violated clause by kind of difference. Smaller queries have returned all entries, so missing entries were stored. Missing
 * entries violate `own`, or if an explicit limit finds them, the default limit. A wrong choice violates the clause about direction.
 */
export function clauseByKindOf(asked: Asked, own: ClauseId = clauseOf(asked)): ClauseByKind {
  const number = asked.cut?.unsent?.includes("limit") === true ? "logs-8.default-limit" : own;
  // A query for all entries with the same limit has the right result, so only the matchers or filters can cause a wrong choice of entries.
  const isSelecting = asked.cut === undefined && ((asked.matchers ?? []).length > 0 || (asked.filters ?? []).length > 0);
  const chosen = isSelecting ? own : READ_BACK["wrong-choice"];
  return { ...READ_BACK, lost: number, extra: own, repeated: own, "too-few": number, "too-many": number, "wrong-choice": chosen };
}

export function filterText({ operator, text }: LineFilter): string {
  return `${operator} ${show(text, SHOWN)}`;
}

export function matcherText({ name, operator, value }: Matcher): string {
  return `${name}${operator}${show(value, SHOWN)}`;
}

/** The length of the texts of line filters and matchers in a message. */
const SHOWN = 60;

function partsText(noun: string, texts: readonly string[]): string {
  return `the ${noun}${texts.length > 1 ? "s" : ""} ${texts.join(" and ")}`;
}

/** Returns words about the largest smaller query that was right, or undefined if `asked` has no parts. */
export function contrastOf({ matchers = [], filters = [], window, cut }: Asked): string | undefined {
  const unsent = cut?.unsent ?? [];
  if (unsent.length > 0) return `the same query with ${unsent.join(" and ")} is answered correctly`;
  const parts = [
    ...(filters.length > 0 ? [partsText("line filter", filters.map(filterText))] : []),
    ...(matchers.length > 0 ? [partsText("matcher", matchers.map(matcherText))] : []),
    ...(window === undefined ? [] : ["the window"]),
    ...(cut === undefined ? [] : [`limit=${cut.limit} and direction=${cut.direction}`]),
  ];
  const others = parts.slice(1).join(" and ");
  const alone = filters.length > 0 && others !== "" ? `, and so is the query with ${parts[0]} but without ${others}` : "";
  if (filters.length > 0 || parts.length === 1) return `the same query without ${parts[0]} is answered correctly${alone}`;
  return parts.length === 0 ? undefined : `the query is answered correctly if it has only one of these parts: ${parts.join(", ")}`;
}

/**
 * Returns the smaller queries in the order of sending: without parts, with one part each, and with all parts but the filters.
 * `selectsNothing` says that the matchers and filters select no entry of the dataset.
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
