/**
 * One defect can break several clauses at once: a server that keeps no pushed entry answers no query rightly either. This
 * puts the clause nearest the cause first and says which others may follow from it.
 */
import type { ClauseId } from "../contract/catalogue.ts";

/** A violated clause and how many checks found it violated. */
export interface Violated {
  readonly clause: string;
  readonly checks: number;
}

export interface Ordered {
  readonly clause: string;
  /** The violated clause nearer the cause that this one may follow from. */
  readonly followsFrom?: ClauseId;
}

/** All rows of the table of limits count as one clause here. */
const ROW = "admin-2.limit";

type Cause = ClauseId | typeof ROW;

const PAGING = ["logs-4.4", "logs-4.4-backward"] as const satisfies readonly ClauseId[];

/**
 * Violations of the clauses on the right have been seen where a server's only defect was one of the clause on the left; the fleet
 * of broken servers is the witness. The order of the left side is the order of nearness: what others are seen through comes first.
 */
const CONSEQUENCES: readonly (readonly [cause: Cause, consequences: readonly Cause[]])[] = [
  // Access, then the form of answers, then what instances are, then what updates do.
  [
    "admin-4.json",
    [
      ROW,
      "admin-4.GET",
      "admin-4.PUT",
      "admin-4.PUT-over-limits",
      "admin-2.field.created_at",
      "admin-2.created-at-time",
      "admin-2.created-at-unchanged",
    ],
  ],
  ["admin-4.POST", ["admin-4.1", "admin-4.GET", "admin-4.PUT", "admin-4.PUT-over-limits"]],
  ["admin-5.1", ["admin-4.GET"]],
  [
    "admin-4.GET",
    [
      "admin-2.field.name",
      "admin-2.field.display_name",
      "admin-2.field.created_at",
      "admin-2.created-at-time",
      "admin-2.created-at-unchanged",
      "admin-2.field.limits",
      "admin-2.retention-format",
      ROW,
      "admin-4.1",
      "admin-4.2",
      "admin-4.3",
      "admin-4.PUT",
      "admin-4.PUT-over-limits",
    ],
  ],
  // Where two instances are taken for one, each shows what was done to the other.
  [
    "admin-2.field.name",
    [
      "admin-4.json",
      "admin-2.field.display_name",
      "admin-2.field.created_at",
      "admin-2.created-at-time",
      "admin-2.created-at-unchanged",
      "admin-2.retention-format",
      ROW,
      "admin-4.1",
      "admin-4.2",
      "admin-4.3",
      "admin-4.GET",
      "admin-4.PUT",
      "admin-4.PUT-over-limits",
    ],
  ],
  [ROW, ["admin-2.retention-format", "admin-4.1", "admin-4.3", "admin-4.PUT", "admin-4.PUT-over-limits"]],
  ["admin-4.1", [ROW, "admin-4.3", "admin-4.PUT", "admin-4.PUT-over-limits"]],
  [
    "admin-4.PUT",
    [
      "admin-4.PUT-over-limits",
      "admin-2.field.name",
      "admin-4.json",
      ROW,
      "admin-2.field.display_name",
      "admin-2.field.created_at",
      "admin-2.created-at-time",
      "admin-2.created-at-unchanged",
      "admin-2.retention-format",
      "admin-4.2",
      "admin-4.3",
    ],
  ],
  ["admin-2.retention-format", [ROW, "admin-4.3", "admin-4.PUT", "admin-4.PUT-over-limits"]],
  ["admin-4.2", ["admin-2.field.created_at", "admin-4.PUT", "admin-4.PUT-over-limits"]],
  ["admin-4.3", [ROW, "admin-2.retention-format", "admin-4.1", "admin-4.PUT", "admin-4.PUT-over-limits"]],
  ["admin-4.PUT-over-limits", ["admin-4.PUT", "admin-2.retention-format"]],
  ["logs-5.1", ["logs-2.2", "logs-4.2", "logs-7.400"]],
  ["logs-7.429", ["logs-4.push", "logs-7.429-recovery", "logs-7.429-accepted"]],
  ["logs-7.429-accepted", ["logs-4.push"]],
  ["logs-5.3", ["logs-2.2", "logs-4.2", "logs-5.2a", "logs-7.400"]],
  ["logs-2.1", ["logs-2.Entry", "logs-4.query_range", "logs-4.1", ...PAGING]],
  ["logs-2.Entry", ["logs-4.push", "logs-4.query_range", "logs-2.Stream", ...PAGING]],
  ["logs-2.Stream", ["logs-4.1", ...PAGING, "logs-1.1", "logs-4.push", "logs-4.query_range", "logs-5.2b"]],
  [
    "logs-1.1",
    [
      "logs-2.1",
      "logs-4.push",
      "logs-4.query_range",
      "logs-4.1",
      "logs-4.3",
      ...PAGING,
      "logs-4.query",
      "logs-4.labels",
      "logs-4.label-values",
      "logs-5.2b",
    ],
  ],
  [
    "logs-4.push",
    [
      "logs-4.query_range",
      "logs-4.1",
      "logs-8.default-limit",
      "logs-4.matchers",
      "logs-4.3",
      ...PAGING,
      "logs-4.query",
      "logs-4.labels",
      "logs-4.label-values",
      "logs-5.2a",
      "logs-5.2b",
    ],
  ],
  [
    "logs-4.query_range",
    ["logs-4.push", "logs-4.1", "logs-4.matchers", "logs-4.3", ...PAGING, "logs-8.default-limit", "logs-5.2a", "logs-5.2b"],
  ],
  ["logs-4.1", ["logs-4.query_range", ...PAGING, "logs-4.3", "logs-5.2b"]],
  ["logs-4.matchers", ["logs-4.push", "logs-4.query_range", "logs-4.query"]],
  ["logs-4.3", ["logs-4.query", "logs-4.query_range", "logs-8.default-limit"]],
  ["logs-4.query", ["logs-5.2a", "logs-5.2b"]],
  ["logs-4.4", ["logs-4.4-backward", "logs-4.query_range", "logs-4.1", "logs-4.push", "logs-4.3"]],
  ["logs-4.4-backward", ["logs-4.query_range", "logs-4.1", "logs-4.push", "logs-4.3"]],
  ["logs-4.labels", ["logs-5.2b"]],
  ["logs-4.label-values", ["logs-5.2a", "logs-5.2b"]],
  ["logs-5.2a", ["logs-2.2", "logs-4.2", "logs-4.3", "logs-4.query_range", "logs-5.3", "logs-7.400"]],
  ["logs-5.2b", ["logs-4.labels", "logs-4.label-values"]],
];

