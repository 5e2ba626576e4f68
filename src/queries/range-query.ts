/** Makes assertions about range queries: which entries a query selects in a window, up to a limit, in a direction. */
import { answerClauseOf, type Asked, clauseByKindOf, clauseOf, contrastOf, lesser, NOBODY, type Cut } from "../diagnosis/range-request.ts";
import { type Answered, isSuccess, statusOf } from "../client/exchange.ts";
import { type RangeParameters, rangeText } from "../client/logs.ts";
import type { ClauseId } from "../contract/catalogue.ts";
import { hasEntries, mistakenText } from "../diagnosis/mistaken.ts";
import { type Ask, expecting } from "../harness/expect.ts";
import type { Finding } from "../harness/finding.ts";
import type { Assertion, Scope } from "../harness/scope.ts";
import { type Difference, show, difference } from "../model/difference.ts";
import { type AnsweredStream, entryDifferences, limitDifferences, orderDifferences, READ_BACK, unselected } from "../model/log-answer.ts";
import { readBack } from "../datasets/read-back.ts";
import {
  compare,
  countEntries,
  type Direction,
  entriesOf,
  limited,
  type Matcher,
  select,
  type Stream,
  within,
  withEntries,
  matcher,
} from "../model/logs.ts";
import { logQueryText } from "../model/query-text.ts";
import { type As, HIGHEST_LIMIT, range, streamsOf } from "../datasets/requests.ts";
import { type Dataset, RUN_LABEL, SET_LABEL, textOf } from "../datasets/datasets.ts";
import { unlessUnknownForm, lastingAnswer } from "./unknown-forms.ts";

/** Returns the parameters of a range query for a dataset. */
export function parametersOf(dataset: Dataset, asked: Asked): RangeParameters {
  const { start, end } = asked.window ?? dataset;
  const place = { query: textOf(dataset, asked), start, end };
  if (asked.cut === undefined)
    return { ...place, limit: HIGHEST_LIMIT, ...(dataset.entries > HIGHEST_LIMIT ? { direction: "backward" } : {}) };
  const { limit, direction, unsent = [] } = asked.cut;
  return { ...place, ...(unsent.includes("limit") ? {} : { limit }), ...(unsent.includes("direction") ? {} : { direction }) };
}

function selected({ streams }: Dataset, { matchers = [], filters = [], window }: Asked): Stream[] {
  return select(window === undefined ? streams : within(streams, window.start, window.end), { matchers, filters });
}

export function askedDifferences(
  dataset: Dataset,
  asked: Asked,
  own?: ClauseId,
): (streams: readonly AnsweredStream[]) => readonly Difference[] {
  const expected = selected(dataset, asked);
  // If a dataset has more entries than the highest limit, only its newest entries can be read.
  const cut = asked.cut ?? (dataset.entries > HIGHEST_LIMIT ? { limit: HIGHEST_LIMIT, direction: "backward" } : undefined);
  const clauseByKind = clauseByKindOf(asked, own);
  const compared = (streams: readonly AnsweredStream[]): readonly Difference[] => {
    const order = cut === undefined ? [] : orderDifferences(streams, cut.direction);
    if (cut === undefined || cut.limit >= countEntries(expected))
      return [...entryDifferences(expected, streams, clauseByKind, dataset.streams), ...order];
    const extra = unselected(dataset.streams, expected, streams, clauseByKind.extra);
    if (extra.length > 0) return [...extra, ...order];
    return [...limitDifferences(limited(expected, cut.limit, cut.direction), expected, streams, clauseByKind), ...order];
  };
  return (streams) => {
    const differences = compared(streams);
    const contrast =
      differences.length === 0 ? undefined : mistakenText(dataset.streams, asked, asked.window ?? dataset, hasEntries(streams, cut));
    return contrast === undefined ? differences : differences.map((one) => ({ ...one, contrast }));
  };
}

/** Several wrong requests may need the same smaller request. Its result is used again for this time, in ms. */
const KNOWN_MS = 5_000;

/** The result of a smaller request: the time of its response, and what was wrong, or null if the response was right. */
interface Sent {
  readonly at: number;
  readonly wrong: Pick<Finding, "differences" | "exchanges"> | null;
}

/** For each dataset, the results of its smaller requests. A defect makes many requests wrong, and most of them share smaller requests. */
const SENT = new WeakMap<Dataset, Map<string, Sent>>();

