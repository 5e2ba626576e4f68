/** Which limits this target keeps as they were sent, by creates and by updates together. */
import type { LimitName } from "../../src/contract/limits.ts";
import { type Fixture, fixture, type Scope } from "../../src/harness/context.ts";
import type { Difference } from "../../src/model/difference.ts";
import { sentDifferences } from "../../src/model/filling.ts";
import { type Bench, withBench } from "./benches.ts";
import { createFacts } from "./facts.ts";
import { fieldFacts } from "./fields.ts";
import { sweep } from "./sweep.ts";

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
  const kept = new Set(
    swept
      .filter(
        ({ name, refused, differences }) =>
          !refused && differences.every(({ path }) => path.startsWith("limits.") && path !== `limits.${name}`),
      )
      .map(({ name }) => name),
  );
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

/**
 * Lends a bench to a check. What the check will need to know is found out first: finding it out takes a bench too, and
 * a check that waits for it while holding one could wait for ever.
 */
export async function onBench<T>(scope: Scope, work: (bench: Bench) => Promise<T>): Promise<T> {
  await Promise.all([scope.use(fieldFacts), scope.use(keepingFacts)]);
  return withBench(scope, work);
}
