/**
 * Instances that are updated early in the run and read again at its end, and instances next to an instance with equal limits.
 */
import { isSuccess, statusOf } from "../client/exchange.ts";
import type { LimitName, Limits } from "../contract/limits.ts";
import { expecting } from "../harness/expect.ts";
import { type Assertion, type Fixture, fixture, type Scope } from "../harness/scope.ts";
import { fewLimits } from "./filled-limits.ts";
import { created, createInstance, type Instance, newName, sampled, update } from "./instances.ts";
import { bodyOf, limitsIn, reading } from "./reading.ts";
import { type LimitsJudge, removedFrom } from "./changes.ts";
import { addedTo } from "./single-updates.ts";
import { Inconclusive } from "../client/inconclusive.ts";
import { type Finding, together } from "../harness/finding.ts";
import { type Difference, show } from "../model/difference.ts";
import { isObject, type JsonObject } from "../model/json.ts";
import { sameAsRead } from "../model/limits.ts";
import { type AcceptedLimits, acceptedLimits, emptied } from "./accepted-limits.ts";
import { keptLimits } from "./limit-findings.ts";
import { onPoolInstance } from "./instance-pool.ts";
import { unchangedSince } from "./unchanged-instances.ts";

interface Left {
  readonly clause: "admin-4.2" | "admin-4.3";
  readonly suffix: string;
  readonly before: Limits | null;
  readonly sent: Limits | undefined;
  readonly judge: LimitsJudge;
}

/** The assertion of an instance that is updated so now; null where its create or its update is refused. */
async function left(scope: Scope, { clause, suffix, before, sent, judge }: Left): Promise<Assertion | null> {
  const instance = await createInstance(scope, suffix, before);
  if (!isSuccess(instance.created)) return null;
  const answer = await update(scope, instance, newName(scope), sent);
  if (!isSuccess(answer)) return null;
  const assertion = expecting({ clauses: clause, of: instance, ask: reading(instance), expect: (body) => [...judge(body)] });
  return async (later) => {
    const finding = await assertion(later);
    return { ...finding, exchanges: [...finding.exchanges, answer], input: { "not read since": "the update of the instance" } };
  };
}

/** An instance with limits that are removed. */
export const leftWithoutLimits: Fixture<Assertion | null> = fixture(
  "admin",
  "an instance whose limits were removed early in the run",
  async (scope) => {
    const { sent: before } = await scope.use(sampled);
    return left(scope, { clause: "admin-4.2", suffix: "g", before, sent: undefined, judge: await removedFrom(scope) });
  },
);

/** An instance without limits to which some are added. */
export const leftWithLimits: Fixture<Assertion | null> = fixture(
  "admin",
  "an instance to which limits were added early in the run",
  async (scope) => {
    const sent = await scope.use(fewLimits);
    return left(scope, { clause: "admin-4.3", suffix: "h", before: null, sent, judge: await addedTo(scope, sent) });
  },
);

/**
 * Two instances get the same limits by creates at the same time, then one of them and a third one by updates; each time one is given
 * others, and the second reads as before. The one that nobody updates is read again when everything has settled: answers may come from
 * a cache.
 */
export const besideEquals: Assertion = onPoolInstance([acceptedLimits, keptLimits], async (scope, borrowed) => {
  const accepted = await scope.use(acceptedLimits);
  const equal = accepted.together;
  // Names that go on, after a dash, where the name of an instance on loan ends: a service that looks for beginnings mistakes them. One
  // that looks for the last word of the path mistakes them, too.
  const named = async (...suffixes: string[]): Promise<Instance[]> =>
    Promise.all(suffixes.map(async (suffix) => createInstance(scope, suffix, equal)));
  const long = await named("a1-instances1", "a1-instances2");
  // How long a name may be is not stated.
  const both = long.some((one) => isSuccess(one.created)) ? long : await named("a1-1", "a1-2");
  const [changed, held] = both.map(created) as [Instance, Instance];
  // At once, and the one that is kept is not read before: a service may go on answering what it was asked once, or part them later.
  const others = othersThan(scope, accepted, "create");
  await update(scope, changed, newName(scope), others);
  const unread = await withoutThose(scope, held, equal, others);
  if (unread.differences.length > 0) return unread;
  const born = await shownAs(scope, held, held.displayName, equal);
  const sinceCreate = await besides(scope, changed, { instance: held, before: born }, othersThan(scope, accepted, "first update"));
  if (sinceCreate.differences.length > 0) return sinceCreate;
  scope.revisit(held, unchangedSince(held, born));
  // Limits that are written over others and undone a moment later would be the update's own loss, and no other's doing.
  await emptied(scope, borrowed);
  borrowed.bare = false;
  await written(scope, changed, equal);
  const added = async (): Promise<JsonObject> => shownAs(scope, borrowed.instance, await written(scope, borrowed.instance, equal), equal);
  const before = await added();
  const sinceUpdate = await besides(scope, changed, { instance: borrowed.instance, before }, othersThan(scope, accepted, "update"));
  if (sinceUpdate.differences.length > 0 && !(await hasLimits(scope, borrowed.instance))) {
    await emptied(scope, borrowed);
    borrowed.bare = false;
    await staysByItself(scope, borrowed.instance, await added());
  }
  return together([sinceCreate, sinceUpdate]);
});

