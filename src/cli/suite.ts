/** The name and version of the suite from its package, and the id of a run. */
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../model/schemas.ts";

/** The name and version that each report shows. */
export function suiteIdentity(): { readonly name: string; readonly version: string } {
  return { name: "plumbline", version: packageIdentity().version };
}

/**
 * The name and version of the package. The package and the program have different names, because a package with the name of the program
 * already exists.
 */
export function packageIdentity(): { readonly name: string; readonly version: string } {
  return JSON.parse(readFileSync(join(packageRoot(), "package.json"), "utf8")) as { name: string; version: string };
}

/**
 * Returns a new run id of lower-case letters and digits. The id does not depend on the seed. The id starts with a letter, because names are
 * made from it.
 */
export function freshRunId(): string {
  const digits = BigInt(`0x${randomBytes(8).toString("hex")}`)
    .toString(36)
    .padStart(9, "0");
  return `r${digits.slice(-9)}`;
}
