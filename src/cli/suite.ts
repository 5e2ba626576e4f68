/** Gives the name and version of the suite, and makes the ids of runs. */
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../model/schemas.ts";

/** Returns the name and version of the suite that each report shows. */
export function suiteIdentity(): { readonly name: string; readonly version: string } {
  return { name: "plumbline", version: packageIdentity().version };
}

/** Returns the name and version of the package. Its name is not that of the program, because another package has that name. */
export function packageIdentity(): { readonly name: string; readonly version: string } {
  return JSON.parse(readFileSync(join(packageRoot(), "package.json"), "utf8")) as { name: string; version: string };
}

/** Returns a new run id of lower-case letters and digits. It does not depend on the seed. It begins with a letter, as names should. */
export function freshRunId(): string {
  const digits = BigInt(`0x${randomBytes(8).toString("hex")}`)
    .toString(36)
    .padStart(9, "0");
  return `r${digits.slice(-9)}`;
}
