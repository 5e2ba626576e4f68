/** Sections 2 and 4 where entries come late: those that are taken and shown are shown in their place. */
import type { Check } from "../../src/harness/check.ts";
import { LATE, lateSet } from "../../src/world/logs/late-set.ts";
import { selection } from "../../src/world/logs/range-query.ts";
import { readBack } from "../../src/world/logs/reading.ts";
import { logsCheck } from "./check.ts";

const late = logsCheck({
  slug: "late-entries",
  title: "entries that are older than what their stream holds, once taken and shown, come back in their place with all others",
  clauses: ["logs-4.push", "logs-4.query_range", "logs-4.1"],
  profiles: ["release", "nightly"],
  async run(t) {
    const dataset = await t.use(lateSet);
    if (dataset === null)
      return t.notRun("this target refuses or does not show entries that are older than what their stream holds, which is not stated");
    await t.verify(readBack(dataset));
    const { anchor, start, end } = dataset;
    const edges = [LATE.from + 60_000_000_000n, LATE.to, LATE.to + 100_000_000_000n].map((offset) => anchor + offset);
    for (const edge of edges)
      for (const window of [
        { start, end: edge },
        { start: edge, end },
      ])
        await t.verify(selection(dataset, { window }, "logs-4.query_range"));
    for (const direction of ["backward", "forward"] as const)
      for (const limit of [5, 60, 100, 400]) await t.verify(selection(dataset, { cut: { limit, direction } }, "logs-4.1"));
  },
});

export const LATE_CHECKS: readonly Check[] = [late];
