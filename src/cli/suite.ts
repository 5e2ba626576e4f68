/** The suite's own name and version, from its package, and the id of a run. */
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../model/schemas.ts";

/** The suite as every report names it. */
export function suiteIdentity(): { readonly name: string; readonly version: string } {
  return { name: "plumbline", version: packageIdentity().version };
}

/** The package as the registry knows it: its name is not the program's, which was taken there. */
export function packageIdentity(): { readonly name: string; readonly version: string } {
  return JSON.parse(readFileSync(join(packageRoot(), "package.json"), "utf8")) as { name: string; version: string };
}

/** Lower-case letters and digits; fresh, never derived from the seed. Starts with a letter: names are made of it. */
export function freshRunId(): string {
  const digits = BigInt(`0x${randomBytes(8).toString("hex")}`)
    .toString(36)
    .padStart(9, "0");
  return `r${digits.slice(-9)}`;
}
