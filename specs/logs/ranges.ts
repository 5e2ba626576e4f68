/** docs/2 section 4, query_range: the entries of a window, from the right end, in the right order. */
import fc from "fast-check";
import { direction, type RelativeWindow, window } from "../../src/arbitraries/queries.ts";
import type { Check } from "../../src/harness/check.ts";
import type { Fixture } from "../../src/harness/context.ts";
import type { CaseFinding } from "../../src/harness/property.ts";
import type { Difference } from "../../src/model/difference.ts";
import { type AnsweredStream, type Blame, limitDepartures, orderDepartures, READ_BACK } from "../../src/model/log-answer.ts";
import { type Direction, limited, type LineFilter } from "../../src/model/logs.ts";
import { ask, lesser, nearer, textOf } from "./asking.ts";
import { logsCheck } from "./check.ts";
import { cutPoints, type Dataset } from "./datasets.ts";
import { judged } from "./reading.ts";
import { grid, several, single, spread, tied, TIED_GROUP, words } from "./sets.ts";

const HOUR_NS = 3_600_000_000_000n;

export function windowOf(dataset: Dataset, { from, length, hoursBefore, hoursLonger }: RelativeWindow): { start: bigint; end: bigint } {
  const points = cutPoints(dataset);
  const first = from % (points.length - 1);
  const last = Math.min(first + length, points.length - 1);
  const [start = dataset.start, end = dataset.end] = [points[first], points[last]];
  if (hoursBefore === 0) return { start: hoursLonger === 0 ? start : dataset.start - BigInt(hoursLonger) * HOUR_NS, end };
  const before = BigInt(hoursBefore) * HOUR_NS;
  return { start: dataset.start - before, end: dataset.start - before + (end - start) };
}

const windows = logsCheck({
  slug: "windows",
  title: "a window holds the entries between its start and its end, and no others",
  clauses: ["logs-4.query_range"],
  async run(t) {
    // Windows cut between close neighbours, or somewhere in one longer stream.
    const sets = [await t.use(spread), ...(t.settings.profile === "smoke" ? [] : [await t.use(single)])];
    await t.property({
      arbitrary: fc.record({
        window,
        filtered: fc.boolean(),
        set: fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.constant(1) }),
      }),
      clauses: ["logs-4.query_range"],
      cases: t.pick({ smoke: 4, release: 40, nightly: 400 }),
      minimum: t.pick({ smoke: 4, release: 40, nightly: 40 }),
      overlap: 4,
      run: async ({ window: input, filtered, set }, scope): Promise<CaseFinding> => {
        const dataset = sets[set % sets.length] as Dataset;
        const { limit, direction: asked } = input;
        return ask(scope, dataset, {
          window: windowOf(dataset, input),
          cut: { limit, direction: asked },
          filters: filtered ? everyLine(dataset) : [],
        });
      },
      print: ({ window: input, filtered, set }) => ({ ...input, filtered, ...windowOf(sets[set % sets.length] as Dataset, input) }),
    });
  },
});

/** A filter for the word that every line of these sets begins with. */
function everyLine({ streams }: Dataset): LineFilter[] {
  const text = streams[0]?.entries[0]?.line.split(" ")[0] ?? "";
  return [{ operator: "|=", text }];
}

const wholeSets = logsCheck({
  slug: "whole-sets",
  title: "a query answers everything it selects, from one stream or from many",
  clauses: ["logs-4.query_range"],
  profiles: ["release", "nightly"],
  async run(t) {
    for (const which of [single, several, words, grid]) {
      const { differences, sightings } = await ask(t, await t.use(which), {});
      t.judge("logs-4.query_range", differences, { sightings: sightings ?? [] });
    }
  },
});

/** What a limited query over a whole set must answer. */
export function limitJudge(
  dataset: Dataset,
  limit: number,
  asked: Direction,
  blame: Blame = READ_BACK,
): (streams: readonly AnsweredStream[]) => Difference[] {
  const expected = limited(dataset.streams, limit, asked);
  return (streams) => [...limitDepartures(expected, dataset.streams, streams, blame), ...orderDepartures(streams, asked, blame)];
}

const limits = logsCheck({
  slug: "limit",
  title: "limit n answers the n newest or oldest entries over all streams, or all when there are fewer",
  clauses: ["logs-4.query_range"],
  async run(t) {
    const sets = [await t.use(several), ...(t.settings.profile === "smoke" ? [] : [await t.use(single), await t.use(tied)])];
    const interesting = [1, 2, 3, 10, 99, 100, 101, 129, 130, 131, 159, 160, 161, 500, 1_000];
    await t.property({
      arbitrary: fc.record({
        set: fc.nat({ max: 2 }),
        limit: fc.oneof(fc.constantFrom(...interesting), fc.integer({ min: 1, max: 200 })),
        direction,
      }),
      clauses: ["logs-4.query_range"],
      cases: t.pick({ smoke: 2, release: 30, nightly: 200 }),
      minimum: t.pick({ smoke: 2, release: 30, nightly: 30 }),
      overlap: 4,
      run: async ({ set, limit, direction: asked }, scope) => {
        const dataset = sets[set % sets.length] as Dataset;
        return ask(scope, dataset, { cut: { limit, direction: asked } });
      },
    });
    if (t.settings.profile === "smoke") return;
    const dataset = await t.use(tied);
    // One more than the entries of one timestamp: the limit cuts between those of the next.
    const limit = TIED_GROUP + 1;
    for (const asked of ["backward", "forward"] as const) {
      const { differences, sightings } = await ask(t, dataset, { cut: { limit, direction: asked } });
      t.judge("logs-4.query_range", differences, {
        sightings: sightings ?? [],
        input: { value: { limit, direction: asked }, note: dataset.name },
      });
    }
  },
});

const DEFAULT_LIMIT = 100;

const DEFAULTED: Blame = { ...READ_BACK, "too-many": "logs-8.default-limit", "too-few": "logs-8.default-limit" };

function defaultLimit(slug: string, title: string, which: Fixture<Dataset>, profiles: Check["profiles"]): Check {
  return logsCheck({
    slug,
    profiles,
    title,
    clauses: ["logs-8.default-limit"],
    async run(t) {
      const dataset = await t.use(which);
      const filtered = t.settings.profile === "smoke" ? [[]] : [[], everyLine(dataset)];
      for (const [asked, filters] of (["backward", "forward"] as const).flatMap((one) => filtered.map((each) => [one, each] as const))) {
        const cut = { limit: DEFAULT_LIMIT, direction: asked };
        const { differences, sightings } = await t.eventually({
          resource: dataset,
          read: () => t.logs.queryRange({ query: textOf(dataset, { filters }), start: dataset.start, end: dataset.end, direction: asked }),
          judge: (exchange) => judged(exchange, limitJudge(dataset, DEFAULT_LIMIT, asked, DEFAULTED), "logs-8.default-limit"),
        });
        // Where the same is answered wrongly with a limit of 100, it is not the default that is wrong.
        const found = await nearer(t, dataset, lesser(dataset, { filters, cut }), { differences, sightings });
        t.judge("logs-8.default-limit", found.differences, { sightings: found.sightings ?? [] });
      }
    },
  });
}

export const RANGE_CHECKS: readonly Check[] = [
  windows,
  wholeSets,
  limits,
  defaultLimit("one-stream", "without limit, 100 entries of one larger stream are answered", single, ["release", "nightly"]),
  defaultLimit("several-streams", "without limit, 100 entries over several streams are answered", several, ["smoke", "release", "nightly"]),
];
