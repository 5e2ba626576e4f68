/** The suite's own name and version, from its package. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../model/schemas.ts";

/** The suite as every report names it. */
export function suiteIdentity(): { readonly name: string; readonly version: string } {
  const { name, version } = JSON.parse(readFileSync(join(packageRoot(), "package.json"), "utf8")) as { name: string; version: string };
  return { name, version };
}
