/** Reads datasets until responses show them as they were pushed. A late check reads several datasets with one request. */
import { hasEntries, mistakenText } from "../diagnosis/mistaken.ts";
import type { Window } from "../diagnosis/range-request.ts";
import type { LogsOverride, RangeParameters } from "../client/logs.ts";
import type { Exchange } from "../client/exchange.ts";
import { Inconclusive } from "../client/inconclusive.ts";
import { type Ask, type Comparison, expecting } from "../harness/expect.ts";
import { type Finding, together } from "../harness/finding.ts";
import type { Assertion, Revisit, Scope } from "../harness/scope.ts";
import { type Difference, difference, differenceText, show } from "../model/difference.ts";
import {
  type AnsweredStream,
  entryDifferences,
  nearestCause,
  orderDifferences,
  READ_BACK,
  READ_BACK_CLAUSES,
  shownKept,
} from "../model/log-answer.ts";
import { countEntries, entriesOf, type Entry, exactly, type Stream, within } from "../model/logs.ts";
import { durationText, logQueryText, sumText } from "../model/query-text.ts";
import { instant, range } from "./requests.ts";
import { cutPoints, type Dataset, refusalFinding, SET_LABEL, unionOf, wholeQuery } from "./datasets.ts";
import { requireRoom } from "./dataset-pushes.ts";
import { hello } from "./first-push.ts";
import type { Resource } from "../harness/settle.ts";
import { HALF_HOUR } from "./placing.ts";

/** The limit of a read is this much higher than the number of expected entries, so that unexpected entries are found. */
const ROOM = 10;

/** Returns the range query for a whole dataset in ascending order. */
export function wholeRange(dataset: Dataset): RangeParameters {
  return { query: wholeQuery(dataset), start: dataset.start, end: dataset.end, limit: dataset.entries + ROOM, direction: "forward" };
}

function wrongIn(expected: readonly Stream[], answer: readonly AnsweredStream[]): Difference[] {
  return [...entryDifferences(expected, answer), ...orderDifferences(answer, "forward")];
}

/** Returns a function that compares a response with the whole dataset. */
export function compareWhole(dataset: Dataset): (streams: readonly AnsweredStream[]) => Comparison {
  return (streams) => {
    const differences = nearestCause(wrongIn(dataset.streams, streams));
    return { differences, held: shownKept(dataset.streams, streams, differences) };
  };
}

/** The maximum number of entries that one request reads. All targets accept a limit of 1,000. A larger dataset is read stream by stream. */
const MOST_AT_ONCE = 1_000 - ROOM;

/** The maximum number of bytes of lines that one request reads. Components of real services send each other messages of at most 4 MiB. */
const MOST_BYTES_AT_ONCE = 3 << 20;

function bytesOf({ entries }: Stream): number {
  return entries.reduce((sum, { line }) => sum + Buffer.byteLength(line), 0);
}

interface PartRead {
  readonly parameters: RangeParameters;
  readonly streams: readonly Stream[];
}

/** Returns the requests for a whole dataset: one, or at least one per stream if a limit or a size requires it. */
export function readsOfAll(dataset: Dataset): PartRead[] {
  const bytes = dataset.streams.reduce((sum, stream) => sum + bytesOf(stream), 0);
  if (dataset.entries <= MOST_AT_ONCE && bytes <= MOST_BYTES_AT_ONCE)
    return [{ parameters: wholeRange(dataset), streams: dataset.streams }];
  return dataset.streams.flatMap((stream) => {
    const query = logQueryText({ matchers: exactly(stream.labels), filters: [] });
    return parts(dataset, stream).map(({ start, end }) => ({
      parameters: { ...wholeRange(dataset), query, start, end, limit: 1_000 },
      streams: within([stream], start, end),
    }));
  });
}

function whole(dataset: Dataset, override: LogsOverride | undefined): Ask<readonly (readonly AnsweredStream[])[]> {
  const reads = readsOfAll(dataset);
  const asks = reads.map(({ parameters }) => range(parameters, { override, series: reads.length === 1 ? dataset.streams.length : 1 }));
  return async (scope) => {
    const all: (readonly AnsweredStream[])[] = [];
    const exchanges: Exchange[] = [];
    for (const ask of asks) {
      const reading = await ask(scope);
      if (reading.answer === null) return { answer: null, malformed: reading.malformed, exchanges: [...reading.exchanges, ...exchanges] };
      exchanges.push(...reading.exchanges);
      all.push(reading.answer);
    }
    return { answer: all, malformed: [], exchanges };
  };
}

