/** Pushes whose body is longer than a mebibyte, or goes out in chunks: all of it is stored, where such a push is taken. */
import { noise } from "../../arbitraries/noise.ts";
import type { RelativeStream } from "../../arbitraries/streams.ts";
import { type Answered, isSuccess } from "../../client/exchange.ts";
import type { LogsOverride } from "../../client/logs.ts";
import { Inconclusive } from "../../client/inconclusive.ts";
import type { Assertion, Scope } from "../../harness/scope.ts";
import { type Dataset, placedSet } from "./datasets.ts";
import { comeBack } from "./reading.ts";

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
const MOST_TRIES = 3;

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
    for (let attempt = 1; sent.exchange === null && attempt < MOST_TRIES; attempt += 1) {
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
