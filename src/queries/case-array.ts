/**
 * Query cases as rows of a covering array: one level for each factor, and a dataset. The levels say what to ask; the model predicts the
 * answer. A case that fails is repeated with fewer levels, so that the report shows the smallest one.
 */
import { Inconclusive, Masked } from "../client/inconclusive.ts";
import type { ClauseId } from "../contract/catalogue.ts";
import { coverageOf, type LevelState } from "../design/coverage.ts";
import { coveringArray, type Row } from "../design/covering-array.ts";
import { minimise } from "../design/minimise.ts";
import type { Check } from "../harness/check.ts";
import type { AssertionRow, CheckContext } from "../harness/context.ts";
import type { Finding } from "../harness/finding.ts";
import { isEnough, isLate } from "../harness/property.ts";
import type { MinimalLevels } from "../harness/result.ts";
import type { Assertion, Scope } from "../harness/scope.ts";
import { derivedSeed } from "../harness/seed.ts";
import { blamed } from "../model/difference.ts";
import type { CaseSubject, CaseDataset } from "./case-subject.ts";

/** A level of a factor, and what it changes in a draft of a query. */
export interface CaseLevel<D> {
  /** A level that a target may refuse is named as the object of "the target refuses". */
  readonly name: string;
  /** The draft with this level. Null if the dataset does not have the level. */
  readonly change: (draft: D, subject: CaseSubject) => D | null;
}

export interface CaseFactor<D> {
  readonly name: string;
  /** The first level is neutral: it leaves the draft unchanged. */
  readonly levels: readonly CaseLevel<D>[];
}

export interface CasePlan<D> {
  /** The name of the engine in the coverage. */
  readonly engine: string;
  /** The clause that stays unverified if a dataset cannot be used. */
  readonly clause: ClauseId;
  readonly datasets: readonly CaseDataset[];
  readonly factors: readonly CaseFactor<D>[];
  readonly neutral: (subject: CaseSubject) => D;
  /** The clauses that a right answer shows to be held. The first stays unverified if the case cannot be judged. */
  readonly clausesOf: (subject: CaseSubject, draft: D) => readonly [ClauseId, ...ClauseId[]];
  readonly assertion: (subject: CaseSubject, draft: D) => Assertion;
  /** The draft in readable form. */
  readonly print: (subject: CaseSubject, draft: D) => unknown;
  /** The maximum number of rows, by profile. */
  readonly most: Readonly<Record<Check["profiles"][number], number>>;
}

/** A dataset that can be used, null if the target does not show it, or the reason why it cannot be used. */
type Prepared = ((at: number) => CaseSubject) | null | Inconclusive;

/** The result of a row that was run. */
interface Outcome {
  readonly row: Row;
  /** Null if the dataset of the row could not be used. */
  readonly subject: CaseSubject | null;
  /** The factors that had their neutral level, because the entry does not have the level of the row, or the target refuses it. */
  readonly left: ReadonlySet<number>;
  readonly clause: ClauseId;
  readonly result: Finding | Inconclusive | Masked;
}

/** The number of rows that run at the same time. */
const OVERLAP = 4;
/** The maximum number of violated clauses whose case is repeated with fewer levels, and of requests for each. */
const MINIMISED = { clauses: 3, attempts: 12 };
/** The number of entries of a dataset that are looked at to find out whether it has a level. */
const LOOKED_AT = 3;
/** The share of the run's time after which no more rows run, because other checks need time too. */
const MOST_TIME = 0.5;
/** This share of the rows runs at any time. Fewer rows would show too little for a verdict. */
const LEAST_ROWS = 0.5;

/** Runs the rows of the covering array, and records the findings and the coverage. */
export async function runCases<D>(t: CheckContext, plan: CasePlan<D>): Promise<void> {
  const prepared: Prepared[] = [];
  for (const { prepare } of plan.datasets) prepared.push(await preparedBy(t, prepare));
  const { seen: rows } = await t.probe(async (scope) => new CaseRun(scope, plan, prepared).run());
  await t.verifyRows(rows);
}

