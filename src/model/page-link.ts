/** Makes links to the pages of this package. They are URLs if `package.json` names a repository, and otherwise paths. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "./schemas.ts";

/** The path of the page with all clauses, relative to the root of the package. */
export const CONTRACT_PAGE = "docs/contract.md";

interface Manifest {
  readonly repository?: string | { readonly url?: string };
}

/** Returns the URL before the path of a page. It is empty if `package.json` names no usable repository. */
export function repositoryBase({ repository }: Manifest): string {
  const url = typeof repository === "string" ? repository : (repository?.url ?? "");
  const short = /^(?:github:)?([\w.-]+\/[\w.-]+)$/.exec(url)?.[1];
  const web = short === undefined ? /^(?:git\+)?(https:\/\/[^\s#?]+?)(?:\.git)?\/?$/.exec(url)?.[1] : `https://github.com/${short}`;
  return web === undefined ? "" : `${web}/blob/HEAD/`;
}

let base: string | null = null;

/** Returns the link to a page, by its path relative to the root of the package. */
export function pageLink(path: string): string {
  base ??= repositoryBase(JSON.parse(readFileSync(join(packageRoot(), "package.json"), "utf8")) as Manifest);
  return `${base}${path}`;
}

/** Returns the link to a clause on the page of the contract. */
export function contractLink(clause: string): string {
  return `${pageLink(CONTRACT_PAGE)}#${clause}`;
}
