/** A clause is one statement of the two documents. A clause has an id, so that a verdict can cite it. */

/**
 * The level of a clause. `stated`: the document makes the statement. `implied`: a reader must conclude the statement from the document.
 * `unspecified`: the text says "not shown", so the behaviour is observed and never judged. `unobservable`: the statement may be true, but
 * no request to the two APIs can show it.
 */
export type ClauseLevel = "stated" | "implied" | "unspecified" | "unobservable";

/** The service that a document describes: the metrics admin API or the log API. */
export type Service = (typeof SERVICES)[number];
export const SERVICES = ["admin", "logs"] as const;

export interface ClauseData {
  /** The section of the document as printed, for example "4". */
  readonly section: string;
  readonly level: ClauseLevel;
  /** The statement in our own words, in one or two sentences. */
  readonly statement: string;
  /** The reason why the clause is not judged. Given only for `unspecified` and `unobservable`. */
  readonly reason?: string;
  /** The clauses that judge this statement, if it repeats other statements. */
  readonly sameAs?: readonly string[];
}

export interface Clause extends ClauseData {
  readonly id: string;
  readonly document: Service;
}

const NOT_SHOWN = 'the document says "not shown": observed, never judged';

export function stated(section: string, statement: string): ClauseData {
  return { section, level: "stated", statement };
}

export function implied(section: string, statement: string): ClauseData {
  return { section, level: "implied", statement };
}

/** Returns a statement that the document makes under another clause too. The statement is judged under that clause. */
export function repeats(section: string, statement: string, ...sameAs: readonly string[]): ClauseData {
  return { section, level: "stated", statement, sameAs };
}

/** A statement that a reader must conclude. The statement is judged under the clauses from which it follows. */
export function impliedBy(section: string, statement: string, ...sameAs: readonly string[]): ClauseData {
  return { section, level: "implied", statement, sameAs };
}

export function unspecified(section: string, statement: string, reason: string = NOT_SHOWN): ClauseData {
  return { section, level: "unspecified", statement, reason };
}

export function unobservable(section: string, statement: string, reason: string): ClauseData {
  return { section, level: "unobservable", statement, reason };
}
