/** Sends reads and pushes about which the log document is silent. The responses are recorded and never judged. */
import { type Answered, isSuccess, jsonOf, statusOf } from "../client/exchange.ts";
import type { Asked, Window } from "../diagnosis/range-request.ts";
import type { Probed } from "../harness/context.ts";
import { type Assertion, fixture, type Scope } from "../harness/scope.ts";
import { isObject, member } from "../model/json.ts";
import { countEntries } from "../model/logs.ts";
import { streamsOf } from "../datasets/requests.ts";
import { type Dataset, RUN_LABEL, SET_LABEL, setLabels, stored, textOf, timestamps, wholeQuery } from "../datasets/datasets.ts";
import { store } from "../datasets/dataset-pushes.ts";
import { selection } from "./range-query.ts";
import { visible, wholeRange } from "../datasets/read-back.ts";
import { pushBody } from "../client/logs.ts";

/** Returns the kind of a response body. The result is the same in each run. */
function bodyShape(answer: Answered): string {
  const body = jsonOf(answer);
  if (answer.response.body === "") return "empty";
  return body === undefined ? "text" : isObject(body) ? `object: ${Object.keys(body).toSorted().join(", ")}` : typeof body;
}

export function pushAnswer({ pushes }: Dataset): Probed<unknown> {
  const [first] = pushes;
  return { seen: first === undefined ? null : { status: statusOf(first), body: bodyShape(first) }, exchanges: pushes.slice(0, 1) };
}

/** Whether the list of label names is empty in a time range that ends 2 h before the first entry. */
export function pastLabels({ start, end }: Dataset): (scope: Scope) => Promise<boolean> {
  const past = { start: (start - 7_200_000_000_000n).toString(), end: (end - 7_200_000_000_000n).toString() };
  return async ({ logs }) => !JSON.stringify(jsonOf(await logs.probe("labels in a past range", "labels", past)) ?? "").includes(SET_LABEL);
}

export function envelope(dataset: Dataset): (scope: Scope) => Promise<unknown> {
  return async ({ logs }) => {
    const body = jsonOf(await logs.queryRange(wholeRange(dataset)));
    if (!isObject(body)) return null;
    return {
      envelope: Object.keys(body).toSorted(),
      data: Object.keys(member(body, "data") ?? {}).toSorted(),
      status: body["status"] ?? null,
      resultType: member(body["data"], "resultType") ?? null,
    };
  };
}

export function addedLabels(dataset: Dataset): (scope: Scope) => Promise<readonly string[]> {
  const pushed = new Set(dataset.streams.flatMap(({ labels }) => Object.keys(labels)));
  return async ({ logs }) => {
    const streams = streamsOf(await logs.queryRange(wholeRange(dataset))).answer ?? [];
    return [...new Set(streams.flatMap(({ labels }) => Object.keys(labels).filter((name) => !pushed.has(name))))].toSorted();
  };
}

export async function appearance({ settle }: Scope): Promise<string> {
  const appeared = settle.slowestMs;
  return appeared < 100 ? "at once" : appeared < 1_000 ? "under a second" : "seconds";
}

interface OddRange {
  readonly slug: string;
  readonly title: string;
  readonly change: (range: Readonly<Record<string, string>>) => Record<string, string>;
}

const metricOf = (query: string | undefined): string => `count_over_time(${query ?? ""}[1m])`;

export const ODD_RANGES: readonly OddRange[] = [
  { slug: "syntax-error", title: "a broken query", change: (range) => ({ ...range, query: "{" }) },
  { slug: "limit-zero", title: "limit 0", change: (range) => ({ ...range, limit: "0" }) },
  { slug: "limit-negative", title: "a negative limit", change: (range) => ({ ...range, limit: "-1" }) },
  { slug: "limit-text", title: "a limit that is no number", change: (range) => ({ ...range, limit: "many" }) },
  { slug: "odd-direction", title: "an unknown direction", change: (range) => ({ ...range, direction: "sideways" }) },
  {
    slug: "start-after-end",
    title: "a query whose start is after its end",
    change: (range) => ({ ...range, start: range["end"] ?? "", end: range["start"] ?? "" }),
  },
  { slug: "no-range", title: "a query without start and end", change: ({ query = "" }) => ({ query }) },
  {
    slug: "metric-on-range",
    title: "a metric query on query_range",
    change: (range) => ({ ...range, query: metricOf(range["query"]), step: "60" }),
  },
  { slug: "all-matching", title: 'a selector {plumbline_run=~".*"}', change: (range) => ({ ...range, query: `{${RUN_LABEL}=~".*"}` }) },
];

