/** The link to a clause: the page `docs/contract.md`, in the package's repository if the package names one. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "./schemas.ts";

/** The page of all clauses, from the root of the package. */
export const CONTRACT_PAGE = "docs/contract.md";

interface Manifest {
  readonly repository?: string | { readonly url?: string };
}

/** The address of the page, from the repository in a `package.json`. Its path in the package if there is no usable repository. */
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