/** Returns adjacent windows. Each begins `step` points after the previous window. */
function windowsBetween(points: readonly bigint[], step: number): Window[] {
  const edges = points.filter((_point, index) => index % step === 0 || index === points.length - 1);
  return edges.slice(1).map((end, index) => ({ start: edges[index] ?? end, end }));
}

/** Returns windows of a stream. The entries of each window are within the limits of one request. */
function parts(dataset: Dataset, stream: Stream): Window[] {
  const points = cutPoints({ ...dataset, streams: [stream] });
  const step = Math.max(1, Math.min(MOST_AT_ONCE, Math.floor((MOST_BYTES_AT_ONCE / bytesOf(stream)) * (points.length - 1))));
  return windowsBetween(points, step);
}

/** Reads the first small dataset as a control request. If this read fails, the whole service has a problem. */
function firstSet(override: LogsOverride | undefined): Ask<unknown> {
  return async (scope) => range(wholeRange(await scope.use(hello)), { override })(scope);
}

function hasLabels(stream: AnsweredStream, labels: Stream["labels"]): boolean {
  return Object.entries(labels).every(([name, value]) => stream.labels[name] === value);
}

/** Returns a difference if the read of a part returns a pushed entry that is not in the window of the part. */
function outsideOf({ streams }: Dataset, { parameters: { start, end } }: PartRead, answer: readonly AnsweredStream[]): Difference[] {
  const isPushed = (one: Entry): boolean =>
    streams.some(({ entries }) => entries.some(({ ts, line }) => ts === one.ts && line === one.line));
  const outside = entriesOf(answer).find((one) => (one.ts < start || one.ts > end) && isPushed(one));
  if (outside === undefined) return [];
  const actual = `also an entry outside the window: ${show([outside.ts.toString(), outside.line])}`;
  return [difference("logs-4.query_range", "data.result", `only entries from ${start} to ${end}`, actual, "extra")];
}

/** Returns a difference if the read of a single stream returns another stream of the dataset, which its matchers do not select. */
function otherStreams({ streams }: Dataset, part: PartRead, answer: readonly AnsweredStream[]): Difference[] {
  const [own] = part.streams;
  const isPushed = ({ labels, entries }: Stream, { entries: [first] }: AnsweredStream): boolean =>
    labels !== own?.labels && first !== undefined && entries.some(({ ts, line }) => ts === first.ts && line === first.line);
  const other = answer.find(
    (one) =>
      own !== undefined && !hasLabels(one, own.labels) && streams.some((stream) => hasLabels(one, stream.labels) && isPushed(stream, one)),
  );
  return other === undefined
    ? []
    : [
        difference(
          "logs-4.matchers",
          "data.result",
          "only the stream that the matchers select",
          `unexpected: the stream ${show(other.labels)}`,
          "extra",
        ),
      ];
}

/** Compares a read with the whole dataset. If it lacks a period of the window, the differences say so. */
function withGuess(dataset: Dataset, reads: readonly PartRead[], answer: readonly AnsweredStream[]): Comparison {
  const compared = compareWhole(dataset)(answer);
  if (compared.differences.length === 0 || reads.length > 1) return compared;
  const contrast = mistakenText(dataset.streams, {}, dataset, hasEntries(answer));
  return contrast === undefined ? compared : { ...compared, differences: compared.differences.map((one) => ({ ...one, contrast })) };
}