export function oddAnswer(dataset: Dataset, { slug, change }: OddRange): (scope: Scope) => Promise<unknown> {
  const plain = { query: wholeQuery(dataset), start: dataset.start.toString(), end: dataset.end.toString() };
  return async ({ logs }) => {
    const answer = await logs.probe(`query_range (${slug})`, "query_range", change(plain));
    return {
      status: statusOf(answer),
      body: isSuccess(answer) ? "success" : bodyShape(answer),
      contentType: isSuccess(answer) ? null : (answer.response.headers["content-type"] ?? null),
    };
  };
}

/** Whether the response contains an entry exactly at an edge of the window, or null if the response cannot be parsed. */
export function edgeOf(dataset: Dataset, edge: "start" | "end"): (scope: Scope) => Promise<boolean | null> {
  const all = timestamps(dataset);
  const [from = 0n, to = 0n] = [all[10], all[20]];
  return async ({ logs }) => {
    const found = async (start: bigint, end: bigint): Promise<number | null> => {
      const { answer: streams } = streamsOf(await logs.queryRange({ query: wholeQuery(dataset), start, end, limit: 100 }));
      return streams === null ? null : countEntries(streams);
    };
    const inside = await found(from + 1n, to - 1n);
    const touching = edge === "start" ? await found(from, to - 1n) : await found(from + 1n, to);
    return inside === null || touching === null ? null : inside !== touching;
  };
}

/** Resolves to a window that begins `before` ns before a dataset. Resolves to null if the target refuses it, which is legal. */
export function answeredFrom(dataset: Dataset, before: bigint, asked: Asked = {}): (scope: Scope) => Promise<Window | null> {
  const { anchor, end } = dataset;
  const window = { start: anchor - before, end };
  const parameters = { query: textOf(dataset, asked), start: window.start.toString(), end: end.toString(), limit: "1" };
  return async ({ logs }) => (isSuccess(await logs.probe("query_range from long before", "query_range", parameters)) ? window : null);
}

export async function malformedPush({ logs }: Scope): Promise<unknown> {
  const answer = await logs.probePush("push (malformed)", '{"streams": 1}');
  return { status: statusOf(answer), body: bodyShape(answer) };
}

export async function withoutTenant({ logs }: Scope): Promise<number> {
  return statusOf(await logs.probe("labels without a tenant", "labels", {}, { tenant: null }));
}

/** Resolves to the number of times that a read returns an entry that was pushed twice, or to null if the response cannot be parsed. */
export async function twice(scope: Scope): Promise<number | null> {
  const entry = { offset: 60_000_000_000n, line: "twice" };
  const dataset = await visible(
    scope,
    await store(scope, "duplicate", { pushes: [[{ labels: {}, entries: [entry] }], [{ labels: {}, entries: [entry] }]] }),
  );
  const { answer: streams } = streamsOf(await scope.logs.queryRange(wholeRange(dataset)));
  return streams === null ? null : countEntries(streams);
}

/** Whether a read returns the only entry of a stream if its line is empty. Null if the response cannot be parsed. */
export async function emptyLineAlone(scope: Scope): Promise<boolean | null> {
  const dataset = await store(scope, "empty-alone", { pushes: [[{ labels: {}, entries: [{ offset: 60_000_000_000n, line: "" }] }]] });
  const { answer: streams } = streamsOf(await scope.logs.queryRange(wholeRange(dataset)));
  return streams === null ? null : countEntries(streams) > 0;
}

interface Late {
  readonly dataset: Dataset;
  /** The response to the push of the older entry. */
  readonly late: Answered;
}

/** A stream with one entry. Then an older entry is pushed to it. */
const lateToOne = fixture<Late>("logs", "a push of entries that are older than the entries of the stream", async (scope) => {
  const entry = { offset: 60_000_000_000n, line: "newest" };
  const dataset = await store(scope, "late", { pushes: [[{ labels: {}, entries: [entry] }]] });
  const body = pushBody([{ labels: setLabels(scope, dataset.name), entries: [{ ts: dataset.anchor + 1n, line: "late" }] }]);
  return { dataset, late: await scope.logs.probePush("push (out of order)", body) };
});

/** Resolves to the status of a push of an entry that is out of order. */
export async function lateWrite(scope: Scope): Promise<number> {
  return statusOf((await scope.use(lateToOne)).late);
}

/** Asserts that the push of the older entry does not change reads of newer windows, whether the push was accepted or not. */
export const newestAfterLate: Assertion = async (scope) => {
  const { dataset: pushed, late } = await scope.use(lateToOne);
  const dataset = stored(pushed);
  const window = { start: dataset.anchor + 30_000_000_000n, end: dataset.end };
  const finding = await selection({ ...dataset, lastWriteAt: late.endedAt }, { window })(scope);
  return { ...finding, exchanges: [...finding.exchanges, late] };
};
