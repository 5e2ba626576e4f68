/**
 * Inputs that violated a clause in an earlier nightly run, which later nightly runs try first. An input is kept as its seed and number,
 * which any version can repeat.
 */

/** A generated case that failed. */
export interface FailingCase {
  readonly check: string;
  /** The number of the property in the check, counted from 0. */
  readonly property: number;
  /** `seed` is the SEED of the run that drew the case. `case` is the number of the case in that run. */
  readonly seed: number;
  readonly case: number;
  readonly clause: string;
  /** The smallest failing input that was found, as text for people. The program never reads this text. */
  readonly input: string;
}

/** A failing case and its later results. */
export interface KeptCase extends FailingCase {
  /** The date in ISO 8601, without a time. */
  readonly lastFailed: string;
  /** The number of consecutive runs in which the response was right. */
  readonly passed: number;
}

/** The number of consecutive right runs after which a case is dropped. */
const FORGOTTEN_AFTER = 7;

function keyOf({ check, property, seed, case: index }: FailingCase): string {
  return JSON.stringify([check, property, seed, index]);
}

/**
 * Returns the cases to keep after a run: those that failed now, and earlier cases that were right in fewer than FORGOTTEN_AFTER consecutive
 * runs. `ran` has the ids of the checks that judged their cases in this run.
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
