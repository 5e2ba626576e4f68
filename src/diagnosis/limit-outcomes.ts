/**
 * Finds which clauses many requests with limits violate. If every operation loses only the value of one limit, the clause of this limit is
 * violated. If one operation loses the values of several limits, the clause of this operation is violated.
 */
import type { ClauseId } from "../contract/catalogue.ts";
import { LIMITS, type LimitName, type Limits, type LimitValue } from "../contract/limits.ts";
import { type Difference, show } from "../model/difference.ts";
import { grouped } from "../model/grouped.ts";

export type Operation = "create" | "add" | "overwrite";

/** For each operation, the clause that the operation violates if it does not keep sent limits. */
export const OPERATION_RULES = {
  create: "admin-4.1",
  add: "admin-4.3",
  overwrite: "admin-4.PUT-over-limits",
} as const satisfies Record<Operation, ClauseId>;

/** An accepted create or update with limits, and the differences that its response and later reads showed. */
export interface Outcome<Exchange = unknown> {
  readonly operation: Operation;
  /** For each limit that was sent, the name of the level of its value. */
  readonly levels: ReadonlyMap<LimitName, string>;
  readonly sent: Limits;
  /** The limits that were not sent, and whose possible values are unknown. These limits are not judged. */
  readonly open: ReadonlySet<LimitName>;
  readonly differences: readonly Difference[];
  /** Whether some read of the instance showed limits. */
  readonly isReadable: boolean;
  /** The exchanges of the outcome, with the deciding exchange first. */
  readonly exchanges: readonly Exchange[];
  readonly attempts: readonly { readonly afterWriteMs: number; readonly differences: readonly Difference[] }[];
}

/** If at least this number of limits lose their values in the same way, the clause of the operation is violated. */
const MANY_LIMITS = 3;

/** Returns the limit that a difference is about, or null if the difference is about something else. */
export function limitOf({ path }: Difference): LimitName | null {
  const [, name] = /^limits\.(\w+)/.exec(path) ?? [];
  return (name as LimitName | undefined) ?? null;
}

function isValueOf(name: LimitName): (difference: Difference) => boolean {
  return (difference) => limitOf(difference) === name && difference.kind !== "type" && difference.clause !== "admin-2.retention-format";
}

/** Returns the limits whose own clauses are violated. `isTelling`: the values of the level are no defaults, and a server must keep them. */
export function brokenRows(outcomes: readonly Outcome[], isTelling: (level: string) => boolean): ReadonlySet<LimitName> {
  const readable = outcomes.filter(({ isReadable }) => isReadable);
  const names = [...new Set(readable.flatMap(({ sent }) => Object.keys(sent) as LimitName[]))];
  const levels = [...new Set(readable.flatMap((one) => [...one.levels.values()]))];
  const isLost = (name: LimitName, { differences }: Outcome): boolean => differences.some(isValueOf(name));
  const having = (name: LimitName): Outcome[] => readable.filter((one) => isTelling(one.levels.get(name) ?? ""));
  const lostAt = (name: LimitName, level: string): boolean => {
    const all = readable.filter((one) => one.levels.get(name) === level);
    if (!all.some((one) => isLost(name, one))) return false;
    const of = (operation: Operation): Outcome[] => all.filter((one) => one.operation === operation);
    const isAlwaysKept = (some: readonly Outcome[]): boolean => some.length > 0 && !some.some((one) => isLost(name, one));
    // If only one operation sent this level, and the same operation loses the limit at other levels too, the operation may be the cause.
    const [operation, ...others] = new Set(all.map((one) => one.operation));
    if (
      others.length === 0 &&
      having(name).some((one) => one.operation === operation && one.levels.get(name) !== level && isLost(name, one))
    )
      return false;
    const areUpdatesLost = [...of("add"), ...of("overwrite")].every((one) => isLost(name, one));
    return !isAlwaysKept(of("add")) && !isAlwaysKept(of("overwrite")) && !(areUpdatesLost && isAlwaysKept(of("create")));
  };
  const isKeptAt = (name: LimitName, level: string): boolean =>
    readable.some((one) => one.levels.get(name) === level && !isLost(name, one));
  const everywhere = levels.flatMap((level) => {
    // A server need not keep all values of this level. But if it keeps integers of this level for several other limits, the loss of this
    // limit violates the clause of this limit. Only integers are compared, because other values of a level have little in common.
    const comparable = isTelling(level) ? names : names.filter((name) => LIMITS[name].type === "integer");
    if (!isTelling(level) && comparable.filter((name) => isKeptAt(name, level)).length < MANY_LIMITS) return [];
    const lost = comparable.filter((name) => lostAt(name, level));
    return lost.length < MANY_LIMITS ? lost : [];
  });
  const alone = names.filter((name) =>
    readable.some((one) => one.operation === "add" && one.levels.size === 1 && isTelling(one.levels.get(name) ?? "") && isLost(name, one)),
  );
  // A service may lose only one text of a limit. Only some operations may have sent this text, because values are selected at random.
  const oneText = names.filter((name) => {
    if (LIMITS[name].type !== "string") return false;
    const values = [...grouped(having(name), ({ sent }) => sent[name]).values()];
    const isAlways = (all: readonly Outcome[], lost: boolean): boolean =>
      all.length >= MANY_LIMITS && all.every((one) => isLost(name, one) === lost);
    return values.some((all) => isAlways(all, true)) && values.some((all) => isAlways(all, false));
  });
  return new Set([...everywhere, ...[alone, oneText].flatMap((some) => (some.length < MANY_LIMITS ? some : []))]);
}

