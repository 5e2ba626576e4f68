/** The same query in both directions, without one, and once more: the answers are each other's reverse. */
import type { Exchange } from "../../client/exchange.ts";
import { type Ask, expecting } from "../../harness/expect.ts";
import type { Assertion } from "../../harness/scope.ts";
import { type Difference, show } from "../../model/difference.ts";
import { type AnsweredStream, type ClauseByKind, entryDifferences, READ_BACK } from "../../model/log-answer.ts";
import { type Direction, labelKey } from "../../model/logs.ts";
import { range } from "./asks.ts";
import { type Dataset, wholeQuery } from "./datasets.ts";

const ASKED = [
  { what: "backward", direction: "backward" },
  { what: "forward compared with the reverse of backward", direction: "forward" },
  { what: "no direction compared with backward", direction: undefined },
  { what: "the same query repeated", direction: "backward" },
] as const satisfies readonly { readonly what: string; readonly direction: Direction | undefined }[];

/** The set was read back before: what is missing or twice in one of these answers was not read rightly. */
const READ: ClauseByKind = { ...READ_BACK, lost: "logs-4.query_range", repeated: "logs-4.query_range" };

function answers({ start, end, ...dataset }: Dataset): Ask<readonly (readonly AnsweredStream[])[]> {
  return async (scope) => {
    const all: (readonly AnsweredStream[])[] = [];
    const exchanges: Exchange[] = [];
    for (const { direction } of ASKED) {
      const parameters = {
        query: wholeQuery({ start, end, ...dataset }),
        start,
        end,
        limit: 1_000,
        ...(direction === undefined ? {} : { direction }),
      };
      const reading = await range(parameters)(scope);
      if (reading.answer === null) return { answer: null, malformed: reading.malformed, exchanges: [...reading.exchanges, ...exchanges] };
      exchanges.push(...reading.exchanges);
      all.push(reading.answer);
    }
    return { answer: all, malformed: [], exchanges };
  };
}

export function reversed(dataset: Dataset): Assertion {
  return expecting({
    clauses: "logs-4.1",
    of: dataset,
    ask: answers(dataset),
    expect: (all) => {
      const incomplete = all.map((streams) => entryDifferences(dataset.streams, streams, READ));
      const [backward = []] = all;
      // How a service splits a stream by labels of its own, it may do anew for each answer.
      const isSplit = all.some((streams) => streams.length !== dataset.streams.length);
      const turned = all.map((streams, index) => {
        const { what, direction } = ASKED[index] ?? ASKED[0];
        return backward.flatMap((object) => sameSequence(what, sequenceOf(object), sequenceIn(streams, object, direction === "forward")));
      });
      const wrong = incomplete.some((differences) => differences.length > 0) ? incomplete : isSplit ? [] : turned;
      const telling = wrong.findIndex((differences) => differences.length > 0);
      return telling === -1 ? { differences: [], held: ["logs-4.1"] } : { differences: wrong.flat(), held: [], telling };
    },
  });
}

function sequenceOf({ entries }: AnsweredStream): string[] {
  return entries.map(({ ts, line }) => `${ts} ${line}`);
}

/** The entries of the object with the same labels; null where a service splits the stream in another way. */
function sequenceIn(streams: readonly AnsweredStream[], object: AnsweredStream, turned: boolean): string[] | null {
  const same = streams.filter(({ labels }) => labelKey(labels) === labelKey(object.labels));
  const [only] = same;
  if (same.length !== 1 || only === undefined || only.entries.length !== object.entries.length) return null;
  return turned ? sequenceOf(only).toReversed() : sequenceOf(only);
}

function sameSequence(path: string, expected: readonly string[], actual: readonly string[] | null): Difference[] {
  if (actual === null) return [];
  const at = expected.findIndex((entry, index) => entry !== actual[index]);
  if (at === -1) return [];
  const place = `number ${at + 1} of ${expected.length}`;
  return [{ clause: "logs-4.1", path, expected: `${place} ${show(expected[at])}`, actual: `${place} ${show(actual[at])}` }];
}
