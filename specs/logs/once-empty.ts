/** Section 4 rule 3 where a query has found nothing before: that a window is empty for one query says nothing of others. */
import type { Check } from "../../src/harness/check.ts";
import type { FilterOperator } from "../../src/model/logs.ts";
import { AROUND, BEFORE, BETWEEN, quiet, steps } from "../../src/world/logs/quiet.ts";
import { selection } from "../../src/world/logs/range-query.ts";
import { useful } from "../../src/world/logs/reading.ts";
import { logsCheck } from "./check.ts";

type Asked = readonly [text: string, from: number, to: number, operator?: FilterOperator];

/** In this order; from step to step of the set. */
const ASKED: readonly Asked[] = [
  // Filters that find nothing, and are nearly those that do.
  [BETWEEN.toUpperCase(), 1, 47],
  ["quiet", 1, 12, "!="],
  [BETWEEN, 2, 12],
  [BETWEEN, 22, 32],
  [BETWEEN, 15, 25],
  [BETWEEN, 1, 47],
  // Found by the window around it, and still there.
  [BETWEEN, 15, 25],
  // Beside what was found empty on either side, also where one of them holds nothing either.
  [AROUND, 20, 26],
  [AROUND, 19, 47],
  [AROUND, 1, 27],
  [AROUND, 1, 47],
  // Before what was found empty, with something between the two.
  [BEFORE, 27, 35],
  [BEFORE, 7, 15],
  // What one filter did not find another may.
  ["quiet", 1, 12],
];

const onceEmpty = logsCheck({
  slug: "once-empty",
  title: "a cached empty result of the same or a similar filter does not hide a later match in the same or a nearby window",
  clauses: ["logs-4.3"],
  phase: "closing",
  profiles: ["release", "nightly"],
  async run(t) {
    const pushed = await t.use(quiet);
    if (pushed === null)
      return t.notRun("the target does not accept entries that are 20 minutes old; the document does not say how old entries may be");
    const dataset = useful(pushed);
    for (const [text, from, to, operator = "|="] of ASKED) {
      const cut = { limit: 1_000, direction: "forward" } as const;
      await t.verify(selection(dataset, { window: steps(dataset, from, to), filters: [{ operator, text }], cut }, "logs-4.3"));
    }
  },
});

export const ONCE_EMPTY_CHECKS: readonly Check[] = [onceEmpty];
