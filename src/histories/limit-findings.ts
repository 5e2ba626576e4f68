/** Makes findings from instance histories: a finding for the operation of each request, and a finding for the clause of each limit. */
import { type Answered, statusOf } from "../client/exchange.ts";
import type { ClauseId } from "../contract/catalogue.ts";
import { LIMIT_NAMES, type LimitName, LIMITS } from "../contract/limits.ts";
import { brokenRows, diagnosed, keptNames, limitOf, OPERATION_RULES, type Outcome } from "../diagnosis/limit-outcomes.ts";
import { Inconclusive, Masked } from "../client/inconclusive.ts";
import type { AssertionRow } from "../harness/context.ts";
import type { Finding } from "../harness/finding.ts";
import { type Difference, show } from "../model/difference.ts";
import type { AcceptedLimits } from "./accepted-limits.ts";
import { type Histories, runHistories } from "./limit-histories.ts";
import { type KeptLimits, keptLimitsOf } from "../diagnosis/stored-limits.ts";
import { fixture } from "../harness/scope.ts";
import { refusal } from "./reading.ts";
import { filledLimits } from "./filled-limits.ts";
import { LIMIT_PLAN } from "./limit-levels.ts";

interface Diagnosed {
  readonly outcome: Outcome<Answered>;
  readonly differences: readonly Difference[];
}

export function limitFindings({ outcomes, smaller }: Histories, brokenRows: ReadonlySet<LimitName>): Finding[] {
  const all = [...outcomes, ...smaller]
    .map((outcome): Diagnosed => ({ outcome, differences: diagnosed(outcome, outcomes, brokenRows) }))
    // The smallest requests come first, because they explain a violation best.
    .toSorted((one, other) => one.outcome.levels.size - other.outcome.levels.size);
  const told = new Set<ClauseId>();
  const rules = all.flatMap((one) => ruleFinding(one, all, told));
  const shown = new Set(rules.flatMap(({ held = [], differences }) => (differences.some(({ clause }) => !isRow(clause)) ? [] : held)));
  // If a request violates the clauses of all its limits, it shows nothing about its operation. It is skipped if other requests show the
  // operation.
  const telling = rules.filter(({ clauses, held = [], differences }) => {
    const isSilent = held.length === 0 && differences.every(({ clause }) => isRow(clause));
    return !isSilent || !clauses.some((clause) => shown.has(clause));
  });
  return [...telling, ...LIMIT_NAMES.flatMap((name) => rowFinding(name, all))];
}

/** Makes the finding about a request. `told` has the violated clauses that smaller requests have shown already. */
function ruleFinding(one: Diagnosed, all: readonly Diagnosed[], told: Set<ClauseId>): Finding[] {
  const { outcome, differences } = one;
  const rule = OPERATION_RULES[outcome.operation];
  const violated = differences.filter(({ clause }) => !isRow(clause));
  const own = violated.filter(({ clause }) => !told.has(clause));
  if (own.length < violated.length && own.length === 0) return [];
  for (const { clause } of own) told.add(clause);
  const wrong = new Set(differences.map(limitOf));
  const isShown = outcome.isReadable && (Object.keys(outcome.sent) as LimitName[]).some((name) => !wrong.has(name));
  const isHeld = own.length === 0 && (differences.length === 0 || isShown);
  return [
    {
      clauses: [rule],
      // The clause of the operation was not evaluated, because the clauses of the limits are violated.
      differences: own.length > 0 || isHeld ? own : differences,
      held: isHeld ? [rule] : [],
      exchanges: outcome.exchanges,
      attempts: outcome.attempts,
      input: inputOf(outcome),
      ...minimalOf(own[0]?.clause, one, all),
    },
  ];
}

/** If the smallest wrong request still sends more values than this, the report does not show it as a combination. */
const MOST_MINIMAL = 4;

/** Returns the levels of the smallest wrong request: its operation and its limits, as far as all wrong requests share them. */
function minimalOf(clause: ClauseId | undefined, { outcome }: Diagnosed, all: readonly Diagnosed[]): Pick<Finding, "minimal"> {
  if (clause === undefined || outcome.levels.size > MOST_MINIMAL) return {};
  const isWrong = ({ differences }: Diagnosed): boolean => differences.some((one) => one.clause === clause);
  const failing = all.filter(isWrong);
  const isOperationNeeded = failing.every((one) => one.outcome.operation === outcome.operation);
  const areLimitsNeeded = failing.every((one) => [...outcome.levels.keys()].every((name) => one.outcome.levels.has(name)));
  const limits = areLimitsNeeded ? [...outcome.levels] : [];
  const hasLevels = ({ outcome: other }: Diagnosed): boolean =>
    (!isOperationNeeded || other.operation === outcome.operation) && limits.every(([name, level]) => other.levels.get(name) === level);
  return {
    minimal: {
      levels: { ...(isOperationNeeded ? { operation: outcome.operation } : {}), ...Object.fromEntries(limits) },
      failing: failing.length,
      failingWithLevels: failing.filter(hasLevels).length,
      rightWithout: all.filter((one) => one.outcome.isReadable && !isWrong(one) && !hasLevels(one)).length,
    },
  };
}

/** Judges the clause of a limit: by the smallest request that violates it, or else by a response that shows the sent value. */
function rowFinding(name: LimitName, all: readonly Diagnosed[]): Finding[] {
  const row = `admin-2.limit.${name}` as const;
  const sending = all.filter(({ outcome }) => outcome.isReadable && Object.hasOwn(outcome.sent, name));
  const wrong = sending.find(({ differences }) => differences.some(({ clause }) => clause === row));
  const right = sending.find(({ differences }) => !differences.some((difference) => limitOf(difference) === name));
  const telling = wrong ?? right;
  if (telling === undefined) return [];
  const differences = telling.differences.filter(({ clause }) => clause === row);
  const { outcome } = telling;
  return [
    {
      clauses: [row],
      differences,
      held: differences.length === 0 ? [row] : [],
      exchanges: outcome.exchanges,
      attempts: outcome.attempts,
      input: inputOf(outcome),
      ...(wrong === undefined ? {} : minimalOf(row, wrong, all)),
    },
  ];
}

