/** docs/1 section 2, Limits object, and section 4 rule 1: what a create fills, and the table row by row. */
import { isDeepStrictEqual } from "node:util";
import { isSuccess, jsonOf, statusOf } from "../../src/client/exchange.ts";
import { LIMIT_NAMES, LIMITS, type LimitName } from "../../src/contract/limits.ts";
import type { Check } from "../../src/harness/check.ts";
import { type Difference, show } from "../../src/model/difference.ts";
import { misspelt, sameAsRead } from "../../src/model/filling.ts";
import { isObject, type JsonObject, member } from "../../src/model/json.ts";
import { adminCheck } from "./check.ts";
import { createFacts } from "./facts.ts";
import { keepingFacts, onBench } from "./keeping.ts";
import { update } from "./instances.ts";

const filledOnCreate = adminCheck({
  slug: "filled",
  title: "a create with some limits is filled with the global defaults, whatever was sent",
  clauses: ["admin-4.1"],
  async run(t) {
    const { views, refused, filling, readsHideLimits } = await t.use(createFacts);
    if (views.length === 0 && refused.length === 0) return t.inconclusive("precondition: no instance was created with limits");
    const problems = refused.map(({ sent, created }): Difference => ({
      clause: "admin-4.1",
      path: "status",
      expected: `success (2xx) for a create with ${Object.keys(sent ?? {}).length} limits at their documented defaults`,
      actual: `status ${statusOf(created)}: ${show(created.response.body)}`,
    }));
    if (readsHideLimits) t.judge([], [hidden(views.length)]);
    const rule = readsHideLimits ? [] : filling.rule;
    t.judge(problems.length + rule.length > 0 || !readsHideLimits ? "admin-4.1" : [], [...problems, ...rule], {
      exchanges: [...refused.map(({ created }) => created), ...views.map(({ exchange }) => exchange)],
      ...(views[0] === undefined ? {} : { sightings: views[0].sightings }),
    });
    if (readsHideLimits) return t.inconclusive("precondition: reads never show limits (see admin-4.GET)");
    if (views.every(({ limits }) => limits === undefined) && rule.length === 0)
      return t.inconclusive("precondition: no created instance can be read (see admin-4.GET)");
  },
});

function hidden(count: number): Difference {
  return {
    clause: "admin-4.GET",
    path: "limits",
    expected: "all limits, as the instance has limits and the answer of its update shows them",
    actual: `absent, in the reads of ${count + 1} instances`,
  };
}

const keptOnCreate = adminCheck({
  slug: "kept",
  title: "the limits sent with a create are the limits of the instance",
  clauses: ["admin-4.1"],
  async run(t) {
    const { differences, sentNames } = await t.use(keepingFacts);
    const { views } = await t.use(createFacts);
    if (sentNames.size === 0)
      return t.inconclusive("precondition: no read of a created instance showed limits (see admin-4.1 and admin-4.GET)");
    t.judge(
      "admin-4.1",
      differences.filter(({ clause }) => clause === "admin-4.1"),
      { exchanges: views.map(({ exchange }) => exchange) },
    );
  },
});

const exactNames = adminCheck({
  slug: "exact",
  title: "limit names come back exactly as the table writes them",
  clauses: ["admin-2.3a"],
  async run(t) {
    const { views } = await t.use(createFacts);
    const shown = views.map(({ exchange }) => member(jsonOf(exchange), "limits")).filter(isObject);
    if (shown.length === 0) return t.inconclusive("precondition: no read showed limits (see admin-4.1 and admin-4.GET)");
    const found = new Map<string, Difference>();
    for (const limits of shown) {
      for (const key of Object.keys(limits)) {
        const meant = misspelt(key);
        if (meant === undefined || Object.hasOwn(limits, meant)) continue;
        found.set(key, { clause: "admin-2.3a", path: `limits.${key}`, expected: `the name ${meant}`, actual: `the name ${key}` });
      }
    }
    t.judge("admin-2.3a", [...found.values()]);
  },
});

