/** Tests requests after rejected requests. A rejected push or query must not change later responses. */
import type { RelativeStream } from "../arbitraries/streams.ts";
import { type Answered, isPassing, isSuccess, statusOf } from "../client/exchange.ts";
import { type Assertion, type Fixture, fixture, type Scope } from "../harness/scope.ts";
import { type Difference, show, difference } from "../model/difference.ts";
import { type Placing, placingFor, RUN_LABEL, SET_LABEL, store } from "../datasets/datasets.ts";
import { comeBack } from "../datasets/read-back.ts";
import { answeredOrNot } from "./push-forms.ts";
import { expecting } from "../harness/expect.ts";
import { together } from "../harness/finding.ts";
import { type Matcher, matcher } from "../model/logs.ts";
import { logQueryText } from "../model/query-text.ts";
import { range, streamsOf } from "../datasets/requests.ts";
import { type Tenant, type TwoTenants, twoTenants } from "../datasets/two-tenants.ts";
/** A label name that only refused pushes contain. */
const LEFT = "svc_abc";

const STREAMS: readonly RelativeStream[] = [{}, { svc_size: "after-one" }, { svc_size: "after-two" }].map((labels, stream) => ({
  labels,
  entries: [0, 1].map((index) => ({ offset: BigInt(index * 3 + stream) * 1_000_000_007n, line: `after ${stream} ${index}` })),
}));

/** Returns push bodies that are invalid only in the entries of their stream. */
function wrongPushes(labels: Readonly<Record<string, string>>): readonly { readonly what: string; readonly body: string }[] {
  const body = JSON.stringify({ streams: [{ stream: labels, values: [["no time", "refused"]] }] });
  return [
    { what: "a timestamp that is not a number", body },
    { what: "no end", body: body.slice(0, body.indexOf("no time")) },
  ];
}

/** Pushes invalid bodies and then a dataset to read. Resolves to null if an invalid push succeeds, which the documents allow. */
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
    const streams = deciding === undefined ? null : streamsOf(deciding).answer;
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

const SET = "refused-of-another";
const TENANT_CLAUSE = "logs-5.2a";

/** The number of refused pushes of each tenant. A service may store the rest of a refused push with the next push. */
const TIMES = 2;

function labelsIn({ run }: Scope): Record<string, string> {
  return { [RUN_LABEL]: run.runId, [SET_LABEL]: SET };
}

const lineOf = ({ word }: Tenant): string => `${word}, of a push that was refused`;

/** Returns a push body that is valid, except that its end is missing. */
function withoutEnd(scope: Scope, tenant: Tenant, { anchor }: Placing): string {
  const labels = labelsIn(scope);
  const whole = { stream: labels, values: [[anchor.toString(), lineOf(tenant)]] };
  const body = JSON.stringify({ streams: [whole, { stream: { ...labels, svc_size: "cut" }, values: [["no end"]] }] });
  return body.slice(0, body.indexOf("no end"));
}

/** Whether a status says that the request is invalid. The statuses 429 and 5xx prove nothing about the body. */
function isRefusal(status: number): boolean {
  return status >= 400 && !isPassing(status);
}

/** Refused pushes of both tenants before their other pushes, or null if one is accepted, which the documents allow. */
export const refusedOfBoth: Fixture<(TwoTenants & { readonly placing: Placing }) | null> = fixture(
  "logs",
  "refused pushes of two tenants",
  async (scope) => {
    const tenants = await scope.use(twoTenants);
    const placing = await placingFor(scope, "settled");
    for (let time = 0; time < TIMES; time += 1)
      for (const one of [tenants.first, tenants.second]) {
        const body = withoutEnd(scope, one, placing);
        const answer = await answeredOrNot(async () => scope.logs.probePush("push without an end", body, one.override));
        if (answer === null || !isRefusal(statusOf(answer))) return null;
      }
    return { ...tenants, placing };
  },
);

/** No tenant may read lines of a refused push of the other tenant, after both have pushed other entries. */
export function leftToAnother({ first, second, placing }: TwoTenants & { readonly placing: Placing }): Assertion {
  const read = (mine: Tenant, theirs: Tenant): Assertion => {
    const { anchor, span } = placing;
    return async (scope) => {
      const matchers = Object.entries(labelsIn(scope)).map(([name, value]): Matcher => matcher(name, "=", value));
      const query = logQueryText({ matchers, filters: [] });
      return expecting({
        clauses: TENANT_CLAUSE,
        of: mine.dataset,
        ask: range({ query, start: anchor - 1_000_000_000n, end: anchor + span, limit: 10 }, { override: mine.override }),
        expect: (streams) =>
          streams
            .flatMap(({ entries }) => entries)
            .filter(({ line }) => line === lineOf(theirs))
            .map(({ line }) =>
              difference(TENANT_CLAUSE, "data.result", "no entry that only a refused push of another tenant contained", show(line)),
            ),
        input: { "refused earlier push of the other tenant": withoutEnd(scope, theirs, placing) },
      })(scope);
    };
  };
  return async (scope) => together(await Promise.all([read(first, second)(scope), read(second, first)(scope)]));
}
