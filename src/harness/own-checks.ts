/** Loads the user's own checks: modules of a folder, each with a list `CHECKS`. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { CLAUSES } from "../contract/catalogue.ts";
import { SettingsError } from "../settings/error.ts";
import type { Check } from "./check.ts";
import { loadModule } from "./load-module.ts";

/** Matches the names of files that are loaded: TypeScript and JavaScript modules, but no test files and no declaration files. */
const MODULE = /(?<!\.test|\.d)\.(?:mjs|js|mts|ts)$/;

async function checksIn(folder: string, name: string): Promise<readonly Check[]> {
  let found: unknown;
  try {
    ({ CHECKS: found } = await loadModule(join(folder, name)));
  } catch (error) {
    throw new SettingsError(`the module ${name} of --specs cannot be loaded: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (!Array.isArray(found) || !found.every(isCheck))
    throw new SettingsError(`the module ${name} of --specs exports no list of checks named CHECKS`);
  return found;
}

function isCheck(value: unknown): value is Check {
  return typeof value === "object" && value !== null && "id" in value && "clauses" in value && "run" in value;
}

/** Returns the checks of a folder. Throws if a module has no checks, a clause is unknown, or the id of a check exists already. */
export async function ownChecks(folder: string, taken: readonly Check[]): Promise<Check[]> {
  const checks: Check[] = [];
  for (const name of readdirSync(folder)
    .filter((file) => MODULE.test(file))
    .toSorted()) {
    checks.push(...(await checksIn(folder, name)));
  }
  if (checks.length === 0) throw new SettingsError("the folder of --specs has no module with checks (.ts, .mts, .js or .mjs)");
  const known = new Set(CLAUSES.map(({ id }) => id));
  const ids = new Set(taken.map(({ id }) => id));
  for (const { id, clauses } of checks) {
    const unknown = clauses.find((clause) => !known.has(clause));
    if (unknown !== undefined) throw new SettingsError(`check ${id} of --specs judges ${unknown}, which is not a clause of the documents`);
    if (ids.has(id)) throw new SettingsError(`check ${id} of --specs has the id of another check`);
    ids.add(id);
  }
  return checks;
}
