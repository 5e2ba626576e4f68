/**
 * Pushes in other forms: other JSON spellings, bodies of more than one mebibyte, chunked bodies, and pushes that are sent again.
 */
import type { RelativeStream } from "../arbitraries/streams.ts";
import { isDenied } from "../client/credential-tally.ts";
import { type Answered, isSuccess, statusOf } from "../client/exchange.ts";
import { Inconclusive } from "../client/inconclusive.ts";
import { otherSpellings, type Spelling } from "../client/spelling.ts";
import type { Assertion, Scope } from "../harness/scope.ts";
import { show } from "../model/difference.ts";
import { type AnsweredStream, entryDifferences, READ_BACK_CLAUSES } from "../model/log-answer.ts";
import { type Dataset, extend, maskedPush, placedSet, store } from "../datasets/datasets.ts";
import { comeBack, useful, wholeRange } from "../datasets/read-back.ts";
import { noise } from "../arbitraries/noise.ts";
import type { LogsOverride } from "../client/logs.ts";
import { expecting } from "../harness/expect.ts";
import { type Finding, together } from "../harness/finding.ts";
import { entryKey } from "../model/assigned.ts";
import { countEntries, mergeStreams, type Stream } from "../model/logs.ts";
import { range } from "../datasets/requests.ts";

const STREAMS: readonly RelativeStream[] = [
  {
    labels: { svc_size: "spelled", svc_colour: 'größe "q" \\ / \u{1f600}' },
    entries: [
      { offset: 1_000_000_001n, line: "plain" },
      { offset: 2_000_000_001n, line: 'größe 日本 \u{1f600} "quoted" back\\slash and a/slash\ttab\nnew line' },
      { offset: 3_000_000_001n, line: "last" },
    ],
  },
  { labels: { svc_size: "spelled too" }, entries: [{ offset: 1_000_000_001n, line: "second stream" }] },
];

/** The spellings of a push, by what is special about them. */
export const SPELLINGS = otherSpellings.map(({ what }) => what);

const MOST_SPELLED_TRIES = 8;

/** Pushes in a spelling, into a fresh set each time while the service cannot answer. Throws `Inconclusive` when it never can, or may not. */
async function pushed(scope: Scope, { what, write }: Spelling, index: number): Promise<{ dataset: Dataset; exchange: Answered }> {
  const transport = scope.run.transport("logs");
  for (let attempt = 0; attempt < MOST_SPELLED_TRIES; attempt += 1) {
    if (attempt > 0) await scope.run.pause(transport.pauseAfter(attempt - 1));
    const { dataset, body } = await placedSet(scope, `spelled-${index}-${attempt}`, STREAMS);
    const exchange = await answeredOrNot(async () => scope.logs.probePush(`push (${what})`, write(body)));
    if (exchange === null) continue;
    if (isDenied(exchange)) throw new Inconclusive(`a push was answered ${statusOf(exchange)}; do these credentials allow pushes?`);
    if (statusOf(exchange) !== 429 && statusOf(exchange) < 500) return { dataset, exchange };
  }
  throw new Inconclusive(`a push with ${what} was not answered in ${MOST_SPELLED_TRIES} attempts`);
}

/** A push in one of the spellings is accepted, and comes back as the same push in the usual one would. */
export function spelledPush(index: number): Assertion {
  return async (scope) => {
    const spelling = otherSpellings[index];
    if (spelling === undefined) throw new Error(`no spelling ${index}`);
    const { dataset, exchange } = await pushed(scope, spelling, index);
    const input = { "the body is written with": spelling.what };
    if (!isSuccess(exchange)) {
      await maskedPush(scope, exchange, STREAMS);
      const expected = `success (2xx) for a push that is written with ${spelling.what}`;
      const actual = `status ${statusOf(exchange)}: ${show(exchange.response.body)}`;
      return {
        clauses: READ_BACK_CLAUSES,
        differences: [{ clause: "logs-4.push", path: "status", expected, actual }],
        exchanges: [exchange],
        input,
      };
    }
    const { finding } = await comeBack(scope, { ...dataset, pushes: [exchange], lastWriteAt: exchange.endedAt });
    return { ...finding, exchanges: [...finding.exchanges, exchange], input };
  };
}

