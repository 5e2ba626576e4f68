/**
 * The link to a clause on the page `docs/contract.md`. If the package names a repository, the link points to the page in that repository.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "./schemas.ts";

/** The path of the page with all clauses, relative to the root of the package. */
export const CONTRACT_PAGE = "docs/contract.md";

interface Manifest {
  readonly repository?: string | { readonly url?: string };
}

/**
 * The address of the page in the repository of a `package.json`. If there is no usable repository, the result is the path of the page in
 * the package.
 */
export function contractBase({ repository }: Manifest): string {
  const url = typeof repository === "string" ? repository : (repository?.url ?? "");
  const short = /^(?:github:)?([\w.-]+\/[\w.-]+)$/.exec(url)?.[1];
  const web = short === undefined ? /^(?:git\+)?(https:\/\/[^\s#?]+?)(?:\.git)?\/?$/.exec(url)?.[1] : `https://github.com/${short}`;
  return web === undefined ? CONTRACT_PAGE : `${web}/blob/HEAD/${CONTRACT_PAGE}`;
}

let base: string | null = null;

/** The link to the anchor of a clause on the page. */
export function contractLink(clause: string): string {
  base ??= contractBase(JSON.parse(readFileSync(join(packageRoot(), "package.json"), "utf8")) as Manifest);
  return `${base}#${clause}`;
}
