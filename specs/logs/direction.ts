/** Section 4 rule 1: the order of entries by direction. */
import type { Check } from "../../src/harness/check.ts";
import { orderWithout } from "../../src/queries/range-query.ts";
import { single } from "../../src/datasets/shared-datasets.ts";
import { logsCheck } from "./check.ts";
import { probed } from "./tables.ts";

const withoutEdge = logsCheck({
  slug: "without-edge",
  title: "a query that lacks direction, and also lacks start or end, returns the newest entries first",
  clauses: ["logs-4.1"],
  async run(t) {
    const dataset = await t.use(single);
    const probes = (["start", "end"] as const).map((edge) => orderWithout(dataset, edge));
    const assertions = (await probed(t, probes)).filter((assertion) => assertion !== null);
    if (assertions.length === 0)
      return t.notRun("a query without start or end returns nothing; the document does not show the defaults of start and end");
    for (const assertion of assertions) await t.verify(assertion);
  },
});

export const DIRECTION_CHECKS: readonly Check[] = [withoutEdge];
