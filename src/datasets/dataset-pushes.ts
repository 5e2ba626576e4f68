/**
 * Pushes datasets. If the target refuses a part of a push that the documents do not promise, the dataset is pushed again without this part.
 */
import type { Payload, RelativeStream } from "../arbitraries/streams.ts";
import { type LogsOverride, pushOf } from "../client/logs.ts";
import { type Answered, isAnswered, isPassing, isSuccess, statusOf } from "../client/exchange.ts";
import { Inconclusive, Masked, Unanswered } from "../client/inconclusive.ts";
import { type Dataset, datasetOf, isAccepted, refusalFinding, RUN_LABEL, SET_LABEL, setLabels, withStreams } from "./datasets.ts";
import { leastStream, type Reduction, REDUCTIONS, slices } from "./removable-parts.ts";
import { type Age, clearOfHalfHours, type Placing, SPAN, YOUNG_BEFORE, YOUNG_SPAN } from "./placing.ts";
import type { Finding } from "../harness/finding.ts";
import type { RunServices, Scope } from "../harness/scope.ts";
import { matcher, mergeStreams, type Stream } from "../model/logs.ts";
import { member, parsed } from "../model/json.ts";
import { logQueryText } from "../model/query-text.ts";
import { SECOND } from "../model/times.ts";

function placed(scope: Scope, set: string, anchor: bigint, streams: readonly RelativeStream[]): Stream[] {
  return streams.map(({ labels, entries }) => ({
    labels: { ...setLabels(scope, set), ...labels },
    entries: entries.map(({ offset, line }) => ({ ts: anchor + offset, line })),
  }));
}

/** Resolves to the time at the target, in ns. If this time is not yet known, sends a request to get a Date header. */
export async function nowOf(scope: Scope): Promise<bigint> {
  if (scope.run.transport("logs").clockOffsetMs === null) await askDate(scope);
  return BigInt(Math.floor(OWN_CLOCK.has(scope.run) ? Date.now() : scope.targetNow())) * 1_000_000n;
}

/** Requests the label names. If that gets no response, requests entries. Only the Date header of the response is used. */
async function askDate({ logs, run: { runId } }: Scope): Promise<void> {
  try {
    await logs.probe("labels", "labels", {});
  } catch (error) {
    if (!(error instanceof Unanswered) || error.isHopeless) throw error;
    const end = BigInt(Date.now()) * 1_000_000n;
    const query = logQueryText({ matchers: [matcher(RUN_LABEL, "=", runId)], filters: [] });
    await logs.probeRange("query_range", { query, start: end - 60n * SECOND, end }).catch(() => {
      throw error;
    });
  }
}

/** The runs that use the clock of this machine, because the target refused entries with times from its Date header. */
const OWN_CLOCK = new WeakSet<RunServices>();

/** Whether the Date header is far ahead of the clock of this machine. A gateway with a wrong clock may have written the header. */
function isDatedAhead(scope: Scope): boolean {
  return scope.targetNow() > Date.now() && !scope.run.everyResponse.isClockKnown;
}

/**
 * Pushes a new dataset. After 429, 5xx or no response, pushes it again under another name. Throws `Inconclusive` if no attempt gets a
 * response. If the target refuses the dataset, the refusal is the last item of `pushes`.
 */
export async function store(scope: Scope, name: string, payload: Payload, override?: LogsOverride, age: Age = "settled"): Promise<Dataset> {
  const isByDate = !OWN_CLOCK.has(scope.run);
  const young = age === "young" ? await storeAt(scope, name, payload, await placingFor(scope, age), override) : null;
  if (young !== null && isAccepted(young)) return young;
  // If the clock of a service is slow, young entries are in its future. The documents do not say whether a service accepts them.
  const settled = await storeAt(scope, young === null ? name : `${name}-older`, payload, await placingFor(scope, "settled"), override);
  if (isAccepted(settled) || !isByDate || !isDatedAhead(scope)) return settled;
  OWN_CLOCK.add(scope.run);
  return storeAt(scope, `${name}-oldest`, payload, await placingFor(scope, "settled"), override);
}

/** Resolves to the times of a dataset of the given age, by the target's clock. A `settled` dataset contains no full or half hour. */
export async function placingFor(scope: Scope, age: Age): Promise<Placing> {
  const now = await nowOf(scope);
  if (age === "settled") return { anchor: clearOfHalfHours(now), span: SPAN };
  return { anchor: (now / SECOND) * SECOND - YOUNG_BEFORE, span: YOUNG_SPAN };
}

/**
 * Pushes a dataset like `store`, with the given times. If the target refuses a part that the documents do not promise, the part is removed.
 * The next push uses another name, because the target may have stored some entries of the refused push.
 */
