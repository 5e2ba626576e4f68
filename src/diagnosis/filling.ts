/**
 * Compares many reads to find which clause wrong default limits violate. If all reads show the same wrong default of a limit, the clause of
 * this limit is violated. If defaults are missing, or depend on the request, the rule for filling is violated.
 */
import type { ClauseId } from "../contract/catalogue.ts";
import { LIMITS, LIMIT_NAMES, type LimitName, type Limits, type LimitValue } from "../contract/limits.ts";
import { type Difference, show, shownFor } from "../model/difference.ts";
import type { JsonObject } from "../model/json.ts";
import { describeExpected, type ExpectedLimit, filledLimits, hasLimitType, limitProblem, sameAsRead, sameLimit } from "../model/limits.ts";

export interface FillingReading {
  /** The words by which messages name the instance and its request. */
  readonly label: string;
  readonly sent: Limits;
  /** The limits that the read showed, or undefined if the read showed no limits. */
  readonly limits: JsonObject | undefined;
}

export interface FillingDiagnosis {
  readonly rule: readonly Difference[];
  /** The limits whose default is wrong. */
  readonly rows: ReadonlyMap<LimitName, Difference>;
  /** The reason why the defaults of limits cannot be judged, or null if they can be judged. */
  readonly rowsFollow: string | null;
  /** The default of each limit that all reads of this target show. If the reads differ, this is the expected default. */
  readonly effective: Readonly<Record<LimitName, unknown>>;
}

/** With at least `MANY_ABSENT` missing defaults, the rule is violated too. With at least `TOO_MANY_FOR_ROWS`, only the rule is violated. */
const MANY_ABSENT = 2;
const TOO_MANY_FOR_ROWS = 4;

const ZEROS: readonly unknown[] = [0, "", false, null, "0s", "0"];

function isZero(value: unknown): boolean {
  return ZEROS.includes(value) || (Array.isArray(value) && value.length === 0);
}

/** Diagnoses the filled limits of some reads. `rule` is the filling rule: admin-4.1 for creates, admin-4.3 for updates that add limits. */
export function diagnoseFilling(readings: readonly FillingReading[], overrides: Limits, rule: ClauseId): FillingDiagnosis {
  const expected = filledLimits({}, overrides);
  const ruleDifferences: Difference[] = [];
  const without = readings.filter(({ limits }) => limits === undefined);
  for (const { label, sent } of without) {
    ruleDifferences.push({
      clause: rule,
      path: "limits",
      expected: `the ${Object.keys(sent).length} sent limits and the global defaults for the others (${label})`,
      actual: "absent",
    });
  }
  const shown = readings.filter((reading): reading is FillingReading & { limits: JsonObject } => reading.limits !== undefined);
  const rows = new Map<LimitName, Difference>();
  const effective = {} as Record<LimitName, unknown>;
  const wrong: { name: LimitName; value: unknown; shownWhenSent: boolean }[] = [];
  for (const name of LIMIT_NAMES) {
    const filled = shown
      .filter(({ sent }) => sent[name] === undefined)
      .map(({ label, limits }) => ({ label, value: valueOf(limits, name) }));
    const [first] = filled;
    const fallback = fallbackOf(expected[name]);
    effective[name] = first === undefined ? fallback : first.value;
    if (first === undefined) continue;
    const other = filled.find(({ value }) => !sameAsRead(name, value, first.value));
    if (other !== undefined) {
      effective[name] = fallback;
      const right = filled.filter(({ value }) => sameAsRead(name, value, first.value)).length;
      ruleDifferences.push({
        clause: rule,
        path: `limits.${name}`,
        expected: `the same global default in every instance, because no request sent ${name}`,
        kind: "differing",
        actual: `${show(first.value)} (${first.label}) and ${show(other.value)} (${other.label}); ${right} of ${filled.length} instances show ${show(first.value)}`,
      });
      continue;
    }
    const problem = limitProblem(name, expected[name], first.value);
    if (problem === null) continue;
    const shownWhenSent = shown.some(({ sent, limits }) => sent[name] !== undefined && valueOf(limits, name) !== undefined);
    wrong.push({ name, value: first.value, shownWhenSent });
    rows.set(name, {
      clause: `admin-2.limit.${name}`,
      path: `limits.${name}`,
      expected: describeExpected(name, expected[name]),
      actual: show(first.value),
      kind: problem,
    });
  }
  const rowsFollow =
    ruleBroken(wrong, shown.length, expected, rule, ruleDifferences) ?? (shown.length === 0 ? "no read showed limits" : null);
  if (rowsFollow === null) return { rule: ruleDifferences, rows, rowsFollow, effective };
  // If the filling rule is violated, the filled values prove nothing about the defaults of the target.
  for (const name of LIMIT_NAMES) effective[name] = fallbackOf(expected[name]);
  return { rule: ruleDifferences, rows: new Map(), rowsFollow, effective };
}