/** Sends the requests of `steps` in order. Resolves to the differences of the first wrong response, or to null if all are right. */
export async function nearest(
  scope: Scope,
  dataset: Dataset,
  steps: readonly Asked[],
  as: As = {},
): Promise<Pick<Finding, "differences" | "exchanges"> | null> {
  const sent = SENT.get(dataset) ?? new Map<string, Sent>();
  SENT.set(dataset, sent);
  // If the first step is the query without parts, a wrong later step shows which part makes the response wrong.
  const isContrasted = Object.keys(steps[0] ?? { cut: null }).length === 0;
  for (const asked of steps) {
    const parameters = parametersOf(dataset, asked);
    const key = JSON.stringify([Object.entries(rangeText(parameters)), as]);
    const known = sent.get(key);
    if (known !== undefined && performance.now() - known.at < KNOWN_MS) {
      if (known.wrong !== null) return known.wrong;
      continue;
    }
    const assertion = expecting({
      clauses: clauseOf(asked),
      of: dataset,
      ask: range(parameters, { ...as, clause: clauseOf(asked), series: selected(dataset, asked).length }),
      expect: askedDifferences(dataset, asked),
      contrast: isContrasted ? contrastOf(asked) : undefined,
      twin: smallest(dataset, as),
    });
    const { differences, exchanges } = await sortedOut(scope, dataset, asked, await assertion(scope));
    const lost = Object.keys(asked).length === 0 && differences.length > 0 ? await neverReturned(scope, dataset, as) : null;
    const wrong = lost ?? (differences.length > 0 ? { differences, exchanges } : null);
    sent.set(key, { at: performance.now(), wrong });
    if (wrong !== null) return wrong;
  }
  return null;
}

/** If a query with a matcher for nothing returns entries, and a query with only such a matcher does not, the matcher is not applied. */
async function sortedOut(scope: Scope, dataset: Dataset, { matchers = [] }: Asked, finding: Finding): Promise<Finding> {
  if (!matchers.includes(NOBODY) || finding.differences.length === 0) return finding;
  const control = await emptySelection(dataset)(scope);
  if (control.differences.length > 0) return finding;
  return { ...finding, differences: finding.differences.map((one): Difference => ({ ...one, clause: "logs-4.matchers" })) };
}

/** For each dataset, the most recent read as the run's own tenant, with its time. */
const READ = new WeakMap<Dataset, { readonly at: number; readonly finding: Promise<Finding> }>();

/** If neither a range query nor a metric query returns the entries, resolves to the finding that they were not stored. Otherwise null. */
async function neverReturned(scope: Scope, dataset: Dataset, { override }: As): Promise<Finding | null> {
  const known = override === undefined ? READ.get(dataset) : undefined;
  const now = performance.now();
  const read = known !== undefined && now - known.at < KNOWN_MS ? known : { at: now, finding: readBack(dataset, override)(scope) };
  if (override === undefined) READ.set(dataset, read);
  const finding = await read.finding;
  return finding.differences.length > 0 && finding.differences.every(({ clause }) => clause === READ_BACK.lost) ? finding : null;
}

/** Returns the smaller requests for a query on a dataset. */
export function lesserOf({ streams }: Dataset, asked: Asked): Asked[] {
  const { matchers = [], filters = [] } = asked;
  return lesser(asked, select(streams, { matchers, filters }).length === 0);
}

/** Returns an assertion that a query selects the entries that the model predicts. `clause` is the clause that the query judges. */
export function selection(dataset: Dataset, asked: Asked, clause: ClauseId = clauseOf(asked), { first, ...as }: As = {}): Assertion {
  return expecting({
    clauses: clause,
    of: dataset,
    ask: range(parametersOf(dataset, asked), { clause: answerClauseOf(asked), series: selected(dataset, asked).length, ...as, first }),
    expect: askedDifferences(dataset, asked),
    unless: unlessUnknownForm(asked),
    cause: (scope) => nearest(scope, dataset, lesserOf(dataset, asked), as),
    contrast: contrastOf(asked),
    twin: smallest(dataset, as),
  });
}

/** Judges a query that the documents do not promise. Resolves to null if it is refused. A successful first response is judged itself. */
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

/** Returns the smallest range query of a dataset: one entry in the last minute before its end. */
function smallest(dataset: Dataset, as: As): Ask<unknown> {
  return range({ query: textOf(dataset, {}), start: dataset.end - 60_000_000_000n, end: dataset.end, limit: 1 }, as);
}

/** With a higher limit, one response must have all entries. If a low limit shows the same difference, the limit is not the cause. */
export function raisedLimit(dataset: Dataset, direction: Direction): Assertion {
  const asked: Asked = { cut: { limit: HIGHEST_LIMIT, direction } };
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
        ? [difference("logs-4.query_range", "data.result", "no entries", show(streams.map(({ labels }) => labels)), "foreign")]
        : [],
  });
}

