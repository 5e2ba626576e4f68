/** Divides rows that the target refuses, and rows with wrong responses, into the smallest part that is still refused or wrong. */
import { type Answered, statusOf } from "../client/exchange.ts";
import { Masked } from "../client/inconclusive.ts";
import type { LimitName } from "../contract/limits.ts";
import { minimise } from "../design/minimise.ts";
import { limitOf } from "../diagnosis/limit-outcomes.ts";
import type { Finding } from "../harness/finding.ts";
import type { Scope } from "../harness/scope.ts";
import { show } from "../model/difference.ts";
import { updatePlainly } from "./filled-limits.ts";
import { type PoolInstance, withInstance } from "./instance-pool.ts";
import { divided, halves } from "./limit-groups.ts";
import { type HistoryRow, type LimitRows, OPERATIONS, part } from "./limit-rows.ts";
import { FORBIDDEN, type Outcome, type RowSender } from "./row-sender.ts";

/** The maximum number of requests in one run that find refused levels and combinations. */
const MOST_PROBES = 160;
/** The maximum number of requests for one refused combination of levels. */
const MOST_SPLITS = 16;
/** After this number of refusals of parts of a row with one level, the level is masked for the limits of each refused part. */
const MOST_REFUSED = 6;
/** A refused combination of at most this many levels is remembered. */
const MOST_TOGETHER = 3;

export class RowDivision {
  /** The findings about limits that the target refuses if an update adds only one limit. */
  readonly refusedAlone: Finding[] = [];
  readonly #scope: Scope;
  readonly #rows: LimitRows;
  readonly #sender: RowSender;

  constructor(scope: Scope, rows: LimitRows, sender: RowSender) {
    this.#scope = scope;
    this.#rows = rows;
    this.#sender = sender;
  }

  /** Sends the row as an update. If the target refuses the update, splits the row into parts. */
  async updated(borrowed: PoolInstance, row: HistoryRow): Promise<void> {
    const parts = [this.#rows.without(row)];
    const isOneLevel = new Set(row.levels.values()).size === 1;
    for (let refused = 0, next = parts.shift(); next !== undefined; next = parts.shift()) {
      const refusal = next.levels.size === 0 ? null : await this.#sender.refusalOf(borrowed, next);
      if (refusal === null) continue;
      refused += 1;
      const isKnown = isOneLevel && (next.levels.size === 1 || refused > MOST_REFUSED || this.#sender.probes > MOST_PROBES);
      if (row.levels.size === 1 && row.operation === "add") await this.#judgeAlone(borrowed, next, refusal);
      else if (isKnown) this.#mask(next, refusal);
      else if (isOneLevel) parts.unshift(...divided([...next.levels.keys()]).map((names) => part(next, names)));
      else if (this.#sender.probes <= MOST_PROBES) parts.unshift(...(await this.#apartFrom(borrowed, next)));
    }
  }

  /** Records that the target refuses the levels of a row. The documents do not say which values a target must accept. */
  #mask(row: HistoryRow, refusal: Answered | typeof FORBIDDEN): void {
    this.#rows.mask(row);
    if (refusal === FORBIDDEN) return;
    // The names of some levels differ only in a number at the end. The report shows these levels as one.
    for (const [name, level] of row.levels)
      this.#scope.mask(new Masked(`admin-2.limit.${name}`, `${level.name.replace(/ \d+$/, "")} values`, refusal));
  }

  /** Judges the refusal of a limit alone. Its default, and a value that was accepted with other limits, must be accepted. */
  async #judgeAlone(borrowed: PoolInstance, { levels, sent }: HistoryRow, refusal: Answered | typeof FORBIDDEN): Promise<void> {
    const [name] = levels.keys();
    if (name === undefined || refusal === FORBIDDEN || (await updatePlainly(this.#scope, borrowed, sent)).taken !== null) return;
    const clause = `admin-2.limit.${name}` as const;
    const expected = `success (2xx) for an update that adds only ${name}, with ${show(sent[name])}, the default, or a value that was accepted with other limits`;
    const actual = `each of these updates is refused, first with status ${statusOf(refusal)}: ${show(refusal.response.body)}`;
    this.refusedAlone.push({ clauses: [clause], differences: [{ clause, path: "status", expected, actual }], exchanges: [refusal] });
  }

  /** Resolves to the parts of a row to try next, after the target refused the row but accepts each of its levels alone. */
  async #apartFrom(borrowed: PoolInstance, row: HistoryRow): Promise<HistoryRow[]> {
    const names = [...row.levels.keys()];
    if (names.length === 1) return [];
    const { items } = await minimise(names, async (some) => !(await this.#sender.isAccepted(borrowed, part(row, some).sent)), MOST_SPLITS);
    if (items.length > MOST_TOGETHER) return halves(names).map((half) => part(row, half));
    this.#rows.maskTogether(row, items);
    return [this.#rows.without(row)];
  }

  /** Repeats the smallest wrong update of each operation with fewer limits, as long as one of its wrong limits is still wrong. */
  async minimiseDefects(): Promise<void> {
    for (const operation of OPERATIONS) {
      const wrong = this.#sender.outcomes
        .filter((one) => one.operation === operation && wrongSent(one).length > 0)
        .toSorted((one, other) => one.levels.size - other.levels.size)[0];
      const [target] = wrong === undefined ? [] : wrongSent(wrong);
      if (wrong !== undefined && target !== undefined && wrong.levels.size > 1) await this.#minimiseDefect(wrong, target);
    }
  }

  async #minimiseDefect(wrong: Outcome, target: LimitName): Promise<void> {
    const row = this.#rows.again(wrong);
    await withInstance(this.#scope, async (borrowed) => {
      this.#sender.forget(borrowed);
      const fails = async (names: readonly LimitName[]): Promise<boolean> => {
        // First an update writes another value, because overwriting a value with itself shows nothing.
        if (row.operation === "overwrite")
          await this.#sender.refusalOf(borrowed, this.#rows.drawn("add", new Map([[target, this.#rows.ordinary]])));
        const before = this.#sender.outcomes.length;
        if ((await this.#sender.refusalOf(borrowed, part(row, [target, ...names]))) !== null) return false;
        return this.#sender.outcomes.slice(before).some((one) => wrongSent(one).includes(target));
      };
      const others = [...wrong.levels.keys()].filter((name) => name !== target);
      if (!(await fails([]))) await minimise(others, fails, MOST_SPLITS);
    });
  }
}

/** Returns the sent limits with a wrong value in a response. A wrong retention period violates a separate clause. */
function wrongSent({ sent, differences }: Outcome): LimitName[] {
  const wrong = differences.filter(({ clause }) => clause !== "admin-2.retention-format");
  return [...new Set(wrong.map(limitOf))].filter((name) => name !== null && Object.hasOwn(sent, name)) as LimitName[];
}