/** Judges a read of a dataset. If other queries find the missing entries, they were stored, and the range query violates its clause. */
export function readBack(dataset: Dataset, override?: LogsOverride): Assertion {
  const reads = readsOfAll(dataset);
  const read = expecting({
    clauses: READ_BACK_CLAUSES,
    of: dataset,
    ask: whole(dataset, override),
    expect: (all) => {
      const others =
        reads.length === 1
          ? []
          : reads.map((part, at) => [...otherStreams(dataset, part, all[at] ?? []), ...outsideOf(dataset, part, all[at] ?? [])]);
      const foreign = others.findIndex(({ length }) => length > 0);
      if (foreign !== -1) return { differences: others[foreign] ?? [], held: [], telling: foreign };
      const compared = withGuess(dataset, reads, all.flat());
      const telling =
        compared.differences.length === 0 ? -1 : reads.findIndex(({ streams }, at) => wrongIn(streams, all[at] ?? []).length > 0);
      return { ...compared, telling: Math.max(0, telling) };
    },
    twin: firstSet(override),
    refused: "logs-4.query_range",
  });
  return async (scope) => {
    const finding = await read(scope);
    const missing = finding.differences.length > 0 && finding.differences.every(({ clause }) => clause === READ_BACK.lost);
    if (!missing || !((await isThereInPieces(scope, dataset, override)) || (await isCounted(scope, dataset, override)))) return finding;
    return {
      ...finding,
      differences: finding.differences.map((one): Difference => ({ ...one, clause: "logs-4.query_range" })),
      held: READ_BACK_CLAUSES,
    };
  };
}

/** If one of these clauses is violated, entries are not returned as they were pushed, so checks of queries cannot use the dataset. */
const LOSSES: ReadonlySet<string> = new Set([READ_BACK.lost, READ_BACK.timestamp, READ_BACK.line, READ_BACK.misplaced, READ_BACK.labels]);

export interface PushedSet {
  readonly dataset: Dataset;
  readonly finding: Finding;
}

/** Reads a dataset, and resolves to the dataset and a finding. A refused push is a finding too. */
export async function comeBack(scope: Scope, dataset: Dataset, override?: LogsOverride): Promise<PushedSet> {
  await requireRoom(scope, dataset);
  return { dataset, finding: refusalFinding(dataset) ?? (await readBack(dataset, override)(scope)) };
}

/** Returns the dataset if each entry is returned as pushed. Otherwise throws `Inconclusive`, because queries cannot be judged. */
export function useful({ dataset, finding: { differences, held = [] } }: PushedSet): Dataset {
  const lost = differences.find(({ clause }) => LOSSES.has(clause));
  // If the response has no list of streams, it shows nothing about the entries.
  const malformed = held.includes("logs-2.range-result") ? undefined : differences[0];
  const wrong = lost ?? malformed;
  if (wrong !== undefined)
    throw new Inconclusive(
      `precondition not met: a dataset is not returned as it was pushed (see ${wrong.clause}): ${wrong.path}: ${differenceText(wrong)}`,
    );
  return dataset;
}

/** Reads a dataset and returns it. Throws `Inconclusive` if an entry is not returned as it was pushed. */
export async function visible(scope: Scope, dataset: Dataset, override?: LogsOverride): Promise<Dataset> {
  return useful(await comeBack(scope, dataset, override));
}

/** Whether a metric query counts each entry of the dataset. If so, all entries were stored, even if a range query lacks some. */
async function isCounted(scope: Scope, dataset: Dataset, override?: LogsOverride): Promise<boolean> {
  const query = { matchers: dataset.matchers, filters: [] };
  const length = ((dataset.end - dataset.start) / 1_000_000_000n) * 1_000_000_000n;
  const { answer } = await instant(sumText("count_over_time", query, durationText(length)), dataset.end, { override })(scope);
  return answer !== null && answer.reduce((sum, { value }) => sum + value, 0) === countEntries(dataset.streams);
}

/** The maximum number of timestamps in a window. It is low, so that the response is complete even if a faulty server applies a lower limit. */
const PIECE = 20;
/** The maximum number of windows to read. If most of a large response is missing, thousands of windows could be read. */
const MOST_PIECES = 12;

interface Piece extends Window {
  readonly stream: Stream;
  readonly missing: readonly Entry[];
}

/** Returns the entries of `stream` that the response lacks. A returned stream counts if it has the labels of `stream`, and maybe more. */
function missingOf({ labels, entries }: Stream, answered: readonly AnsweredStream[]): Entry[] {
  const own = answered.filter((stream) => hasLabels(stream, labels));
  const came = new Set(own.flatMap((stream) => stream.entries.map(entryKey)));
  return entries.filter((entry) => !came.has(entryKey(entry)));
}

function entryKey({ ts, line }: Entry): string {
  return `${ts} ${line}`;
}