/** Whether the outcome sent several limits of the same kind with values other than their defaults, and lost all of them. */
function isOfWholeKind(name: LimitName, { sent, differences }: Outcome): boolean {
  const kind = kindOf(name, sent[name] ?? null);
  const alike = (Object.entries(sent) as [LimitName, LimitValue][]).filter(
    ([other, value]) => kindOf(other, value) === kind && value !== LIMITS[other].default,
  );
  return alike.length > 1 && alike.every(([other]) => differences.some(isValueOf(other)));
}

/** True and false are different kinds of values, because only false is a zero value. */
function kindOf(name: LimitName, value: LimitValue): string {
  return `${LIMITS[name].type} ${typeof value === "boolean" ? value : ""}`;
}

/** Returns the limits for which some response showed the sent value. */
export function keptNames(outcomes: readonly Outcome[]): ReadonlySet<LimitName> {
  return new Set(
    outcomes
      .filter(({ isReadable }) => isReadable)
      .flatMap(({ sent, differences }) => {
        const wrong = new Set(differences.map(limitOf));
        return (Object.keys(sent) as LimitName[]).filter((name) => !wrong.has(name));
      }),
  );
}

/** Whether a response shows a value that another request sent, and the operation loses other limits too. */
function isLostWithOthers(name: LimitName, { actual }: Difference, { operation }: Outcome, outcomes: readonly Outcome[]): boolean {
  const isLost = ({ sent, differences }: Outcome): boolean =>
    (Object.keys(sent) as LimitName[]).some((other) => other !== name && differences.some(isValueOf(other)));
  return outcomes.some(({ sent }) => show(sent[name]) === actual) && outcomes.some((one) => one.operation === operation && isLost(one));
}

/** Returns the differences of an outcome, each with its clause. */
export function diagnosed(outcome: Outcome, outcomes: readonly Outcome[], rows: ReadonlySet<LimitName>): Difference[] {
  const rule = OPERATION_RULES[outcome.operation];
  const found = outcome.differences.map((difference): Difference => {
    const name = limitOf(difference);
    if (difference.clause === "admin-2.retention-format" && name !== null && isLostWithOthers(name, difference, outcome, outcomes))
      return { ...difference, clause: rule };
    if (name === null || !Object.hasOwn(outcome.sent, name) || !isValueOf(name)(difference)) return difference;
    if (rows.has(name) && !isOfWholeKind(name, outcome)) return { ...difference, clause: `admin-2.limit.${name}` };
    // If an update of an instance without limits loses the value too, existing limits are not the reason for the loss.
    const isLostByAdding = outcomes.some(
      (one) => one.operation === "add" && one.levels.get(name) === outcome.levels.get(name) && one.differences.some(isValueOf(name)),
    );
    return { ...difference, clause: rule === "admin-4.PUT-over-limits" && isLostByAdding ? "admin-4.3" : rule };
  });
  return found.filter((one, index) => !found.slice(0, index).some((earlier) => earlier.path === one.path && earlier.clause === one.clause));
}
