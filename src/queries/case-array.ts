/**
 * Query cases: queries that combine values (levels) of factors, such as the limit and the line filter, so that each pair of levels occurs.
 * The model predicts each response. A failing case is repeated with fewer levels, so that the report shows the smallest one.
 */
import { BudgetExhausted, Inconclusive, Masked } from "../client/inconclusive.ts";
import type { ClauseId } from "../contract/catalogue.ts";
import { coverageOf, type LevelState } from "../design/coverage.ts";
import { type ArrayOptions, type Constraint, coveringArray, type Row, subsets } from "../design/covering-array.ts";
import { minimise } from "../design/minimise.ts";
import type { Check } from "../harness/check.ts";
import type { AssertionRow, CheckContext } from "../harness/context.ts";
import type { Finding } from "../harness/finding.ts";
import { leavesOutRow } from "../harness/property.ts";
import type { MinimalLevels } from "../harness/result.ts";
import type { Assertion, Scope } from "../harness/scope.ts";
import { derivedSeed } from "../harness/seed.ts";
import { blamed } from "../model/difference.ts";
import type { CaseDataset, CaseFactor, CaseLevel, CaseSubject } from "./case-subject.ts";

interface CasePlan<D> {
  /** The name of the engine in the coverage. */
  readonly engine: string;
  /** The clause that stays unverified if a dataset cannot be used. */
  readonly clause: ClauseId;
  readonly datasets: readonly CaseDataset[];
  readonly factors: readonly CaseFactor<D>[];
  readonly neutral: (subject: CaseSubject) => D;
  /** The clauses that a right response shows as held. If the case cannot be judged, the first clause of the list stays unverified. */
  readonly clausesOf: (subject: CaseSubject, draft: D) => readonly [ClauseId, ...ClauseId[]];
  readonly assertion: (subject: CaseSubject, draft: D) => Assertion;
  /** The strength of the covering array, by profile. The default is 1 for smoke, 2 for release and 3 for nightly. */
  readonly strength?: Readonly<Record<Check["profiles"][number], 1 | 2 | 3>>;
  /** The maximum number of factors in a case that reduce its result, because many of them select nothing. By default, no maximum. */
  readonly mostSelecting?: number;
  /** The maximum number of cases, by profile. */
  readonly most: Readonly<Record<Check["profiles"][number], number>>;
}

/** If a dataset can be used, its subjects. If the target does not show it, null. Otherwise the reason why it cannot be used. */
type Prepared = ((at: number) => CaseSubject) | null | Inconclusive;

interface Planned<D> {
  readonly row: Row;
  readonly at: number;
  /** The factors that keep their neutral level: their wanted level is impossible for the entry, or the target refuses it. */
  readonly left: ReadonlySet<number>;
  /** The query of the case, or null if the dataset of the case cannot be used. */
  readonly query: { readonly subject: CaseSubject; readonly draft: D } | null;
}

interface Outcome {
  readonly row: Row;
  /** The dataset and entry of the case, or null if the dataset could not be used. */
  readonly subject: CaseSubject | null;
  readonly left: Planned<unknown>["left"];
  readonly clause: ClauseId;
  readonly result: Finding | Inconclusive | Masked;
}

const STRENGTH = { smoke: 1, release: 2, nightly: 3 } as const;
/** The number of cases that run at the same time. */
const OVERLAP = 4;
/** The maximum number of violated clauses for which the run searches a smaller failing case, and of requests for each such clause. */
const MINIMISED = { clauses: 3, attempts: 12 };
/** The maximum number of entries of a dataset that are tried, to find an entry for which the wanted levels are possible. */
const LOOKED_AT = 12;
/** The number of rounds. Each later round adds cases for combinations that the earlier rounds lack. */
const ROUNDS = 2;
/** When the run has used this share of its time, no further cases run, because other checks need time too. */
const MOST_TIME = 0.5;
/** At least this share of the cases runs, even if the time is used up. Fewer cases would not be enough for a verdict. */
const LEAST_ROWS = 0.25;

/** Matches the words before the operator in the name of a level, such as `line filters of |=`. */
const OPERATOR_OF = /^(?:matchers|line filters) of (?=[=!|])/;

