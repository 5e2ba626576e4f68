/** Defines datasets: streams with labels for the run and the dataset, and entries that are some minutes old. */
import type { Asked, Window } from "../diagnosis/range-request.ts";
import { type Answered, isSuccess, statusOf } from "../client/exchange.ts";
import { Inconclusive } from "../client/inconclusive.ts";
import type { Placing } from "./placing.ts";
import type { Finding } from "../harness/finding.ts";
import { RUN_LABEL } from "../harness/every-response.ts";
import type { Scope } from "../harness/scope.ts";
import type { Resource } from "../harness/settle.ts";
import { show, wrongStatus } from "../model/difference.ts";
import {
  compare,
  countEntries,
  entriesOf,
  exactly,
  type Labels,
  type Matcher,
  matcher,
  type MatchOperator,
  select,
  type Stream,
  within,
} from "../model/logs.ts";
import { READ_BACK_CLAUSES } from "../model/log-answer.ts";
import { logQueryText } from "../model/query-text.ts";
import { SECOND } from "../model/times.ts";

export { RUN_LABEL };
export const SET_LABEL = "plumbline_set";

/** Returns a matcher for the label svc_colour, which most datasets have. */
export function colour(operator: MatchOperator, value: string): Matcher {
  return matcher("svc_colour", operator, value);
}

export interface Dataset extends Resource {
  /** The streams of the dataset, with all labels and entries. No two streams have the same labels. */
  readonly streams: readonly Stream[];
  /** The matchers that select this dataset and nothing else. */
  readonly matchers: readonly Matcher[];
  readonly anchor: bigint;
  /** The edges of a window that contains each entry, with a margin at both ends. */
  readonly start: bigint;
  readonly end: bigint;
  readonly entries: number;
  readonly pushes: readonly Answered[];
  /** True if a part that the target refuses was removed. The refused push may have stored the other parts all the same. */
  readonly isReduced?: true;
  /** True if an earlier push of the same streams failed. It may have stored some streams under an earlier name of the dataset. */
  readonly isRepeated?: true;
}

/** Returns the time after a push, in ms, when a service may have flushed its entries. It is never longer than SETTLE_TIMEOUT_MS. */
export function flushMs({ settle }: Scope): number {
  return Math.min(9_000, settle.deadlineMs);
}

/** Waits until the service may have flushed the dataset. */
export async function untilFlushed(scope: Scope, dataset: Dataset): Promise<void> {
  await scope.untilAfterWrite(dataset, flushMs(scope));
}

/** Returns the labels that mark a stream as part of this run and dataset. */
export function setLabels({ run }: Scope, set: string): Labels {
  return { [RUN_LABEL]: run.runId, [SET_LABEL]: set };
}

/** Returns the dataset of pushed streams. Each label set has one stream, and each stream has the labels of the run and of the dataset. */
export function datasetOf(
  scope: Scope,
  set: string,
  streams: readonly Stream[],
  { anchor, span }: Placing,
  exchanges: readonly Answered[],
): Dataset {
  return {
    name: set,
    streams,
    anchor,
    start: anchor - 2n * SECOND,
    end: anchor + span + 2n * SECOND,
    entries: countEntries(streams),
    pushes: exchanges,
    lastWriteAt: exchanges.at(-1)?.endedAt ?? performance.now(),
    matchers: exactly(setLabels(scope, set)),
  };
}

/** Whether the target accepted each push of the dataset. */
export function isAccepted({ pushes }: Dataset): boolean {
  return pushes.every(isSuccess);
}

/** If a push of the dataset was refused, returns the finding about it. Otherwise returns null. */
export function refusalFinding({ pushes }: Dataset): Finding | null {
  const refused = pushes.find((exchange) => !isSuccess(exchange));
  if (refused === undefined) return null;
  const bytes = Buffer.byteLength(refused.request.body ?? "");
  const expected = `success (2xx) for a documented push with a body of ${bytes.toLocaleString("en-US")} bytes`;
  const actual = `status ${statusOf(refused)}: ${show(refused.response.body)}`;
  return { clauses: READ_BACK_CLAUSES, differences: [wrongStatus("logs-4.push", expected, actual)], exchanges: [refused] };
}

/** Returns the dataset if its pushes were accepted. Otherwise throws `Inconclusive`, because no check can judge queries of this dataset. */
export function stored(dataset: Dataset): Dataset {
  const [refusal] = refusalFinding(dataset)?.differences ?? [];
  if (refusal === undefined) return dataset;
  throw new Inconclusive(`precondition not met: a push was answered ${refusal.actual} (see logs-4.push)`);
}

/** Returns the union of datasets of this run, as one dataset. An expression with the names of all these datasets selects the union. */
export function unionOf(datasets: readonly [Dataset, ...Dataset[]]): Dataset {
  const [first] = datasets;
  const names = datasets.map(({ name }) => name).toSorted();
  const start = datasets.reduce((earliest, one) => (one.start < earliest ? one.start : earliest), first.start);
  return {
    ...withStreams(
      first,
      datasets.flatMap(({ streams }) => streams),
    ),
    name: names.join(", "),
    matchers: [...first.matchers.filter(({ name }) => name === RUN_LABEL), matcher(SET_LABEL, "=~", names.join("|"))],
    start,
    end: datasets.reduce((latest, { end }) => (end > latest ? end : latest), first.end),
    pushes: datasets.flatMap(({ pushes }) => pushes),
    lastWriteAt: Math.max(...datasets.map(({ lastWriteAt }) => lastWriteAt)),
  };
}

/** Returns the query that selects the whole dataset. */
export function wholeQuery(dataset: Dataset): string {
  return logQueryText({ matchers: dataset.matchers, filters: [] });
}

/** Returns the text of a log query on a dataset. */
export function textOf(dataset: Dataset, { matchers = [], ownLast, filters = [] }: Asked): string {
  return logQueryText({ matchers: ownLast === true ? [...matchers, ...dataset.matchers] : [...dataset.matchers, ...matchers], filters });
}

/** Returns a dataset with other streams. */
export function withStreams(dataset: Dataset, streams: readonly Stream[]): Dataset {
  return { ...dataset, streams, entries: countEntries(streams) };
}

/** Returns the entries of a window in the streams whose label svc_size has this value, as a dataset. */
export function ofSize(dataset: Dataset, size: string, { start, end }: Window): Dataset {
  const own: Matcher = matcher("svc_size", "=", size);
  const streams = within(select(dataset.streams, { matchers: [own], filters: [] }), start, end);
  return { ...withStreams(dataset, streams), name: `${dataset.name}, ${size}`, matchers: [...dataset.matchers, own], start, end };
}

/** Returns all timestamps of the dataset in ascending order, each once. */
export function timestamps({ streams }: Dataset): bigint[] {
  return [...new Set(entriesOf(streams).map(({ ts }) => ts))].toSorted(compare);
}

/** Returns times without an entry: before the first, in each gap of at least `least` ns, and after the last. */
export function cutPoints(dataset: Dataset, least = 2n): bigint[] {
  const all = timestamps(dataset);
  const between = all.flatMap((ts, index) => {
    const next = all[index + 1];
    return next === undefined || next - ts < least ? [] : [ts + (next - ts) / 2n];
  });
  return [dataset.start, ...between, dataset.end];
}