function isRow(clause: ClauseId): boolean {
  return clause.startsWith("admin-2.limit.");
}

const WHAT = {
  create: "limits that the create sent",
  add: "limits that the update sent (the instance had none)",
  overwrite: "limits that the update sent (the instance had limits)",
};

function inputOf({ operation, sent }: Outcome): unknown {
  return { [WHAT[operation]]: sent };
}

/** Returns an unverified case for each limit that could not be tested, because the target accepts only the default, or no retention period. */
export function unshownRows({ outcomes }: Histories, refused: AcceptedLimits["refused"]): AssertionRow[] {
  const shown = new Set(outcomes.filter(({ isReadable }) => isReadable).flatMap(({ sent }) => Object.keys(sent)));
  return [...refused].flatMap(([name, { exchange, settable }]): AssertionRow[] => {
    if (shown.has(name) || !(settable || isForbidden(exchange) || LIMITS[name].type === "retention")) return [];
    const clause = `admin-2.limit.${name}` as const;
    const reason =
      LIMITS[name].type === "retention"
        ? new Inconclusive("not evaluated: the target refuses each retention period that the run tried (see admin-2.retention-format)")
        : new Masked(clause, `each value of ${name} that the run tried`, exchange);
    return [{ clause, assertion: () => Promise.reject(reason) }];
  });
}

/** Returns a finding for each kind of update that was neither judged nor refused, for example if the state of the instance was unknown. */
export function untriedUpdates({ outcomes, refused, stopped }: Histories): AssertionRow[] {
  // If the run skipped requests, the check ends with the reason for this instead.
  if (stopped !== null) return [];
  const untried = (["add", "overwrite"] as const).filter(
    (kind) => !outcomes.some(({ operation }) => operation === kind) && !refused.some(({ clause }) => clause === OPERATION_RULES[kind]),
  );
  const reason = new Inconclusive("no update of this kind succeeded while the run knew whether its instance had limits");
  return untried.map((kind) => ({ clause: OPERATION_RULES[kind], assertion: () => Promise.reject(reason) }));
}

/** Whether the response is 403: the token may not set this limit. The documents allow that. */
function isForbidden(exchange: Answered): boolean {
  return statusOf(exchange) === 403;
}

/**
 * The clause of a limit is violated if a service refuses every value of the limit, or the default of a boolean limit. A separate clause is
 * about the forms of retention periods.
 */
export function refusedRows(refused: AcceptedLimits["refused"]): Finding[] {
  return [...refused].flatMap(([name, { settable, value, exchange, alternative }]) => {
    if (settable || isForbidden(exchange) || LIMITS[name].type === "retention") return [];
    const clause = `admin-2.limit.${name}` as const;
    const isOnlyDefault = alternative !== undefined;
    const isList = LIMITS[name].type === "list";
    const expected = isOnlyDefault
      ? `success (2xx) for ${name}: ${show(value)}, its global default`
      : isList
        ? `success (2xx) for at least one list as ${name}, such as ${show(value)}`
        : `success (2xx) for at least one value of ${name} of type ${LIMITS[name].type}, such as ${show(value)} or its default`;
    const difference = refusal(clause, expected, exchange);
    const actual = isOnlyDefault ? difference.actual : `every ${isList ? "list" : "value"} is refused, first with ${difference.actual}`;
    return [
      { clauses: [clause], differences: [{ ...difference, actual, kind: isOnlyDefault ? "status" : "refused" }], exchanges: [exchange] },
    ];
  });
}

/** If the target refuses more than this number of limits that are sent alone, it refuses each update with a single limit. */
const MOST_ROWS_ALONE = LIMIT_NAMES.length / 2;

/** The findings about updates that add one limit alone: one for each refused limit, or one for all if the target refuses most limits. */
export function findingsAlone({ refusedAlone }: Histories): Finding[] {
  const [first] = refusedAlone;
  if (first === undefined || refusedAlone.length <= MOST_ROWS_ALONE) return [...refusedAlone];
  const { exchanges, differences } = first;
  const clause = OPERATION_RULES.add;
  const told = differences.map(({ actual }) => actual).join(", ");
  const actual = `${refusedAlone.length} of ${LIMIT_NAMES.length} limits are refused; for the first limit, ${told}`;
  const expected = "success (2xx) for updates that add one limit alone";
  return [{ clauses: [clause], differences: [{ clause, path: "status", expected, actual, kind: "refused" }], exchanges }];
}

export const histories = fixture<Histories>("admin", "the histories of limits", (scope) => runHistories(scope, LIMIT_PLAN));

export const keptLimits = fixture<KeptLimits>("admin", "which limits are kept", async (scope) => {
  const { views } = await scope.use(filledLimits);
  const { outcomes } = await scope.use(histories);
  const created = views.flatMap(({ sent, limits }) => (limits === undefined ? [] : [{ sent, limits }]));
  return keptLimitsOf(created, { kept: keptNames(outcomes), brokenRows: brokenRows(outcomes, isTelling) });
});

/** Whether a server must keep values of this level, and whether they differ from the default. */
function isTelling(level: string): boolean {
  return ["ordinary", "zero or empty"].includes(level) || level.startsWith("alternative ");
}