const ENTRIES = 190;
/** Written as escapes, which are six bytes each, all lines together are more than 2^20 bytes; stored they are a sixth of that. */
const LINE_BYTES = 1_000;
const HEAD = "long body";

const STREAM: RelativeStream = {
  labels: { svc_size: "long body" },
  entries: Array.from({ length: ENTRIES }, (_, index) => ({
    offset: BigInt(index) * 1_000_000_007n,
    line: `${HEAD} ${index} ${noise(index, LINE_BYTES)}`,
  })),
};

function escapes(text: string): string {
  return Array.from(text, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`).join("");
}

/** The same push with every character of its lines as an escape. */
function written(body: unknown): string {
  return JSON.stringify(body).replaceAll(new RegExp(`"(${HEAD} \\d[^"\\\\]*)"`, "g"), (_all, line: string) => `"${escapes(line)}"`);
}

interface Unusual {
  readonly name: string;
  readonly operation: string;
  readonly streams: readonly RelativeStream[];
  readonly write: (body: unknown) => string;
  readonly override?: LogsOverride;
  /** What is unusual of the body. */
  readonly inputOf: (text: string) => unknown;
}

/** So often a push is sent whose connection breaks. */
const MOST_BODY_TRIES = 3;

/** A look that pushes once; null where that is refused, or never answered: which bodies a service takes is not stated. */
function pushedOnce({ name, operation, streams, write, override, inputOf }: Unusual): (scope: Scope) => Promise<Assertion | null> {
  const pushedAs = async (scope: Scope, as: string): Promise<{ dataset: Dataset; text: string; exchange: Answered | null }> => {
    const { dataset, body } = await placedSet(scope, as, streams);
    const text = write(body);
    return { dataset, text, exchange: await answeredOrNot(async () => scope.logs.probePush(operation, text, override)) };
  };
  return async (scope) => {
    // A connection can break for reasons of its own: like any other push, this one is sent again, as a set of its own.
    let sent = await pushedAs(scope, name);
    for (let attempt = 1; sent.exchange === null && attempt < MOST_BODY_TRIES; attempt += 1) {
      await scope.run.pause(scope.run.transport("logs").pauseAfter(attempt));
      sent = await pushedAs(scope, `${name}-r${attempt}`);
    }
    const { dataset, text, exchange } = sent;
    if (exchange === null || !isSuccess(exchange)) return null;
    return async (later) => {
      const { finding } = await comeBack(later, { ...dataset, pushes: [exchange], lastWriteAt: exchange.endedAt });
      return { ...finding, exchanges: [...finding.exchanges, exchange], input: inputOf(text) };
    };
  };
}

export const longBody = pushedOnce({
  name: "long-body",
  operation: "push with a long body",
  streams: [STREAM],
  write: written,
  inputOf: (text) => ({ "bytes of the body": text.length }),
});

/** Thirty kilobytes, and of letters of several bytes, so that most cuts of it lie within one. */
export const chunkedBody = pushedOnce({
  name: "chunked-body",
  operation: "push in chunks",
  streams: [
    {
      labels: { svc_size: "chunked body" },
      entries: Array.from({ length: 120 }, (_, index) => ({
        offset: BigInt(index) * 1_000_000_007n,
        line: `chunked ${index} ${"指標".repeat(30)}`,
      })),
    },
  ],
  write: (body) => JSON.stringify(body),
  override: { chunked: true },
  inputOf: () => ({ "the body is sent": "in three chunks" }),
});

/** The answer; null where none came: some services end the connection as soon as a body is too long, or no JSON. */
export async function answeredOrNot(push: () => Promise<Answered>): Promise<Answered | null> {
  try {
    return await push();
  } catch (error) {
    if (error instanceof Inconclusive) return null;
    throw error;
  }
}

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

const MOST_REPEATED_TRIES = 4;

/** Sends more to a set until it is answered for certain. */
async function sent(scope: Scope, dataset: Dataset, streams: readonly RelativeStream[]): Promise<Dataset> {
  const transport = scope.run.transport("logs");
  for (let attempt = 0; attempt < MOST_REPEATED_TRIES; attempt += 1) {
    if (attempt > 0) await transport.budget.pause(transport.pauseAfter(attempt - 1));
    const more = await extend(scope, dataset, streams);
    if (more !== null) return more;
  }
  throw new Inconclusive(`a repeated push was not answered in ${MOST_REPEATED_TRIES} attempts`);
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
