/** Assertions about range queries: which entries a query selects, from a window, up to a limit, in a direction. */
import { answerClauseOf, type Asked, clauseByKindOf, clauseOf, lesser } from "../diagnosis/range-request.ts";
import { type Answered, isSuccess, statusOf } from "../client/exchange.ts";
import { type RangeParameters, rangeText } from "../client/logs.ts";
import type { ClauseId } from "../contract/catalogue.ts";
import { type Ask, expecting } from "../harness/expect.ts";
import type { Finding } from "../harness/finding.ts";
import type { Assertion, Scope } from "../harness/scope.ts";
import { type Difference, show } from "../model/difference.ts";
import { type AnsweredStream, entryDifferences, limitDifferences, orderDifferences, unselected } from "../model/log-answer.ts";
import { compare, countEntries, type Direction, limited, type Matcher, select, type Stream, within } from "../model/logs.ts";
import { logQueryText } from "../model/query-text.ts";
import { type As, range } from "../datasets/requests.ts";
import { type Dataset, RUN_LABEL, SET_LABEL, textOf } from "../datasets/datasets.ts";
import { lastingAnswer } from "./server-errors.ts";
import { streamsOf } from "../datasets/responses.ts";

/** As many as a limit may safely ask for. */
const ALL = 1_000;

/** The parameters of a range query over a set. */
export function parametersOf(dataset: Dataset, asked: Asked): RangeParameters {
  const { start, end } = asked.window ?? dataset;
  const place = { query: textOf(dataset, asked), start, end };
  if (asked.cut === undefined) return { ...place, limit: ALL, ...(dataset.entries > ALL ? { direction: "backward" } : {}) };
  const { limit, direction, unsent = [] } = asked.cut;
  return { ...place, ...(unsent.includes("limit") ? {} : { limit }), ...(unsent.includes("direction") ? {} : { direction }) };
}

function selected({ streams }: Dataset, { matchers = [], filters = [], window }: Asked): Stream[] {
  return select(window === undefined ? streams : within(streams, window.start, window.end), { matchers, filters });
}

/** Everything wrong with the answer to a range query over a set. */
export function askedDifferences(
  dataset: Dataset,
  asked: Asked,
  own?: ClauseId,
): (streams: readonly AnsweredStream[]) => readonly Difference[] {
  const expected = selected(dataset, asked);
  // Of a set that is larger than a limit may safely be, the newest entries are read.
  const cut = asked.cut ?? (dataset.entries > ALL ? { limit: ALL, direction: "backward" } : undefined);
  const clauseByKind = clauseByKindOf(asked, own);
  return (streams) => {
    const order = cut === undefined ? [] : orderDifferences(streams, cut.direction);
    if (cut === undefined || cut.limit >= countEntries(expected))
      return [...entryDifferences(expected, streams, clauseByKind, dataset.streams), ...order];
    const extra = unselected(dataset.streams, expected, streams, clauseByKind.extra);
    if (extra.length > 0) return [...extra, ...order];
    return [...limitDifferences(limited(expected, cut.limit, cut.direction), expected, streams, clauseByKind), ...order];
  };
}

/** How long a right response to a smaller request counts for other wrong requests, in ms. */
const KNOWN_MS = 5_000;

/** The smaller requests of a dataset that were answered rightly, with the time of the response. */
const RIGHT = new WeakMap<Dataset, Map<string, number>>();

/** What is wrong with the first of `steps` that is answered wrongly, or null when all are answered rightly. */
export async function nearest(
  scope: Scope,
  dataset: Dataset,
  steps: readonly Asked[],
  as: As = {},
): Promise<Pick<Finding, "differences" | "exchanges"> | null> {
  const right = RIGHT.get(dataset) ?? new Map<string, number>();
  RIGHT.set(dataset, right);
  for (const asked of steps) {
    const parameters = parametersOf(dataset, asked);
    const key = JSON.stringify([Object.entries(rangeText(parameters)), as]);
    // A defect makes many requests wrong, and most of their smaller requests are the same.
    if (performance.now() - (right.get(key) ?? -KNOWN_MS) < KNOWN_MS) continue;
    const assertion = expecting({
      clauses: clauseOf(asked),
      of: dataset,
      ask: range(parameters, { ...as, clause: clauseOf(asked), series: selected(dataset, asked).length }),
      expect: askedDifferences(dataset, asked),
      twin: smallest(dataset, as),
    });
    const { differences, exchanges } = await assertion(scope);
    if (differences.length > 0)
      return { differences: differences.map((one) => ({ ...one, path: `${one.path} of query_range ${parameters.query}` })), exchanges };
    right.set(key, performance.now());
  }
  return null;
}