function fallbackOf(expected: ExpectedLimit): unknown {
  return "oneOf" in expected ? expected.oneOf[0] : undefined;
}

/** Adds the violations of the filling rule. Returns the reason why the defaults of limits cannot be judged, or null. */
function ruleBroken(
  wrong: readonly { name: LimitName; value: unknown; shownWhenSent: boolean }[],
  shown: number,
  expected: ReturnType<typeof filledLimits>,
  rule: ClauseId,
  differences: Difference[],
): string | null {
  if (shown === 0) return null;
  const absent = wrong.filter(({ value, shownWhenSent }) => value === undefined && shownWhenSent);
  const zeroed = wrong.filter(({ name, value }) => isZero(value) && hasLimitType(name, value));
  const nonZero = LIMIT_NAMES.filter((name) => "oneOf" in expected[name] && !expected[name].oneOf.some(isZero));
  if (absent.length >= MANY_ABSENT) {
    differences.push({
      clause: rule,
      path: "limits",
      expected: "each limit that was not sent has its global default",
      actual: `not filled: ${list(absent)}`,
    });
    if (absent.length >= TOO_MANY_FOR_ROWS)
      return `${absent.length} limits are not filled (see ${rule}), so no response shows their defaults`;
  }
  if (zeroed.length * 2 >= nonZero.length) {
    differences.push({
      clause: rule,
      path: "limits",
      expected: "each limit that was not sent has its global default",
      actual: `filled with zero: ${list(zeroed)}`,
    });
    return `limits are filled with zero values instead of the global defaults (see ${rule})`;
  }
  return null;
}

function list(rows: readonly { name: LimitName }[]): string {
  const names = rows.map(({ name }) => name);
  return names.length <= 4 ? names.join(", ") : `${names.slice(0, 4).join(", ")} and ${names.length - 4} more`;
}

function valueOf(limits: JsonObject, name: LimitName): unknown {
  return Object.hasOwn(limits, name) ? limits[name] : undefined;
}

/** Whether a read shows another period, or a value that is no period. The value 0 is excluded: it means that the period was not stored. */
function isAltered(actual: unknown): boolean {
  return actual !== undefined && actual !== null && !sameLimit("compactor_blocks_retention_period", actual, 0);
}

/** If a service loses at least this number of sent values, the filling rule is violated, and not the clauses of the limits. */
const MANY_NOT_KEPT = 3;

/**
 * Compares the sent limits with a read. A wrong type violates the clause of the limit. If few values are lost, the clauses of their limits
 * are violated, and otherwise the filling rule.
 */
export function sentDifferences(
  sent: Limits,
  limits: JsonObject,
  rule: ClauseId,
  isRowBroken: (name: LimitName) => boolean = () => true,
): Difference[] {
  const rows: Difference[] = [];
  const lost: Difference[] = [];
  const misread: Difference[] = [];
  for (const [name, value] of Object.entries(sent) as [LimitName, LimitValue][]) {
    const expectation = { oneOf: [value], why: "sent in the request" };
    const actual = valueOf(limits, name);
    const problem = limitProblem(name, expectation, actual);
    if (problem === null) continue;
    if (LIMITS[name].type === "retention" && isAltered(actual)) {
      misread.push({
        clause: "admin-2.retention-format",
        path: `limits.${name}`,
        expected: describeExpected(name, expectation),
        actual: show(actual),
        kind: problem,
      });
      continue;
    }
    const found = {
      path: `limits.${name}`,
      expected: describeExpected(name, expectation),
      actual: shownFor(value, actual),
      kind: problem,
    };
    if (problem === "type" || isRowBroken(name)) {
      const row: Difference = { ...found, clause: `admin-2.limit.${name}` };
      rows.push(row);
      if (problem !== "type") lost.push({ ...found, clause: rule });
    } else lost.push({ ...found, clause: rule });
  }
  const byRow = rows.filter(({ path }) => !lost.some((other) => other.path === path));
  if (lost.length >= MANY_NOT_KEPT) return [...misread, ...byRow, ...lost];
  return [...misread, ...rows, ...lost.filter(({ path }) => !rows.some((row) => row.path === path))];
}

/** Compares the limits that were not sent with the defaults that this target fills in. Each difference violates the filling rule. */
export function unsentDifferences(
  sent: Limits,
  limits: JsonObject,
  allowed: (name: LimitName) => readonly unknown[],
  rule: ClauseId,
): Difference[] {
  return LIMIT_NAMES.filter((name) => sent[name] === undefined).flatMap((name) => {
    const actual = valueOf(limits, name);
    const candidates = allowed(name);
    if (candidates.length === 0 || candidates.some((candidate) => sameAsRead(name, candidate, actual))) return [];
    const expectation = [...new Set(candidates.map((candidate) => show(candidate)))].join(" or ");
    return [{ clause: rule, path: `limits.${name}`, expected: `${expectation} (not sent; ${LIMITS[name].type})`, actual: show(actual) }];
  });
}
