/** Pushes of two tenants that were refused half-way, and then others: what one of them held is not the other's. */
import { statusOf } from "../../client/exchange.ts";
import { expecting } from "../../harness/expect.ts";
import { together } from "../../harness/finding.ts";
import { type Assertion, type Fixture, fixture, type Scope } from "../../harness/scope.ts";
import { show } from "../../model/difference.ts";
import type { Matcher } from "../../model/logs.ts";
import { logQueryText } from "../../model/query-text.ts";
import { range } from "./asks.ts";
import { type Placing, placingFor, RUN_LABEL, SET_LABEL } from "./datasets.ts";
import { type Tenant, type TwoTenants, twoTenants } from "./two-tenants.ts";
import { answeredOrNot } from "./unusual-bodies.ts";

const SET = "refused-of-another";
const CLAUSE = "logs-5.2a";

/** Of each tenant: what is left of one may be stored with a push of its own. */
const TIMES = 2;

function labelsIn({ run }: Scope): Record<string, string> {
  return { [RUN_LABEL]: run.runId, [SET_LABEL]: SET };
}

const lineOf = ({ word }: Tenant): string => `${word}, of a push that was refused`;

/** A body that is right but for its end, which it has not. */
function withoutEnd(scope: Scope, tenant: Tenant, { anchor }: Placing): string {
  const labels = labelsIn(scope);
  const whole = { stream: labels, values: [[anchor.toString(), lineOf(tenant)]] };
  const body = JSON.stringify({ streams: [whole, { stream: { ...labels, svc_size: "cut" }, values: [["no end"]] }] });
  return body.slice(0, body.indexOf("no end"));
}

/** Of a request that is wrong; too many requests and a service that fails say nothing of what a push held. */
function isRefusal(status: number): boolean {
  return status >= 400 && status < 500 && status !== 429;
}

/** Such pushes, before many others of both tenants; null where one of them is not seen to be refused, which is not stated. */
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

/** To be asked when both tenants have pushed much since. */
export function leftToAnother({ first, second, placing }: TwoTenants & { readonly placing: Placing }): Assertion {
  const read = (mine: Tenant, theirs: Tenant): Assertion => {
    const { anchor, span } = placing;
    return async (scope) => {
      const matchers = Object.entries(labelsIn(scope)).map(([name, value]): Matcher => ({ name, operator: "=", value }));
      const query = logQueryText({ matchers, filters: [] });
      return expecting({
        clauses: CLAUSE,
        of: mine.dataset,
        ask: range({ query, start: anchor - 1_000_000_000n, end: anchor + span, limit: 10 }, { override: mine.override }),
        expect: (streams) =>
          streams
            .flatMap(({ entries }) => entries)
            .filter(({ line }) => line === lineOf(theirs))
            .map(({ line }) => ({
              clause: CLAUSE,
              path: "data.result",
              expected: "no entry that only a refused push of another tenant contained",
              actual: show(line),
            })),
        input: { "refused earlier push of the other tenant": withoutEnd(scope, theirs, placing) },
      })(scope);
    };
  };
  return async (scope) => together(await Promise.all([read(first, second)(scope), read(second, first)(scope)]));
}