export async function storeAt(scope: Scope, name: string, payload: Payload, placing: Placing, override?: LogsOverride): Promise<Dataset> {
  const known = await reduced(scope, payload, "known");
  const whole = await pushedAt(scope, known.removed === 0 ? name : `${name}-less`, known.payload, placing, override);
  if (refusalFinding(whole) === null) {
    refusedBy(scope).accepted += whole.streams.length;
    await earlyStream(scope);
    return known.removed === 0 ? whole : { ...whole, isReduced: true };
  }
  const less = await reduced(scope, payload, "refused");
  const taken = less.removed === known.removed ? null : await pushedAt(scope, `${name}-least`, less.payload, placing, override);
  if (taken !== null && refusalFinding(taken) === null) {
    refusedBy(scope).accepted += taken.streams.length;
    return { ...taken, isReduced: true };
  }
  await requireRoom(scope, taken ?? whole);
  return whole;
}

/** Pushes a dataset like `storeAt`. Resolves to null if the target refuses a push. */
export async function acceptedAt(scope: Scope, name: string, pushes: Payload["pushes"], placing: Placing): Promise<Dataset | null> {
  const dataset = await storeAt(scope, name, { pushes }, placing);
  return isAccepted(dataset) ? dataset : null;
}

/** Resolves to a payload without the parts that the target refuses. With "refused", each part is first tried. */
export async function reduced(
  scope: Scope,
  payload: Payload,
  which: "known" | "refused",
): Promise<{ readonly payload: Payload; readonly removed: number }> {
  const refused = refusedBy(scope);
  let left = payload;
  let removed = 0;
  for (const reduction of REDUCTIONS) {
    const less = reduction.reduce(left);
    if (less === null) continue;
    if (which === "known" ? !refused.known.has(reduction) : !(await isRefused(scope, reduction))) continue;
    left = less;
    removed += 1;
  }
  return { payload: left, removed };
}

interface Refused {
  readonly known: Set<Reduction>;
  readonly asked: Map<Reduction, Promise<boolean>>;
  /** The number of streams that the target has accepted. */
  accepted: number;
  /** A push of one stream after the first successful push. Later, `requireRoom` pushes another entry to this stream. */
  early: Promise<Dataset> | null;
}

/** The removable parts that the target has refused, by run. */
const REFUSED = new WeakMap<RunServices, Refused>();

function refusedBy({ run }: Scope): Refused {
  const refused = REFUSED.get(run) ?? {
    known: new Set<Reduction>(),
    asked: new Map<Reduction, Promise<boolean>>(),
    accepted: 0,
    early: null,
  };
  REFUSED.set(run, refused);
  return refused;
}

async function earlyStream(scope: Scope): Promise<void> {
  const refused = refusedBy(scope);
  refused.early ??= placingFor(scope, "settled").then(async (placing) => pushedAt(scope, "early", LEAST, placing, undefined));
  await refused.early;
}

/** The smallest push. A service that refuses the smallest push accepts no pushes at all. */
const LEAST: Payload = { pushes: [[{ labels: {}, entries: [{ offset: 1_000n, line: "a" }] }]] };

/** A target that accepts fewer streams than this number violates the documents, because they show pushes of several streams. */
const FEW_STREAMS = 20;
/** After this number of accepted streams, a target may refuse all pushes, because the documents do not say how much it must store. */
const MANY_STREAMS = 100;

/**
 * Throws `Masked` if the target has accepted many streams, refuses new ones, and still accepts entries of an early stream. Throws
 * `Inconclusive` if it has accepted very many streams, and refuses all pushes in the same way. The documents do not state how many streams a
 * tenant may have.
 */
export async function requireRoom(scope: Scope, dataset: Pick<Dataset, "pushes">): Promise<void> {
  const refusal = dataset.pushes.find((exchange) => !isSuccess(exchange));
  if (refusal === undefined) return;
  const { accepted } = refusedBy(scope);
  const early = await refusedBy(scope).early;
  if (accepted < FEW_STREAMS || early === null || refusalFinding(early) !== null) return;
  // There may be room for one more stream, but not for all streams of the refused push.
  const pushed = member(parsed(refusal.request.body ?? ""), "streams");
  const count = Array.isArray(pushed) ? pushed.length : 1;
  const streams = Array.from({ length: count }, (_, index) => leastStream(1, { svc_a: `${index}` }));
  // Each push has few streams, so that the number of streams in one push is not the reason for a refusal.
  const pushes = slices(streams, FEW_STREAMS);
  const name = `fresh-${scope.run.unique()}`;
  const fresh = await pushedAt(scope, name, { pushes }, await placingFor(scope, "settled"), undefined);
  if (refusalFinding(fresh) === null) return;
  const offset = BigInt(scope.run.unique() + 2) * 1_000n;
  const later = await extend(scope, early, [{ labels: {}, entries: [{ offset, line: "later" }] }]);
  if (later !== null && refusalFinding(later) === null) throw new Masked("logs-4.push", "new streams after it has accepted many", refusal);
  const isSame = later?.pushes.some((exchange) => statusOf(exchange) === statusOf(refusal)) === true;
  const { acceptedStreams } = scope.run.everyResponse.pushed;
  if (acceptedStreams >= MANY_STREAMS && isSame)
    throw new Inconclusive(
      `the target refuses each push since it has accepted ${acceptedStreams} streams (status ${statusOf(refusal)}): its quota is probably used up; the document does not say how much a service must store`,
    );
}

