/** Inputs that once broke a clause: a nightly run tries them first. They are kept by how they are drawn, which any version can repeat. */

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

/** A failing case with what became of it since. */
export interface KeptCase extends FailingCase {
  /** ISO 8601, date only. */
  readonly lastFailed: string;
  /** Runs in a row in which it was answered rightly. */
  readonly passed: number;
}

/** A case that has been right so often in a row says nothing any more. */
const FORGOTTEN_AFTER = 7;

function keyOf({ check, property, seed, case: index }: FailingCase): string {
  return JSON.stringify([check, property, seed, index]);
}

/** What is kept after a run: what failed now, and what failed before and was not right often enough since. `ran`: ids of the checks that judged. */
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
