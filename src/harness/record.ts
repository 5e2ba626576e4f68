/** The findings of a check so far, by clause. */
import type { Exchange } from "../client/exchange.ts";
import type { ClauseId } from "../contract/catalogue.ts";
import { clauseStates, notEvaluatedReason } from "../diagnosis/clause-states.ts";
import type { FailingCase } from "./corpus.ts";
import type { Finding } from "./finding.ts";
import type { Violation } from "./message.ts";
import type { Observation } from "./result.ts";

/** The maximum number of exchanges without differences that a check keeps. Far fewer are shown. */
export const MOST_RIGHT = 200;

/** What is known about one clause. A violation wins over `unseen`, and `unseen` wins over `kept`. */
interface ClauseRecord {
  held: boolean;
  notEvaluated: string | null;
  /** The clauses whose violations hid it; null when it was unseen for another reason as well. */
  hiders: Set<ClauseId> | null;
  violation: Violation | null;
}

export class CheckRecord {
  readonly #clauses = new Map<ClauseId, ClauseRecord>();
  readonly observations: Observation[] = [];
  /** Why something was left out: the target refuses it, and the documents do not promise it. */
  masked: string | null = null;
  /** The number of generated cases that ran. Null for a check without them. */
  cases: number | null = null;
  /** How many properties the check has run. */
  properties = 0;
  /** The generated cases that violated a clause. */
  readonly failing: FailingCase[] = [];
  /** Exchanges that were judged, the violating ones first. */
  readonly #telling: Exchange[] = [];
  readonly #judged: Exchange[] = [];
  readonly #judgedOperations = new Set<string>();
  /** The number of exchanges of right generated cases that are not kept. */
  unkept = 0;

  get violations(): readonly Violation[] {
    return [...this.#clauses.values()].flatMap(({ violation }) => violation ?? []);
  }

  /** One exchange for each violation: the first that shows it. */
  get deciding(): readonly Exchange[] {
    return this.violations.flatMap(({ exchanges }) => exchanges.slice(0, 1));
  }

  /** The judged exchanges: the deciding ones first, then those that show a violation. */
  get judged(): readonly Exchange[] {
    return [...new Set([...this.deciding, ...this.#telling, ...this.#judged])];
  }

  isKept(clause: ClauseId): boolean {
    return this.#clauses.get(clause)?.held === true;
  }

  /** Why a clause was not evaluated. Null if nothing hid it. */
  notEvaluated(clause: ClauseId): string | null {
    return this.#clauses.get(clause)?.notEvaluated ?? null;
  }

  /** The clauses whose violations alone hid a clause; none when it was unseen for another reason as well. */
  hiders(clause: ClauseId): readonly ClauseId[] {
    return [...(this.#clauses.get(clause)?.hiders ?? [])];
  }

  /** Takes a finding in. Returns whether everything it was to show was kept. With `left`, what is broken is told later, by itself. */
  note(finding: Finding, input?: Violation["input"], violations: "told" | "left" = "told"): boolean {
    const { clauses, differences, held, exchanges, attempts, shownBy } = finding;
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
        record.notEvaluated ??= finding.notEvaluated ?? notEvaluatedReason(clauseState.by);
        if (clauseState.by === null) record.hiders = null;
        else record.hiders?.add(clauseState.by.clause);
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
        });
      }
    }
    if (right) this.#keep(exchanges);
    else this.#telling.push(...exchanges);
    return right;
  }

  /**
   * Keeps few of the exchanges without differences, and at least one per operation, because thousands of responses would fill the memory.
   */
  #keep(exchanges: readonly Exchange[]): void {
    for (const exchange of exchanges) {
      if (this.#judged.length >= MOST_RIGHT && this.#judgedOperations.has(exchange.operation)) continue;
      this.#judgedOperations.add(exchange.operation);
      this.#judged.push(exchange);
    }
  }

  /** Notes an observation, and that the check has looked at the clause. */
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

/** Equal differences are told once. The first violation keeps its evidence, unless it is intermittent and the next one is not. */
function violationOf(known: Violation | null, next: Violation): Violation {
  if (known === null) return next;
  const [first, second] = known.input?.intermittent === true && next.input?.intermittent !== true ? [next, known] : [known, next];
  const told = new Set(first.differences.map(textOf));
  return { ...first, differences: [...first.differences, ...second.differences.filter((one) => !told.has(textOf(one)))] };
}

function textOf({ path, expected, actual }: Violation["differences"][number]): string {
  return JSON.stringify([path, expected, actual]);
}
