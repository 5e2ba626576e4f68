/** Tests pushes in other forms: other JSON spellings, bodies of more than one mebibyte, chunked bodies, and pushes that are sent again. */
import { type RelativeStream, evenly } from "../arbitraries/streams.ts";
import { isDenied } from "../client/credential-tally.ts";
import { type Answered, isPassing, isSuccess, statusOf } from "../client/exchange.ts";
import { Inconclusive } from "../client/inconclusive.ts";
import { otherSpellings, type Spelling } from "../client/spelling.ts";
import type { Assertion, Scope } from "../harness/scope.ts";
import { show, wrongStatus } from "../model/difference.ts";
import { type AnsweredStream, entryDifferences, READ_BACK_CLAUSES } from "../model/log-answer.ts";
import { type Dataset } from "../datasets/datasets.ts";
import { extend, maskedPush, placedSet, store } from "../datasets/dataset-pushes.ts";
import { comeBack, useful, wholeRange } from "../datasets/read-back.ts";
import { answeredOrNot, untilDefinite } from "./pushes.ts";
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
  { labels: { svc_size: "spelled-too" }, entries: [{ offset: 1_000_000_001n, line: "second stream" }] },
];

const MOST_SPELLED_TRIES = 8;

/** Pushes a new dataset in a JSON spelling. Throws `Inconclusive` if each attempt gets 408, 429 or 5xx, or if one is denied. */
async function pushed(scope: Scope, { what, write }: Spelling, index: number): Promise<{ dataset: Dataset; exchange: Answered }> {
  const failure = `a push with ${what} was not answered in ${MOST_SPELLED_TRIES} attempts`;
  return untilDefinite(scope, MOST_SPELLED_TRIES, failure, async (attempt) => {
    const { dataset, body } = await placedSet(scope, `spelled-${index}-${attempt}`, STREAMS);
    const exchange = await answeredOrNot(async () => scope.logs.probePush(`push (${what})`, write(body)));
    if (exchange !== null && isDenied(exchange))
      throw new Inconclusive(`a push was answered ${statusOf(exchange)}; do these credentials allow pushes?`);
    return exchange === null || isPassing(statusOf(exchange)) ? null : { dataset, exchange };
  });
}

/** For each spelling, an assertion: the push is accepted, and reads return the same entries as after a push in the usual spelling. */
export const spelledPushes = otherSpellings.map((spelling, index): Assertion => async (scope) => {
  const { dataset, exchange } = await pushed(scope, spelling, index);
  const input = { "the body is written with": spelling.what };
  if (isSuccess(exchange)) return backAfter(scope, dataset, exchange, input);
  await maskedPush(scope, exchange, STREAMS);
  const expected = `success (2xx) for a push that is written with ${spelling.what}`;
  const actual = `status ${statusOf(exchange)}: ${show(exchange.response.body)}`;
  const differences = [wrongStatus("logs-4.push", expected, actual)];
  return { clauses: READ_BACK_CLAUSES, differences, exchanges: [exchange], input };
});

/** Reads a dataset after its accepted push. */
async function backAfter(scope: Scope, dataset: Dataset, push: Answered, input: unknown): Promise<Finding> {
  const { finding } = await comeBack(scope, { ...dataset, pushes: [push], lastWriteAt: push.endedAt });
  return { ...finding, exchanges: [...finding.exchanges, push], input };
}

const ENTRIES = 190;
/** The length of a line in bytes. Each character is sent as an escape of 6 bytes, so that the body exceeds 2^20 bytes. */
const LINE_BYTES = 1_000;
const HEAD = "long body";

const STREAM: RelativeStream = {
  labels: { svc_size: "long-body" },
  entries: evenly(ENTRIES, 1_000_000_007n, 0n, (index) => `${HEAD} ${index} ${noise(index, LINE_BYTES)}`),
};

function escapes(text: string): string {
  return Array.from(text, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`).join("");
}

function written(body: unknown): string {
  return JSON.stringify(body).replaceAll(new RegExp(`"(${HEAD} \\d[^"\\\\]*)"`, "g"), (_all, line: string) => `"${escapes(line)}"`);
}

interface Unusual {
  readonly name: string;
  readonly operation: string;
  readonly streams: readonly RelativeStream[];
  readonly write: (body: unknown) => string;
  readonly override?: LogsOverride;
  /** Returns the unusual property of the body, for the report. */
  readonly inputOf: (text: string) => unknown;
}

/** The maximum number of attempts after broken connections. */
const MOST_BODY_TRIES = 3;

/**
 * Pushes once, and resolves to the assertion that reads the entries. Resolves to null if the push is refused or gets no response. The
 * documents do not say which bodies a service accepts.
 */
