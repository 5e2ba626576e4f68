/** A push right after others that were refused half-way: nothing of those is in it. */
import type { RelativeStream } from "../../arbitraries/streams.ts";
import { type Answered, isSuccess } from "../../client/exchange.ts";
import type { Assertion, Scope } from "../../harness/scope.ts";
import { type Difference, show } from "../../model/difference.ts";
import { streamsOf } from "./answers.ts";
import { RUN_LABEL, SET_LABEL, store } from "./datasets.ts";
import { comeBack } from "./reading.ts";
import { answeredOrNot } from "./unusual-bodies.ts";

/** A label that only the refused pushes name. */
const LEFT = "svc_abc";

const STREAMS: readonly RelativeStream[] = [{}, { svc_size: "after one" }, { svc_size: "after two" }].map((labels, stream) => ({
  labels,
  entries: [0, 1].map((index) => ({ offset: BigInt(index * 3 + stream) * 1_000_000_007n, line: `after ${stream} ${index}` })),
}));

interface WrongPush {
  readonly what: string;
  readonly body: string;
}

/** Bodies that are right up to the entries of their stream. */
function wrongPushes(labels: Readonly<Record<string, string>>): readonly WrongPush[] {
  const body = JSON.stringify({ streams: [{ stream: labels, values: [["no time", "refused"]] }] });
  return [
    { what: "a timestamp that is not a number", body },
    { what: "no end", body: body.slice(0, body.indexOf("no time")) },
  ];
}

/** A look that pushes; null where a wrong push is not refused: which ones are is not stated. */
export async function afterRefusedPush(scope: Scope): Promise<Assertion | null> {
  const { runId } = scope.run;
  const value = `${runId}:refused`;
  const refusals: Answered[] = [];
  for (const { what, body } of wrongPushes({ [RUN_LABEL]: runId, [SET_LABEL]: "refused", [LEFT]: value })) {
    const answer = await answeredOrNot(async () => scope.logs.probePush(`push with ${what}`, body));
    if (answer !== null && isSuccess(answer)) return null;
    if (answer !== null) refusals.push(answer);
  }
  const dataset = await store(scope, "after-refused", { pushes: [STREAMS] });
  return async (later) => {
    const { finding } = await comeBack(later, dataset);
    const [deciding] = finding.exchanges as readonly Answered[];
    const streams = deciding === undefined ? null : streamsOf(deciding).streams;
    const leftOver = (streams ?? []).findIndex(({ labels }) => labels[LEFT] === value);
    const left: Difference[] =
      leftOver < 0
        ? []
        : [
            {
              clause: "logs-2.Stream",
              path: `data.result[${leftOver}].stream.${LEFT}`,
              expected: "absent, because only a refused push named it",
              actual: show(value),
            },
          ];
    const differences = [...left, ...finding.differences];
    return { ...finding, differences, exchanges: [...finding.exchanges, ...dataset.pushes, ...refusals] };
  };
}
