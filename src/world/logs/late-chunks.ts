/** Entries that come late to a stream that is more than a chunk by then: the chunk that they come to overlaps those before it. */
import type { RelativeEntry } from "../../arbitraries/streams.ts";
import { isSuccess } from "../../client/exchange.ts";
import { type Fixture, fixture } from "../../harness/scope.ts";
import { type Dataset, extend } from "./datasets.ts";
import { CHUNK_STEP, chunks } from "./large-sets.ts";
import { lateSet, shown } from "./late-set.ts";

/** What the lines begin with that come late. */
export const LATE_TO_CHUNK = "late to a chunk";

/** Between entries of the first chunk and of the second, far from either end. */
const late = Array.from({ length: 24 }, (_, index): RelativeEntry => ({
  offset: BigInt(130 + index * 25) * CHUNK_STEP + CHUNK_STEP / 2n,
  line: `${LATE_TO_CHUNK} ${index}`,
}));

/** Null where this target refuses or does not show entries that come late, or the one push of them was not answered. */
export const lateChunks: Fixture<Dataset | null> = fixture("logs", "entries that came late to nearly three megabytes", async (scope) => {
  // Whether anything late is shown is known already, but where another machine has asked.
  if (scope.settings.shard === null && (await scope.use(lateSet)) === null) return null;
  const dataset = await extend(scope, await scope.use(chunks), [{ labels: { svc_size: "chunks" }, entries: late }]);
  if (dataset === null || !dataset.pushes.every(isSuccess)) return null;
  return shown(scope, dataset, ({ line }) => line.startsWith(LATE_TO_CHUNK));
});
