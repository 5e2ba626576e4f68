/** What creates and reads of this run show about filling and keeping limits: gathered once, judged by several checks. */
import { isSuccess, type Answered } from "../../src/client/exchange.ts";
import { type LimitName, LIMITS, type Limits } from "../../src/contract/limits.ts";
import { type Fixture, fixture, type Scope } from "../../src/harness/context.ts";
import type { Sighting } from "../../src/harness/settle.ts";
import type { Difference } from "../../src/model/difference.ts";
import { diagnoseFilling, type FillingDiagnosis, type FillingReading, sentDifferences, underExactNames } from "../../src/model/filling.ts";
import { isObject, type JsonObject, member } from "../../src/model/json.ts";
import { filledLimits, limitFindings } from "../../src/model/limits.ts";
import { type Bench, withBench } from "./benches.ts";
import { fieldFacts } from "./fields.ts";
import { createInstance, type Instance, sampled, update } from "./instances.ts";
import { full, thirds } from "./population.ts";
import { sweep } from "./sweep.ts";
import { bodyOf, limitsIn, readUntil } from "./reading.ts";

/** One instance created with limits, as a settled read shows it. */
export interface LimitsView extends FillingReading {
  readonly instance: Instance;
  readonly exchange: Answered;
  readonly sightings: readonly Sighting[];
  /** Why there is no instance object, when there is none. */
  readonly problems: readonly Difference[];
}

export interface CreateFacts {
  readonly views: readonly LimitsView[];
  /** Creates that the server refused although every limit they send has its documented default. */
  readonly refused: readonly Instance[];
  readonly filling: FillingDiagnosis;
  /** Whether limits are seen in a read after they were added by an update although no create showed any. */
  readonly readsHideLimits: boolean;
}

export function overridesOf(scope: Scope): Limits {
  return scope.adminTarget.expectedDefaults.limits;
}

export const createFacts: Fixture<CreateFacts> = fixture("admin", "what creates with limits show", async (scope) => {
  const instances = [await scope.use(sampled), await scope.use(full), ...(await scope.use(thirds))];
  const accepted = instances.filter((instance) => isSuccess(instance.created));
  const refused = await Promise.all(
    instances.filter((instance) => !isSuccess(instance.created)).map((instance) => withDefaults(scope, instance)),
  );
  const views = await Promise.all(accepted.map((instance) => view(scope, instance)));
  const readable = views.filter(({ problems }) => problems.length === 0);
  const filling = diagnoseFilling(readable, overridesOf(scope), "admin-4.1");
  const nothingShown = readable.length > 0 && readable.every(({ limits }) => limits === undefined);
  return {
    views,
    refused: refused.filter((instance) => !isSuccess(instance.created)),
    filling,
    readsHideLimits: nothingShown && (await readsHideLimits(scope)),
  };
});

/**
 * Limits that are accepted one by one may not go together with these values, which the document leaves open. The same
 * limits at their documented defaults do: that is what an instance that was filled has.
 */
async function withDefaults(scope: Scope, { sent, name }: Instance): Promise<Instance> {
  const limits = atDefaults(sent ?? {});
  return createInstance(scope, `d${name.split("-").at(-1) ?? ""}`, limits);
}

/** The same limits at their documented defaults; those without one at a plain value. */
export function atDefaults(sent: Limits): Limits {
  const names = Object.keys(sent) as LimitName[];
  return Object.fromEntries(
    names.flatMap((name) =>
      LIMITS[name].type === "retention" ? [] : [[name, LIMITS[name].default === undefined ? 100_000 : LIMITS[name].default]],
    ),
  );
}

async function view(scope: Scope, instance: Instance): Promise<LimitsView> {
  const sent = instance.sent ?? {};
  const expected = filledLimits(sent, overridesOf(scope));
  const { value, sightings } = await readUntil(scope, instance, (body) => {
    const { limits, differences } = limitsIn(body, "admin-4.1");
    return limits === null ? differences : limitFindings(expected, limits).map(({ difference }) => difference);
  });
  const { body, differences } = bodyOf(value, "admin-4.GET");
  return {
    instance,
    label: `created with ${Object.keys(sent).length} limits`,
    sent,
    limits: limitsObject(body),
    exchange: value,
    sightings,
    problems: differences,
  };
}

