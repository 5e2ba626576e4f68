/**
 * Long names, names that contain another name, and unknown names. Also many instances, because a faulty service may have room for few only:
 * each instance must be readable, and earlier instances must stay unchanged.
 */
import { type Answered, isSuccess, jsonOf, statusOf } from "../client/exchange.ts";
import { Inconclusive, Masked, orInconclusive, precondition } from "../client/inconclusive.ts";
import { type Finding, together } from "../harness/finding.ts";
import { type Assertion, fixture, type Scope } from "../harness/scope.ts";
import { type Difference, show, wrongStatus } from "../model/difference.ts";
import { brokenFields, readView } from "./instance-fields.ts";
import { bare, createInstance, type Instance, LONGEST_NAME, nameOf, newName, SHORT_ID, update } from "./instances.ts";
import { fieldDifference, reading, readSettled, refusal, requireSuccess, shownBy, bodyOf } from "./reading.ts";
import { requireRenaming } from "./single-updates.ts";
import { member, type JsonObject } from "../model/json.ts";
import { instancePool, firstReads } from "./instance-pool.ts";
import { CROWD } from "../harness/costs.ts";
import { everyInstance } from "./creation-time.ts";
import { unchangedSince } from "./unchanged-instances.ts";

const CLAUSE = "admin-2.field.name";

function shows(instance: Instance, displayName: string): Assertion {
  const input = { name: instance.name };
  return shownBy(instance, CLAUSE, (body) => fieldDifference(body, "display_name", displayName, CLAUSE), { input });
}

/** Judges a wrong read after an update. If a second update takes effect, the service loses some updates, whatever the name is. */
async function unlessLost(scope: Scope, instance: Instance, finding: Finding): Promise<Finding> {
  if (finding.differences.length === 0) return finding;
  await requireRenaming(scope);
  const displayName = newName(scope);
  const isNameWrong =
    !isSuccess(await update(scope, instance, displayName)) || (await shows(instance, displayName)(scope)).differences.length > 0;
  if (isNameWrong) return finding;
  const clause = "admin-4.PUT";
  return { ...finding, clauses: [clause], differences: finding.differences.map((one): Difference => ({ ...one, clause })) };
}

/** Throws `Inconclusive` if an instance with a plain name cannot be read, or shows a wrong display name. */
async function requirePlainName(scope: Scope): Promise<void> {
  if ((await scope.use(readView)).body === null || (await scope.use(brokenFields)).has("display_name"))
    throw precondition("an instance with a plain name cannot be read, or does not show the sent values (see admin-4.GET)");
}

/** Resolves to an assertion about a name that contains another, or to null if it is refused. The documents define no rules of names. */
export async function aroundAnother(scope: Scope): Promise<Assertion | null> {
  const inner = await scope.use(bare);
  await requirePlainName(scope);
  // The name of the older instance is short: the common start of all names, and one letter. The new name begins and ends with this name.
  const suffix = `${inner.name.slice(nameOf(scope, "").length)}-${inner.name}`;
  if (nameOf(scope, suffix).length > LONGEST_NAME) return null;
  const outer = await createInstance(scope, suffix, null, { displayName: "plumbline Instance around" });
  if (!isSuccess(outer.created) || outer.name !== nameOf(scope, suffix)) return null;
  return async (later) => {
    const findings: Finding[] = [await shows(outer, outer.displayName)(later), await shows(inner, inner.displayName)(later)];
    const displayName = newName(later);
    if (findings.some(({ differences }) => differences.length > 0)) return together(findings);
    const answer = await update(later, outer, displayName);
    requireSuccess(answer, "an update of the instance whose name begins and ends with the name of another instance", "admin-4.PUT");
    const renamed = await unlessLost(later, outer, await shows(outer, displayName)(later));
    return together([...findings, renamed, await shows(inner, inner.displayName)(later)]);
  };
}

/** Creates an instance with a long name that ends with a dash, or without this dash if the target refuses it. */
async function longNamed(scope: Scope, first: string): Promise<Instance> {
  const length = LONGEST_NAME - nameOf(scope, "").length;
  // The display name is short, so that a limit of its length is not blamed on the name.
  const as = { displayName: `plumbline Instance ${first}` };
  const dashed = await createInstance(scope, `${`${first}--`.padEnd(length - 1, "x1")}-`, null, as);
  return isSuccess(dashed.created) ? dashed : createInstance(scope, `${first}--`.padEnd(length, "x1"), null, as);
}

const longestNamed = fixture<Instance>("admin", "an instance with a long name", async (scope) => longNamed(scope, "o"));

