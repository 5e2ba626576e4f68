/** Sections 2 and 4 for out-of-order entries. If the target accepts and returns them, they must be at the right place in the order. */
import type { Check } from "../../src/harness/check.ts";
import { windowOfFirst, dividedAt, countOf } from "../../src/queries/window-cases.ts";
import {
  afterRest,
  beforeLate,
  BLOCKWISE,
  HEADED,
  LATE,
  secondOutOfOrderPush,
  outOfOrderChunks,
  lateClosed,
  outOfOrderData,
  restedStreams,
  takenAndHidden,
} from "../../src/datasets/out-of-order-data.ts";
import { cutPoints, colour } from "../../src/datasets/datasets.ts";
import { metricAssertion } from "../../src/queries/metrics.ts";
import { newestAfterLate } from "../../src/queries/observations.ts";
import { selection } from "../../src/queries/range-query.ts";
import { comeBack, readBack } from "../../src/datasets/read-back.ts";
import { BOTH_WAYS, largerCheck, logsCheck } from "./check.ts";
import { SECOND } from "../../src/model/times.ts";

const NOT_SHOWN = "the target refuses or does not show out-of-order entries; the document does not promise that a service accepts them";

const HIDDEN =
  "the target accepted a second push of out-of-order entries, and no read shows these entries, although reads show the out-of-order entries of an earlier push; the document does not say whether a service may hide them";

const late = largerCheck({
  slug: "late-entries",
  title: "accepted out-of-order entries are returned in timestamp order with all other entries",
  clauses: ["logs-4.push", "logs-4.query_range", "logs-4.query", "logs-4.1"],
  async run(t) {
    // The first parts of these datasets are pushed early, so that they are old enough when further entries are pushed.
    await t.use(restedStreams);
    await t.use(beforeLate);
    const all = await t.use(outOfOrderData);
    const hidden = takenAndHidden(all);
    if (hidden !== null) await t.verify(hidden);
    const dataset = all.shown;
    if (dataset === null) return t.notRun(NOT_SHOWN);
    await t.verify(readBack(dataset));
    const { anchor } = dataset;
    // The settled query cases test more limits, windows and metric queries on this dataset. They do not have the edges and streams of this
    // check.
    const edges = [LATE.from + 60_000_000_000n, LATE.to, LATE.to + 130_000_000_000n, LATE.to + 197_000_000_000n].map(
      (offset) => anchor + offset,
    );
    for (const edge of edges) for (const window of dividedAt(dataset, edge)) await t.verify(selection(dataset, { window }));
    // No entry is near the end of a range. Each range begins before the dataset.
    const quiet = cutPoints(dataset, 2n * SECOND);
    for (const edge of edges) {
      const time = quiet.find((point) => point >= edge) ?? dataset.end;
      await t.verify(metricAssertion(dataset, { ...countOf(dataset), window: { start: time - 600n * SECOND, end: time } }));
    }
    for (const [value, limit] of [
      [BLOCKWISE, 60],
      [BLOCKWISE, 300],
      [HEADED, 80],
    ] as const)
      for (const direction of BOTH_WAYS)
        await t.verify(selection(dataset, { matchers: [colour("=", value)], cut: { limit, direction } }, "logs-4.1"));
  },
});

const again = largerCheck({
  slug: "late-much-later",
  title:
    "newer entries and accepted out-of-order entries are returned in timestamp order, even if their streams got no push for 9 s before",
  clauses: ["logs-4.push", "logs-4.query_range", "logs-4.1"],
  phase: "waiting",
  async run(t) {
    const rested = await t.use(afterRest);
    await t.verify(async (scope) => (await comeBack(scope, rested)).finding);
    const dataset = await t.use(secondOutOfOrderPush);
    if (dataset === "not answered")
      return t.notRun("the push of the out-of-order entries was not answered, so the content of the dataset is unknown");
    if (dataset === "hidden") return t.inconclusive(HIDDEN);
    if (dataset === "not shown") return t.notRun(NOT_SHOWN);
    await t.verify(readBack(dataset));
    const edge = dataset.anchor + 143_000_000_000n;
    for (const window of dividedAt(dataset, edge)) await t.verify(selection(dataset, { window }));
    // On each side of the out-of-order entries there are fewer entries than the limit. So each read finds out-of-order entries, and ends
    // before the last entry.
    for (const direction of BOTH_WAYS) await t.verify(selection(dataset, { cut: { limit: 50, direction } }, "logs-4.1"));
  },
});

/** Other checks expect the stream without these out-of-order entries, so this check runs later. */
const toChunks = largerCheck({
  slug: "late-to-chunks",
  title: "accepted out-of-order entries of a stream of nearly 3 MB are returned in timestamp order with all other entries",
  clauses: ["logs-4.push", "logs-4.query_range", "logs-4.1"],
  phase: "last",
  async run(t) {
    const dataset = (await t.use(outOfOrderChunks)) ?? t.notRun(NOT_SHOWN);
    await t.verify(readBack(dataset));
    const window = windowOfFirst(dataset, 400, "forward");
    for (const direction of BOTH_WAYS) await t.verify(selection(dataset, { cut: { limit: 520, direction } }, "logs-4.1"));
    await t.verify(selection(dataset, { window, cut: { limit: 390, direction: "backward" } }));
  },
});

const toClosedChunks = logsCheck({
  slug: "late-closed",
  title: "accepted out-of-order entries are returned in timestamp order after the service has closed their chunk",
  clauses: ["logs-4.push", "logs-4.query_range", "logs-4.1"],
  profiles: ["nightly"],
  async run(t) {
    const dataset = (await t.use(lateClosed)) ?? t.notRun(NOT_SHOWN);
    await t.verify(readBack(dataset));
    for (const count of [200, 500, 600])
      for (const direction of BOTH_WAYS) {
        await t.verify(selection(dataset, { cut: { limit: count, direction } }, "logs-4.1"));
        await t.verify(selection(dataset, { window: windowOfFirst(dataset, count, direction) }));
      }
  },
});

const newest = largerCheck({
  slug: "newest-after-late",
  title: "the newest entry of a stream is returned after an out-of-order push, whether that push was accepted or refused",
  clauses: ["logs-4.query_range"],
  run: async (t) => t.verify(newestAfterLate),
});

export const OUT_OF_ORDER_CHECKS: readonly Check[] = [late, newest, again, toChunks, toClosedChunks];
