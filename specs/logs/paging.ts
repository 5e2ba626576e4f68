/** docs/2 section 4 rule 4: a large range is paged by moving start, or read at once by raising limit. */
import fc from "fast-check";
import type { Check } from "../../src/harness/check.ts";
import type { Scope } from "../../src/harness/context.ts";
import type { CaseFinding } from "../../src/harness/property.ts";
import type { Difference } from "../../src/model/difference.ts";
import { type AnsweredStream, type Blame, departures, orderDepartures, READ_BACK } from "../../src/model/log-answer.ts";
import { compare, countEntries, type Direction, type Entry, mergeStreams } from "../../src/model/logs.ts";
import { streamsOf } from "./answers.ts";
import { type Asked, nearer } from "./asking.ts";
import { logsCheck } from "./check.ts";
import { cutPoints, type Dataset, wholeQuery } from "./datasets.ts";
import { large, several, single, TIED_GROUP, tied } from "./sets.ts";

/** How the next page starts, seen from the last timestamp received. */
type Move = "at the last" | "just past the last" | "one before the last";

const STEP: Readonly<Record<Move, bigint>> = { "at the last": 0n, "just past the last": 1n, "one before the last": -1n };

const PAGED: Blame = { ...READ_BACK, lost: "logs-4.4", extra: "logs-4.4", repeated: "logs-4.4" };

interface Paging {
  readonly move: Move;
  readonly size: number;
  readonly direction: Direction;
}

/** Reads a set page by page; forward by moving start, backward by moving end. */
async function pages(
  scope: Scope,
  dataset: Dataset,
  { move, size, direction: asked }: Paging,
): Promise<{ streams: AnsweredStream[]; differences: Difference[] }> {
  let { start, end } = dataset;
  const all: AnsweredStream[] = [];
  const most = Math.ceil(dataset.entries / Math.max(1, size - TIED_GROUP)) * 2 + 3;
  for (let page = 0; page < most; page += 1) {
    const exchange = await scope.logs.queryRange({ query: wholeQuery(dataset), start, end, limit: size, direction: asked });
    const { streams, differences } = streamsOf(exchange);
    if (streams === null) return { streams: all, differences };
    const entries = streams.flatMap((stream) => stream.entries).toSorted((one, other) => compare(one.ts, other.ts));
    all.push(...streams);
    const last = (asked === "forward" ? entries.at(-1) : entries[0])?.ts;
    if (last === undefined || countEntries(streams) < size) return { streams: all, differences: [] };
    const next = asked === "forward" ? last + STEP[move] : last - STEP[move];
    // A page that does not get any further would be answered again and again.
    if (asked === "forward" ? next < start : next > end) break;
    if (asked === "forward") start = next;
    else end = next;
    if (start >= end) break;
  }
  return { streams: all, differences: [] };
}

/** The pages together, each entry once however often the edges repeated it. */
function union(dataset: Dataset, streams: readonly AnsweredStream[]): AnsweredStream[] {
  // Labels that the service adds may differ from page to page, so streams are told apart by the pushed ones.
  const pushed = new Set(dataset.streams.flatMap(({ labels }) => Object.keys(labels)));
  const own = streams.map(({ labels, entries }) => ({
    labels: Object.fromEntries(Object.entries(labels).filter(([name]) => pushed.has(name))),
    entries,
  }));
  return mergeStreams(own).map(({ labels, entries }) => ({ labels, entries: unique(entries) }));
}

function unique(entries: readonly Entry[]): Entry[] {
  return [...new Map(entries.map((entry) => [`${entry.ts} ${entry.line}`, entry])).values()];
}

/** What paging is made of: the limit and a window from or to the middle of the set. What is wrong there is no matter of paging. */
function pageless(dataset: Dataset, limit: number, direction: Direction): Asked[] {
  const points = cutPoints(dataset);
  const middle = points[Math.floor(points.length / 2)] ?? dataset.end;
  const { start, end } = dataset;
  return [{}, { cut: { limit, direction } }, { window: { start: middle, end } }, { window: { start, end: middle } }];
}