/** Whether another instance with a long name can be read. If so, the length of the name is not why an instance is unreadable. */
async function hasAlike(scope: Scope): Promise<boolean> {
  // The instances are created one after the other. With concurrent creates, a service could lose an instance for another reason.
  for (const first of ["p", "q", "r"]) {
    const other = await longNamed(scope, first);
    if (isSuccess(other.created) && isSuccess(await readSettled(scope, other))) return true;
  }
  return false;
}

/** An instance with the longest name must be readable. Resolves to null if its create is refused, which the documents allow. */
export async function longestName(scope: Scope): Promise<Assertion | null> {
  await scope.use(readView);
  const instance = await scope.use(longestNamed);
  if (!isSuccess(instance.created)) return null;
  await requirePlainName(scope);
  const ask = reading(instance);
  const shows = (displayName: string): Assertion => {
    const expected = { name: instance.name, display_name: displayName };
    return shownBy(
      instance,
      CLAUSE,
      (body) => Object.entries(expected).flatMap(([field, value]) => fieldDifference(body, field, value, CLAUSE)),
      {
        ask: async (asking) => {
          const { malformed, ...read } = await ask(asking);
          // An instance with a plain name can be read, so the long name is the cause of the difference.
          return { ...read, malformed: malformed.map((one): Difference => ({ ...one, clause: CLAUSE })) };
        },
      },
    );
  };
  return async (later) => {
    const first = await shows(instance.displayName)(later);
    if (first.differences.length > 0) {
      const isLost = first.differences.some(({ path }) => path === "status") && (await hasAlike(later));
      const differences = first.differences.map((one): Difference => (isLost ? { ...one, clause: "admin-4.POST" } : one));
      return { ...first, differences, exchanges: [...first.exchanges, instance.created] };
    }
    const displayName = newName(later);
    const answer = await update(later, instance, displayName);
    if (isSuccess(answer)) {
      const second = await unlessLost(later, instance, await shows(displayName)(later));
      return { ...second, exchanges: [...second.exchanges, answer] };
    }
    await requireRenaming(later);
    const differences = [refusal(CLAUSE, "success (2xx) for an update of an instance that can be read", answer)];
    return { clauses: [CLAUSE], differences, exchanges: [answer, ...first.exchanges] };
  };
}

/** Resolves to existing long names with another last character. A service that truncates names confuses them. The list may be empty. */
async function almostTheLongest(scope: Scope): Promise<string[]> {
  const names = (await scope.use(instancePool)).created.map(({ instance }) => instance.name);
  // In a shard, the budget may allow no further instance for a long name.
  const long = await orInconclusive<Instance | null>(
    async () => scope.use(longestNamed),
    () => null,
  );
  if (long !== null && isSuccess(long.created)) names.push(long.name);
  const [longest] = names.toSorted((one, other) => other.length - one.length);
  return longest === undefined ? [] : [`${longest.slice(0, -1)}z`];
}

/** Reads of three unknown names must show no instance: the start of a name, a longer name, and a name with another last character. */
export const unknownNames: Assertion = async (scope) => {
  const { name } = await scope.use(bare);
  if ((await scope.use(readView)).body === null || (await scope.use(brokenFields)).has("name"))
    throw precondition("no read shows the name that a create sent (see admin-4.GET and admin-2.field.name)");
  // Each name of the run begins with this text.
  const beginning = nameOf(scope, "").slice(0, -1);
  const findings: Finding[] = [];
  let failure: Answered | null = null;
  for (const asked of [beginning, `${name}-none`, ...(await almostTheLongest(scope))]) {
    const answer = await scope.admin.probe("read an unknown name", "GET", asked);
    // Statuses 5xx and 401 show nothing about the name. A 403 is legal, because some services answer 403 for an unknown instance.
    if (statusOf(answer) === 401) continue;
    if (statusOf(answer) >= 500) {
      failure = answer;
      continue;
    }
    const shown = isSuccess(answer) ? member(jsonOf(answer), "name") : undefined;
    // A run can build names in several ways. Each name contains the end of the run id.
    const isOfRun = typeof shown === "string" && shown.toLowerCase().includes(scope.run.runId.slice(-SHORT_ID).toLowerCase());
    const isAnothers = isOfRun && shown !== asked;
    const expected = `no instance, or the instance ${show(asked)}, because the last path segment of a read is the name`;
    const differences: Difference[] = isAnothers ? [{ clause: CLAUSE, path: "name", expected, actual: show(shown) }] : [];
    findings.push({ clauses: [CLAUSE], differences, exchanges: [answer], input: { "last path segment": asked } });
  }
  // The document does not say how reads of unknown names are answered. If a known name can still be read, the unknown names caused the 5xx.
  if (findings.length === 0 && failure !== null && isSuccess(await scope.admin.read(name)))
    throw new Masked(CLAUSE, "reads of unknown names", failure);
  if (findings.length === 0)
    throw new Inconclusive("each read of an unknown name was answered 401 or 5xx, so the responses show nothing about names");
  return together(findings);
};