/** What asks for less than a query over a set. */
export function lesserOf({ streams }: Dataset, asked: Asked): Asked[] {
  const { matchers = [], filters = [] } = asked;
  return lesser(asked, select(streams, { matchers, filters }).length === 0);
}

/** Asks for what a query selects of a set and holds the answer against the model; `clause` is what it is to show. */
export function selection(dataset: Dataset, asked: Asked, clause: ClauseId = clauseOf(asked), { first, ...as }: As = {}): Assertion {
  return expecting({
    clauses: clause,
    of: dataset,
    ask: range(parametersOf(dataset, asked), { clause: answerClauseOf(asked), series: selected(dataset, asked).length, ...as, first }),
    expect: askedDifferences(dataset, asked),
    cause: (scope) => nearest(scope, dataset, lesserOf(dataset, asked), as),
    twin: smallest(dataset, as),
  });
}

/**
 * The same for a query that the documents do not promise. Null where the target refuses the query; an answer of success is judged, and no
 * second request is sent for it.
 */
export function selectionIfTaken(
  dataset: Dataset,
  asked: Asked,
  clause: ClauseId = clauseOf(asked),
): (scope: Scope) => Promise<Assertion | null> {
  const parameters = rangeText(parametersOf(dataset, asked));
  return async (scope) => {
    const first = await lastingAnswer(scope, async ({ logs }) => logs.probe("query_range (probe)", "query_range", parameters));
    return isSuccess(first) ? selection(dataset, asked, clause, { first }) : null;
  };
}

/** The least that a range query can ask of a set: one entry of the last minute before its end. */
function smallest(dataset: Dataset, as: As): Ask<unknown> {
  return range({ query: textOf(dataset, {}), start: dataset.end - 60_000_000_000n, end: dataset.end, limit: 1 }, as);
}

/** A raised limit reads at once what a lower one reads in part; what is wrong with a low limit is no matter of raising it. */
export function raisedLimit(dataset: Dataset, direction: Direction): Assertion {
  const asked: Asked = { cut: { limit: ALL, direction } };
  return expecting({
    clauses: "logs-4.4",
    of: dataset,
    ask: range(parametersOf(dataset, asked)),
    expect: askedDifferences(dataset, asked, "logs-4.4"),
    cause: (scope) => nearest(scope, dataset, [{ cut: { limit: 100, direction } }]),
  });
}

export function emptySelection(dataset: Dataset): Assertion {
  return expecting({
    clauses: "logs-4.query_range",
    of: dataset,
    ask: range({ query: `{${RUN_LABEL}="nobody-used-this-value"}`, start: dataset.start, end: dataset.end, limit: 10 }),
    expect: (streams) =>
      streams.some(({ entries }) => entries.length > 0)
        ? [{ clause: "logs-4.query_range", path: "data.result", expected: "no entries", actual: show(streams.map(({ labels }) => labels)) }]
        : [],
  });
}

const ORDER_CLAUSE = "logs-4.1";
const LIMIT = 7;

/** Without `edge` and without a direction the most recent entries come first; null where no two entries of a stream are answered. */
export function orderWithout(dataset: Dataset, edge: "start" | "end"): (scope: Scope) => Promise<Assertion | null> {
  const parameters = parametersOf(dataset, { cut: { limit: LIMIT, direction: "backward" } });
  const sent: readonly (keyof RangeParameters)[] = (["query", "start", "end", "limit"] as const).filter((name) => name !== edge);
  const read = async ({ logs }: Scope): Promise<Answered> => logs.queryRangeInOrder(parameters, sent);
  return async (scope) => {
    const { streams } = streamsOf(await read(scope), ORDER_CLAUSE);
    if (streams?.some(({ entries }) => entries.length > 1) !== true) return null;
    return expecting({
      clauses: ORDER_CLAUSE,
      of: dataset,
      ask: async (later) => {
        const exchange = await read(later);
        const { streams: answer, differences } = streamsOf(exchange, ORDER_CLAUSE);
        return { answer, malformed: differences, exchanges: [exchange] };
      },
      expect: (answer) => orderDifferences(answer, "backward"),
      input: { "not sent": [edge, "direction"] },
    });
  };
}

interface Cut {
  readonly limit: number;
  readonly direction: Direction;
}

