/** Section 4 rule 4: a large range is read in pages with a moving start (backward: end), or completely with a higher limit. */
import fc from "fast-check";
import type { Check } from "../../src/harness/check.ts";
import { type Move, paged, PAGING_CLAUSES } from "../../src/queries/paging.ts";
import { raisedLimit } from "../../src/queries/range-query.ts";
import { large, several, type SetFixture, single, TIED_GROUP, tied } from "../../src/datasets/shared-datasets.ts";
import { logsCheck } from "./check.ts";

interface PagingRow {
  readonly move: Move;
  readonly set: SetFixture;
  readonly sizes: fc.Arbitrary<number>;
}

/** A smoke run has few requests, so a dataset has three pages. */
const fewPages = fc.integer({ min: 60, max: 79 });
/** A page has at most 45 entries, so that each dataset has at least two pages. */
const pageSizes = fc.oneof(fc.constantFrom(26, 32, 40), fc.integer({ min: 20, max: 45 }));

const ROWS: readonly PagingRow[] = [
  { move: "at the last timestamp", set: several, sizes: pageSizes },
  { move: "1 ns past the last timestamp", set: single, sizes: pageSizes },
  { move: "1 ns before the last timestamp", set: tied, sizes: fc.integer({ min: 2 * TIED_GROUP + 2, max: 20 }) },
];

const pages = logsCheck({
  slug: "pages",
  title: "paging returns all entries if the next page starts (backward: ends) at the last received timestamp, or 1 ns before or after it",
  clauses: [PAGING_CLAUSES.forward, PAGING_CLAUSES.backward],
  async run(t) {
    for (const { move, set, sizes } of t.profile === "smoke" ? ROWS.slice(0, 1) : ROWS) {
      const dataset = await t.use(set);
      for (const direction of ["forward", "backward"] as const)
        await t.property({
          arbitrary: t.profile === "smoke" ? fewPages : sizes,
          cases: t.pick({ smoke: 1, release: 1, nightly: 20 }),
          minimum: t.pick({ smoke: 1, release: 1, nightly: 3 }),
          overlap: 2,
          assertion: (size) => paged(dataset, { move, size, direction }),
          print: (size) => ({ set: dataset.name, "page size": size, "next page starts": move }),
        });
    }
  },
});

const raised = logsCheck({
  slug: "raised-limit",
  title: "a query with a high enough limit returns all entries of a large window",
  clauses: ["logs-4.4"],
  async run(t) {
    const dataset = await t.use(t.profile === "smoke" ? several : large);
    for (const direction of t.pick({ smoke: ["backward"], release: ["backward", "forward"], nightly: ["backward", "forward"] } as const))
      await t.verify(raisedLimit(dataset, direction));
  },
});

export const PAGING_CHECKS: readonly Check[] = [pages, raised];
