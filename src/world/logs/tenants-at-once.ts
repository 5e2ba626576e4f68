/** Pushes of two tenants that go on at the same time: each entry is its tenant's, whoever else pushes meanwhile. */
import { type Answered, isAnswered, isSuccess } from "../../client/exchange.ts";
import { Inconclusive } from "../../client/inconclusive.ts";
import { type Fixture, fixture, type Scope } from "../../harness/scope.ts";
import { countEntries, type Stream } from "../../model/logs.ts";
import { placingFor, type Placing, RUN_LABEL, SET_LABEL } from "./datasets.ts";
import { type Tenant, type TwoTenants, twoTenants } from "./two-tenants.ts";

/** Pushes of each tenant at the same time, and how often: whether two overlap is a matter of milliseconds. */
const LANES = 3;
const ROUNDS = 4;
/** Sets that are begun, each under a name of its own, until every push of one is accepted. */
const MOST_TRIES = 4;
const BETWEEN = 1_000_000_007n;

interface Push {
  readonly tenant: Tenant;
  readonly streams: readonly Stream[];
}

/** A push to a stream of its own, so that no entry comes late. */
function pushOf(scope: Scope, set: string, anchor: bigint, tenant: Tenant, round: number, lane: number): Push {
  const place = round * LANES + lane;
  const labels = { [RUN_LABEL]: scope.run.runId, [SET_LABEL]: set, svc_size: `at once ${place}` };
  const nanosecond = tenant.owner === "second" ? 1n : 0n;
  const entries = [0, 1, 2].map((index) => ({
    ts: anchor + BigInt(place * 3 + index) * BETWEEN + nanosecond,
    line: `${tenant.word} at once ${place} ${index}`,
  }));
  return { tenant, streams: [{ labels, entries }] };
}

async function pushed(scope: Scope, { first, second }: TwoTenants, set: string, { anchor, span }: Placing): Promise<TwoTenants | null> {
  const done: { readonly push: Push; readonly exchange: Answered }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const lanes = Array.from({ length: LANES }, (_, lane) => [first, second].map((one) => pushOf(scope, set, anchor, one, round, lane)));
    const exchanges = await Promise.all(
      lanes.flat().map(async (push) => ({ push, exchange: await scope.logs.push(push.streams, push.tenant.override) })),
    );
    for (const { push, exchange } of exchanges) {
      if (!isAnswered(exchange) || !isSuccess(exchange)) return null;
      done.push({ push, exchange });
    }
  }
  const together = (tenant: Tenant): Tenant => {
    const own = done.filter(({ push }) => push.tenant === tenant);
    const streams = own.flatMap(({ push }) => push.streams);
    const [start, end] = [anchor - 2n * BETWEEN, anchor + span + 2n * BETWEEN];
    const matchers = [RUN_LABEL, SET_LABEL].map((name) => ({
      name,
      operator: "=" as const,
      value: name === RUN_LABEL ? scope.run.runId : set,
    }));
    const lastWriteAt = Math.max(...done.map(({ exchange }) => exchange.endedAt));
    const pushes = own.map(({ exchange }) => exchange);
    return {
      ...tenant,
      dataset: { ...tenant.dataset, name: set, streams, matchers, anchor, start, end, entries: countEntries(streams), pushes, lastWriteAt },
    };
  };
  return { first: together(first), second: together(second) };
}

export const tenantsAtOnce: Fixture<TwoTenants> = fixture("logs", "pushes of two tenants at the same time", async (scope) => {
  const tenants = await scope.use(twoTenants);
  const transport = scope.run.transport("logs");
  for (let attempt = 0; attempt < MOST_TRIES; attempt += 1) {
    if (attempt > 0) await transport.budget.pause(transport.pauseAfter(attempt - 1));
    const both = await pushed(scope, tenants, `tenants-at-once-${attempt}`, await placingFor(scope, "settled"));
    if (both !== null) return both;
  }
  throw new Inconclusive(`of pushes of two tenants at the same time some were not accepted, in each of ${MOST_TRIES} attempts`);
});
