/** One way in which an answer departs from what the documents predict, with the one clause it breaks. */
import type { ClauseId } from "../contract/catalogue.ts";

export interface Difference {
  readonly clause: ClauseId;
  /** Where in the answer, e.g. `limits.ingestion_rate` or `data.result[0].values[3]`. */
  readonly path: string;
  readonly expected: string;
  readonly actual: string;
  /** How a limit's value is wrong, where that decides which clause is to blame. */
  readonly nature?: "missing" | "type" | "value";
}

/** The clauses that `differences` name, each once, in order of first appearance. */
export function blamed(differences: readonly Difference[]): ClauseId[] {
  return [...new Set(differences.map((difference) => difference.clause))];
}

const SHOWN_LENGTH = 200;

/** A value as a person reads it in a message: JSON, cut when long; `absent` for undefined. */
export function show(value: unknown): string {
  if (value === undefined) return "absent";
  const text = JSON.stringify(value, (_key, item: unknown) => (typeof item === "bigint" ? item.toString() : item)) ?? "not JSON";
  return text.length <= SHOWN_LENGTH ? text : `${text.slice(0, SHOWN_LENGTH)}… (${text.length} characters)`;
}
