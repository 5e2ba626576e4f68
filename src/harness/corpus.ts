/** Keeps the seed and number of each input that failed in a nightly run. From these, later runs generate the same input again. */

export interface FailingCase {
  readonly check: string;
  /** The index of the property among the properties of its check, counted from 0. */
  readonly property: number;
  /** `seed` is the SEED of the run that drew the case. `case` is the number of the case in that run. */
  readonly seed: number;
  readonly case: number;
  readonly clause: string;
  /** The smallest failing input, as text for people. The program never reads this text. */
  readonly input: string;
}

/** A case that failed once, with its results in later runs. */
export interface KeptCase extends FailingCase {
  /** The date of the last run in which the case failed, in ISO 8601 without a time of day. */
  readonly lastFailed: string;
  /** The number of consecutive runs, up to now, in which the case got right responses. */
  readonly passed: number;
}

/** If a case gets right responses in this number of consecutive runs, the corpus drops the case. */
const FORGOTTEN_AFTER = 7;

function keyOf({ check, property, seed, case: index }: FailingCase): string {
  return JSON.stringify([check, property, seed, index]);
}

/**
 * Returns the cases to keep: cases that failed in this run, and earlier cases that passed in fewer than FORGOTTEN_AFTER consecutive runs.
 * `ran` has the ids of the checks that judged their cases in this run.
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
