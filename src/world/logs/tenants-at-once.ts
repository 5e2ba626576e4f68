/** Pushes of two tenants that go on at the same time: each entry is its tenant's, whoever else pushes meanwhile. */
import { isAnswered, isSuccess } from "../../client/exchange.ts";
import { Inconclusive } from "../../client/inconclusive.ts";
import { expecting } from "../../harness/expect.ts";
import { together, type Trial } from "../../harness/finding.ts";
import { type Fixture, fixture, type Scope } from "../../harness/scope.ts";
import { departures } from "../../model/log-answer.ts";
import { countEntries, type Matcher, type Stream } from "../../model/logs.ts";
import { logQueryText } from "../../model/query-text.ts";
import { range } from "./asks.ts";
import { placingFor, type Placing, RUN_LABEL, SET_LABEL } from "./datasets.ts";
import { bothBlame, MOST } from "./tenancy.ts";
import { type Tenant, type TwoTenants, twoTenants } from "./two-tenants.ts";

/** Pushes of each tenant at the same time, and how often: whether two overlap is a matter of milliseconds. */
const LANES = 4;
const ROUNDS = 3;
/** Streams of a push and entries of each: a push takes its time. */
const STREAMS = 5;
const ENTRIES = 40;
const BETWEEN = 500_000_003n;
/** How often the same entries are pushed anew where one of two pushes is not accepted. */
const MOST_ATTEMPTS = 4;

/** A push to streams of its own, so that no entry comes late. */
function streamsOf(scope: Scope, set: string, anchor: bigint, { owner, word }: Tenant): Stream[] {
  const nanosecond = owner === "second" ? 1n : 0n;
  return Array.from({ length: STREAMS }, (_, stream) => ({
    labels: { [RUN_LABEL]: scope.run.runId, [SET_LABEL]: set, svc_zz: `stream ${stream}` },
    entries: Array.from({ length: ENTRIES }, (_entry, index) => ({
      ts: anchor + BigInt(stream * ENTRIES + index) * BETWEEN + nanosecond,
      line: `${word} ${stream} ${index}`,
    })),
  }));
}

/** A set that a tenant pushes; null where that was not accepted. */
async function pushed(scope: Scope, tenant: Tenant, set: string, { anchor, span }: Placing): Promise<Tenant | null> {
  const streams = streamsOf(scope, set, anchor, tenant);
  const exchange = await scope.logs.push(streams, tenant.override);
  if (!isAnswered(exchange) || !isSuccess(exchange)) return null;
  const matchers = Object.entries({ [RUN_LABEL]: scope.run.runId, [SET_LABEL]: set }).map(([name, value]): Matcher => ({
    name,
    operator: "=",
    value,
  }));
  const [start, end] = [anchor - 2n * BETWEEN, anchor + span + 2n * BETWEEN];
  const dataset = { name: set, streams, matchers, anchor, start, end, entries: countEntries(streams), pushes: [exchange] };
  return { ...tenant, dataset: { ...dataset, lastWriteAt: exchange.endedAt } };
}

/** Sets of both tenants under one name each, pushed at the same time; those of which a push was not accepted are left out. */
export const tenantsAtOnce: Fixture<readonly TwoTenants[]> = fixture("logs", "pushes of two tenants at the same time", async (scope) => {
  const tenants = await scope.use(twoTenants);
  const placing = await placingFor(scope, "settled");
  const all: TwoTenants[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const names = Array.from({ length: LANES }, (_, lane) => `at-once-${round}-${lane}`);
    const lanes = await Promise.all(
      names.map((name) => Promise.all([tenants.first, tenants.second].map((one) => pushed(scope, one, name, placing)))),
    );
    for (const [first, second] of lanes) if (first && second) all.push({ first, second });
  }
  if (all.length < ROUNDS) throw new Inconclusive(`of ${ROUNDS * LANES} pairs of pushes at the same time only ${all.length} were accepted`);
  return all;
});

/** Reads a set of a tenant; whatever is missing or out of place blames that there is another tenant. */
function stored({ dataset, override }: Tenant): Trial {
  const clause = "logs-5.2a";
  const { matchers, start, end, streams } = dataset;
  return expecting({
    clauses: clause,
    of: dataset,
    ask: range({ query: logQueryText({ matchers, filters: [] }), start, end, limit: MOST }, { override }),
    expect: (answered) => departures(streams, answered, bothBlame(clause), streams),
    input: { "pushed by both tenants": "the same entries of the same streams" },
  });
}

/**
 * The same entries of the same streams, pushed by one tenant after the other: each has stored its own. Throws `Inconclusive` where no
 * two pushes are accepted, or such a set of one tenant alone is not read as it was pushed.
 */
export const equalInBoth: Trial = async (scope) => {
  const { first, second } = await scope.use(twoTenants);
  const placing = await placingFor(scope, "settled");
  const transport = scope.run.transport("logs");
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
    if (attempt > 0) await scope.run.pause(transport.pauseAfter(attempt - 1));
    const push = async ({ override }: Tenant): Promise<Tenant | null> =>
      pushed(scope, { ...first, override, word: "equal" }, `equal-in-both-${attempt}`, placing);
    const one = await push(first);
    if (one === null) continue;
    if ((await stored(one)(scope)).differences.length > 0)
      throw new Inconclusive("precondition: a set of one tenant is not there as it was pushed (see logs-4.push)");
    const other = await push(second);
    if (other !== null) return together(await Promise.all([one, other].map(async (tenant) => stored(tenant)(scope))));
  }
  throw new Inconclusive(`precondition: in ${MOST_ATTEMPTS} attempts the pushes of two tenants were not both accepted (see logs-4.push)`);
};
