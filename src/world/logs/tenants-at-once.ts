/** Pushes of two tenants that go on at the same time: each entry is its tenant's, whoever else pushes meanwhile. */
import { isAnswered, isSuccess } from "../../client/exchange.ts";
import { Inconclusive } from "../../client/inconclusive.ts";
import { type Fixture, fixture, type Scope } from "../../harness/scope.ts";
import { countEntries, type Matcher, type Stream } from "../../model/logs.ts";
import { placingFor, type Placing, RUN_LABEL, SET_LABEL } from "./datasets.ts";
import { refusedOfBoth } from "./refused-elsewhere.ts";
import { type Tenant, type TwoTenants, twoTenants } from "./two-tenants.ts";

/** Pushes of each tenant at the same time, and how often: whether two overlap is a matter of milliseconds. */
const LANES = 4;
const ROUNDS = { release: 2, nightly: 8 } as const;
/** Streams of a push, each of which is new, and entries of each: a push takes its time. All of a round are read at once. */
const STREAMS = 16;
const ENTRIES = 12;
const BETWEEN = 500_000_003n;

/** Some streams one after the other, of entries that name a word and where they stand; in a set, or a lane, of its own none comes late. */
export function streamsOf(scope: Scope, set: string, first: bigint, word: string, lane = 0): Stream[] {
  return Array.from({ length: STREAMS }, (_, stream) => ({
    labels: { [RUN_LABEL]: scope.run.runId, [SET_LABEL]: set, svc_zz: `stream ${lane} ${stream}` },
    entries: Array.from({ length: ENTRIES }, (_entry, index) => ({
      ts: first + BigInt(stream * ENTRIES + index) * BETWEEN,
      line: `${word} ${lane} ${stream} ${index}`,
    })),
  }));
}

/** A set that a tenant pushes; null where that was not accepted. */
export async function pushedAs(
  scope: Scope,
  tenant: Tenant,
  set: string,
  { anchor, span }: Placing,
  streams: readonly Stream[],
): Promise<Tenant | null> {
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

/** What a tenant pushed in two pushes of one round, as one set. */
function joined(one: Tenant, other: Tenant): Tenant {
  const [before, after] = [one.dataset, other.dataset];
  const dataset = {
    ...before,
    streams: [...before.streams, ...after.streams],
    entries: before.entries + after.entries,
    pushes: [...before.pushes, ...after.pushes],
    lastWriteAt: Math.max(before.lastWriteAt, after.lastWriteAt),
  };
  return { ...one, dataset };
}

/** What a tenant pushed in one lane, as a set by itself. */
function alone(tenant: Tenant, matcher: Matcher): Tenant {
  return { ...tenant, dataset: { ...tenant.dataset, matchers: [...tenant.dataset.matchers, matcher] } };
}

/** The sets of a round: all of its lanes as one where every push was accepted, else each that both tenants' pushes were accepted of. */
function setsOf(lanes: readonly Lane[]): TwoTenants[] {
  if (lanes.length < LANES)
    return lanes.map(({ first, second, matcher }) => ({ first: alone(first, matcher), second: alone(second, matcher) }));
  const of = (owner: "first" | "second"): Tenant => lanes.map((lane) => lane[owner]).reduce(joined);
  return [{ first: of("first"), second: of("second") }];
}

interface Lane {
  readonly matcher: Matcher;
  readonly first: Tenant;
  readonly second: Tenant;
}

/** One push of each tenant, of streams that have the lane as a label; null where either is not accepted. */
async function pushedLane(scope: Scope, tenants: TwoTenants, name: string, lane: number, placing: Placing): Promise<Lane | null> {
  const matcher: Matcher = { name: "svc_colour", operator: "=", value: `lane ${lane}` };
  const [first, second] = await Promise.all(
    [tenants.first, tenants.second].map(async (one) => {
      const nanosecond = one.owner === "second" ? 1n : 0n;
      const streams = streamsOf(scope, name, placing.anchor + nanosecond, one.word, lane);
      const own = streams.map(({ labels, entries }) => ({ labels: { ...labels, [matcher.name]: matcher.value }, entries }));
      return pushedAs(scope, one, name, placing, own);
    }),
  );
  return first && second ? { matcher, first, second } : null;
}

/** Sets of both tenants under one name each, pushed at the same time. */
export const tenantsAtOnce: Fixture<readonly TwoTenants[]> = fixture("logs", "pushes of two tenants at the same time", async (scope) => {
  const tenants = await scope.use(twoTenants);
  await scope.use(refusedOfBoth);
  const placing = await placingFor(scope, "settled");
  const rounds = ROUNDS[scope.settings.profile === "nightly" ? "nightly" : "release"];
  const all: TwoTenants[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const lanes = Array.from({ length: LANES }, async (_, lane) => pushedLane(scope, tenants, `at-once-${round}`, lane, placing));
    all.push(...setsOf((await Promise.all(lanes)).filter((lane) => lane !== null)));
  }
  if (all.length === 0) throw new Inconclusive(`none of ${rounds * LANES} pairs of concurrent pushes was accepted`);
  return all;
});
