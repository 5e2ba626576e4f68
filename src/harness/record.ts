/** What a check has found so far, clause by clause. */
import type { Exchange } from "../client/exchange.ts";
import type { ClauseId } from "../contract/catalogue.ts";
import { sightOf, unseenReason } from "../blame/sight.ts";
import type { FailingCase } from "./corpus.ts";
import type { Finding } from "./finding.ts";
import type { Violation } from "./message.ts";
import type { Observation } from "./result.ts";

/** Right exchanges of a check, and last ones of its generated cases, that are kept in any case; far more than are shown. */
export const MOST_RIGHT = 200;

/** What is known of one clause: a violation wins over "unseen", and that over "kept". */
interface ClauseRecord {
  kept: boolean;
  unseen: string | null;
  /** The clauses whose violations hid it; null when it was unseen for another reason as well. */
  hiders: Set<ClauseId> | null;
  violation: Violation | null;
}

export class CheckRecord {
  readonly #clauses = new Map<ClauseId, ClauseRecord>();
  readonly observations: Observation[] = [];
  /** Why something was left out that the target refuses and the documents do not promise. */
  masked: string | null = null;
  /** Generated cases that ran; null for a check without. */
  cases: number | null = null;
  /** How many properties the check has run. */
  properties = 0;
  /** Generated cases that broke a clause. */
  readonly failing: FailingCase[] = [];
  /** Exchanges that were judged, the violating ones first. */
  readonly #telling: Exchange[] = [];
  readonly #judged: Exchange[] = [];
  readonly #judgedOperations = new Set<string>();
  /** Exchanges of generated cases that were right and are not kept. */
  unkept = 0;

  get violations(): readonly Violation[] {
    return [...this.#clauses.values()].flatMap(({ violation }) => violation ?? []);
  }

  /** One exchange for each violation: the first that shows it. */
  get deciding(): readonly Exchange[] {
    return this.violations.flatMap(({ exchanges }) => exchanges.slice(0, 1));
  }

  /** The exchanges that were judged, the deciding ones first, then those that show a violation. */
  get judged(): readonly Exchange[] {
    return [...new Set([...this.deciding, ...this.#telling, ...this.#judged])];
  }

  isKept(clause: ClauseId): boolean {
    return this.#clauses.get(clause)?.kept === true;
  }

  /** Why a clause was not seen, or null when nothing hid it. */
  unseen(clause: ClauseId): string | null {
    return this.#clauses.get(clause)?.unseen ?? null;
  }

  /** The clauses whose violations alone hid a clause; none when it was unseen for another reason as well. */
  hiders(clause: ClauseId): readonly ClauseId[] {
    return [...(this.#clauses.get(clause)?.hiders ?? [])];
  }

  /** Takes a finding in. Returns whether everything it was to show was kept. With `left`, what is broken is told later, by itself. */
  note(finding: Finding, input?: Violation["input"], violations: "told" | "left" = "told"): boolean {
    const { clauses, differences, kept, exchanges, sightings, shownBy } = finding;
    if (exchanges.length === 0) throw new Error(`a finding about ${clauses.join(", ")} has no exchange (a defect of the check)`);
    let right = true;
    for (const [clause, sight] of sightOf(clauses, differences, kept)) {
      const record = this.#of(clause);
      if (sight.state === "kept") {
        record.kept = true;
        continue;
      }
      right = false;
      if (sight.state === "unseen") {
        record.unseen ??= finding.unseen ?? unseenReason(sight.by);
        if (sight.by === null) record.hiders = null;
        else record.hiders?.add(sight.by.clause);
      }
      if (sight.state === "broken" && violations === "told") {
        const own = differences.filter((difference) => difference.clause === clause);
        const shown = shownBy?.get(clause);
        const told = input ?? (finding.input === undefined ? undefined : { value: finding.input, note: null });
        record.violation = violationOf(record.violation, {
          clause,
          differences: own,
          exchanges: shown === undefined ? exchanges : [...new Set([shown, ...exchanges])],
          ...(told === undefined ? {} : { input: told }),
          ...(sightings === undefined ? {} : { sightings }),
        });
      }
    }
    if (right) this.#keep(exchanges);
    else this.#telling.push(...exchanges);
    return right;
  }

  /** Of what was right a few exchanges and one of each operation: thousands of cases would fill the memory with their answers. */
  #keep(exchanges: readonly Exchange[]): void {
    for (const exchange of exchanges) {
      if (this.#judged.length >= MOST_RIGHT && this.#judgedOperations.has(exchange.operation)) continue;
      this.#judgedOperations.add(exchange.operation);
      this.#judged.push(exchange);
    }
  }

  /** Notes that what a clause leaves open was looked at. */
  noteObserved(clause: ClauseId, observation: Observation): void {
    this.#of(clause).kept = true;
    this.observations.push(observation);
  }

  #of(clause: ClauseId): ClauseRecord {
    const known = this.#clauses.get(clause) ?? { kept: false, unseen: null, hiders: new Set(), violation: null };
    this.#clauses.set(clause, known);
    return known;
  }
}

/** The same sighting is told once; the first violation keeps its evidence, unless it is intermittent and the next one is not. */
function violationOf(known: Violation | null, next: Violation): Violation {
  if (known === null) return next;
  const [first, second] = known.input?.intermittent === true && next.input?.intermittent !== true ? [next, known] : [known, next];
  const told = new Set(first.differences.map(textOf));
  return { ...first, differences: [...first.differences, ...second.differences.filter((one) => !told.has(textOf(one)))] };
}

function textOf({ path, expected, actual }: Violation["differences"][number]): string {
  return JSON.stringify([path, expected, actual]);
}
