/** Defines a clause: one statement of the two documents. A clause has an id, so that a verdict can name it. */

/**
 * `stated`: the document says it. `implied`: a reader must conclude it. `unspecified`: the documents are silent ("not shown"), so it is
 * only observed. `unobservable`: no request to the APIs can show it.
 */
export type ClauseLevel = "stated" | "implied" | "unspecified" | "unobservable";

/** The service that a document describes: the metrics admin API or the log API. */
export type Service = (typeof SERVICES)[number];
export const SERVICES = ["admin", "logs"] as const;

export interface ClauseData {
  readonly level: ClauseLevel;
  /** The statement in our own words, in one or two sentences. */
  readonly statement: string;
  /** The reason why the clause is not judged. Only clauses of the levels `unspecified` and `unobservable` have a reason. */
  readonly reason?: string;
  /** If the statement repeats other clauses or follows from them: the clauses under which it is judged. */
  readonly sameAs?: readonly string[];
}

export interface Clause extends ClauseData {
  readonly id: string;
  readonly document: Service;
  /** The number of the section in the document, for example "4". The id of the clause begins with it. */
  readonly section: string;
}

const NOT_SHOWN = 'the document says "not shown": observed, never judged';

export function stated(statement: string): ClauseData {
  return { level: "stated", statement };
}

export function implied(statement: string): ClauseData {
  return { level: "implied", statement };
}

/** Makes a clause whose statement another clause makes too. Checks judge it under the other clause. */
export function repeats(statement: string, ...sameAs: readonly string[]): ClauseData {
  return { level: "stated", statement, sameAs };
}

/** Makes a clause whose statement follows from other clauses. Checks judge it under these clauses. */
export function impliedBy(statement: string, ...sameAs: readonly string[]): ClauseData {
  return { level: "implied", statement, sameAs };
}

export function unspecified(statement: string): ClauseData {
  return { level: "unspecified", statement, reason: NOT_SHOWN };
}

export function unobservable(statement: string, reason: string): ClauseData {
  return { level: "unobservable", statement, reason };
}