const ORDER_CLAUSE = "logs-4.1";
const LIMIT = 7;

/** Asserts that without `direction` and `edge` the newest entries come first. Resolves to null if no stream has two entries. */
export function orderWithout(dataset: Dataset, edge: "start" | "end"): (scope: Scope) => Promise<Assertion | null> {
  const parameters = parametersOf(dataset, { cut: { limit: LIMIT, direction: "backward" } });
  const sent: readonly (keyof RangeParameters)[] = (["query", "start", "end", "limit"] as const).filter((name) => name !== edge);
  const read = async ({ logs }: Scope): Promise<Answered> => logs.queryRangeInOrder(parameters, sent);
  return async (scope) => {
    const { answer: streams } = streamsOf(await read(scope), ORDER_CLAUSE);
    if (streams?.some(({ entries }) => entries.length > 1) !== true) return null;
    return expecting({
      clauses: ORDER_CLAUSE,
      of: dataset,
      ask: async (later) => streamsOf(await read(later), ORDER_CLAUSE),
      expect: (answer) => orderDifferences(answer, "backward"),
      input: { "not sent": [edge, "direction"] },
    });
  };
}

/** Returns the timestamp of the last entry in the direction of the query: the newest in forward, the oldest in backward. */
function reached(streams: readonly Stream[], direction: Direction): bigint | undefined {
  const all = entriesOf(streams)
    .map(({ ts }) => ts)
    .toSorted(compare);
  return direction === "backward" ? all[0] : all.at(-1);
}

/** Returns the entries that come before the time `last` in a direction. */
function nearer(streams: readonly Stream[], last: bigint, direction: Direction): Stream[] {
  return withEntries(streams, ({ ts }) => (direction === "backward" ? ts > last : ts < last));
}

/** A limited read over all datasets must return each known entry that comes before its last entry. */
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
  // The expression may match a part of a value, so the read may also return other datasets of the run.
  const own = first.matchers.filter(({ name }) => name === RUN_LABEL);
  const sets = matcher(SET_LABEL, "=~", [...names].join("|"));
  const query = logQueryText({ matchers: [...own, sets], filters: [] });
  return expecting({
    clauses: ORDER_CLAUSE,
    of: datasets.reduce((newest, dataset) => (dataset.lastWriteAt > newest.lastWriteAt ? dataset : newest), first),
    ask: range({ query, ...window, ...cut }),
    expect: (streams) => {
      const count = countEntries(streams);
      const last = reached(streams, cut.direction);
      if (count < least || last === undefined)
        // Missing entries violate the clause about selection, and not the clause about the order.
        return [
          difference("logs-4.query_range", "data.result", `at least ${least} entries`, `${count} entries: ${show(streams)}`, "too-few"),
        ];
      const found = streams.filter(({ labels }) => names.has(labels[SET_LABEL] ?? ""));
      // A response with as many entries as the limit may be cut. A response with fewer entries must have all selected entries.
      const isCut = count >= cut.limit;
      const [wanted, shown] = isCut ? [nearer(known, last, cut.direction), nearer(found, last, cut.direction)] : [known, found];
      const expected = `the ${cut.direction === "backward" ? "newest" : "oldest"} ${cut.limit} entries of all datasets`;
      const wrong = entryDifferences(wanted, shown).map((one) => (isCut ? { ...one, expected } : one));
      const isOfThese = isCut && wrong.length > 0 && found.length === streams.length;
      const chosen = isOfThese ? limitDifferences(limited(known, cut.limit, cut.direction), known, found) : [];
      return (chosen.length > 0 ? chosen : wrong).map((one) => ({ ...one, clause: ORDER_CLAUSE }));
    },
    // If a read of one dataset alone is wrong too, the other datasets are not the cause.
    cause: async (scope) => {
      const selected = await nearest(scope, first, [{ matchers: [sets] }]);
      if (selected !== null) return selected;
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

/** Whether the target accepts an expression as the only matcher. Many services also require an `=` matcher. The documents do not say so. */
export function takesSingleMatcher({ start, end }: Dataset, matcher: Matcher): (scope: Scope) => Promise<boolean> {
  return async (scope) => {
    const parameters = { query: queryOf(matcher), start: start.toString(), end: end.toString() };
    const probe = async (): Promise<Answered> => scope.logs.probe("selector of one expression", "query_range", parameters);
    const status = statusOf(await lastingAnswer(scope, probe));
    return status < 400 || status >= 500;
  };
}

/** Returns an assertion that a matcher without any other matcher selects the streams of the dataset. */
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
