/** docs/1 section 4, PUT and rules 2 and 3: removing limits, adding them, and changing the rest of an instance. */
import { everyLimit, limitSubset, overlappingSubsets } from "../../src/arbitraries/limits.ts";
import { type Answered, isSuccess, statusOf } from "../../src/client/exchange.ts";
import type { ClauseId } from "../../src/contract/catalogue.ts";
import type { Limits } from "../../src/contract/limits.ts";
import type { Check } from "../../src/harness/check.ts";
import type { Scope } from "../../src/harness/context.ts";
import type { CaseFinding } from "../../src/harness/property.ts";
import { type Difference, show } from "../../src/model/difference.ts";
import { sameAsRead, sentDifferences, unsentDifferences } from "../../src/model/filling.ts";
import { isObject, type JsonObject } from "../../src/model/json.ts";
import { type Bench, benchCount } from "./benches.ts";
import { adminCheck } from "./check.ts";
import { atDefaults, shownDefaults } from "./facts.ts";
import { keepingFacts, onBench } from "./keeping.ts";
import { knownBroken } from "./fields.ts";
import { bare, created, STATUS, update } from "./instances.ts";
import { bodyOf, type Field, fieldDifference, limitsIn, noLimits, readUntil } from "./reading.ts";
import { writable } from "./writable.ts";

/** What an instance must be after an update. */
export interface Expectation {
  readonly displayName: string;
  /** What is wrong with the limits of an instance object. */
  readonly limits: (body: JsonObject) => readonly Difference[];
}

/** Everything wrong with an instance object after an update; fields known to be wrong by themselves are left out. */
export function stateDifferences(bench: Bench, expected: Expectation, body: JsonObject, known: ReadonlySet<Field>): Difference[] {
  const { instance } = bench;
  const fields = { name: instance.name, display_name: expected.displayName, status: STATUS, cluster: instance.cluster };
  return [
    ...(Object.entries(fields) as [Field, string][])
      .filter(([field]) => !known.has(field))
      // An update does not send the name: shown wrong, it is the field that is wrong.
      .flatMap(([field, value]) =>
        fieldDifference(body, field, value, field === "name" && Object.hasOwn(body, field) ? "admin-2.field.name" : "admin-4.PUT"),
      ),
    ...expected.limits(body),
  ];
}

/** Updates a bench, judges the answer, then reads until the instance is as expected. */
export async function updateAndJudge(
  scope: Scope,
  bench: Bench,
  expected: Expectation,
  limits: Limits | undefined,
  clause: ClauseId,
): Promise<CaseFinding & { readonly refused?: true }> {
  const known = await knownBroken(scope);
  const answer = await update(scope, bench.instance, expected.displayName, limits);
  if (isSuccess(answer)) bench.bare = limits === undefined;
  const { body, differences } = bodyOf(answer, clause);
  if (!isSuccess(answer)) return refusedUpdate(scope, bench, answer, limits, clause);
  const onAnswer = body === null ? differences : stateDifferences(bench, expected, body, known);
  const {
    value,
    differences: onRead,
    sightings,
  } = await readUntil(scope, bench.instance, (read) => stateDifferences(bench, expected, read, known));
  // Where the answer was right, a read that differs shows that what was answered is not what is stored.
  const unreadable = bodyOf(value, "admin-4.GET").body === null;
  const later = onRead.filter(
    ({ clause: blame, path }) => unreadable || !onAnswer.some((early) => early.clause === blame && early.path === path),
  );
  return { differences: [...onAnswer.map(prefixed("answer")), ...later.map(prefixed("later read"))], sightings };
}

function prefixed(where: string): (difference: Difference) => Difference {
  return (difference) => ({ ...difference, path: `${difference.path} (${where})` });
}

/** A refused update breaks its clause, unless it is the values that do not go together: which ones do is not stated. */
async function refusedUpdate(
  scope: Scope,
  bench: Bench,
  answer: Answered,
  limits: Limits | undefined,
  clause: ClauseId,
): Promise<CaseFinding & { readonly refused: true }> {
  const what =
    limits === undefined ? "an update without limits" : `an update with ${Object.keys(limits).length} limits at their documented defaults`;
  const refusal = (refused: Answered): Difference => ({
    clause,
    path: "status",
    expected: `success (2xx) for ${what}`,
    actual: `status ${statusOf(refused)}: ${show(refused.response.body)}`,
  });
  if (limits === undefined) return { differences: [refusal(answer)], refused: true };
  const plain = await update(scope, bench.instance, newName(scope), atDefaults(limits));
  if (!isSuccess(plain)) return { differences: [refusal(plain)], refused: true };
  bench.bare = false;
  return { differences: [], refused: true };
}

