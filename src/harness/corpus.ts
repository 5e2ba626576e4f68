/** Keeps failing inputs of nightly runs by seed and number, so that later runs of any version of the suite can draw them again. */

export interface FailingCase {
  readonly check: string;
  /** The index of the property among the properties of its check, counted from 0. */
  readonly property: number;
  /** `seed` is the SEED of the run that drew the case. `case` is the number of the case in that run. */
  readonly seed: number;
  readonly case: number;
  readonly clause: string;
  /** The smallest input that the run found to fail, as text for people. The program never reads this text. */
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
 * Returns the cases to keep: cases that failed in this run, and earlier cases that passed in fewer than FORGOTTEN_AFTER runs in a row.
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