async function preparedBy(t: CheckContext, prepare: CaseDataset["prepare"]): Promise<Prepared> {
  try {
    return (await t.probe(prepare)).seen;
  } catch (error) {
    // A target may refuse one dataset. The others are judged all the same.
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
  readonly #plan: CasePlan<D>;
  readonly #prepared: readonly Prepared[];
  readonly #outcomes: Outcome[] = [];
  /** Whether a dataset has a level of a factor. */
  readonly #known = new Map<string, boolean>();
  /** The names of the levels that the target refuses. */
  readonly #refused = new Set<string>();

  constructor(scope: Scope, plan: CasePlan<D>, prepared: readonly Prepared[]) {
    this.#scope = scope;
    this.#plan = plan;
    this.#prepared = prepared;
  }

  async run(): Promise<AssertionRow[]> {
    const { engine, datasets, factors, most } = this.#plan;
    const { profile, seed } = this.#scope.settings;
    const strength = this.#scope.pick({ smoke: 1, release: 2, nightly: 3 } as const);
    const sizes = [datasets.length, ...factors.map(({ levels }) => levels.length)];
    const isAllowed = (levels: readonly (number | undefined)[]): boolean => this.#hasLevels(levels);
    const rows = coveringArray({
      sizes,
      strength,
      seed: derivedSeed(seed, engine),
      isAllowed: (levels) => this.#prepared[levels[0] ?? -1] !== null && isAllowed(levels),
      most: most[profile],
    });
    const waiting = [...rows.entries()];
    const lane = async (): Promise<void> => {
      while (waiting.length > 0 && !(waiting.length <= (1 - LEAST_ROWS) * rows.length && this.#isBudgetLow())) {
        const [at, row] = waiting.shift() as [number, Row];
        this.#outcomes.push(await this.#outcomeOf(row, at));
      }
    };
    await Promise.all(Array.from({ length: OVERLAP }, lane));
    // The order of the answers must not decide which case explains a violation.
    const places = new Map(rows.map((row, at) => [row, at]));
    this.#outcomes.sort((one, other) => (places.get(one.row) ?? 0) - (places.get(other.row) ?? 0));
    const isMasked = (factor: number, level: number): boolean =>
      factor === 0 ? this.#prepared[level] === null : this.#refused.has(factors[factor - 1]?.levels[level]?.name ?? "");
    const judged = this.#outcomes.map(({ row, left, result }) => ({
      row,
      states: row.map((_, factor): LevelState => (left.has(factor - 1) ? "not evaluated" : stateOf(result))),
    }));
    this.#scope.run.coverage.set(engine, {
      ...coverageOf({
        factors: ["dataset", ...factors.map(({ name }) => name)],
        sizes,
        // Of a nightly run, which has triples of levels, only the pairs are counted.
        strength: strength === 1 ? 1 : 2,
        isAllowed,
        isMasked,
        rows: judged,
      }),
      maskedLevels: this.#maskedLevels(),
    });
    return [...(await this.#smallest()), ...this.#outcomes.map(asRow), ...this.#unusable()];
  }

  #isBudgetLow(): boolean {
    return this.#scope.settings.profile === "nightly" ? isEnough(this.#scope) : isLate(this.#scope, MOST_TIME);
  }

  /** Whether the dataset has all chosen levels. The levels of a dataset that was not read are not known, so each is possible. */
  #hasLevels([dataset, ...levels]: readonly (number | undefined)[]): boolean {
    const subjectAt = dataset === undefined ? undefined : this.#prepared[dataset];
    if (typeof subjectAt !== "function") return true;
    return levels.every((level, factor) => level === undefined || this.#isIn(dataset ?? 0, subjectAt, factor, level));
  }

  /** Whether some entries of a dataset have a level. */
  #isIn(dataset: number, subjectAt: (at: number) => CaseSubject, factor: number, level: number): boolean {
    const key = `${dataset} ${factor} ${level}`;
    const change = this.#plan.factors[factor]?.levels[level]?.change ?? (() => null);
    const subjects = Array.from({ length: LOOKED_AT }, (_, at) => subjectAt(at));
    const known = this.#known.get(key) ?? subjects.some((subject) => change(this.#plan.neutral(subject), subject) !== null);
    this.#known.set(key, known);
    return known;
  }

  /** The draft of a row, and the factors whose level the entry does not have or the target refuses. */
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

  async #outcomeOf(row: Row, at: number): Promise<Outcome> {
    const [dataset = 0, ...levels] = row;
    const subjectAt = this.#prepared[dataset];
    if (typeof subjectAt !== "function")
      return { row, subject: null, left: new Set(), clause: this.#plan.clause, result: subjectAt as Inconclusive };
    // Some levels do not exist for the first or the last entry of a dataset.
    const candidates = Array.from({ length: LOOKED_AT }, (_, index) => subjectAt(at + index)).map((subject) => ({
      subject,
      ...this.#draftOf(subject, levels),
    }));
    const { subject, draft, left } = candidates.reduce((best, one) => (one.left.size < best.left.size ? one : best));
    const result = await this.#resultOf(subject, draft, levels, left);
    const isRefusedLevel = result instanceof Masked && levels.some((_, factor) => !left.has(factor) && this.#isRefused(levels, factor));
    // The same row without the level that the target has just refused.
    if (isRefusedLevel) return this.#outcomeOf(row, at);
    const [clause] = this.#plan.clausesOf(subject, draft);
    return { row, subject, left, clause, result };
  }

  #isRefused(levels: Row, factor: number): boolean {
    return this.#refused.has(this.#plan.factors[factor]?.levels[levels[factor] ?? 0]?.name ?? "");
  }

  /** The names of a factor and of one of its levels. */
  #named(factor: number, level: number): readonly [string, string] {
    const { name = "", levels = [] } = this.#plan.factors[factor] ?? {};
    return [name, levels[level]?.name ?? ""];
  }

  /** `left`: the factors that have their neutral level in the draft. */
  async #resultOf(subject: CaseSubject, draft: D, levels: Row, left: ReadonlySet<number>): Promise<Outcome["result"]> {
    const { assertion, clausesOf, print } = this.#plan;
    const named = levels.flatMap((level, factor) => (level === 0 || left.has(factor) ? [] : [this.#named(factor, level)]));
    try {
      const { held: _, ...finding } = await subject.guard(assertion(subject, draft))(this.#scope.fork([], "patient"));
      const clauses = finding.differences.length === 0 ? clausesOf(subject, draft) : finding.clauses;
      return { ...finding, clauses, input: { dataset: subject.name, ...Object.fromEntries(named), asked: print(subject, draft) } };
    } catch (error) {
      if (error instanceof Masked) this.#refused.add(error.what);
      if (error instanceof Masked || error instanceof Inconclusive) return error;
      throw error;
    }
  }

  /** For some violated clauses a case with as few levels as possible. */
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

  /** The levels of a case that violates a clause, and the numbers of cases with and without them. */
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

  /** Each dataset that cannot be used leaves the clause unverified, also if no row has it. */
  #unusable(): AssertionRow[] {
    return this.#prepared
      .filter((one) => one instanceof Inconclusive)
      .map((reason) => ({ clause: this.#plan.clause, assertion: () => Promise.reject(reason) }));
  }

  #maskedLevels(): Record<string, readonly string[]> {
    const having = (level: string): string[] =>
      this.#plan.factors.filter(({ levels }) => levels.some(({ name }) => name === level)).map(({ name }) => name);
    const levels = [...this.#refused].map((level) => [level, having(level)] as const).filter(([, factors]) => factors.length > 0);
    const datasets = this.#plan.datasets.flatMap(({ name, about }, index) =>
      this.#prepared[index] === null ? [[about, [name]] as const] : [],
    );
    return Object.fromEntries([...levels, ...datasets]);
  }
}

function isViolation(result: Outcome["result"], clause: ClauseId): result is Finding {
  return !(result instanceof Error) && blamed(result.differences).includes(clause);
}

function stateOf(result: Outcome["result"]): LevelState {
  if (result instanceof Error) return "not evaluated";
  return result.differences.length === 0 ? "judged" : "hidden";
}

function asRow({ clause, result }: Outcome): AssertionRow {
  return { clause, assertion: () => (result instanceof Error ? Promise.reject(result) : Promise.resolve(result)) };
}
