/** Section 4, query_range: the entries of a window, from the right end, in the right number. */
import type { Asked, Window } from "../../src/diagnosis/range-request.ts";
import type { Check } from "../../src/harness/check.ts";
import type { Fixture } from "../../src/harness/scope.ts";
import { type Dataset } from "../../src/world/logs/datasets.ts";
import { nothing } from "../../src/world/logs/nothing.ts";
import { hello } from "../../src/world/logs/gate.ts";
import { selection } from "../../src/world/logs/range-query.ts";
import { atOnePoint, atSharedTimes, POINTS } from "../../src/world/logs/shared-edges.ts";
import { aheadOfClock, everyLine, relay, several, single, spread, tied } from "../../src/world/logs/sets.ts";
import { logsCheck } from "./check.ts";

const windows = logsCheck({
  slug: "windows",
  title: "a window of one point, and one up to entries ahead of the clock, return the entries between their edges, if they are accepted",
  clauses: ["logs-4.query_range"],
  profiles: ["release", "nightly"],
  async run(t) {
    const refused: string[] = [];
    for (const point of POINTS) {
      const { seen: assertion } = await t.probe(atOnePoint(await t.use(spread), point));
      if (assertion === null) refused.push(point.what);
      else await t.verify(assertion);
    }
    const { seen: ahead } = await t.probe(aheadOfClock);
    if (ahead !== null)
      for (const asked of ASKED_AHEAD) await t.verify(selection(ahead, { window: ahead, ...asked }, "logs-4.query_range"));
    t.observe("logs-4.query_range", "ahead", "whether entries 1 minute ahead of the clock are accepted and shown", {
      seen: ahead !== null,
      exchanges: [],
    });
    t.observe("logs-4.query_range", "refused-empty-windows", "refused windows whose start and end are equal", {
      seen: refused,
      exchanges: [],
    });
  },
});

/** Queries that name a part of a set, or all of it by a line filter: none of them says anything of the present. */
const ASKED_AHEAD: readonly Asked[] = [
  { cut: { limit: 1, direction: "backward" } },
  { cut: { limit: 4, direction: "forward" } },
  { filters: [{ operator: "|=", text: "ahead" }] },
];

const sharedEdges = logsCheck({
  slug: "shared-edges",
  title: "a window that begins or ends at a timestamp that several entries share returns all of these entries or none",
  clauses: ["logs-4.query_range"],
  profiles: ["release", "nightly"],
  async run(t) {
    const assertions = atSharedTimes(await t.use(tied));
    if (assertions.length === 0) t.notRun("the target does not keep two entries of one stream with equal timestamps");
    for (const assertion of assertions) await t.verify(assertion);
  },
});

/** The time that some successive streams take, and how many entries they have together. */
function leg(dataset: Dataset, from: number, streams: number): { readonly window: Window; readonly total: number } {
  const entries = dataset.streams.slice(from, from + streams).flatMap((stream) => stream.entries);
  const times = entries.map(({ ts }) => ts);
  const [first = dataset.start, last = dataset.end] = [times[0], times.at(-1)];
  return { window: { start: first - 1_000_000_000n, end: last + 1_000_000_000n }, total: entries.length };
}

/**
 * What a service gathers stream by stream it cuts to the limit as it goes: a stream that comes late may find no room. Which comes
 * late may change from read to read, so there are many.
 */
const successive = logsCheck({
  slug: "one-after-another",
  title: "limit n returns n entries of streams that follow each other in time",
  clauses: ["logs-4.query_range"],
  profiles: ["release", "nightly"],
  async run(t) {
    const dataset = await t.use(relay);
    const pairs = dataset.streams.slice(1).map((_, from) => leg(dataset, from, 2));
    const cuts = [...pairs, leg(dataset, 0, dataset.streams.length)].flatMap(({ window, total }) =>
      [total - 1, total - 3].flatMap((limit) => (["forward", "backward"] as const).map((asked) => ({ window, limit, direction: asked }))),
    );
    for (const { window, ...cut } of cuts) await t.verify(selection(dataset, { window, cut }));
  },
});

const DEFAULT_LIMIT = 100;

function defaultLimit(slug: string, title: string, which: Fixture<Dataset>, profiles: Check["profiles"]): Check {
  return logsCheck({
    slug,
    profiles,
    title,
    clauses: ["logs-8.default-limit"],
    async run(t) {
      const dataset = await t.use(which);
      const chains = t.profile === "smoke" ? [[]] : [[], everyLine(dataset)];
      const backward = { limit: DEFAULT_LIMIT, direction: "backward" } as const;
      for (const filters of chains) {
        for (const asked of ["backward", "forward"] as const)
          await t.verify(
            selection(dataset, { filters, cut: { ...backward, direction: asked, unsent: ["limit"] } }, "logs-8.default-limit"),
          );
        if (t.profile !== "smoke")
          await t.verify(selection(dataset, { filters, cut: { ...backward, unsent: ["limit", "direction"] } }, "logs-8.default-limit"));
      }
    },
  });
}

const empty = logsCheck({
  slug: "empty",
  title: "a selector that matches no stream returns an empty list",
  clauses: ["logs-4.query_range"],
  async run(t) {
    await t.verify(nothing(await t.use(hello)));
  },
});

export const RANGE_CHECKS: readonly Check[] = [
  windows,
  sharedEdges,
  successive,
  defaultLimit("one-stream", "without limit, a query of one larger stream returns 100 entries", single, ["release", "nightly"]),
  defaultLimit("several-streams", "without limit, a query of several streams returns 100 entries", several, [
    "smoke",
    "release",
    "nightly",
  ]),
  empty,
];
