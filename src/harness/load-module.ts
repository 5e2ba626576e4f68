/** Loads a TypeScript or JavaScript module of the user with the loader of vitest. The module may belong to any package. */
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { packageRoot } from "../model/schemas.ts";

/** The package name that a user's checks import, and the file that is loaded for it. So checks in any folder use the same modules. */
const CHECKS_ENTRY = { name: "plumbline-conformance/checks", file: "dist/specs/own.js" } as const;

interface Loader {
  readonly runnerImport: (path: string, config: object) => Promise<{ readonly module: Readonly<Record<string, unknown>> }>;
}

async function loader(): Promise<Loader> {
  const vite = createRequire(import.meta.resolve("vitest/node")).resolve("vite");
  return (await import(pathToFileURL(vite).href)) as Loader;
}

/** Resolves to the exports of a module. If the module cannot be loaded, rejects with an error of one line. */
export async function loadModule(path: string): Promise<Readonly<Record<string, unknown>>> {
  const entry = pathToFileURL(join(packageRoot(), CHECKS_ENTRY.file)).href;
  const { runnerImport } = await loader();
  try {
    const { module } = await runnerImport(path, {
      root: dirname(path),
      logLevel: "silent",
      plugins: [
        {
          name: "plumbline-checks",
          enforce: "pre",
          resolveId: (id: string) => (id === CHECKS_ENTRY.name ? { id: entry, external: true } : null),
        },
      ],
      environments: { inline: { resolve: { builtins: [/^node:/, entry] } } },
    });
    return module;
  } catch (error) {
    throw new Error(reasonOf(error), { cause: error });
  }
}

/** Returns the first line of an error that states a reason. In a parse error, a heading and colour codes precede the reason. */
function reasonOf(error: unknown): string {
  const lines = stripVTControlCharacters(error instanceof Error ? error.message : String(error))
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const reason = lines.find((line) => !/^(?:Transform|Build) failed with/.test(line)) ?? "unknown error";
  return /^(?:module|exports|require) is not defined/.test(reason)
    ? `${reason}. Write the file as an ES module, with import and export`
    : reason;
}