export function newName(scope: Scope): string {
  return `Plumbline ${scope.run.unique()}`;
}

/** Limits after adding `sent` to an instance without limits. */
export async function addedTo(scope: Scope, sent: Limits, clause: ClauseId = "admin-4.3"): Promise<Expectation["limits"]> {
  const { brokenRows } = await scope.use(keepingFacts);
  const effective = await shownDefaults(scope);
  return (body) => {
    const { limits, differences } = limitsIn(body, clause);
    if (limits === null) return differences;
    return [
      ...sentDifferences(sent, limits, clause, (name) => brokenRows.has(name)),
      ...unsentDifferences(sent, limits, (name) => (effective[name] === undefined ? [] : [effective[name]]), clause),
    ];
  };
}

/** No limits after an update without them; where an instance that never had any shows the same, that is what is wrong. */
export async function removedFrom(scope: Scope): Promise<Expectation["limits"]> {
  const instance = created(await scope.use(bare));
  const { value } = await readUntil(scope, instance, (body) => noLimits(body, "admin-2.field.limits"));
  const { body: never } = bodyOf(value, "admin-4.GET");
  const usual = never !== null && Object.hasOwn(never, "limits") ? JSON.stringify(never["limits"]) : undefined;
  return (body) => noLimits(body, JSON.stringify(body["limits"]) === usual ? "admin-2.field.limits" : "admin-4.2");
}

const removal = adminCheck({
  slug: "removes",
  title: "an update without limits removes them, again and again",
  clauses: ["admin-4.2"],
  run: (t) =>
    onBench(t, async (bench) => {
      const gone = await removedFrom(t);
      const { names } = await t.use(writable);
      const sets = [
        ...t.draw(everyLimit(names), "removal of all", 1),
        ...t.draw(limitSubset(names), "removal", t.pick({ smoke: 0, release: 2, nightly: 9 })),
      ];
      for (const sent of sets) {
        const first = await update(t, bench.instance, newName(t), sent);
        const added = isSuccess(first) ? first : await update(t, bench.instance, newName(t), atDefaults(sent));
        if (!isSuccess(added)) return t.inconclusive(`precondition: adding limits was answered ${statusOf(added)} (see admin-4.3)`);
        bench.bare = false;
        const shown = await readUntil(t, bench.instance, (body) => limitsIn(body, "admin-4.3").differences);
        if (shown.differences.length > 0)
          return t.inconclusive("precondition: limits that were added are not shown (see admin-4.3 and admin-4.GET)");
        const { differences, sightings = [] } = await updateAndJudge(
          t,
          bench,
          { displayName: newName(t), limits: gone },
          undefined,
          "admin-4.2",
        );
        t.judge("admin-4.2", differences, { sightings, input: { value: sent, note: "the limits that were removed" } });
      }
      const again = await updateAndJudge(t, bench, { displayName: newName(t), limits: gone }, undefined, "admin-4.2");
      t.judge("admin-4.2", again.differences, again.sightings === undefined ? {} : { sightings: again.sightings });
    }),
});

const adding = adminCheck({
  slug: "any-subset",
  title: "limits added to an instance without limits are kept and the others filled with the global defaults",
  clauses: ["admin-4.3"],
  async run(t) {
    const { names } = await t.use(writable);
    await t.property({
      arbitrary: limitSubset(names),
      clauses: ["admin-4.3"],
      cases: t.pick({ smoke: 2, release: 15, nightly: 150 }),
      minimum: t.pick({ smoke: 2, release: 6, nightly: 15 }),
      overlap: await benchCount(t),
      run: (sent, scope) =>
        onBench(scope, async (bench) => {
          if (!bench.bare) {
            const removed = await update(scope, bench.instance, newName(scope));
            if (isSuccess(removed)) bench.bare = true;
          }
          return updateAndJudge(scope, bench, { displayName: newName(scope), limits: await addedTo(scope, sent) }, sent, "admin-4.3");
        }),
    });
  },
});

const over = adminCheck({
  slug: "over-limits",
  title: "limits written over limits are kept, and each other one is what it was or its default",
  clauses: ["admin-4.PUT"],
  profiles: ["release", "nightly"],
  async run(t) {
    const { names } = await t.use(writable);
    const outcomes = new Set<string>();
    await t.property({
      arbitrary: overlappingSubsets(names),
      clauses: ["admin-4.PUT"],
      cases: t.pick({ smoke: 1, release: 12, nightly: 100 }),
      minimum: 5,
      overlap: await benchCount(t),
      run: (input, scope) => onBench(scope, (bench) => judgeOverwrite(scope, bench, input, outcomes)),
    });
    t.observe("admin-4.4", "put-over-limits", "what an update with limits does to the limits it does not send", [...outcomes].toSorted());
  },
});

