/** Section 4 rule 1: the order of entries by direction. */
import type { Cut } from "../../src/diagnosis/range-request.ts";
import type { Check } from "../../src/harness/check.ts";
import type { Direction } from "../../src/model/logs.ts";
import { orderWithout } from "../../src/world/logs/default-order.ts";
import { reversed } from "../../src/world/logs/reversed.ts";
import { selection } from "../../src/world/logs/range-query.ts";
import { everyLine, several, single } from "../../src/world/logs/sets.ts";
import { logsCheck } from "./check.ts";

const DIRECTIONS: readonly (Direction | undefined)[] = [undefined, "backward", "forward"];

const order = logsCheck({
  slug: "order",
  title: "backward, or no direction, returns the newest entries first, and forward returns the oldest entries first",
  clauses: ["logs-4.1"],
  async run(t) {
    const sets = await Promise.all((t.profile === "smoke" ? [several] : [several, single]).map(async (set) => t.use(set)));
    const cases = sets.flatMap((dataset) => [
      { dataset, limit: 7, filters: [] },
      ...(t.profile === "smoke" ? [] : [{ dataset, limit: 5, filters: everyLine(dataset) }]),
    ]);
    const rows = DIRECTIONS.flatMap((sent) =>
      cases.map(({ dataset, limit, filters }) => selection(dataset, { filters, cut: cut(limit, sent) }, "logs-4.1")),
    );
    await t.verifyRows(rows.map((assertion) => ({ clause: "logs-4.1", assertion })));
  },
});

function cut(limit: number, sent: Direction | undefined): Cut {
  return { limit, direction: sent ?? "backward", ...(sent === undefined ? { unsent: ["direction"] } : {}) };
}

const withoutEdge = logsCheck({
  slug: "without-edge",
  title: "without direction, and without start or end, a query returns the newest entries first",
  clauses: ["logs-4.1"],
  profiles: ["release", "nightly"],
  async run(t) {
    const dataset = await t.use(single);
    const assertions = [];
    for (const edge of ["start", "end"] as const) assertions.push((await t.probe(orderWithout(dataset, edge))).seen);
    if (assertions.every((assertion) => assertion === null))
      return t.notRun("a query without start or end returns nothing; the document does not show the defaults of start and end");
    for (const assertion of assertions) if (assertion !== null) await t.verify(assertion);
  },
});

const reverse = logsCheck({
  slug: "reverse",
  title: "forward returns the exact reverse of backward, and a repeated query returns the same",
  clauses: ["logs-4.1"],
  profiles: ["release", "nightly"],
  async run(t) {
    await t.verify(reversed(await t.use(single)));
  },
});

export const DIRECTION_CHECKS: readonly Check[] = [order, withoutEdge, reverse];
