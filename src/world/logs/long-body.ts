/** A push whose body is longer than a mebibyte: what is behind some length of it is stored like all of it, where such a push is taken. */
import { noise } from "../../arbitraries/noise.ts";
import type { RelativeStream } from "../../arbitraries/streams.ts";
import { type Answered, isSuccess } from "../../client/exchange.ts";
import { Inconclusive } from "../../client/inconclusive.ts";
import type { Trial } from "../../harness/finding.ts";
import type { Scope } from "../../harness/scope.ts";
import { placedSet } from "./datasets.ts";
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

/** A look that pushes it once; null where it is refused, or not answered: which lengths a service takes is not stated. */
export async function longBody(scope: Scope): Promise<Trial | null> {
  const { dataset, body } = await placedSet(scope, "long-body", [STREAM]);
  const text = written(body);
  const exchange = await answeredOrNot(async () => scope.logs.probePush("push with a long body", text));
  if (exchange === null || !isSuccess(exchange)) return null;
  return async (later) => {
    const { finding } = await comeBack(later, { ...dataset, pushes: [exchange], lastWriteAt: exchange.endedAt });
    return { ...finding, exchanges: [...finding.exchanges, exchange], input: { "bytes of the body": text.length } };
  };
}

/** Some services end the connection as soon as a body is too long. */
async function answeredOrNot(push: () => Promise<Answered>): Promise<Answered | null> {
  try {
    return await push();
  } catch (error) {
    if (error instanceof Inconclusive) return null;
    throw error;
  }
}