function limitsObject(body: JsonObject | null): JsonObject | undefined {
  const limits = body === null ? undefined : member(body, "limits");
  return isObject(limits) ? underExactNames(limits) : undefined;
}

/** The answer of an update that adds limits shows them, and a read of the same instance does not. */
async function readsHideLimits(scope: Scope): Promise<boolean> {
  return withBench(scope, async (bench) => {
    const answer = await update(scope, bench.instance, `Plumbline ${scope.run.unique()}`, { ingestion_rate: 4_321 });
    bench.bare = false;
    if (limitsObject(bodyOf(answer, "admin-4.PUT").body) === undefined) return false;
    const { value } = await readUntil(scope, bench.instance, (body) => limitsIn(body, "admin-4.GET").differences);
    return limitsObject(bodyOf(value, "admin-4.GET").body) === undefined;
  });
}

/** Rows whose sent value a create did not keep: those differences, and which rows they are. */
export interface KeepingFacts {
  readonly differences: readonly Difference[];
  readonly brokenRows: ReadonlySet<LimitName>;
  readonly sentNames: ReadonlySet<LimitName>;
}

export const keepingFacts: Fixture<KeepingFacts> = fixture("admin", "which limits a create keeps", async (scope) => {
  const { views } = await scope.use(createFacts);
  const swept = await scope.use(sweep);
  const sentNames = new Set<LimitName>();
  const kept = new Set(swept.filter(({ differences }) => differences.length === 0).map(({ name }) => name));
  const shown = views.flatMap(({ sent, limits }) => (limits === undefined ? [] : [{ sent, limits }]));
  for (const { sent, limits } of shown) {
    const lost = new Set(sentDifferences(sent, limits, "admin-4.1").map(({ path }) => path));
    for (const name of Object.keys(sent) as LimitName[]) {
      sentNames.add(name);
      if (!lost.has(`limits.${name}`)) kept.add(name);
    }
  }
  // Few limits that are lost here and there are lost for their values; many are lost by the create.
  const lostByCreate = new Set(shown.flatMap(({ sent, limits }) => rowsOf(sentDifferences(sent, limits, "admin-4.1"))));
  const sometimes = [...lostByCreate].filter((name) => kept.has(name));
  const isBroken = (name: LimitName): boolean => !kept.has(name) || sometimes.length < MANY_ROWS;
  const differences = shown.flatMap(({ sent, limits }) => sentDifferences(sent, limits, "admin-4.1", isBroken));
  const alone = swept.filter(({ name, differences: own }) => !lostByCreate.has(name) && rowsOf(own).includes(name)).map(({ name }) => name);
  return { differences, brokenRows: new Set([...rowsOf(differences), ...(alone.length < MANY_ROWS ? alone : [])]), sentNames };
});

/** From this many limits on, losing their values is a matter of the request that sent them. */
const MANY_ROWS = 3;

/** The limits whose rows the differences concern by path, whatever clause they blame. */
function rowsOf(differences: readonly Difference[]): LimitName[] {
  return differences.flatMap(({ clause, path }) =>
    clause.startsWith("admin-2.limit.") && path !== "status" ? [clause.slice("admin-2.limit.".length) as LimitName] : [],
  );
}

/** The default each limit has on this target as creates show it, where they show one consistently. */
export async function shownDefaults(scope: Scope): Promise<FillingDiagnosis["effective"]> {
  return (await scope.use(createFacts)).filling.effective;
}

/**
 * Lends a bench to a check. What the check will need to know is found out first: finding it out takes a bench too, and
 * a check that waits for it while holding one could wait for ever.
 */
export async function onBench<T>(scope: Scope, work: (bench: Bench) => Promise<T>): Promise<T> {
  await Promise.all([scope.use(fieldFacts), scope.use(keepingFacts)]);
  return withBench(scope, work);
}
