/**
 * Inputs that once violated a clause. A nightly run tries them first. They are kept by their seed and number, which any version can repeat.
 */

/** A generated case that failed. */
export interface FailingCase {
  readonly check: string;
  /** Which of the check's properties drew it, from 0 on. */
  readonly property: number;
  /** SEED of the run that drew it, and its place among the cases. */
  readonly seed: number;
  readonly case: number;
  readonly clause: string;
  /** The smallest input found, as text: for people, and never read back. */
  readonly input: string;
}

/** A failing case and its later results. */
export interface KeptCase extends FailingCase {
  /** ISO 8601, date only. */
  readonly lastFailed: string;
  /** The number of consecutive runs in which the response was right. */
  readonly passed: number;
}

/** A case that was right this often in a row is dropped. */
const FORGOTTEN_AFTER = 7;

function keyOf({ check, property, seed, case: index }: FailingCase): string {
  return JSON.stringify([check, property, seed, index]);
}

/**
 * What is kept after a run: the failures of this run, and earlier ones that were not right often enough since. `ran`: ids of the checks
 * that judged.
 */
export function keptAfter(
  before: readonly KeptCase[],
  failing: readonly FailingCase[],
  ran: ReadonlySet<string>,
  today: string,
): KeptCase[] {
  const now = new Map(failing.map((one) => [keyOf(one), { ...one, lastFailed: today, passed: 0 }]));
  const old = before.flatMap((one): KeptCase[] => {
    if (now.has(keyOf(one))) return [];
    const passed = one.passed + (ran.has(one.check) ? 1 : 0);
    return passed >= FORGOTTEN_AFTER ? [] : [{ ...one, passed }];
  });
  return [...now.values(), ...old];
}
