/** Tests a client that another tool generates from the OpenAPI descriptions: it compiles, and works with the reference server. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { packageRoot } from "../model/schemas.ts";
import { startReference } from "../reference/server.ts";
import { DOCUMENT_NAMES } from "./bundle.ts";
import { OPENAPI_FILES } from "./generated.ts";
import { ran } from "./testing.ts";

/** The folder in which the generator is installed, with its own TypeScript. */
const TOOLS = join(packageRoot(), "tools/openapi-client");

const COMPILER = [
  "--ignoreConfig",
  ["--strict", "--skipLibCheck", "--rewriteRelativeImportExtensions"],
  ["--module", "nodenext", "--target", "es2023", "--types", "node", "--outDir", "out"],
].flat();

let folder = "";

/** Generates the types of both OpenAPI descriptions into a folder. The folder also gets the program that uses these types. */
beforeAll(() => {
  folder = mkdtempSync(join(TOOLS, "generated-"));
  for (const document of DOCUMENT_NAMES) {
    const description = OPENAPI_FILES[document];
    const types = description.replace("openapi/", "generated/").replace(".yaml", ".ts");
    const generator = join(TOOLS, "node_modules/.bin/openapi-typescript");
    const { status, stderr } = ran(folder, generator, [join(packageRoot(), "schemas", description), "--output", types]);
    if (status !== 0) throw new Error(stderr);
  }
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Writes the program that uses the generated types, unchanged or with a mistake. */
function write(file: string, right = "", wrong = ""): void {
  const program = readFileSync(join(TOOLS, "talk.ts"), "utf8");
  expect(program).toContain(right);
  writeFileSync(join(folder, file), program.replace(right, wrong));
}

/** Returns the output of the TypeScript compiler for the given files. */
function compiled(...files: readonly string[]): string {
  return ran(folder, join(packageRoot(), "node_modules/.bin/tsc"), [...COMPILER, ...files]).stdout;
}

test("the generated client compiles and uses each operation of the reference server", async () => {
  write("talk.ts");
  expect(compiled("talk.ts")).toBe("");
  const reference = await startReference({ token: "token-of-a-client", cluster: "reference", tenancy: true });
  try {
    const { talk } = (await import(/* @vite-ignore */ pathToFileURL(join(folder, "out/talk.js")).href)) as {
      talk: (baseUrl: string, token: string, cluster: string) => Promise<unknown>;
    };
    expect(await talk(reference.url, "token-of-a-client", "reference")).toEqual({
      created: true,
      rate: 4711,
      createdAt: expect.stringMatching(/^\d{4}-/) as unknown,
      limitsLeft: false,
      pushed: true,
      lines: ["hello"],
      count: "1",
      labels: ["app"],
      values: ["client"],
    });
  } finally {
    await reference.close();
  }
});

test("the generated types refuse values that the documents do not have", () => {
  const mistakes = [
    ["a limit in another case", "ingestion_rate: 4711", "INGESTION_RATE: 4711"],
    ["a limit of another type", "ingestion_rate: 4711", 'ingestion_rate: "4711"'],
    ["an instance without a cluster", 'status: "active", cluster', 'status: "active"'],
    ["a direction that is none", 'direction: "forward"', 'direction: "sideways"'],
    ["a range query without query", "query: '{app=\"client\"}', ...range", "...range"],
    ["a stream without entries", ", values: [entry]", ""],
    ["a path with a slip", "/logs/api/v1/labels", "/logs/api/v1/label"],
  ] as const;
  for (const [index, [, right, wrong]] of mistakes.entries()) write(`mistake-${index}.ts`, right, wrong);
  const errors = compiled(...mistakes.map((_mistake, index) => `mistake-${index}.ts`));
  expect(mistakes.filter((_mistake, index) => !errors.includes(`mistake-${index}.ts(`))).toEqual([]);
});
