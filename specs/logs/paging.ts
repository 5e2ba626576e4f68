/** Section 4 rule 4: a large range is paged by moving start, or read at once by raising limit. */
import fc from "fast-check";
import type { Check } from "../../src/harness/check.ts";
import { together } from "../../src/harness/finding.ts";
import { type Move, paged } from "../../src/world/logs/paging.ts";
import { raisedLimit } from "../../src/world/logs/range-query.ts";
import { large, several, type SetFixture, single, TIED_GROUP, tied } from "../../src/world/logs/sets.ts";
import { logsCheck } from "./check.ts";

interface PagingRow {
  readonly slug: string;
  readonly title: string;
  readonly move: Move;
  readonly set: SetFixture;
  readonly sizes: fc.Arbitrary<number>;
  readonly profiles: Check["profiles"];
}

const EVERY: Check["profiles"] = ["smoke", "release", "nightly"];
const LARGER: Check["profiles"] = ["release", "nightly"];

/** A smoke run has few requests: three pages of a set. */
const fewPages = fc.integer({ min: 60, max: 79 });
const pageSizes = fc.oneof(fc.constantFrom(26, 32, 40, 65), fc.integer({ min: 20, max: 90 }));

const ROWS: readonly PagingRow[] = [
  {
    slug: "start-at-last",
    title: "moving start to the last timestamp received pages through everything",
    move: "at the last",
    set: several,
    sizes: pageSizes,
    profiles: EVERY,
  },
  {
    slug: "start-past-last",
    title: "moving start just past the last timestamp received pages through everything",
    move: "just past the last",
    set: single,
    sizes: pageSizes,
    profiles: LARGER,
  },
  {
    slug: "shared-timestamps",
    title: "moving start to just before the last timestamp pages through entries that share timestamps",
    move: "one before the last",
    set: tied,
    sizes: fc.integer({ min: 2 * TIED_GROUP + 2, max: 20 }),
    profiles: LARGER,
  },
];

function pagingCheck({ slug, title, move, set, sizes, profiles }: PagingRow): Check {
  return logsCheck({
    slug,
    title,
    profiles,
    clauses: ["logs-4.4"],
    async run(t) {
      const dataset = await t.use(set);
      // In a smoke run the document's own way only, from the oldest on.
      const directions = t.profile === "smoke" ? (["forward"] as const) : (["forward", "backward"] as const);
      await t.property({
        arbitrary: t.profile === "smoke" ? fewPages : sizes,
        cases: t.pick({ smoke: 1, release: 3, nightly: 20 }),
        minimum: t.pick({ smoke: 1, release: 3, nightly: 3 }),
        overlap: 2,
        trial: (size) => async (scope) =>
          together(await Promise.all(directions.map((direction) => paged(dataset, { move, size, direction })(scope)))),
        print: (size) => ({ set: dataset.name, "page size": size, "next page starts": move }),
      });
    },
  });
}

const raised = logsCheck({
  slug: "raised-limit",
  title: "a raised limit reads a large range at once",
  clauses: ["logs-4.4"],
  async run(t) {
    const dataset = await t.use(t.profile === "smoke" ? several : large);
    for (const direction of t.pick({ smoke: ["backward"], release: ["backward", "forward"], nightly: ["backward", "forward"] } as const))
      await t.verify(raisedLimit(dataset, direction));
  },
});

export const PAGING_CHECKS: readonly Check[] = [...ROWS.map(pagingCheck), raised];