/** Runs the generated cases, and records the findings and the coverage. */
export async function runCases<D>(t: CheckContext, plan: CasePlan<D>): Promise<void> {
  const prepared: Prepared[] = [];
  for (const { prepare } of plan.datasets) prepared.push(await preparedBy(t, prepare));
  if (prepared.every((one) => one === null))
    t.notRun("the target refuses or does not show each dataset of this check; the document does not say which data a service must accept");
  const { seen: rows } = await t.probe(async (scope) => new CaseRun(scope, t.checkId, plan, prepared).run());
  await t.verifyRows(rows);
}

/** Whether a dataset cannot be used for a reason other than a budget of the run. */
function isUnusable(prepared: Prepared): boolean {
  return prepared instanceof Inconclusive && !(prepared instanceof BudgetExhausted);
}

async function preparedBy(t: CheckContext, prepare: CaseDataset["prepare"]): Promise<Prepared> {
  try {
    return (await t.probe(prepare)).seen;
  } catch (error) {
    // If a target refuses one dataset, the other datasets are still judged.
    if (error instanceof Masked) {
      t.masked(error);
      return null;
    }
    if (error instanceof Inconclusive) return error;
    throw error;
  }
}

class CaseRun<D> {
  readonly #scope: Scope;
  readonly #check: string;
  readonly #plan: CasePlan<D>;
  readonly #prepared: readonly Prepared[];
  readonly #outcomes: Outcome[] = [];
  /** The combinations of levels that are not possible for any entry. */
  readonly #impossible = new Set<string>();
  /** The names of the levels that the target refuses. */
  readonly #refused = new Set<string>();

  constructor(scope: Scope, check: string, plan: CasePlan<D>, prepared: readonly Prepared[]) {
    this.#scope = scope;
    this.#check = check;
    this.#plan = plan;
    this.#prepared = prepared;
  }

