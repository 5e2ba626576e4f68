/** Faults of servers that read entries in batches of 128 or samples in batches of 512, and faults of limits near these numbers. */
import { ENTRY_BATCH, type Placed, slices } from "../logs/batches.ts";
import { fault } from "./define.ts";
import type { Fault } from "./types.ts";

const RANGE = "logs-4.query_range";

function entries(id: string, sentence: string, batches: (sequence: readonly Placed[]) => readonly (readonly Placed[])[]): Fault {
  return fault(RANGE, id, sentence, () => ({ entryBatches: batches }));
}

function limited(id: string, sentence: string, change: (limit: number) => number): Fault {
  return fault(RANGE, id, sentence, (base) => ({
    rangeQuery: (query) => base.rangeQuery(query.defaulted.limit ? query : { ...query, limit: change(query.limit) }),
  }));
}

/** Returns the batches, without the last batch if it is incomplete. */
function fullOnly<Item>(batches: readonly (readonly Item[])[], size: number): readonly (readonly Item[])[] {
  return batches.length > 1 && (batches.at(-1)?.length ?? size) < size ? batches.slice(0, -1) : batches;
}

/** Returns the batches, but each batch after the first batch lacks its first item. */
function withoutFirsts<Item>(batches: readonly (readonly Item[])[]): readonly (readonly Item[])[] {
  return batches.map((batch, index) => (index === 0 ? batch : batch.slice(1)));
}

const ENTRIES: readonly Fault[] = [
  entries("logs-seam-batch-remainder-lost", "Entries after the last full batch of 128 are not returned.", (sequence) =>
    fullOnly(slices(sequence, ENTRY_BATCH), ENTRY_BATCH),
  ),
  entries("logs-seam-batch-first-lost", "The first entry of each batch of 128 after the first batch is lost.", (sequence) =>
    withoutFirsts(slices(sequence, ENTRY_BATCH)),
  ),
  entries("logs-seam-batch-exact-lost", "If the last batch of 128 entries is full, its last entry is lost.", (sequence) =>
    slices(sequence, ENTRY_BATCH).map((batch, index, all) =>
      index === all.length - 1 && batch.length === ENTRY_BATCH ? batch.slice(0, -1) : batch,
    ),
  ),
  entries("logs-seam-batch-first-twice", "The last entry of a batch of 128 is returned again as the first of the next batch.", (sequence) =>
    slices(sequence, ENTRY_BATCH).map((batch, index, all) => {
      const before = all[index - 1]?.at(-1);
      return before === undefined ? batch : [before, ...batch];
    }),
  ),
  entries(
    "logs-seam-batch-new-stream-lost",
    "A stream that first occurs in the second batch of 128 entries is not returned.",
    (sequence) => {
      const [first = [], ...others] = slices(sequence, ENTRY_BATCH);
      const begun = new Set(first.map(({ stream }) => stream));
      return [first, ...others.map((batch) => batch.filter(({ stream }) => begun.has(stream)))];
    },
  ),
  entries("logs-seam-batch-513th-lost", "The 513th entry of a response is lost.", (sequence) =>
    slices(
      sequence.filter((_placed, index) => index !== 512),
      ENTRY_BATCH,
    ),
  ),
  entries("logs-seam-batch-eight-only", "A response with more than 1,000 entries lacks the last three entries.", (sequence) =>
    slices(sequence.length >= 1_000 ? sequence.slice(0, -3) : sequence, ENTRY_BATCH),
  ),
  fault("logs-4.1", "logs-seam-batch-second-turned", "After the first 128 entries of a stream, the order is reversed.", (base) => ({
    order: (found, direction) => {
      const right = base.order(found, direction);
      return right.length > ENTRY_BATCH + 1 ? [...right.slice(0, ENTRY_BATCH), ...right.slice(ENTRY_BATCH).toReversed()] : right;
    },
  })),
];

const LIMITS: readonly Fault[] = [
  limited("logs-seam-limit-128", "A limit of a multiple of 128 returns one entry less.", (limit) =>
    limit % ENTRY_BATCH === 0 ? limit - 1 : limit,
  ),
  limited("logs-seam-limit-129", "A limit one above a multiple of 128 is read as that multiple.", (limit) =>
    limit > 1 && limit % ENTRY_BATCH === 1 ? limit - 1 : limit,
  ),
  limited("logs-seam-limit-512", "A limit above 512 returns one entry more.", (limit) =>
    limit > 512 && limit < 1_000 ? limit + 1 : limit,
  ),
];

export const LOGS_SEAM_BATCH_FAULTS: readonly Fault[] = [...ENTRIES, ...LIMITS];
