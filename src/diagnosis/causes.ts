/**
 * Orders violated clauses so that the clause nearest to the cause is first, and marks known consequences.
 * A single defect can violate several clauses. A server that stores no pushed entry also answers each query wrongly.
 */
import type { ClauseId } from "../contract/catalogue.ts";
import type { DifferenceKind } from "../model/kinds.ts";

/** A violated clause, the number of checks that found it violated, and the kinds of their differences. */
export interface Violated {
  readonly clause: string;
  readonly checks: number;
  readonly kinds: readonly (DifferenceKind | undefined)[];
}

export interface Ordered {
  readonly clause: string;
  /** The violated clause that may be the cause of this violation, by the table of known consequences. */
  readonly followsFrom?: ClauseId;
}

/** All clauses of the table of limits count as one clause in this file. */
const ROW = "admin-2.limit";

type Cause = ClauseId | typeof ROW;

const PAGING = ["logs-4.4", "logs-4.4-backward"] as const satisfies readonly ClauseId[];

/** Each cause with its known consequences: other clauses that runs reported for servers with a single defect. Nearest causes come first. */
const CONSEQUENCES: readonly (readonly [cause: Cause, consequences: readonly Cause[]])[] = [
  // The order of the admin clauses is: access, the form of responses, the fields of instances, the rules on updates.
  [
    "admin-4.json",
    [
      ROW,
      "admin-4.GET",
      "admin-4.PUT",
      "admin-4.PUT-over-limits",
      "admin-2.field.display_name",
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
  // If a server treats two instances as the same instance, each instance shows the writes to the other instance.
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
  ["admin-2.field.limits", [ROW, "admin-4.1", "admin-4.2", "admin-4.3", "admin-4.PUT-over-limits"]],
  ["admin-2.field.display_name", ["admin-4.2", "admin-4.GET"]],
  ["admin-2.field.created_at", ["admin-4.GET", "admin-4.PUT"]],
  [ROW, ["admin-2.field.name", "admin-2.retention-format", "admin-4.1", "admin-4.3", "admin-4.PUT", "admin-4.PUT-over-limits"]],
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
      "admin-2.field.cluster",
      "admin-4.GET",
      "admin-4.2",
      "admin-4.3",
      "admin-5.1",
    ],
  ],
  ["admin-2.retention-format", [ROW, "admin-4.3", "admin-4.PUT", "admin-4.PUT-over-limits"]],
  [
    "admin-4.2",
    [
      "admin-2.field.limits",
      ROW,
      "admin-2.retention-format",
      "admin-4.1",
      "admin-4.3",
      "admin-2.field.created_at",
      "admin-4.PUT",
      "admin-4.PUT-over-limits",
    ],
  ],
  ["admin-4.3", [ROW, "admin-2.retention-format", "admin-4.1", "admin-4.PUT", "admin-4.PUT-over-limits"]],
  ["admin-4.PUT-over-limits", [ROW, "admin-4.PUT", "admin-2.retention-format"]],
  ["logs-5.1", ["logs-2.2", "logs-4.2", "logs-7.400"]],
  ["logs-7.429", ["logs-4.push", "logs-7.429-recovery", "logs-7.429-accepted"]],
  ["logs-7.429-accepted", ["logs-4.push"]],
  ["logs-5.3", ["logs-2.2", "logs-4.2", "logs-5.2a", "logs-7.400"]],
  ["logs-2.range-result", ["logs-4.query_range"]],
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
  ["logs-4.matchers", ["logs-4.push", "logs-4.query_range", "logs-4.1", "logs-4.query"]],
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

/** Clauses that depend on each other. If two of them are violated, the clause that more checks found violated is nearer to the cause. */
const ENTANGLED: ReadonlySet<string> = new Set(["logs-4.push", "logs-4.query_range", "logs-4.1"]);

/** The clause on the form of the retention period, and the clause on its limit. */
const PERIOD_FORM = "admin-2.retention-format";
const PERIOD = `${ROW}.compactor_blocks_retention_period`;

/** The clauses on keeping and filling limits. */
const LIMIT_RULES: ReadonlySet<string> = new Set(["admin-4.1", "admin-4.2", "admin-4.3", "admin-4.PUT-over-limits"]);

function collapsed(clause: string): string {
  return clause.startsWith(`${ROW}.`) ? ROW : clause;
}

function isOfOneLimit(clause: string): boolean {
  return collapsed(clause) === ROW || clause === PERIOD_FORM;
}

/** Whether a violation of `clause` is a known consequence of a violation of `cause`. */
export function isConsequence(clause: string, cause: string): boolean {
  return byCause.get(collapsed(cause))?.includes(collapsed(clause)) === true;
}

/** Returns the violated clauses, nearest to the cause first. A known consequence of an earlier clause has `followsFrom`. */
export function orderedByCause(violated: readonly Violated[]): Ordered[] {
  const rows = new Set(violated.flatMap(({ clause }) => (isOfOneLimit(clause) ? [clause.replace(PERIOD_FORM, PERIOD)] : []))).size;
  const afterRules = (nearness.get("admin-4.3") ?? nearness.size) + 0.5;
  const place = ({ clause, checks, kinds }: Violated): number => {
    // Such data follows from no other violation.
    if (clause === "logs-5.2a" && kinds.some((kind) => kind === "other-tenant" || kind === "other-tenant-sample")) return -1;
    const own = nearness.get(collapsed(clause)) ?? nearness.size;
    // If only one limit is wrong, the clause of this limit is the cause. If several limits are wrong, or more checks found a clause on
    // keeping or filling limits violated, the cause is that clause.
    const isRule = (one: Violated): boolean => LIMIT_RULES.has(one.clause) && one.checks > checks;
    if (isOfOneLimit(clause) && (rows > 1 || violated.some(isRule))) return afterRules;
    // If only one check found the PUT clause violated, its update sent limits. So the clause is ordered like the clauses about limits.
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
