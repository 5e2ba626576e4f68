/** Pushes of two tenants that go on at the same time: each entry is its tenant's, whoever else pushes meanwhile. */
import { type Answered, isAnswered, isSuccess } from "../../client/exchange.ts";
import { Inconclusive } from "../../client/inconclusive.ts";
import { type Fixture, fixture, type Scope } from "../../harness/scope.ts";
import { countEntries, type Matcher, type Stream } from "../../model/logs.ts";
import { placingFor, type Placing, RUN_LABEL, SET_LABEL } from "./datasets.ts";
import { type Tenant, type TwoTenants, twoTenants } from "./two-tenants.ts";

/** Pushes of each tenant at the same time, and how often: whether two overlap is a matter of milliseconds. */
const LANES = 4;
const ROUNDS = 3;
/** Streams of a push and entries of each: a push takes its time. */
const STREAMS = 5;
const ENTRIES = 40;
/** Sets that are begun for a round, each under a name of its own, until every push of one is accepted. */
const MOST_TRIES = 4;
const BETWEEN = 500_000_003n;

interface Push {
  readonly tenant: Tenant;
  readonly streams: readonly Stream[];
}

/** A push to streams of its own, so that no entry comes late. */
function pushOf(scope: Scope, set: string, anchor: bigint, tenant: Tenant, place: number): Push {
  const nanosecond = tenant.owner === "second" ? 1n : 0n;
  const streams = Array.from({ length: STREAMS }, (_, stream) => ({
    labels: { [RUN_LABEL]: scope.run.runId, [SET_LABEL]: set, svc_size: `at once ${place}`, svc_zz: `stream ${stream}` },
    entries: Array.from({ length: ENTRIES }, (_entry, index) => ({
      ts: anchor + BigInt((place * STREAMS + stream) * ENTRIES + index) * BETWEEN + nanosecond,
      line: `${tenant.word} at once ${place} ${stream} ${index}`,
    })),
  }));
  return { tenant, streams };
}

/** One round of pushes; null when one of them was not accepted. */
async function pushed(scope: Scope, { first, second }: TwoTenants, set: string, { anchor, span }: Placing): Promise<TwoTenants | null> {
  const pushes = Array.from({ length: LANES }, (_, lane) => [first, second].map((one) => pushOf(scope, set, anchor, one, lane))).flat();
  const done: { readonly push: Push; readonly exchange: Answered }[] = [];
  for (const { push, exchange } of await Promise.all(
    pushes.map(async (push) => ({ push, exchange: await scope.logs.push(push.streams, push.tenant.override) })),
  )) {
    if (!isAnswered(exchange) || !isSuccess(exchange)) return null;
    done.push({ push, exchange });
  }
  const lastWriteAt = Math.max(...done.map(({ exchange }) => exchange.endedAt));
  const matchers = Object.entries({ [RUN_LABEL]: scope.run.runId, [SET_LABEL]: set }).map(([name, value]): Matcher => ({
    name,
    operator: "=",
    value,
  }));
  const [start, end] = [anchor - 2n * BETWEEN, anchor + span + 2n * BETWEEN];
  const together = (tenant: Tenant): Tenant => {
    const own = done.filter(({ push }) => push.tenant === tenant);
    const streams = own.flatMap(({ push }) => push.streams);
    const entries = countEntries(streams);
    const exchanges = own.map(({ exchange }) => exchange);
    const dataset = { ...tenant.dataset, name: set, streams, matchers, anchor, start, end, entries, pushes: exchanges, lastWriteAt };
    return { ...tenant, dataset };
  };
  return { first: together(first), second: together(second) };
}

async function accepted(scope: Scope, tenants: TwoTenants, round: number): Promise<TwoTenants> {
  const transport = scope.run.transport("logs");
  for (let attempt = 0; attempt < MOST_TRIES; attempt += 1) {
    if (attempt > 0) await transport.budget.pause(transport.pauseAfter(attempt - 1));
    const both = await pushed(scope, tenants, `tenants-at-once-${round}-${attempt}`, await placingFor(scope, "settled"));
    if (both !== null) return both;
  }
  throw new Inconclusive(`of pushes of two tenants at the same time some were not accepted, in each of ${MOST_TRIES} attempts`);
}

/** What both tenants pushed in each round. */
export const tenantsAtOnce: Fixture<readonly TwoTenants[]> = fixture("logs", "pushes of two tenants at the same time", async (scope) => {
  const tenants = await scope.use(twoTenants);
  const rounds: TwoTenants[] = [];
  for (let round = 0; round < ROUNDS; round += 1) rounds.push(await accepted(scope, tenants, round));
  return rounds;
});