const BY_ITSELF_MS = 1_000;

/** Whether an instance shows limits, be they its own or another's. */
async function hasLimits(scope: Scope, instance: Instance): Promise<boolean> {
  const { body } = bodyOf(await scope.admin.read(instance.name), CLAUSE);
  return body !== null && isObject(body["limits"]);
}

/** Throws `Inconclusive` where an instance changes while its equal is not updated: that is its own update's loss. */
async function staysByItself(scope: Scope, instance: Instance, before: JsonObject): Promise<void> {
  await scope.run.pause(BY_ITSELF_MS);
  if ((await unchangedSince(instance, before)(scope)).differences.length > 0)
    throw new Inconclusive("an instance changes after its update, also without updates of other instances (see admin-4.PUT and admin-4.3)");
}

const CLAUSE = "admin-4.GET";
const MEANWHILE = { "updated meanwhile": "another instance with the same limits" };

/** Other values of the same limits. */
function othersThan(scope: Scope, { together: equal, valueOf }: AcceptedLimits, when: string): Limits {
  const names = Object.keys(equal) as LimitName[];
  return Object.fromEntries(
    names.flatMap((name) => scope.draw(valueOf(name), `equal since ${when}: ${name}`, 1).map((value) => [name, value] as const)),
  );
}

/** Updates an instance; resolves to its new display name. */
async function written(scope: Scope, instance: Instance, limits: Limits | undefined): Promise<string> {
  const displayName = newName(scope);
  const answer = await update(scope, instance, displayName, limits);
  if (isSuccess(answer)) return displayName;
  throw new Inconclusive(`precondition not met: an update is answered ${statusOf(answer)} (see admin-4.PUT)`);
}

/**
 * The instance as reads show it once they show this display name and these limits: a service may show the two at different times, and
 * what it shows before is no state to be kept. Throws `Inconclusive` when they never do.
 */
async function shownAs(scope: Scope, instance: Instance, displayName: string, sent: Limits): Promise<JsonObject> {
  const { brokenRows } = await scope.use(keptLimits);
  const isThere = (body: JsonObject | null): boolean => {
    const limits = body?.["limits"];
    return (
      body?.["display_name"] === displayName &&
      isObject(limits) &&
      (Object.keys(sent) as LimitName[]).every((name) => brokenRows.has(name) || sameAsRead(name, sent[name], limits[name]))
    );
  };
  const { value, differences } = await scope.eventually({
    resource: instance,
    read: async () => bodyOf(await scope.admin.read(instance.name), "admin-4.GET").body,
    judge: (body): Difference[] =>
      isThere(body)
        ? []
        : [
            {
              clause: "admin-4.PUT",
              path: "instance",
              expected: `${show(displayName)} with the limits that were sent`,
              actual: show(body),
            },
          ],
  });
  if (value === null || differences.length > 0)
    throw new Inconclusive("precondition not met: a read of an instance does not show what was written (see admin-4.PUT and admin-4.GET)");
  return value;
}

/** The first read of an instance shows none of the limits of another one, only its own; any other value is no matter of theirs. */
async function withoutThose(scope: Scope, instance: Instance, own: Limits, others: Limits): Promise<Finding> {
  const names = Object.keys(others) as LimitName[];
  const finding = await expecting({
    clauses: CLAUSE,
    of: instance,
    ask: reading(instance),
    expect: (body) => {
      const { limits } = limitsIn(body, CLAUSE);
      return names
        .filter((name) => sameAsRead(name, others[name], limits?.[name]) && !sameAsRead(name, own[name], limits?.[name]))
        .map((name): Difference => ({
          clause: CLAUSE,
          path: `limits.${name}`,
          expected: `${show(own[name])}, which the create of this instance sent`,
          actual: `${show(limits?.[name])}, which the update of the other instance sent`,
        }));
    },
    input: MEANWHILE,
  })(scope);
  return { ...finding, exchanges: [...finding.exchanges, instance.created] };
}

/** An instance that is not updated, and how it read before. */
interface Kept {
  readonly instance: Instance;
  readonly before: JsonObject;
}

/** Updates of one instance, after which the other one reads as before. */
async function besides(scope: Scope, changed: Instance, { instance, before }: Kept, limits: Limits): Promise<Finding> {
  // Values that do not go together are refused as a whole, which leaves nothing to see; removal is an update that every service takes.
  await update(scope, changed, newName(scope), limits);
  const afterOthers = await unchangedSince(instance, before)(scope);
  await written(scope, changed, undefined);
  const findings = [afterOthers, await unchangedSince(instance, before)(scope)];
  return together(findings.map((one): Finding => ({ ...one, input: MEANWHILE })));
}
