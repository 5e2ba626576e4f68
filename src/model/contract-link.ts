/** Where a clause can be read: the page `docs/contract.md`, in the package's repository when the package names one. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "./schemas.ts";

/** The page of all clauses, from the root of the package. */
export const CONTRACT_PAGE = "docs/contract.md";

interface Manifest {
  readonly repository?: string | { readonly url?: string };
}

/** The page's address by what a `package.json` says of its repository; its path in the package when it says nothing of use. */
export function contractBase({ repository }: Manifest): string {
  const url = typeof repository === "string" ? repository : (repository?.url ?? "");
  const short = /^(?:github:)?([\w.-]+\/[\w.-]+)$/.exec(url)?.[1];
  const web = short === undefined ? /^(?:git\+)?(https:\/\/[^\s#?]+?)(?:\.git)?\/?$/.exec(url)?.[1] : `https://github.com/${short}`;
  return web === undefined ? CONTRACT_PAGE : `${web}/blob/HEAD/${CONTRACT_PAGE}`;
}

let base: string | null = null;

/** The link to a clause's own place on the page. */
export function contractLink(clause: string): string {
  base ??= contractBase(JSON.parse(readFileSync(join(packageRoot(), "package.json"), "utf8")) as Manifest);
  return `${base}#${clause}`;
}
