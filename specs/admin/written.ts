/** docs/1 section 2, Limits object: each limit is kept as it was sent, at creation and by itself through an update. */
import { unusualValue, zeroValue } from "../../src/arbitraries/limits.ts";
import { isSuccess, statusOf } from "../../src/client/exchange.ts";
import { LIMIT_NAMES, LIMITS, type LimitName, type LimitType, type Limits, type LimitValue } from "../../src/contract/limits.ts";
import type { Check } from "../../src/harness/check.ts";
import type { CheckContext } from "../../src/harness/context.ts";
import { type Difference, show } from "../../src/model/difference.ts";
import { durationLength } from "../../src/model/duration.ts";
import { sameAsRead, sentDifferences } from "../../src/model/filling.ts";
import type { JsonObject } from "../../src/model/json.ts";
import { adminCheck } from "./check.ts";
import { keepingFacts, onBench } from "./keeping.ts";
import { createInstance, update } from "./instances.ts";
import { limitsIn, readUntil } from "./reading.ts";
import { sweep } from "./sweep.ts";
import { refusals, writable } from "./writable.ts";

const addedByThemselves = adminCheck({
  slug: "each-by-itself",
  title: "each limit can be added by itself and is kept",
  clauses: ["admin-4.3"],
  profiles: ["release", "nightly"],
  async run(t) {
    const swept = await t.use(sweep);
    const { brokenRows } = await t.use(keepingFacts);
    // A limit that a create keeps and an update does not is no matter of the limit but of adding.
    const telling = swept.flatMap((one) => {
      const lost = one.differences
        .filter(
          (difference) =>
            difference.clause === "admin-4.3" ||
            (difference.clause === `admin-2.limit.${one.name}` && !isTypeDifference(difference) && !brokenRows.has(one.name)),
        )
        .map((difference): Difference => ({ ...difference, clause: "admin-4.3" }));
      return lost.length === 0 ? [] : [{ ...one, lost }];
    });
    const [first] = telling;
    // Every limit by itself shows the same defect again; the first one explains it.
    if (first === undefined) return t.judge("admin-4.3", []);
    t.judge("admin-4.3", first.lost, {
      sightings: first.sightings,
      exchanges: [first.exchange],
      input: { value: first.sent, note: `the limit that was added, one of ${telling.length}` },
    });
  },
});

/** Whether the value came back as another JSON type, which is the row's own fault however many rows have it. */
function isTypeDifference({ nature }: Difference): boolean {
  return nature === "type";
}

function writtenRow(name: LimitName): Check {
  const clause = `admin-2.limit.${name}` as const;
  return adminCheck({
    slug: "written",
    title: `${name} is kept as it was sent`,
    clauses: [clause],
    async run(t) {
      const { names, refused } = await t.use(writable);
      const refusal = refused.get(name);
      if (refusal?.plain === true && LIMITS[name].type !== "retention") {
        const expected = `success (2xx) when ${name} is set to ${show(refusal.value)}, a plain value`;
        t.judge(
          clause,
          [{ clause, path: "status", expected, actual: `status ${statusOf(refusal.exchange)}: ${show(refusal.exchange.response.body)}` }],
          { exchanges: [refusal.exchange] },
        );
        return;
      }
      if (!names.includes(name) && refusal?.alternative === undefined) {
        return t.notRun(
          `this target refuses every value tried other than the default (first ${show(refusal?.value)}); which values it takes is not stated`,
        );
      }
      const keeping = await t.use(keepingFacts);
      const alone = (await t.use(sweep)).find((one) => one.name === name);
      const fromCreate = keeping.differences.filter((difference) => difference.clause === clause);
      const fromUpdate = (alone?.differences ?? []).filter(
        (difference) => difference.clause === clause && (keeping.brokenRows.has(name) || isTypeDifference(difference)),
      );
      const observed =
        keeping.sentNames.has(name) || (alone !== undefined && alone.differences.every((difference) => difference.path !== "limits"));
      if (!observed)
        return t.inconclusive("precondition: no read showed limits of an instance that was sent this limit (see admin-4.1 and admin-4.3)");
      t.judge(
        clause,
        [...fromCreate, ...fromUpdate],
        alone === undefined ? {} : { sightings: alone.sightings, exchanges: [alone.exchange] },
      );
    },
  });
}

/** Zero, false, the empty string and null are values, not "not set". */
const zeros = adminCheck({
  slug: "zeros-are-values",
  title: 'limits set to 0, false, "" and null are set, not filled',
  clauses: ["admin-4.3"],
  profiles: ["release", "nightly"],
  run: (t) => judgeTaken(t, (name) => zeroValue(name)),
});