function pushedOnce({ name, operation, streams, write, override, inputOf }: Unusual): (scope: Scope) => Promise<Assertion | null> {
  const pushedAs = async (scope: Scope, as: string): Promise<{ dataset: Dataset; text: string; exchange: Answered | null }> => {
    const { dataset, body } = await placedSet(scope, as, streams);
    const text = write(body);
    return { dataset, text, exchange: await answeredOrNot(async () => scope.logs.probePush(operation, text, override)) };
  };
  return async (scope) => {
    // A connection may break for other reasons than the body. So the push is repeated with a new dataset.
    let sent = await pushedAs(scope, name);
    for (let attempt = 1; sent.exchange === null && attempt < MOST_BODY_TRIES; attempt += 1) {
      await scope.run.pause(scope.run.transport("logs").pauseAfter(attempt));
      sent = await pushedAs(scope, `${name}-r${attempt}`);
    }
    const { dataset, text, exchange } = sent;
    if (exchange === null || !isSuccess(exchange)) return null;
    return async (later) => backAfter(later, dataset, exchange, inputOf(text));
  };
}

export const longBody = pushedOnce({
  name: "long-body",
  operation: "push with a long body",
  streams: [STREAM],
  write: written,
  inputOf: (text) => ({ "bytes of the body": text.length }),
});

/** A push with a long line among short lines. A service may refuse it. If it accepts the push, it must not lose any of the lines. */
export const besideShort = pushedOnce({
  name: "beside-short",
  operation: "push with a long line beside a short line",
  streams: [{ labels: {}, entries: ["a short line", noise(1, 300_000)].map((line, index) => ({ offset: BigInt(index), line })) }],
  write: (body) => JSON.stringify(body),
  inputOf: () => ({ "bytes of the lines": "12 and 300,000" }),
});

/** A chunked body of about 30 kB. Its characters have several bytes, so that most cuts of the body are inside a character. */
export const chunkedBody = pushedOnce({
  name: "chunked-body",
  operation: "push in chunks",
  streams: [
    { labels: { svc_size: "chunked-body" }, entries: evenly(120, 1_000_000_007n, 0n, (index) => `chunked ${index} ${"指標".repeat(30)}`) },
  ],
  write: (body) => JSON.stringify(body),
  override: { chunked: true },
  inputOf: () => ({ "the body is sent": "in three chunks" }),
});

const COLOURS = ["red", "green", "blue"] as const;
const BETWEEN = 1_000_000_007n;

type Colour = (typeof COLOURS)[number];

/** Returns streams with entries at the given steps. Every third step has an entry for each word, and other steps have one entry. */
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
/** Steps that each stream pushes: new steps, and before them some old steps (the first three, the last one, or the last three). */
const WITH_NEWER = { red: [0, 1, 2, 9, 10, 11], green: [8, 9, 10, 11], blue: [6, 7, 8, 9, 10, 11] };

/** Removes copies of entries. The service may add different labels to copies, so only the pushed labels are compared. */
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

/** Pushes more entries to a dataset, with retries until the response is definite. Throws `Inconclusive` if no response is definite. */
async function sent(scope: Scope, dataset: Dataset, streams: readonly RelativeStream[]): Promise<Dataset> {
  const failure = `a second push to the same streams was not answered in ${MOST_REPEATED_TRIES} attempts`;
  return untilDefinite(scope, MOST_REPEATED_TRIES, failure, async () => extend(scope, dataset, streams));
}

/** Pushes that follow after reads have returned a dataset: all its entries again, some of them, or old and new entries. */
const AGAIN = [
  { what: "the body of the push before, repeated", streams: at(FIRST) },
  { what: "some of the same entries again", streams: at(FIRST, ["one"]) },
  { what: "old and new entries in one body", streams: at(WITH_NEWER) },
] as const;

/** Each kind of push has its own dataset, so that one wait is enough for all. Resolves to null if it is unknown what is stored. */
async function pushedAgain(scope: Scope, { what, streams }: (typeof AGAIN)[number]): Promise<Finding | null> {
  const first = useful(await comeBack(scope, await store(scope, `sent-again-${scope.unique()}`, { pushes: [at(FIRST)] })));
  const more = await sent(scope, first, streams);
  const whole = distinct(more.streams, more.streams);
  const last = more.pushes.at(-1);
  // If a service refuses a push because of its old entries, it may still have stored the new entries.
  if (last !== undefined && !isSuccess(last) && countEntries(whole) > first.entries) return null;
  const finding = await holds({ ...more, streams: whole }, what)(scope);
  return { ...finding, exchanges: [...finding.exchanges, ...more.pushes] };
}

/** Sends pushes that repeat an earlier push completely, partly, or with new entries after the old entries. */
export const pushedTwice: Assertion = async (scope) => {
  const findings = await Promise.all(AGAIN.map(async (again) => pushedAgain(scope, again)));
  return together(findings.filter((one) => one !== null));
};
