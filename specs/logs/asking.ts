/**
 * A range query over a set, and where a wrong answer to it comes from. A query asks for several things at once: entries of a
 * set, matchers, line filters, a window, a limit. When its answer is wrong, the same is asked with less; what is wrong
 * there already is nearer the cause.
 */
import type { Answered } from "../../src/client/exchange.ts";
import type { RangeParameters } from "../../src/client/logs.ts";
import type { ClauseId } from "../../src/contract/catalogue.ts";
import type { Scope } from "../../src/harness/context.ts";
import type { CaseFinding } from "../../src/harness/property.ts";
import { type Difference, show } from "../../src/model/difference.ts";
import { type AnsweredStream, type Blame, departures, limitDepartures, orderDepartures, READ_BACK } from "../../src/model/log-answer.ts";
import { countEntries, type Direction, limited, type LineFilter, type Matcher, select, type Stream, within } from "../../src/model/logs.ts";
import { logQueryText } from "../../src/model/query-text.ts";
import type { Dataset } from "./datasets.ts";
import { judged } from "./reading.ts";

/** A stretch of time whose edges lie on no entry (ns). */
export interface Window {
  readonly start: bigint;
  readonly end: bigint;
}

/** What a range query asks of a set; everything of it when empty. */
export interface Asked {
  /** Matchers beyond those that select the set. */
  readonly matchers?: readonly Matcher[];
  readonly filters?: readonly LineFilter[];
  readonly window?: Window;
  readonly cut?: { readonly limit: number; readonly direction: Direction };
}

/** As many as a limit may safely ask for. */
const ALL = 1_000;

/** Selects nothing, and is about no label that selects the set. */
const NOBODY: Matcher = { name: "plumbline_unused", operator: "=", value: "nobody" };

/** The text of a query over a set. */
export function textOf(dataset: Dataset, { matchers = [], filters = [] }: Asked): string {
  return logQueryText({ matchers: [...dataset.matchers, ...matchers], filters });
}

function rangeOf(dataset: Dataset, asked: Asked): RangeParameters {
  const { start, end } = asked.window ?? dataset;
  return { query: textOf(dataset, asked), start, end, limit: ALL, ...asked.cut };
}

function selected({ streams }: Dataset, { matchers = [], filters = [], window }: Asked): Stream[] {
  return select(window === undefined ? streams : within(streams, window.start, window.end), { matchers, filters });
}

/** The clause that a wrong choice of entries breaks when everything less is answered rightly. */
function clauseOf({ matchers = [], filters = [] }: Asked): ClauseId {
  if (filters.length > 0) return "logs-4.3";
  return matchers.length > 0 && !matchers.includes(NOBODY) ? "logs-4.matchers" : "logs-4.query_range";
}

/** What is asked for was seen to be stored, so what is missing was not read. */
function blameOf(asked: Asked): Blame {
  const own = clauseOf(asked);
  return {
    ...READ_BACK,
    lost: own,
    extra: own,
    repeated: own,
    ...(asked.window === undefined ? {} : { "wrong-end": own }),
    ...(asked.cut === undefined ? {} : { "too-few": own, "too-many": own, "wrong-choice": own }),
  };
}

/** Everything wrong with the answer to a range query over a set. */
function askedDifferences(dataset: Dataset, asked: Asked, exchange: Answered): readonly Difference[] {
  const { cut } = asked;
  const expected = selected(dataset, asked);
  const blame = blameOf(asked);
  const judge = (streams: readonly AnsweredStream[]): readonly Difference[] => {
    const order = cut === undefined ? [] : orderDepartures(streams, cut.direction);
    if (cut === undefined || cut.limit >= countEntries(expected))
      return [...departures(expected, streams, blame, dataset.streams), ...order];
    const extra = unselected(dataset, expected, streams, blame.extra);
    if (extra.length > 0) return [...extra, ...order];
    return [...limitDepartures(limited(expected, cut.limit, cut.direction), expected, streams, blame), ...order];
  };
  return judged(exchange, judge, clauseOf(asked));
}

/** Entries of the set that are answered though the query does not select them. */
function unselected(dataset: Dataset, expected: readonly Stream[], streams: readonly AnsweredStream[], clause: ClauseId): Difference[] {
  const [pushed, wanted] = [dataset.streams, expected].map(
    (some) => new Set(some.flatMap(({ entries }) => entries.map(({ ts, line }) => `${ts} ${line}`))),
  );
  const extra = streams
    .flatMap(({ entries }) => entries)
    .filter(({ ts, line }) => pushed?.has(`${ts} ${line}`) === true && wanted?.has(`${ts} ${line}`) !== true);
  const [first] = extra;
  return first === undefined
    ? []
    : [
        {
          clause,
          path: "data.result",
          expected: "only entries that the query selects",
          actual: `${extra.length} others, first ${show([first.ts.toString(), first.line])}`,
        },
      ];
}

/** What asks for less than `asked`: nothing beyond the set first, then each of its parts by itself, then all but the filters. */
export function lesser(dataset: Dataset, { matchers = [], filters = [], window, cut }: Asked): Asked[] {
  const parts: Asked[] = [
    ...(cut === undefined ? [] : [{ cut }]),
    ...(window === undefined ? [] : [{ window }]),
    ...(matchers.length === 0 ? [] : [{ matchers }]),
    ...(filters.length === 0 ? [] : [{ filters }]),
  ];
  const nothing: Asked[] = selected(dataset, { matchers, filters }).length === 0 ? [{ matchers: [NOBODY] }] : [];
  // A single part is all that was asked for.
  if (parts.length < 2) return [{}, ...nothing];
  const place: Asked = { ...(window === undefined ? {} : { window }), ...(cut === undefined ? {} : { cut }) };
  return [{}, ...nothing, ...parts, ...(filters.length > 0 ? [{ ...place, matchers }] : [])];
}

/** What was found wrong with an answer, or, where one of `steps` is answered wrongly already, what is wrong with that. */
export async function nearer(scope: Scope, dataset: Dataset, steps: readonly Asked[], found: CaseFinding): Promise<CaseFinding> {
  if (found.differences.length === 0) return found;
  for (const asked of steps) {
    const parameters = rangeOf(dataset, asked);
    const differences = askedDifferences(dataset, asked, await scope.logs.queryRange(parameters));
    if (differences.length > 0)
      return { differences: differences.map((one) => ({ ...one, path: `${one.path} of query_range ${parameters.query}` })) };
  }
  return found;
}

/** Asks for what a query selects of a set and holds the answer against the model, with the patience the set's last write deserves. */
export async function ask(scope: Scope, dataset: Dataset, asked: Asked): Promise<CaseFinding> {
  const { differences, sightings } = await scope.eventually({
    resource: dataset,
    read: () => scope.logs.queryRange(rangeOf(dataset, asked)),
    judge: (exchange) => askedDifferences(dataset, asked, exchange),
  });
  return nearer(scope, dataset, lesser(dataset, asked), { differences, sightings });
}
