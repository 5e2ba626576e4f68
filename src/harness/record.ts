/** Collects the findings of a check, by clause. */
import type { Exchange } from "../client/exchange.ts";
import type { ClauseId } from "../contract/catalogue.ts";
import { clauseStates, notEvaluatedReason } from "../diagnosis/clause-states.ts";
import type { FailingCase } from "./corpus.ts";
import type { Finding } from "./finding.ts";
import { differenceText, isOrdinary } from "../model/difference.ts";
import { distinct } from "./headline.ts";
import type { Violation } from "./message.ts";
import type { Observation } from "./result.ts";

/** The maximum number of exchanges without differences that a check keeps. A report shows fewer exchanges than this number. */
export const MOST_RIGHT = 200;

/** The findings about a clause: a violation wins over `not evaluated`, and `not evaluated` wins over `held`. */
interface ClauseRecord {
  held: boolean;
  notEvaluated: string | null;
  /** The clauses whose violations hid this clause. Null if there is also another reason why it was not evaluated. */
  hiders: Set<ClauseId> | null;
  violation: Violation | null;
}

export class CheckRecord {
  readonly #clauses = new Map<ClauseId, ClauseRecord>();
  readonly observations: Observation[] = [];
  /** The message about a part that the check left out: the target refuses this part, and the documents do not promise it. */
  masked: string | null = null;
  /** The number of generated cases that ran, or null for a check without generated cases. */
  cases: number | null = null;
  properties = 0;
  readonly failing: FailingCase[] = [];
  /** The judged exchanges that show a violation. */
  readonly #telling: Exchange[] = [];
  readonly #judged: Exchange[] = [];
  readonly #judgedOperations = new Set<string>();
  /** The number of exchanges that were not kept. They are of generated cases with right responses. */
  unkept = 0;

  get violations(): readonly Violation[] {
    return [...this.#clauses.values()].flatMap(({ violation }) => violation ?? []);
  }

  /** Returns, for each violation, the first exchange that shows the violation. */
  get deciding(): readonly Exchange[] {
    return this.violations.flatMap(({ exchanges }) => exchanges.slice(0, 1));
  }

  /** The judged exchanges: first the deciding exchanges, then the other exchanges that show a violation. */
  get judged(): readonly Exchange[] {
    return [...new Set([...this.deciding, ...this.#telling, ...this.#judged])];
  }

  isKept(clause: ClauseId): boolean {
    return this.#clauses.get(clause)?.held === true;
  }

  notEvaluated(clause: ClauseId): string | null {
    return this.#clauses.get(clause)?.notEvaluated ?? null;
  }

  get reasons(): readonly string[] {
    return [...this.#clauses.values()].flatMap(({ notEvaluated }) => notEvaluated ?? []);
  }

  /** The clauses whose violations hid this clause. Empty if there is also another reason why it was not evaluated. */
  hiders(clause: ClauseId): readonly ClauseId[] {
    return [...(this.#clauses.get(clause)?.hiders ?? [])];
  }

  /** Records a finding, and returns whether all of its clauses were held. With `left`, the caller reports the violations later. */
  note(finding: Finding, input?: Violation["input"], violations: "told" | "left" = "told"): boolean {
    const { clauses, differences, held = finding.kept, exchanges, attempts, shownBy, minimal } = finding;
    if (exchanges.length === 0) throw new Error(`a finding about ${clauses.join(", ")} has no exchange (a defect of the check)`);
    let right = true;
    for (const [clause, clauseState] of clauseStates(clauses, differences, held)) {
      const record = this.#of(clause);
      if (clauseState.state === "held") {
        record.held = true;
        continue;
      }
      right = false;
      if (clauseState.state === "not evaluated") {
        const { by } = clauseState;
        this.noteNotEvaluated(clause, finding.notEvaluated ?? notEvaluatedReason(by), by === null ? [] : [by.clause]);
      }
      if (clauseState.state === "violated" && violations === "told") {
        const own = differences.filter((difference) => difference.clause === clause);
        const shown = shownBy?.get(clause);
        const told = input ?? (finding.input === undefined ? undefined : { value: finding.input, note: null });
        record.violation = violationOf(record.violation, {
          clause,
          differences: own,
          exchanges: shown === undefined ? exchanges : [...new Set([shown, ...exchanges])],
          ...(told === undefined ? {} : { input: told }),
          ...(attempts === undefined ? {} : { attempts }),
          ...(minimal === undefined ? {} : { minimal }),
        });
      }
    }
    if (right) this.#keep(exchanges);
    else this.#telling.push(...exchanges);
    return right;
  }

  /** Keeps some of the right exchanges, at least one per operation. Thousands of responses would fill the memory. */
  #keep(exchanges: readonly Exchange[]): void {
    for (const exchange of exchanges) {
      if (this.#judged.length >= MOST_RIGHT && this.#judgedOperations.has(exchange.operation)) continue;
      this.#judgedOperations.add(exchange.operation);
      this.#judged.push(exchange);
    }
  }

  /** Records that a clause could not be evaluated. `by` has the clauses whose violations are the reason, and may be empty. */
  noteNotEvaluated(clause: ClauseId, reason: string, by: readonly ClauseId[]): void {
    const record = this.#of(clause);
    record.notEvaluated ??= reason;
    if (by.length === 0) record.hiders = null;
    else for (const hider of by) record.hiders?.add(hider);
  }

  noteObserved(clause: ClauseId, observation: Observation): void {
    this.#of(clause).held = true;
    this.observations.push(observation);
  }

  #of(clause: ClauseId): ClauseRecord {
    const known = this.#clauses.get(clause) ?? { held: false, notEvaluated: null, hiders: new Set(), violation: null };
    this.#clauses.set(clause, known);
    return known;
  }
}

/** If plain data shows a violation too, unusual data is not the cause. So a violation with plain data explains more. */
function oddness({ differences: [first], input, minimal }: Violation): number {
  return input?.intermittent === true ? 2 : Number(minimal === undefined && first !== undefined && !isOrdinary(differenceText(first)));
}

/** Joins two violations of a clause. Keeps the evidence of the first, except if the second is less odd. */
function violationOf(known: Violation | null, next: Violation): Violation {
  if (known === null) return next;
  const [first, second] = oddness(next) < oddness(known) ? [next, known] : [known, next];
  return { ...first, differences: distinct([...first.differences, ...second.differences]) };
}
