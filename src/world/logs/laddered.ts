/** Sets of which a target may refuse the largest part: the largest that it takes is used, and what it refused is said. */
import type { Payload } from "../../arbitraries/streams.ts";
import { type Fixture, fixture, type Scope } from "../../harness/scope.ts";
import { type Dataset, refusalFinding, store } from "./datasets.ts";
import type { Age } from "./placing.ts";
import { comeBack, type PushedSet, readBack } from "./reading.ts";

/** A set as large as this target takes it. */
export interface Laddered extends PushedSet {
  /** The size that was taken. */
  readonly size: number;
}

/** Tries the sizes of a run from the largest on; null when even the smallest is refused, which the documents leave open. */
export function laddered(
  name: string,
  title: string,
  sizesOf: (scope: Scope) => readonly number[],
  payload: (size: number, scope: Scope) => Payload,
  age: Age = "settled",
): Fixture<Laddered | null> {
  return fixture("logs", title, async (scope) => {
    for (const size of sizesOf(scope)) {
      const dataset: Dataset = await store(scope, `${name}-${size}`, payload(size, scope), undefined, age);
      if (refusalFinding(dataset) !== null) continue;
      const pushed = await comeBack(scope, dataset);
      if (pushed.finding.differences.length === 0) scope.revisit(dataset, readBack(dataset));
      return { ...pushed, size };
    }
    return null;
  });
}
