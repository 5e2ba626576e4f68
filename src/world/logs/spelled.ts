/** Pushes whose JSON is written as other clients write it: the same data in other bytes. */
import type { RelativeStream } from "../../arbitraries/streams.ts";
import { isDenied } from "../../client/credential-tally.ts";
import { type Answered, isSuccess, statusOf } from "../../client/exchange.ts";
import { Inconclusive } from "../../client/inconclusive.ts";
import { otherSpellings, type Spelling } from "../../client/spelling.ts";
import type { Assertion, Scope } from "../../harness/scope.ts";
import { show } from "../../model/difference.ts";
import { READ_BACK_CLAUSES } from "../../model/log-answer.ts";
import { type Dataset, maskedPush, placedSet } from "./datasets.ts";
import { comeBack } from "./reading.ts";
import { answeredOrNot } from "./unusual-bodies.ts";

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

const MOST_TRIES = 8;

/** Pushes in a spelling, into a fresh set each time while the service cannot answer. Throws `Inconclusive` when it never can, or may not. */
async function pushed(scope: Scope, { what, write }: Spelling, index: number): Promise<{ dataset: Dataset; exchange: Answered }> {
  const transport = scope.run.transport("logs");
  for (let attempt = 0; attempt < MOST_TRIES; attempt += 1) {
    if (attempt > 0) await scope.run.pause(transport.pauseAfter(attempt - 1));
    const { dataset, body } = await placedSet(scope, `spelled-${index}-${attempt}`, STREAMS);
    const exchange = await answeredOrNot(async () => scope.logs.probePush(`push (${what})`, write(body)));
    if (exchange === null) continue;
    if (isDenied(exchange)) throw new Inconclusive(`a push was answered ${statusOf(exchange)}; do these credentials allow pushes?`);
    if (statusOf(exchange) !== 429 && statusOf(exchange) < 500) return { dataset, exchange };
  }
  throw new Inconclusive(`a push with ${what} was not answered in ${MOST_TRIES} attempts`);
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