/** Creates an instance with what the target takes of one value per limit, and judges that it was kept. */
function onCreate(
  slug: string,
  title: string,
  suffix: string,
  valueOf: (t: CheckContext, name: LimitName) => LimitValue | undefined,
): Check {
  return adminCheck({
    slug,
    title,
    clauses: ["admin-4.1"],
    profiles: ["release", "nightly"],
    async run(t) {
      const { brokenRows } = await t.use(keepingFacts);
      const wanted = valuesOf((name) => valueOf(t, name));
      const taken = await onBench(t, async (bench) => {
        bench.bare = false;
        return withoutRefused(wanted, await refusals(t, bench, wanted));
      });
      if (Object.keys(taken).length === 0) return t.notRun("this target refuses all of these values; which values it takes is not stated");
      const instance = await createInstance(t, suffix, taken);
      if (!isSuccess(instance.created))
        return t.notRun(
          `this target refuses a create with these values together (${statusOf(instance.created)}); which values it takes is not stated`,
        );
      const { differences, sightings } = await readUntil(t, instance, (body) => {
        const { limits, differences: none } = limitsIn(body, "admin-4.1");
        return limits === null ? none : zeroDifferences(taken, limits, "admin-4.1", brokenRows);
      });
      t.judge("admin-4.1", differences, { sightings, input: { value: taken, note: "one value per limit" } });
    },
  });
}

const zerosOnCreate = onCreate(
  "zeros-are-values",
  'a create with limits of 0, false, "" and null sets them, and fills only what was not sent',
  "z",
  (_t, name) => zeroValue(name),
);

const unusualOnCreate = onCreate("unusual-values", "unusual values of a create, once accepted, are kept exactly", "v", (t, name) =>
  t.draw(unusualValue(name), `unusual create ${name}`, 1).at(0),
);

/** A value that every server takes which lets the limit be set at all. */
const ONE_LIMIT: Limits = { max_series_per_user: 4_321 };

const oneLimit = adminCheck({
  slug: "one-limit",
  title: "a create with a single limit is accepted",
  clauses: ["admin-4.1"],
  profiles: ["release", "nightly"],
  async run(t) {
    const { names } = await t.use(writable);
    if (!names.includes("max_series_per_user"))
      return t.notRun("this target refuses values of this limit; which values it takes is not stated");
    const { created } = await createInstance(t, "o", ONE_LIMIT);
    t.judge(
      "admin-4.1",
      isSuccess(created)
        ? []
        : [
            {
              clause: "admin-4.1",
              path: "status",
              expected: `success (2xx) for a create with ${show(ONE_LIMIT)}, which an update is allowed to set`,
              actual: `status ${statusOf(created)}: ${show(created.response.body)}`,
            },
          ],
      { exchanges: [created] },
    );
  },
});

const unusual = adminCheck({
  slug: "unusual-values",
  title: "unusual values, once accepted, are kept exactly",
  clauses: ["admin-4.3"],
  profiles: ["release", "nightly"],
  run: (t) => judgeTaken(t, (name) => t.draw(unusualValue(name), `unusual ${name}`, 1)[0]),
});

/** Values that are lost for every limit of a type whose default is another are lost as such: it is not those limits. */
function zeroDifferences(
  taken: Limits,
  limits: JsonObject,
  rule: "admin-4.1" | "admin-4.3",
  brokenRows: ReadonlySet<LimitName>,
): Difference[] {
  const lost = LIMIT_NAMES.filter((name) => taken[name] !== undefined && !sameAsRead(name, taken[name], limits[name]));
  const telling = (type: LimitType): LimitName[] =>
    LIMIT_NAMES.filter((name) => LIMITS[name].type === type && taken[name] !== undefined && taken[name] !== LIMITS[name].default);
  const wholeTypes = new Set(TYPES.filter((type) => telling(type).length > 1 && telling(type).every((name) => lost.includes(name))));
  return sentDifferences(taken, limits, rule, (name) => brokenRows.has(name) && !wholeTypes.has(LIMITS[name].type));
}

const TYPES: readonly LimitType[] = ["integer", "boolean", "string"];

