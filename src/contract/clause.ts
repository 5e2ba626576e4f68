/** What a clause is: one statement of the two documents, named once, so that a verdict can cite it. */

/**
 * `stated`: the text says it. `implied`: a reader must conclude it. `unspecified`: the text says "not shown", so it is
 * observed and never judged. `unobservable`: true, but not visible through these APIs.
 */
export type ClauseLevel = "stated" | "implied" | "unspecified" | "unobservable";

export interface ClauseData {
  /** Section of the document as printed, e.g. "4". */
  readonly section: string;
  readonly level: ClauseLevel;
  /** The statement in our own words, one sentence or two. */
  readonly statement: string;
  /** Why it is not judged; given exactly for `unspecified` and `unobservable`. */
  readonly reason?: string;
  /** The primary clauses that judge this statement, when it is a repeat. */
  readonly sameAs?: readonly string[];
}

export interface Clause extends ClauseData {
  readonly id: string;
  /** Of the metrics admin API, or of the log API. */
  readonly document: "admin" | "logs";
}

const NOT_SHOWN = 'the document says "not shown": observed, never judged';

export function stated(section: string, statement: string): ClauseData {
  return { section, level: "stated", statement };
}

export function implied(section: string, statement: string): ClauseData {
  return { section, level: "implied", statement };
}

/** A statement made before or later under another clause; judged there. */
export function repeats(section: string, statement: string, ...sameAs: readonly string[]): ClauseData {
  return { section, level: "stated", statement, sameAs };
}

/** A statement that a reader must conclude and that is judged under the clauses it follows from. */
export function impliedBy(section: string, statement: string, ...sameAs: readonly string[]): ClauseData {
  return { section, level: "implied", statement, sameAs };
}

export function unspecified(section: string, statement: string, reason: string = NOT_SHOWN): ClauseData {
  return { section, level: "unspecified", statement, reason };
}

export function unobservable(section: string, statement: string, reason: string): ClauseData {
  return { section, level: "unobservable", statement, reason };
}
