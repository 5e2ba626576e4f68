/** Entries that come late to a stream that is more than a chunk by then: the chunk that they come to overlaps those before it. */
import { noise } from "../../arbitraries/noise.ts";
import type { RelativeEntry } from "../../arbitraries/streams.ts";
import { isSuccess } from "../../client/exchange.ts";
import { type Fixture, fixture } from "../../harness/scope.ts";
import { type Dataset, extend, placingFor, storeAt } from "./datasets.ts";
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
export const lateChunks: Fixture<Dataset | null> = fixture(
  "logs",
  "out-of-order entries of a stream of nearly three megabytes",
  async (scope) => {
    // Whether anything late is shown is known already, but where another machine has asked.
    if (scope.settings.shard === null && (await scope.use(lateSet)).shown === null) return null;
    const dataset = await extend(scope, await scope.use(chunks), [{ labels: { svc_size: "chunks" }, entries: late }]);
    if (dataset === null || !dataset.pushes.every(isSuccess)) return null;
    return shown(scope, dataset, ({ line }) => line.startsWith(LATE_TO_CHUNK));
  },
);

/** Of as many entries as one answer may hold, some of the first fifth come right after the others of it; a chunk and more comes behind. */
const CLOSED_ENTRIES = 930;
const CLOSED_BYTES = 2_850;
const FIRST_FIFTH = CLOSED_ENTRIES / 5;
const isHeldBack = (index: number): boolean => index < FIRST_FIFTH && index % 9 === 4;

const closedEntries = Array.from({ length: CLOSED_ENTRIES }, (_, index): RelativeEntry => ({
  offset: BigInt(index) * CHUNK_STEP + 11n,
  line: `${isHeldBack(index) ? LATE_TO_CHUNK : "in order"} ${index} ${noise(index, CLOSED_BYTES)}`,
}));

function held({ line }: { readonly line: string }): boolean {
  return line.startsWith(LATE_TO_CHUNK);
}

/** The same stream in pushes of less than a megabyte: what came late lies in a chunk that is closed when more comes. */
export const lateClosed: Fixture<Dataset | null> = fixture(
  "logs",
  "out-of-order entries of a chunk that was closed before their push",
  async (scope) => {
    if ((await scope.use(lateSet)).shown === null) return null;
    const fifths = Array.from({ length: 5 }, (_, fifth) => closedEntries.slice(fifth * FIRST_FIFTH, (fifth + 1) * FIRST_FIFTH));
    const [first = [], ...others] = fifths;
    const parts = [first.filter((entry) => !held(entry)), first.filter(held), ...others];
    const payload = { pushes: parts.map((entries) => [{ labels: { svc_size: "closed" }, entries }]) };
    const dataset = await storeAt(scope, "late-closed", payload, await placingFor(scope, "settled"));
    return dataset.pushes.every(isSuccess) ? shown(scope, dataset, held) : null;
  },
);