/** A smoke run has few requests: three pages of a set. */
const fewPages = fc.integer({ min: 60, max: 79 });

function pagingCheck(
  slug: string,
  title: string,
  move: Move,
  sizes: fc.Arbitrary<number>,
  which: typeof single,
  profiles: Check["profiles"],
): Check {
  return logsCheck({
    slug,
    title,
    profiles,
    clauses: ["logs-4.4"],
    async run(t) {
      const dataset = await t.use(which);
      await t.property({
        arbitrary: t.settings.profile === "smoke" ? fewPages : sizes,
        clauses: ["logs-4.4"],
        cases: t.pick({ smoke: 1, release: 3, nightly: 20 }),
        minimum: t.pick({ smoke: 1, release: 3, nightly: 3 }),
        overlap: 2,
        run: async (size, scope): Promise<CaseFinding> => {
          const found: CaseFinding[] = [];
          // In a smoke run the document's own way only, from the oldest on.
          for (const direction of t.settings.profile === "smoke" ? (["forward"] as const) : (["forward", "backward"] as const)) {
            const { differences, sightings } = await scope.eventually({
              resource: dataset,
              read: () => pages(scope, dataset, { move, size, direction }),
              judge: ({ streams, differences: malformed }) =>
                malformed.length > 0 ? malformed : departures(dataset.streams, union(dataset, streams), PAGED),
            });
            const paged = differences.map((one) => ({ ...one, path: `${one.path} (paging ${direction})` }));
            found.push(await nearer(scope, dataset, pageless(dataset, size, direction), { differences: paged, sightings }));
          }
          return {
            differences: found.flatMap(({ differences }) => differences),
            sightings: found.find(({ differences }) => differences.length > 0)?.sightings ?? [],
          };
        },
        print: (size) => ({ "page size": size, "next page starts": move }),
      });
    },
  });
}

const raisedLimit = logsCheck({
  slug: "raised-limit",
  title: "a raised limit reads a large range at once",
  clauses: ["logs-4.4"],
  async run(t) {
    const dataset = await t.use(t.settings.profile === "smoke" ? several : large);
    for (const asked of t.pick({ smoke: ["backward"], release: ["backward", "forward"], nightly: ["backward", "forward"] } as const)) {
      const { differences, sightings } = await t.eventually({
        resource: dataset,
        read: () =>
          t.logs.queryRange({ query: wholeQuery(dataset), start: dataset.start, end: dataset.end, limit: 1_000, direction: asked }),
        judge: (exchange) => {
          const { streams, differences: malformed } = streamsOf(exchange);
          if (streams === null) return malformed;
          return [...departures(dataset.streams, streams, PAGED), ...orderDepartures(streams, asked)];
        },
      });
      t.judge("logs-4.4", differences, { sightings });
    }
  },
});

const EVERY: Check["profiles"] = ["smoke", "release", "nightly"];
const LARGER: Check["profiles"] = ["release", "nightly"];

const pageSizes = fc.oneof(fc.constantFrom(26, 32, 40, 65), fc.integer({ min: 20, max: 90 }));

export const PAGING_CHECKS: readonly Check[] = [
  pagingCheck(
    "start-at-last",
    "moving start to the last timestamp received pages through everything",
    "at the last",
    pageSizes,
    several,
    EVERY,
  ),
  pagingCheck(
    "start-past-last",
    "moving start just past the last timestamp received pages through everything",
    "just past the last",
    pageSizes,
    single,
    LARGER,
  ),
  pagingCheck(
    "shared-timestamps",
    "moving start to just before the last timestamp pages through entries that share timestamps",
    "one before the last",
    fc.integer({ min: 2 * TIED_GROUP + 2, max: 20 }),
    tied,
    LARGER,
  ),
  raisedLimit,
];