/** Finds the streams with missing entries in a response. Returns small windows of these streams, distributed over the dataset. */
function piecesOf(dataset: Dataset, answered: readonly AnsweredStream[]): Piece[] {
  const windows = windowsBetween(cutPoints(dataset), PIECE);
  const all = dataset.streams.flatMap((stream) => {
    const lost = missingOf(stream, answered);
    return windows.flatMap(({ start, end }): Piece[] => {
      const missing = lost.filter(({ ts }) => ts > start && ts < end);
      return missing.length > 0 ? [{ stream, start, end, missing }] : [];
    });
  });
  const step = Math.max(1, (all.length - 1) / (MOST_PIECES - 1));
  return all.length <= MOST_PIECES ? all : Array.from({ length: MOST_PIECES }, (_, index) => all[Math.round(index * step)] as Piece);
}

/** Whether reads of single streams in small windows return the missing entries. If so, the large read is wrong. */
async function isThereInPieces(scope: Scope, dataset: Dataset, override?: LogsOverride): Promise<boolean> {
  const { answer: all } = await whole(dataset, override)(scope);
  if (all === null) return false;
  for (const { stream, start, end, missing } of piecesOf(dataset, all.flat())) {
    const query = logQueryText({ matchers: exactly(stream.labels), filters: [] });
    const { answer } = await range({ query, start, end, limit: 1_000, direction: "forward" }, { override })(scope);
    if (answer === null || missingOf({ ...stream, entries: missing }, answer).length > 0) return false;
  }
  return true;
}

/** The maximum number of entries that one request reads. The limit of the request is higher, so that unexpected entries are found. */
const MOST_ENTRIES = 900;
const FEW_ENTRIES = 250;
/** The maximum number of dataset names in one expression. */
const MOST_SETS = 16;

type Group<T> = readonly [T, ...T[]];

/** Groups datasets whose entries are in the same half hour of the clock, so that one request can read them. `fits` accepts a group. */
export function inGroups(datasets: readonly Dataset[], fits: (group: Group<Dataset>) => boolean): Group<Dataset>[] {
  const groups: [Dataset, ...Dataset[]][] = [];
  for (const dataset of datasets) {
    const isOfSameTime = ([first]: Group<Dataset>): boolean => first.anchor / HALF_HOUR === dataset.anchor / HALF_HOUR;
    const group = groups.find((one) => isOfSameTime(one) && one.length < MOST_SETS && fits([...one, dataset] as const));
    if (group === undefined) groups.push([dataset]);
    else group.push(dataset);
  }
  return groups;
}

/** Returns the resource as a dataset, or null if it is something else. */
export function asDataset(resource: Resource): Dataset | null {
  return "streams" in resource ? (resource as Dataset) : null;
}

/** Combines repeated reads of small datasets of the same time. Other reads stay unchanged. */
export function readInBatches(due: readonly Revisit[]): Revisit[] {
  const small = new Map<Dataset, Revisit>();
  for (const revisit of due) {
    const dataset = asDataset(revisit.resource);
    if (dataset !== null && dataset.entries <= FEW_ENTRIES) small.set(dataset, revisit);
  }
  const groups = inGroups([...small.keys()], (group) => group.reduce((sum, { entries }) => sum + entries, 0) <= MOST_ENTRIES);
  const alone = due.filter((one) => ![...small.values()].includes(one));
  const of = (dataset: Dataset): Revisit => small.get(dataset) as Revisit;
  return [...groups.map((group) => (group.length === 1 ? of(group[0]) : readTogether(group, of))), ...alone];
}

/** Reads all datasets with one request. After a wrong response, each dataset is read alone, to find the cause. */
function readTogether(datasets: Group<Dataset>, of: (dataset: Dataset) => Revisit): Revisit {
  const union = unionOf(datasets);
  const newest = datasets.find(({ lastWriteAt }) => lastWriteAt === union.lastWriteAt) ?? datasets[0];
  const assertion: Assertion = async (scope) => {
    const { answer, exchanges } = await range(wholeRange(union))(scope);
    // A target that does not anchor expressions also returns datasets with longer names.
    const own = answer?.filter(({ labels }) => datasets.some(({ name }) => name === labels[SET_LABEL]));
    if (own !== undefined && compareWhole(union)(own).differences.length === 0)
      return { clauses: READ_BACK_CLAUSES, differences: [], exchanges };
    return together(await Promise.all(datasets.map(async (dataset) => of(dataset).assertion(scope))));
  };
  return { ...of(newest), assertion };
}