/** Where the entries that were answered end: the oldest of them going backward, the newest going forward. */
function reached(streams: readonly { readonly entries: readonly { readonly ts: bigint }[] }[], direction: Direction): bigint | undefined {
  const all = streams.flatMap(({ entries }) => entries.map(({ ts }) => ts)).toSorted(compare);
  return direction === "backward" ? all[0] : all.at(-1);
}

/** Entries nearer to the end that a direction begins with than `last`. */
function nearer<S extends Pick<Stream, "entries">>(streams: readonly S[], last: bigint, direction: Direction): S[] {
  return streams
    .map((stream) => ({ ...stream, entries: stream.entries.filter(({ ts }) => (direction === "backward" ? ts > last : ts < last)) }))
    .filter(({ entries }) => entries.length > 0);
}

/** As many entries of all sets as a limit lets through, from one end of a window on: none that is known and nearer is left out. */
export function limitedAcrossDatasets(
  datasets: readonly Dataset[],
  window: { readonly start: bigint; readonly end: bigint },
  cut: Cut,
): Assertion {
  const [first] = datasets;
  if (first === undefined) throw new Error("a read over all datasets needs at least one dataset");
  const names = new Set(datasets.map(({ name }) => name));
  const known = within(
    datasets.flatMap(({ streams }) => streams),
    window.start,
    window.end,
  );
  const least = Math.min(cut.limit, countEntries(known));
  // Other sets of the run may be found, too, where an expression may match a part of a value.
  const own = first.matchers.filter(({ name }) => name === RUN_LABEL);
  const query = logQueryText({ matchers: [...own, { name: SET_LABEL, operator: "=~", value: [...names].join("|") }], filters: [] });
  return expecting({
    clauses: ORDER_CLAUSE,
    of: datasets.reduce((newest, dataset) => (dataset.lastWriteAt > newest.lastWriteAt ? dataset : newest), first),
    ask: range({ query, ...window, ...cut }),
    expect: (streams) => {
      const count = countEntries(streams);
      const last = reached(streams, cut.direction);
      if (count < least || last === undefined)
        // Entries that are missing are no matter of their order.
        return [
          {
            clause: "logs-4.query_range",
            path: "data.result",
            expected: `at least ${least} entries`,
            actual: `${count} entries: ${show(streams)}`,
          },
        ];
      const found = streams.filter(({ labels }) => names.has(labels[SET_LABEL] ?? ""));
      // As many as were asked for end the answer; fewer are all there is.
      const isCut = count >= cut.limit;
      const [wanted, shown] = isCut ? [nearer(known, last, cut.direction), nearer(found, last, cut.direction)] : [known, found];
      return entryDifferences(wanted, shown).map((one) => ({ ...one, clause: ORDER_CLAUSE }));
    },
    // What is wrong with the sets by themselves, too, is not wrong because they lie between each other.
    cause: async (scope) => {
      for (const dataset of datasets) {
        const alone = await nearest(scope, dataset, [
          { window, cut: { ...cut, limit: 1_000 } },
          { window, cut },
        ]);
        if (alone !== null) return alone;
      }
      return null;
    },
    input: { ...window, ...cut },
  });
}

const MATCHER_CLAUSE = "logs-4.matchers";

function queryOf(matcher: Matcher): string {
  return logQueryText({ matchers: [matcher], filters: [] });
}

/** Whether this target takes an expression as the only matcher: that one matcher must be of `=` is not stated, and usual. */
export function takesSingleMatcher({ start, end }: Dataset, matcher: Matcher): (scope: Scope) => Promise<boolean> {
  return async (scope) => {
    const parameters = { query: queryOf(matcher), start: start.toString(), end: end.toString() };
    const probe = async (): Promise<Answered> => scope.logs.probe("selector of one expression", "query_range", parameters);
    const status = statusOf(await lastingAnswer(scope, probe));
    return status < 400 || status >= 500;
  };
}

/** Asks for the streams of a set that a matcher selects, with no matcher beside it. */
export function singleMatcher(dataset: Dataset, matcher: Matcher): Assertion {
  const asked = { matchers: [matcher] };
  return expecting({
    clauses: MATCHER_CLAUSE,
    of: dataset,
    ask: range({ ...parametersOf(dataset, asked), query: queryOf(matcher) }, { clause: MATCHER_CLAUSE }),
    expect: askedDifferences(dataset, asked),
    cause: (scope) => nearest(scope, dataset, [...lesserOf(dataset, asked), asked]),
  });
}