/** The number of early instances that are read again. After CROWD creates, a server with 32 places may have lost one of them. */
const FIRST = 4;
/** The number of concurrent creates. */
const AT_ONCE = 4;

/** Creates instances until there are enough, or until a create is refused. The documents do not say how many instances a target accepts. */
async function filledUp(scope: Scope): Promise<readonly Instance[]> {
  const made: Instance[] = [];
  while (scope.run.instances().created < CROWD) {
    const wanted = Math.min(AT_ONCE, CROWD - scope.run.instances().created);
    const batch = await Promise.all(Array.from({ length: wanted }, (_, index) => createInstance(scope, `n${made.length + index}`, null)));
    made.push(...batch.filter(({ created }) => isSuccess(created)));
    if (batch.some(({ created }) => !isSuccess(created))) break;
  }
  return made;
}

/** Resolves to null if the run may not create so many instances, or if the target refuses one. No other check may write at this time. */
export async function amongMany(scope: Scope): Promise<Assertion | null> {
  const { created, left } = scope.run.instances();
  if (created + left < CROWD) return null;
  const earlier = (await scope.use(everyInstance)).slice(0, FIRST);
  const before = await Promise.all(
    earlier.map(async (instance) => {
      const read = await readSettled(scope, instance);
      const { body } = bodyOf(read, "admin-4.GET");
      return body === null ? [] : [{ instance, body, read }];
    }),
  );
  const readable = before.flat();
  if (readable.length === 0) throw precondition("no instance can be read (see admin-4.GET)");
  const made = await filledUp(scope);
  if (scope.run.instances().created < CROWD) return null;
  const isNameKept = !(await scope.use(brokenFields)).has("display_name");
  // Creates that were repeated may already have made enough instances. In this case, existing instances are read instead of new instances.
  const newest = made.length > 0 ? made : (await scope.use(everyInstance)).slice(-AT_ONCE);
  return async (later) => {
    const old = readable.map(async ({ instance, body, read }): Promise<Finding> => {
      const finding = await unchangedSince(instance, body)(later);
      return { ...finding, exchanges: [...finding.exchanges, read] };
    });
    const fresh = newest.map(async (instance) => isThere(later, instance, isNameKept && made.length > 0));
    return { input: { "instances of this run": CROWD }, ...together(await Promise.all([...old, ...fresh])) };
  };
}

/** Verifies that an instance can be read after its accepted create, and that the read shows this instance. */
async function isThere(scope: Scope, instance: Instance, isNameKept: boolean): Promise<Finding> {
  const expect = (body: JsonObject): Difference[] =>
    isNameKept ? fieldDifference(body, "display_name", instance.displayName, "admin-4.GET") : [];
  return notCreated(await shownBy(instance, ["admin-4.GET", "admin-4.POST"], expect, { after: [instance.created] })(scope));
}

/** Other instances can be read. So if the read failed, this returns a finding about the create, and not about the read. */
export function notCreated(finding: Finding): Finding {
  const [deciding] = finding.exchanges as readonly Answered[];
  if (finding.differences.length === 0 || deciding === undefined || isSuccess(deciding)) return finding;
  const expected = "the created instance can be read, like other instances";
  return { ...finding, clauses: ["admin-4.POST"], differences: [wrongStatus("admin-4.POST", expected, `status ${statusOf(deciding)}`)] };
}

/** Resolves to an assertion that each created instance of the pool can be read. Resolves to null if no instance of the pool was created. */
export async function eachIsThere(scope: Scope): Promise<Assertion | null> {
  const { lost } = await scope.use(instancePool);
  const first = await scope.use(firstReads);
  if (lost.length > 0) return async (later) => together(await Promise.all(lost.map(async (instance) => isThere(later, instance, false))));
  if (first.length === 0) return null;
  const seen = first.filter((read) => bodyOf(read, "admin-4.GET").body !== null);
  if (seen.length === 0) throw precondition("no instance of the instance pool can be read (see admin-4.GET)");
  return async () => ({ clauses: ["admin-4.POST"], differences: [], exchanges: seen });
}