  async run(): Promise<AssertionRow[]> {
    const { engine, datasets, factors, most } = this.#plan;
    const strengths = this.#plan.strength ?? STRENGTH;
    const { profile, seed } = this.#scope.settings;
    const strength = this.#scope.pick(strengths);
    const sizes = [datasets.length, ...factors.map(({ levels }) => levels.length)];
    const isAllowed = this.#together(sizes);
    const rows = this.#planned({
      sizes,
      strength,
      seed: derivedSeed(seed, engine),
      isAllowed: (levels) => this.#prepared[levels[0] ?? -1] !== null && isAllowed(levels),
      most: most[profile],
    });
    const waiting = [...rows];
    const lane = async (): Promise<void> => {
      for (let row = waiting.shift(); row !== undefined; row = waiting.shift()) {
        const isEnough = waiting.length < (1 - LEAST_ROWS) * rows.length;
        if (!isEnough || !leavesOutRow(this.#scope, MOST_TIME, 1)) this.#outcomes.push(await this.#outcomeOf(row));
      }
    };
    await Promise.all(Array.from({ length: OVERLAP }, lane));
    // The cases are sorted, so that the order of the responses does not decide which case explains a violation.
    const places = new Map(rows.map(({ row }, at) => [row, at]));
    this.#outcomes.sort((one, other) => (places.get(one.row) ?? 0) - (places.get(other.row) ?? 0));
    const isMasked = (factor: number, level: number): boolean =>
      factor === 0 ? this.#prepared[level] === null : this.#refused.has(factors[factor - 1]?.levels[level]?.name ?? "");
    const judged = this.#outcomes.map(({ row, left, result }) => ({
      row,
      states: row.map((_, factor): LevelState => (left.has(factor - 1) ? "not evaluated" : stateOf(result))),
    }));
    for (const counted of strength === 3 ? ([2, 3] as const) : [strength])
      this.#scope.run.coverage.set(counted === 3 ? `${engine}, three levels together` : engine, {
        engine: "queries",
        check: this.#check,
        ...coverageOf({
          factors: ["dataset", ...factors.map(({ name }) => name)],
          levelName: (factor, level) => (factor === 0 ? datasets[level] : factors[factor - 1]?.levels[level])?.name ?? "",
          sizes,
          strength: counted,
          isAllowed: (levels) => isAllowed(levels) && !this.#isImpossible(levels),
          isMasked,
          isUnusable: (factor, level) => factor === 0 && isUnusable(this.#prepared[level] ?? null),
          rows: judged,
        }),
      });
    return [...(await this.#smallest()), ...this.#outcomes.map(asRow), ...this.#unusable()];
  }

  /**
   * The cases to run. Some levels are impossible for some entries, such as a limit below the number of selected entries. So further cases
   * for the missing combinations follow: first cases of another covering array, then cases with a single pair of levels.
   */
  #planned(options: ArrayOptions): Planned<D>[] {
    const planned: Planned<D>[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const covered = planned.map(realRow);
      const rows = coveringArray({ ...options, seed: options.seed + round, mandatory: covered }).slice(covered.length);
      planned.push(...rows.map((row, index) => this.#plannedRow(row, covered.length + index)));
    }
    if (options.strength === 1) return [...planned, ...this.#single(planned, (options.most ?? Infinity) - planned.length)];
    for (const strength of options.strength === 3 ? [2, 3] : [2]) this.#complete(planned, strength);
    return planned;
  }

  /** Adds cases for combinations of `strength` levels that no case has, because a level was impossible in the planned case. */
  #complete(planned: Planned<D>[], strength: number): void {
    const having = new Set(planned.flatMap((one) => combinationsOf(realRow(one), strength)));
    for (const combination of new Set(planned.flatMap(({ row }) => combinationsOf(row, strength)))) {
      if (having.has(combination)) continue;
      const alone = this.#alone(combination, planned.length);
      if (alone === null) continue;
      planned.push(alone);
      for (const other of combinationsOf(alone.row, strength)) having.add(other);
    }
  }

  /** Returns a case for each level that no other case has. In these cases, all other levels are neutral. */
  #single(planned: readonly Planned<D>[], most: number): Planned<D>[] {
    const rows = planned.map(realRow);
    const missing = this.#plan.factors.flatMap(({ levels }, at) =>
      levels.flatMap((_, level) => (rows.some((row) => row[at + 1] === level) ? [] : [`${at + 1} ${level}`])),
    );
    return missing.flatMap((level) => this.#alone(level, planned.length) ?? []).slice(0, Math.max(0, most));
  }

  /** Returns a case with a combination of levels, in which all other levels are neutral, or null if no entry allows the combination. */
  #alone(combination: string, at: number): Planned<D> | null {
    const chosen = new Map(combination.split(",").map((place) => place.split(" ").map(Number) as [factor: number, level: number]));
    const row = [0, ...this.#plan.factors.map(() => 0)].map((level, factor) => chosen.get(factor) ?? level);
    for (const dataset of chosen.has(0) ? [row[0] ?? 0] : this.#prepared.keys()) {
      const planned = this.#plannedRow(row.with(0, dataset), at);
      if (planned.query !== null && planned.left.size === 0) return planned;
    }
    this.#impossible.add(combination);
    return null;
  }

  /** Whether the chosen levels are impossible for each entry. */
  #isImpossible(levels: readonly (number | undefined)[]): boolean {
    return this.#impossible.has(levels.flatMap((level, factor) => (level === undefined ? [] : [`${factor} ${level}`])).join(","));
  }

  /** Excludes levels that cannot occur together, and cases with too many levels that reduce the result. */
  #together(sizes: readonly number[]): Constraint {
    const offsets = sizes.map((_, factor) => sizes.slice(0, factor).reduce((sum, size) => sum + size, 0));
    const total = sizes.reduce((sum, size) => sum + size, 0);
    const apart = new Uint8Array(total * total);
    const separate = (one: number, other: number): void => {
      apart[one * total + other] = 1;
      apart[other * total + one] = 1;
    };
    const levels = this.#plan.factors.flatMap((factor, at) =>
      factor.levels.map((level, index) => ({ ...level, at, index, number: (offsets[at + 1] ?? 0) + index })),
    );
    for (const one of levels) {
      // If a dataset was not read, its possible levels are unknown, so each level counts as possible.
      for (const [dataset, subjectAt] of this.#prepared.entries())
        if (typeof subjectAt === "function" && !this.#isIn(subjectAt, one.change)) separate(dataset, one.number);
      for (const other of levels) if (one.without?.includes(other.name) === true) separate(one.number, other.number);
    }
    const { factors, mostSelecting = Infinity } = this.#plan;
    return (chosen) => {
      const selecting = chosen.filter((level, at) => level !== undefined && level !== 0 && factors[at - 1]?.isSelecting === true);
      if (selecting.length > mostSelecting) return false;
      const numbers = chosen.flatMap((level, factor) => (level === undefined ? [] : [(offsets[factor] ?? 0) + level]));
      return numbers.every((one, at) => numbers.every((other, place) => place <= at || apart[one * total + other] === 0));
    };
  }

  /** Whether a level is possible for some entries of a dataset. */
  #isIn(subjectAt: (at: number) => CaseSubject, change: CaseLevel<D>["change"]): boolean {
    const subjects = Array.from({ length: LOOKED_AT }, (_, at) => subjectAt(at));
    return subjects.some((subject) => change(this.#plan.neutral(subject), subject) !== null);
  }

  /** Returns the query of a case as data. `left` has the factors whose level the entry does not allow or the target refuses. */
  #draftOf(subject: CaseSubject, levels: Row): { readonly draft: D; readonly left: ReadonlySet<number> } {
    const left = new Set<number>();
    const draft = levels.reduce((before, level, factor) => {
      const chosen = this.#plan.factors[factor]?.levels[level];
      const changed = chosen === undefined || this.#refused.has(chosen.name) ? null : chosen.change(before, subject);
      if (changed === null) left.add(factor);
      return changed ?? before;
    }, this.#plan.neutral(subject));
    return { draft, left };
  }

  /** Returns the query of the case with the number `at`. Cases with adjacent numbers query different entries. */
  #plannedRow(row: Row, at: number): Planned<D> {
    const [dataset = 0, ...levels] = row;
    const subjectAt = this.#prepared[dataset];
    if (typeof subjectAt !== "function") return { row, at, left: new Set(), query: null };
    const first = subjectAt(at);
    let best = { subject: first, ...this.#draftOf(first, levels) };
    // Some levels do not exist for some entries, such as the first or the last entry of a dataset.
    for (let index = 1; index < LOOKED_AT && best.left.size > 0; index += 1) {
      const subject = subjectAt(at + index);
      const other = { subject, ...this.#draftOf(subject, levels) };
      if (other.left.size < best.left.size) best = other;
    }
    return { row, at, left: best.left, query: best };
  }

  async #outcomeOf(planned: Planned<D>): Promise<Outcome> {
    const { row, at, left, query } = planned;
    const [dataset = 0, ...levels] = row;
    if (query === null) return { row, subject: null, left, clause: this.#plan.clause, result: this.#prepared[dataset] as Inconclusive };
    const isRefused = (): boolean => levels.some((_, factor) => !left.has(factor) && this.#isRefused(levels, factor));
    const { subject, draft } = query;
    const result = isRefused() ? null : await this.#resultOf(subject, draft, levels, left);
    // The target refuses a level of this case, so the case is planned again without this level.
    if (result === null || (result instanceof Masked && isRefused())) return this.#outcomeOf(this.#plannedRow(row, at));
    const [clause] = this.#plan.clausesOf(subject, draft);
    return { row, subject, left, clause, result };
  }

  #isRefused(levels: Row, factor: number): boolean {
    return this.#refused.has(this.#plan.factors[factor]?.levels[levels[factor] ?? 0]?.name ?? "");
  }

  /** Returns the names of a factor and a level. The words before an operator are removed, because the name of the factor has them. */
  #named(factor: number, level: number): readonly [string, string] {
    const { name = "", levels = [] } = this.#plan.factors[factor] ?? {};
    return [name, (levels[level]?.name ?? "").replace(OPERATOR_OF, "")];
  }

  /** Sends the query of a case. The factors in `left` keep their neutral level. */
  async #resultOf(subject: CaseSubject, draft: D, levels: Row, left: ReadonlySet<number>): Promise<Outcome["result"]> {
    const { assertion, clausesOf } = this.#plan;
    const named = levels.flatMap((level, factor) => (level === 0 || left.has(factor) ? [] : [this.#named(factor, level)]));
    try {
      const { held: _, ...finding } = await subject.guard(assertion(subject, draft))(this.#scope.fork([], "patient"));
      const clauses = finding.differences.length === 0 ? clausesOf(subject, draft) : finding.clauses;
      // The cause of a wrong response can be a simpler request, which is then the first exchange.
      const [judged] = finding.exchanges;
      const asked = judged === undefined ? undefined : Object.fromEntries(new URL(judged.request.url).searchParams);
      return { ...finding, clauses, input: { dataset: subject.name, ...Object.fromEntries(named), asked } };
    } catch (error) {
      if (error instanceof Masked) this.#refused.add(error.what);
      if (error instanceof Masked || error instanceof Inconclusive) return error;
      throw error;
    }
  }

  /** For some violated clauses, finds a failing case with the smallest number of levels that are not neutral. */
  async #smallest(): Promise<AssertionRow[]> {
    const first = new Map<ClauseId, Outcome>();
    for (const outcome of this.#outcomes)
      if (!(outcome.result instanceof Error))
        for (const clause of blamed(outcome.result.differences)) if (!first.has(clause)) first.set(clause, outcome);
    const smallest: AssertionRow[] = [];
    for (const [clause, outcome] of [...first].slice(0, MINIMISED.clauses)) {
      const found = await this.#minimised(clause, outcome);
      if (found !== null) smallest.push({ clause, assertion: async () => found });
    }
    return smallest;
  }

  async #minimised(clause: ClauseId, { row: [, ...levels], subject }: Outcome): Promise<Finding | null> {
    if (subject === null) return null;
    let smallest: Finding | null = null;
    const fails = async (factors: readonly number[]): Promise<boolean> => {
      const some = levels.map((level, factor) => (factors.includes(factor) ? level : 0));
      const { draft, left } = this.#draftOf(subject, some);
      const result = await this.#resultOf(subject, draft, some, left);
      if (!isViolation(result, clause)) return false;
      smallest = { ...result, minimal: this.#minimalOf(clause, some, left) };
      return true;
    };
    const changed = levels.flatMap((level, factor) => (level === 0 ? [] : [factor]));
    if (!(await fails([])) && changed.length > 1) await minimise(changed, fails, MINIMISED.attempts);
    return smallest;
  }

  /** Returns the levels of a case that violates a clause, and the numbers of cases with and without these levels. */
  #minimalOf(clause: ClauseId, levels: Row, left: ReadonlySet<number>): MinimalLevels {
    const chosen = [...levels.entries()].filter(([factor, level]) => level !== 0 && !left.has(factor));
    const hasAll = (one: Outcome): boolean => chosen.every(([factor, level]) => one.row[factor + 1] === level && !one.left.has(factor));
    const failed = this.#outcomes.filter(({ result }) => isViolation(result, clause));
    return {
      levels: Object.fromEntries(chosen.map(([factor, level]) => this.#named(factor, level))),
      failing: failed.length,
      failingWithLevels: failed.filter(hasAll).length,
      rightWithout: this.#outcomes.filter((one) => stateOf(one.result) === "judged" && !hasAll(one)).length,
    };
  }

  /** Returns an unverified row for each dataset that cannot be used, even if no case uses the dataset. */
  #unusable(): AssertionRow[] {
    return this.#prepared
      .filter((one) => one instanceof Inconclusive)
      .map((reason) => ({ clause: this.#plan.clause, assertion: () => Promise.reject(reason) }));
  }
}

/** Returns the levels that were really sent. An impossible or refused level was replaced by the neutral level of its factor. */
function realRow({ row, left }: Planned<unknown>): Row {
  return row.map((level, factor) => (left.has(factor - 1) ? 0 : level));
}

/** Returns the combinations of `strength` levels of a case, as texts. */
function combinationsOf(row: Row, strength: number): string[] {
  return subsets(row.length, strength).map((set) => set.map((factor) => `${factor} ${row[factor] ?? 0}`).join(","));
}

function isViolation(result: Outcome["result"], clause: ClauseId): result is Finding {
  return !(result instanceof Error) && blamed(result.differences).includes(clause);
}

function stateOf(result: Outcome["result"]): LevelState {
  if (result instanceof Masked) return "refused";
  if (result instanceof Error) return "not evaluated";
  return result.differences.length === 0 ? "judged" : "hidden";
}

function asRow({ clause, result }: Outcome): AssertionRow {
  return { clause, assertion: () => (result instanceof Error ? Promise.reject(result) : Promise.resolve(result)) };
}