/** Whether the target refuses the smallest push only because of this part. Each part is tried once per run. */
async function isRefused(scope: Scope, reduction: Reduction): Promise<boolean> {
  const { known, asked } = refusedBy(scope);
  const ask = async (): Promise<boolean> => {
    const placing = await placingFor(scope, "settled");
    const payload: Payload = { pushes: [reduction.least] };
    const refusal = refusalFinding(await pushedAt(scope, `with-${reduction.slug}`, payload, placing, undefined));
    const [exchange] = refusal?.exchanges ?? [];
    const without = reduction.reduce(payload);
    if (exchange === undefined || without === null) return false;
    if (refusalFinding(await pushedAt(scope, `without-${reduction.slug}`, without, placing, undefined)) !== null) return false;
    known.add(reduction);
    scope.mask(new Masked("logs-4.push", reduction.what, exchange));
    return true;
  };
  const found = asked.get(reduction) ?? ask();
  asked.set(reduction, found);
  return found;
}

/** Throws `Masked` if a refused push has a part that the documents do not promise, and that the target also refuses alone. */
export async function maskedPush(scope: Scope, exchange: Answered, streams: readonly RelativeStream[]): Promise<void> {
  for (const reduction of REDUCTIONS)
    if (reduction.reduce({ pushes: [streams] }) !== null && (await isRefused(scope, reduction)))
      throw new Masked("logs-4.push", reduction.what, exchange);
  await requireRoom(scope, { pushes: [exchange] });
}

/** Does the same as `maskedPush` for streams whose entries have timestamps instead of offsets. */
export async function maskedStreams(scope: Scope, exchange: Answered, streams: readonly Stream[]): Promise<void> {
  if (isPassing(statusOf(exchange))) return;
  const relative = streams.map(({ labels, entries }): RelativeStream => {
    const { [RUN_LABEL]: _run, [SET_LABEL]: _set, ...others } = labels;
    return { labels: others, entries: entries.map(({ ts, line }) => ({ offset: ts, line })) };
  });
  await maskedPush(scope, exchange, relative);
}

async function pushedAt(
  scope: Scope,
  name: string,
  payload: Payload,
  { anchor, span }: Placing,
  override: LogsOverride | undefined,
): Promise<Dataset> {
  const setOf = (attempt: number): string => (attempt === 0 ? name : `${name}-r${attempt}`);
  const bodies = (attempt: number): Stream[][] => payload.pushes.map((streams) => placed(scope, setOf(attempt), anchor, streams));
  const { attempt, exchanges } = await scope.logs.store(bodies, override);
  const dataset = datasetOf(scope, setOf(attempt), mergeStreams(bodies(attempt).flat()), { anchor, span }, exchanges);
  return attempt === 0 ? dataset : { ...dataset, isRepeated: true };
}

/** Resolves to a dataset that is not yet pushed, and the body of its push as data. */
export async function placedSet(
  scope: Scope,
  name: string,
  streams: readonly RelativeStream[],
  age: Age = "settled",
): Promise<{ readonly dataset: Dataset; readonly body: unknown }> {
  const placing = await placingFor(scope, age);
  const all = mergeStreams(placed(scope, name, placing.anchor, streams));
  return { dataset: datasetOf(scope, name, all, placing, []), body: pushOf(all) };
}

/**
 * Pushes more entries to the streams of a dataset. This counts as a write to the old dataset, so that the checks at the end of the run do
 * not read it again. Resolves to null if the response leaves unknown whether the entries were stored.
 */
export async function extend(
  scope: Scope,
  dataset: Dataset,
  streams: readonly RelativeStream[],
  override?: LogsOverride,
): Promise<Dataset | null> {
  const more = placed(scope, dataset.name, dataset.anchor, streams);
  dataset.lastWriteAt = performance.now();
  const exchange = await scope.logs.push(more, override);
  if (!isAnswered(exchange) || isPassing(statusOf(exchange))) return null;
  const together = withStreams(dataset, mergeStreams([...dataset.streams, ...more]));
  return { ...together, pushes: [...dataset.pushes, exchange], lastWriteAt: exchange.endedAt };
}

/** Resolves to the finding of `refusalFinding`. If a push was refused, may throw `Masked`, as `maskedPush` does. */
export async function judgedRefusal(scope: Scope, dataset: Dataset, streams: readonly RelativeStream[] = []): Promise<Finding | null> {
  const refused = dataset.pushes.find((exchange) => !isSuccess(exchange));
  if (refused !== undefined) await maskedPush(scope, refused, streams);
  return refusalFinding(dataset);
}