async function judgeOverwrite(
  scope: Scope,
  bench: Bench,
  { before, after }: { before: Limits; after: Limits },
  outcomes: Set<string>,
): Promise<CaseFinding> {
  const { brokenRows } = await scope.use(keepingFacts);
  const effective = await shownDefaults(scope);
  const first = await update(scope, bench.instance, newName(scope), before);
  if (!isSuccess(first)) return refusedUpdate(scope, bench, first, before, "admin-4.3");
  bench.bare = false;
  const {
    value,
    differences: notKept,
    sightings,
  } = await readUntil(scope, bench.instance, (body) => {
    const { limits, differences } = limitsIn(body, "admin-4.3");
    return limits === null ? differences : sentDifferences(before, limits, "admin-4.PUT", (name) => brokenRows.has(name));
  });
  if (notKept.length > 0) return { differences: notKept, sightings };
  const was = bodyOf(value, "admin-4.GET").body?.["limits"];
  if (!isObject(was)) return { differences: [] };
  return updateAndJudge(
    scope,
    bench,
    {
      displayName: newName(scope),
      limits: (body) => {
        const { limits, differences } = limitsIn(body, "admin-4.PUT");
        if (limits === null) return differences;
        for (const [name, old] of Object.entries(before)) {
          if (Object.hasOwn(after, name) || sameAsRead(name as keyof Limits, old, effective[name as keyof Limits])) continue;
          outcomes.add(sameAsRead(name as keyof Limits, limits[name], old) ? "kept" : "reset to the default");
        }
        return [
          ...sentDifferences(after, limits, "admin-4.PUT", (name) => brokenRows.has(name)),
          ...unsentDifferences(after, limits, (name) => (effective[name] === undefined ? [] : [was[name], effective[name]]), "admin-4.PUT"),
        ];
      },
    },
    after,
    "admin-4.PUT",
  );
}

const displayName = adminCheck({
  slug: "display-name",
  title: "an update changes the display name, with limits and without",
  clauses: ["admin-4.PUT"],
  run: (t) =>
    onBench(t, async (bench) => {
      const gone = await removedFrom(t);
      const without = await updateAndJudge(t, bench, { displayName: newName(t), limits: gone }, undefined, "admin-4.PUT");
      t.judge("admin-4.PUT", without.differences, { sightings: without.sightings ?? [] });
      const sent = { max_series_per_user: 9_876 };
      const withLimits = await updateAndJudge(t, bench, { displayName: newName(t), limits: await addedTo(t, sent) }, sent, "admin-4.PUT");
      t.judge("admin-4.PUT", withLimits.differences, { sightings: withLimits.sightings ?? [] });
    }),
});

const onlyLimits = adminCheck({
  slug: "only-limits",
  title: "an update that changes nothing but the limits is carried out",
  clauses: ["admin-4.PUT"],
  profiles: ["release", "nightly"],
  run: (t) =>
    onBench(t, async (bench) => {
      const same = newName(t);
      const gone = await removedFrom(t);
      const sent = { max_series_per_user: 4_567 };
      // Removed and added together with a new name the limits must be right: then what fails below is the update of limits alone.
      for (const [displayName, limits] of [
        [newName(t), undefined],
        [newName(t), sent],
        [same, undefined],
      ] as const) {
        const expected = { displayName, limits: limits === undefined ? gone : await addedTo(t, limits) };
        const { differences } = await updateAndJudge(t, bench, expected, limits, "admin-4.PUT");
        if (differences.length > 0)
          return t.inconclusive("precondition: limits are not added and removed together with a new name (see admin-4.2 and admin-4.3)");
      }
      for (const limits of [sent, undefined]) {
        const expected = { displayName: same, limits: limits === undefined ? gone : await addedTo(t, limits) };
        const { differences, sightings } = await updateAndJudge(t, bench, expected, limits, "admin-4.PUT");
        t.judge(
          "admin-4.PUT",
          differences.map((one): Difference => ({ ...one, clause: "admin-4.PUT" })),
          { sightings: sightings ?? [] },
        );
      }
    }),
});

export const UPDATE_CHECKS: readonly Check[] = [onlyLimits, removal, adding, over, displayName];