function valuesOf(valueOf: (name: LimitName) => LimitValue | undefined): Limits {
  return Object.fromEntries(
    LIMIT_NAMES.flatMap((name) => {
      const value = valueOf(name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

function withoutRefused(limits: Limits, refused: ReadonlyMap<LimitName, unknown>): Limits {
  return Object.fromEntries(Object.entries(limits).filter(([name]) => !refused.has(name as LimitName)));
}

/** Writes what the target takes of one value per limit, in one update, and judges that it was kept. */
async function judgeTaken(t: Parameters<Check["run"]>[0], valueOf: (name: LimitName) => LimitValue | undefined): Promise<void> {
  const { brokenRows } = await t.use(keepingFacts);
  const wanted = valuesOf(valueOf);
  await onBench(t, async (bench) => {
    if (!bench.bare) await update(t, bench.instance, `Plumbline ${t.run.unique()}`);
    bench.bare = false;
    const taken = withoutRefused(wanted, await refusals(t, bench, wanted));
    if (Object.keys(taken).length === 0) return t.notRun("this target refuses all of these values; which values it takes is not stated");
    await update(t, bench.instance, `Plumbline ${t.run.unique()}`);
    const answer = await update(t, bench.instance, `Plumbline ${t.run.unique()}`, taken);
    if (!isSuccess(answer))
      return t.inconclusive(
        `precondition: adding ${Object.keys(taken).length} limits was answered ${statusOf(answer)}, though each is taken by itself`,
      );
    const { differences, sightings } = await readUntil(t, bench.instance, (body) => {
      const { limits, differences: none } = limitsIn(body, "admin-4.3");
      return limits === null ? none : zeroDifferences(taken, limits, "admin-4.3", brokenRows);
    });
    t.judge("admin-4.3", differences, { sightings, input: { value: taken, note: "one value per limit" } });
  });
}

/** Whether a period is no shorter than one of `others` and no longer than one of them. */
function isBetween(amount: string, others: readonly string[]): boolean {
  const lengths = others.map((other) => Number(durationLength(other)));
  const length = Number(durationLength(amount));
  return lengths.some((other) => other <= length) && lengths.some((other) => other >= length);
}

const retention = adminCheck({
  slug: "read-back",
  title: "a retention period in days and in years is accepted and read back as that length",
  clauses: ["admin-2.retention-format"],
  run: (t) =>
    onBench(t, async (bench) => {
      const name = "compactor_blocks_retention_period";
      const amounts = t.pick({
        smoke: ["365d", "1y"],
        release: ["1d", "17d", "365d", "1y", "2y", "13y"],
        nightly: ["1d", "17d", "30d", "365d", "400d", "3650d", "1y", "2y", "13y", "100y", "280y"],
      });
      const { differences: onCreate } = await t.use(keepingFacts);
      const wrong: Difference[] = onCreate.filter(({ clause }) => clause === "admin-2.retention-format");
      const refused: { readonly amount: string; readonly difference: Difference }[] = [];
      const taken: string[] = [];
      let kept = 0;
      for (const amount of amounts) {
        const sent: Limits = { [name]: amount };
        if (!bench.bare) await update(t, bench.instance, `Plumbline ${t.run.unique()}`);
        bench.bare = false;
        const answer = await update(t, bench.instance, `Plumbline ${t.run.unique()}`, sent);
        if (!isSuccess(answer)) {
          const difference: Difference = {
            clause: "admin-2.retention-format",
            path: "status",
            expected: `success (2xx) for ${show(amount)}`,
            actual: `status ${statusOf(answer)}: ${show(answer.response.body)}`,
          };
          refused.push({ amount, difference });
          continue;
        }
        taken.push(amount);
        const { differences } = await readUntil(t, bench.instance, (body) => {
          const { limits, differences: none } = limitsIn(body, "admin-4.3");
          if (limits === null) return none;
          return sentDifferences(sent, limits, "admin-2.retention-format", () => false);
        });
        if (differences.length === 0) kept += 1;
        wrong.push(...differences);
      }
      // How short or long a period may be is not stated; one between two that are taken is refused for the way it is written.
      wrong.push(...refused.filter(({ amount }) => taken.length === 0 || isBetween(amount, taken)).map(({ difference }) => difference));
      // Where no period at all is kept it is the limit that is not kept, and its row says so.
      const whole = kept === 0 && wrong.every(({ path }) => path === `limits.${name}`);
      const elsewhere = wrong.filter(({ clause }) => clause !== "admin-2.retention-format");
      if (whole || elsewhere.length > 0)
        t.judge([], whole ? wrong.map((one): Difference => ({ ...one, clause: `admin-2.limit.${name}` })) : elsewhere);
      if (whole) return t.inconclusive(`precondition: no retention period is kept (see admin-2.limit.${name})`);
      if (elsewhere.length > 0 && kept === 0) return t.inconclusive("precondition: limits that were added are not shown (see admin-4.3)");
      t.judge(
        "admin-2.retention-format",
        wrong.filter(({ clause }) => clause === "admin-2.retention-format"),
      );
    }),
});

export const WRITTEN_CHECKS: readonly Check[] = [
  addedByThemselves,
  zeros,
  zerosOnCreate,
  unusualOnCreate,
  oneLimit,
  unusual,
  retention,
  ...LIMIT_NAMES.map(writtenRow),
];