const byCause: ReadonlyMap<string, readonly string[]> = new Map(CONSEQUENCES);
const nearness: ReadonlyMap<string, number> = new Map(CONSEQUENCES.map(([cause], place) => [cause, place]));

/** Clauses that are seen through each other: among them the one that more checks found violated is nearer the cause. */
const ENTANGLED: ReadonlySet<string> = new Set(["logs-4.push", "logs-4.query_range", "logs-4.1"]);

function collapsed(clause: string): string {
  return clause.startsWith(`${ROW}.`) ? ROW : clause;
}

/** Whether a violation of `clause` has been seen where the defect was one of `cause`. */
export function isConsequence(clause: string, cause: string): boolean {
  return byCause.get(collapsed(cause))?.includes(collapsed(clause)) === true;
}

/** Violated clauses, the one nearest the cause first, the others marked where they may follow from one before them. */
export function orderedByCause(violated: readonly Violated[]): Ordered[] {
  const rows = violated.filter(({ clause }) => collapsed(clause) === ROW).length;
  const place = ({ clause, checks }: Violated): number => {
    const own = nearness.get(collapsed(clause)) ?? nearness.size;
    // One limit is a matter of its row; several are a matter of the rule that they are kept or filled by.
    if (collapsed(clause) === ROW && rows > 1) return nearness.get("admin-4.3") ?? own;
    // An update that one check alone found wrong is one that sent limits.
    if (clause === "admin-4.PUT" && checks === 1) return nearness.get("admin-4.3") ?? own;
    return ENTANGLED.has(clause) ? (nearness.get("logs-4.push") ?? own) : own;
  };
  const sorted = violated
    .map((one, index) => ({ ...one, index, place: place(one) }))
    .toSorted(
      (one, other) => one.place - other.place || (ENTANGLED.has(one.clause) ? other.checks - one.checks : 0) || one.index - other.index,
    );
  return sorted.map(({ clause }, at) => {
    const cause = sorted.slice(0, at).find((earlier) => isConsequence(clause, earlier.clause));
    return cause === undefined ? { clause } : { clause, followsFrom: cause.clause as ClauseId };
  });
}