function defaultRow(name: LimitName): Check {
  const clause = `admin-2.limit.${name}` as const;
  return adminCheck({
    slug: "default",
    title: LIMITS[name].default === undefined ? `${name} is filled with a value of its type` : `${name} is filled with its global default`,
    clauses: [clause],
    async run(t) {
      const { filling, views } = await t.use(createFacts);
      const telling = views.filter(({ sent, limits }) => sent[name] === undefined && limits !== undefined);
      if (filling.rowsFollow !== null) return t.inconclusive(`precondition: ${filling.rowsFollow}`);
      if (telling.length === 0) return t.inconclusive("precondition: no read showed an instance that was created without this limit");
      if (filling.rule.some(({ path }) => path === `limits.${name}`))
        return t.inconclusive("precondition: its filled value depends on the request (see admin-4.1)");
      const row = filling.rows.get(name);
      const [first] = telling;
      t.judge(clause, row === undefined ? [] : [row], {
        exchanges: telling.slice(0, 2).map(({ exchange }) => exchange),
        ...(first === undefined ? {} : { sightings: first.sightings }),
      });
    },
  });
}

const extraDefaults = adminCheck({
  slug: "extra-defaults",
  title: "limits beyond the table that the deployment expects are filled as it says",
  clauses: ["admin-4.1"],
  unless: ({ admin }) =>
    Object.keys(admin?.expectedDefaults.extra ?? {}).length === 0 ? "METRICS_EXPECTED_DEFAULTS names no extra limits" : null,
  async run(t) {
    const { views } = await t.use(createFacts);
    const shown = views.filter(({ limits }) => limits !== undefined);
    if (shown.length === 0) return t.inconclusive("precondition: no read showed limits (see admin-4.1 and admin-4.GET)");
    const found = Object.entries(t.adminTarget.expectedDefaults.extra).flatMap(([name, expected]) =>
      shown
        .filter(({ limits }) => !isDeepStrictEqual(limits?.[name], expected))
        .slice(0, 1)
        .map(({ limits }): Difference => ({
          clause: "admin-4.1",
          path: `limits.${name}`,
          expected: show(expected),
          actual: show(limits?.[name]),
        })),
    );
    t.judge("admin-4.1", found);
  },
});

const keyOrder = adminCheck({
  slug: "key-order",
  title: "the order in which limits are sent does not matter",
  clauses: ["admin-4.3"],
  profiles: ["release", "nightly"],
  run: (t) =>
    onBench(t, async (bench) => {
      const sent = { ingestion_rate: 1_111, max_series_per_user: 2_222, ha_max_clusters: 3 };
      const answers: JsonObject[] = [];
      for (const limits of [sent, Object.fromEntries(Object.entries(sent).toReversed())]) {
        if (!bench.bare) await update(t, bench.instance, `Plumbline ${t.run.unique()}`);
        const answer = await update(t, bench.instance, `Plumbline ${t.run.unique()}`, limits);
        bench.bare = false;
        if (!isSuccess(answer)) return t.inconclusive(`precondition: adding limits was answered ${statusOf(answer)} (see admin-4.3)`);
        const shown = member(jsonOf(answer), "limits");
        answers.push(isObject(shown) ? shown : {});
      }
      const [one = {}, other = {}] = answers;
      const found = LIMIT_NAMES.filter((name) => !sameAsRead(name, one[name], other[name])).map((name): Difference => ({
        clause: "admin-4.3",
        path: `limits.${name}`,
        expected: `${show(one[name])}, as with the keys in the other order`,
        actual: show(other[name]),
      }));
      t.judge("admin-4.3", found);
    }),
});

export const DEFAULT_CHECKS: readonly Check[] = [
  filledOnCreate,
  keptOnCreate,
  exactNames,
  extraDefaults,
  keyOrder,
  ...LIMIT_NAMES.map(defaultRow),
];
