/** Reading a set back until it is as expected. */
import type { Answered } from "../../src/client/exchange.ts";
import { Inconclusive } from "../../src/client/inconclusive.ts";
import type { ClauseId } from "../../src/contract/catalogue.ts";
import type { LogsOverride, RangeParameters } from "../../src/client/logs.ts";
import type { Scope } from "../../src/harness/context.ts";
import type { Settled, Sighting } from "../../src/harness/settle.ts";
import type { Difference } from "../../src/model/difference.ts";
import { departures, orderDepartures } from "../../src/model/log-answer.ts";
import { type AnsweredStream, READ_BACK } from "../../src/model/log-answer.ts";
import { logQueryText } from "../../src/model/query-text.ts";
import { cutPoints, type Dataset, pushRefusal, wholeQuery } from "./datasets.ts";
import { streamsOf } from "./answers.ts";

/** Room above the number of entries, so that an entry too many is seen. */
const ROOM = 10;

/** The range query that reads a whole set, oldest first. */
export function wholeRange(dataset: Dataset): RangeParameters {
  return { query: wholeQuery(dataset), start: dataset.start, end: dataset.end, limit: dataset.entries + ROOM, direction: "forward" };
}

/** Everything wrong with an answer that must hold the whole set. */
export function wholeDifferences(dataset: Dataset, exchange: Answered): Difference[] {
  const { streams, differences } = streamsOf(exchange);
  if (streams === null) return differences;
  return [...departures(dataset.streams, streams), ...orderDepartures(streams, "forward")];
}

/** Reads the whole set until all of it is there. */
export async function readBack(scope: Scope, dataset: Dataset, override?: LogsOverride): Promise<Settled<Answered>> {
  return scope.eventually({
    resource: dataset,
    read: () => scope.logs.queryRange(wholeRange(dataset), override),
    judge: (exchange) => wholeDifferences(dataset, exchange),
  });
}

/** The departures that make a set useless for checks of other queries: entries that are not there as they were pushed. */
const LOSSES = new Set([READ_BACK.lost, READ_BACK.timestamp, READ_BACK.line, READ_BACK.misplaced, READ_BACK.labels]);

/** A set as it was pushed, and how it came back. */
export interface PushedSet {
  readonly dataset: Dataset;
  /** Entries that are not there as they were pushed, or under other labels. */
  readonly losses: readonly Difference[];
  /** Whether every entry can be found somehow, so that queries can be judged by the set. */
  readonly usable: boolean;
  /** Whether reading the whole set at once showed all of it and nothing else. */
  readonly whole: boolean;
  /** What is wrong with the form of the answer. */
  readonly malformed: readonly Difference[];
  readonly sightings: readonly Sighting[];
}

/** Reads a set back. A refused push is a loss as well. */
export async function comeBack(scope: Scope, dataset: Dataset, override?: LogsOverride): Promise<PushedSet> {
  const refusal = pushRefusal(dataset);
  if (refusal.length > 0) return { dataset, losses: refusal, usable: false, whole: false, malformed: [], sightings: [] };
  const { value, differences, sightings } = await readBack(scope, dataset, override);
  const losses = differences.filter(({ clause }) => LOSSES.has(clause));
  if (losses.length > 0) {
    // What is there when it is asked for in pieces was stored: where it is only missing, reading it all at once is what is wrong.
    const usable = await isThereInPieces(scope, dataset, override);
    const missing = losses.every(({ clause }) => clause === READ_BACK.lost);
    return { dataset, losses: usable && missing ? [] : losses, usable, whole: false, malformed: [], sightings };
  }
  const { streams, differences: malformed } = streamsOf(value);
  return { dataset, losses, usable: true, whole: differences.length === 0, malformed: streams === null ? malformed : [], sightings };
}

/** A set that came back as it was pushed; else the checks that need it cannot judge. */
export function useful({ dataset, usable, losses: [lost], malformed: [shape] }: PushedSet): Dataset {
  if (!usable && lost !== undefined)
    throw new Inconclusive(
      `precondition: entries are not there as they were pushed (see ${lost.clause}): ${lost.expected}, got ${lost.actual}`,
    );
  if (shape !== undefined)
    throw new Inconclusive(
      `precondition: a range query is not answered as documented (see ${shape.clause}): ${shape.path} expected ${shape.expected}, got ${shape.actual}`,
    );
  return dataset;
}

/** A set that is stored and visible as it was pushed; else the checks that need it cannot judge. */
export async function visible(scope: Scope, dataset: Dataset, override?: LogsOverride): Promise<Dataset> {
  return useful(await comeBack(scope, dataset, override));
}

/** Pieces hold at most this many timestamps, so that no limit a server may have by mistake cuts them. */
const PIECE = 20;

/**
 * Whether everything comes back when the set is read stream by stream and in small windows: then it was stored, and it is
 * the reading of many entries or streams at once that is wrong.
 */
export async function isThereInPieces(scope: Scope, dataset: Dataset, override?: LogsOverride): Promise<boolean> {
  const points = cutPoints(dataset);
  const edges = points.filter((_point, index) => index % PIECE === 0 || index === points.length - 1);
  for (const { labels, entries } of dataset.streams) {
    const query = logQueryText({ matchers: Object.entries(labels).map(([name, value]) => ({ name, operator: "=", value })), filters: [] });
    const all: AnsweredStream[] = [];
    for (const [index, start] of edges.entries()) {
      const end = edges[index + 1];
      if (end === undefined || !entries.some(({ ts }) => ts > start && ts < end)) continue;
      const { streams } = streamsOf(await scope.logs.queryRange({ query, start, end, limit: 1_000, direction: "forward" }, override));
      if (streams === null) return false;
      // A stream whose labels are a subset selects others as well, which are not asked about here.
      all.push(...streams.filter((stream) => stream.entries.length > 0));
    }
    const came = new Set(all.flatMap((stream) => stream.entries.map(({ ts, line }) => `${ts} ${line}`)));
    if (!entries.every(({ ts, line }) => came.has(`${ts} ${line}`))) return false;
  }
  return true;
}

/** Judges the streams of a range query's answer; a malformed answer is judged as such. */
export function judged(
  exchange: Answered,
  judge: (streams: readonly AnsweredStream[]) => readonly Difference[],
  clause?: ClauseId,
): readonly Difference[] {
  const { streams, differences } = streamsOf(exchange, clause);
  return streams === null ? differences : judge(streams);
}
