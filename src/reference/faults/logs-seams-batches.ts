/** Faults of servers that read entries in batches of 128 or samples in batches of 512, and faults of limits near these numbers. */
import { ENTRY_BATCH, type Placed, slices } from "../logs/batches.ts";
import { broken, faultsOf, type Row, wrongResult } from "./define.ts";
import type { Fault } from "./types.ts";

const RANGE = "logs-4.query_range";

function entries(sentence: string, batches: (sequence: readonly Placed[]) => readonly (readonly Placed[])[]): Row {
  return broken(sentence, () => ({ entryBatches: batches }));
}

function limited(sentence: string, change: (limit: number) => number): Row {
  return broken(sentence, (base) => ({
    rangeQuery: (query) => base.rangeQuery(query.defaulted.limit ? query : { ...query, limit: change(query.limit) }),
  }));
}

/** Returns the batches, without the last batch if it is incomplete. */
function fullOnly<Item>(batches: readonly (readonly Item[])[], size: number): readonly (readonly Item[])[] {
  return batches.length > 1 && (batches.at(-1)?.length ?? size) < size ? batches.slice(0, -1) : batches;
}

/** Removes the first item of each batch after the first. */
function withoutFirsts<Item>(batches: readonly (readonly Item[])[]): readonly (readonly Item[])[] {
  return batches.map((batch, index) => (index === 0 ? batch : batch.slice(1)));
}

export const LOGS_SEAM_BATCH_FAULTS: readonly Fault[] = faultsOf(RANGE, {
  "logs-seam-batch-remainder-lost": entries("Entries after the last full batch of 128 are not returned.", (sequence) =>
    fullOnly(slices(sequence, ENTRY_BATCH), ENTRY_BATCH),
  ),
  "logs-seam-batch-first-lost": entries("The first entry of each batch of 128 after the first batch is lost.", (sequence) =>
    withoutFirsts(slices(sequence, ENTRY_BATCH)),
  ),
  "logs-seam-batch-exact-lost": entries("If the last batch of 128 entries is full, its last entry is lost.", (sequence) =>
    slices(sequence, ENTRY_BATCH).map((batch, index, all) =>
      index === all.length - 1 && batch.length === ENTRY_BATCH ? batch.slice(0, -1) : batch,
    ),
  ),
  "logs-seam-batch-first-twice": entries("The last entry of a batch of 128 is returned again as the first of the next batch.", (sequence) =>
    slices(sequence, ENTRY_BATCH).map((batch, index, all) => {
      const before = all[index - 1]?.at(-1);
      return before === undefined ? batch : [before, ...batch];
    }),
  ),
  "logs-seam-batch-new-stream-lost": entries(
    "A stream that first occurs in the second batch of 128 entries is not returned.",
    (sequence) => {
      const [first = [], ...others] = slices(sequence, ENTRY_BATCH);
      const begun = new Set(first.map(({ stream }) => stream));
      return [first, ...others.map((batch) => batch.filter(({ stream }) => begun.has(stream)))];
    },
  ),
  "logs-seam-batch-513th-lost": entries("The 513th entry of a response is lost.", (sequence) =>
    slices(
      sequence.filter((_placed, index) => index !== 512),
      ENTRY_BATCH,
    ),
  ),
  "logs-seam-batch-eight-only": entries("A response with more than 1,000 entries lacks the last three entries.", (sequence) =>
    slices(sequence.length >= 1_000 ? sequence.slice(0, -3) : sequence, ENTRY_BATCH),
  ),
  "logs-seam-batch-second-turned": wrongResult(
    "order",
    { clause: "logs-4.1", sentence: "After the first 128 entries of a stream, the order is reversed." },
    (right) => (right.length > ENTRY_BATCH + 1 ? [...right.slice(0, ENTRY_BATCH), ...right.slice(ENTRY_BATCH).toReversed()] : right),
  ),
  "logs-seam-limit-128": limited("A limit of a multiple of 128 returns one entry less.", (limit) =>
    limit % ENTRY_BATCH === 0 ? limit - 1 : limit,
  ),
  "logs-seam-limit-129": limited("A limit one above a multiple of 128 is read as that multiple.", (limit) =>
    limit > 1 && limit % ENTRY_BATCH === 1 ? limit - 1 : limit,
  ),
  "logs-seam-limit-512": limited("A limit above 512 returns one entry more.", (limit) =>
    limit > 512 && limit < 1_000 ? limit + 1 : limit,
  ),
});
