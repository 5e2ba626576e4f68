/** Pushes that are sent again, as a client does that got no answer: whether copies are kept is not stated, that nothing is lost is. */
import { isSuccess } from "../../client/exchange.ts";
import { Inconclusive } from "../../client/inconclusive.ts";
import type { RelativeStream } from "../../arbitraries/streams.ts";
import { expecting } from "../../harness/expect.ts";
import { type Finding, together } from "../../harness/finding.ts";
import type { Assertion, Scope } from "../../harness/scope.ts";
import { type AnsweredStream, entryDifferences } from "../../model/log-answer.ts";
import { entryKey } from "../../model/assigned.ts";
import { countEntries, mergeStreams, type Stream } from "../../model/logs.ts";
import { range } from "./asks.ts";
import { type Dataset, extend, store } from "./datasets.ts";
import { comeBack, useful, wholeRange } from "./reading.ts";

const COLOURS = ["red", "green", "blue"] as const;
const BETWEEN = 1_000_000_007n;

type Colour = (typeof COLOURS)[number];

/** Entries of each stream at its steps: every third time has as many lines as there are words. */
function at(steps: Readonly<Record<Colour, readonly number[]>>, words: readonly string[] = ["one", "two", "three"]): RelativeStream[] {
  return COLOURS.map((colour) => ({
    labels: { svc_colour: colour },
    entries: steps[colour].flatMap((step) =>
      (step % 3 === 0 ? words : ["one"]).map((word) => ({
        offset: BigInt(step + 1) * BETWEEN,
        line: `sent again ${colour} ${step} ${word}`,
      })),
    ),
  }));
}

const STEPS = [0, 1, 2, 3, 4, 5, 6, 7, 8];
const FIRST = { red: STEPS, green: STEPS, blue: STEPS };
/** Behind the first of what was there, behind the very last of it, and behind the end of it. */
const WITH_NEWER = { red: [0, 1, 2, 9, 10, 11], green: [8, 9, 10, 11], blue: [6, 7, 8, 9, 10, 11] };

/** An answer with each entry of a stream once. Labels that the service adds may tell copies apart, so only the pushed ones count. */
function distinct(streams: readonly AnsweredStream[], pushed: readonly Stream[]): AnsweredStream[] {
  const names = new Set(pushed.flatMap(({ labels }) => Object.keys(labels)));
  const own = streams.map(({ labels, entries }) => ({
    labels: Object.fromEntries(Object.entries(labels).filter(([name]) => names.has(name))),
    entries,
  }));
  return mergeStreams(own).map(({ labels, entries }) => ({
    labels,
    entries: [...new Map(entries.map((entry) => [entryKey(entry), entry])).values()],
  }));
}

/** Everything of the set is there, however often. */
function holds(dataset: Dataset, input: string): Assertion {
  return expecting({
    clauses: "logs-4.push",
    of: dataset,
    when: "settled",
    ask: range({ ...wholeRange(dataset), limit: 1_000 }),
    expect: (streams) => entryDifferences(dataset.streams, distinct(streams, dataset.streams)),
    input: { "the last push": input },
  });
}

const MOST_TRIES = 4;

/** Sends more to a set until it is answered for certain. */
async function sent(scope: Scope, dataset: Dataset, streams: readonly RelativeStream[]): Promise<Dataset> {
  const transport = scope.run.transport("logs");
  for (let attempt = 0; attempt < MOST_TRIES; attempt += 1) {
    if (attempt > 0) await transport.budget.pause(transport.pauseAfter(attempt - 1));
    const more = await extend(scope, dataset, streams);
    if (more !== null) return more;
  }
  throw new Inconclusive(`a repeated push was not answered in ${MOST_TRIES} attempts`);
}

/** What is pushed after a set has come back: the very same, a part of it, or newer entries as well. */
const AGAIN = [
  { what: "the same body again", streams: at(FIRST) },
  { what: "some of the same entries again", streams: at(FIRST, ["one"]) },
  { what: "old and new entries in one body", streams: at(WITH_NEWER) },
] as const;

/** On a set of its own, so that the times of waiting of all are one. Null where it cannot be known what is there. */
async function pushedAgain(scope: Scope, { what, streams }: (typeof AGAIN)[number]): Promise<Finding | null> {
  const first = useful(await comeBack(scope, await store(scope, `sent-again-${scope.unique()}`, { pushes: [at(FIRST)] })));
  const more = await sent(scope, first, streams);
  const whole = distinct(more.streams, more.streams);
  const last = more.pushes.at(-1);
  // A push that is refused for its old entries may have stored the new ones.
  if (last !== undefined && !isSuccess(last) && countEntries(whole) > first.entries) return null;
  const finding = await holds({ ...more, streams: whole }, what)(scope);
  return { ...finding, exchanges: [...finding.exchanges, ...more.pushes] };
}

/** A push that is sent again word for word, in part, and with new entries after old ones. */
export const pushedTwice: Assertion = async (scope) => {
  const findings = await Promise.all(AGAIN.map(async (again) => pushedAgain(scope, again)));
  return together(findings.filter((one) => one !== null));
};
