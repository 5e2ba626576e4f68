/** The commands in schemas/README.md work exactly as they are written. */
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packageRoot } from "../model/schemas.ts";
import { ALL_LIMITS, INSTANCE } from "../model/testing.ts";
import { folderWithPackages, NO_PYTHON, pythonWithJsonschema, ran } from "./testing.ts";

const README = readFileSync(join(packageRoot(), "schemas/README.md"), "utf8");

const GOOD = { ...INSTANCE, limits: ALL_LIMITS };
const WRONG = { ...INSTANCE, limits: { ...ALL_LIMITS, ingestion_rate: "fast" } };

/** The lines of the README in one language. */
function lines(language: string): string[] {
  const text = new RegExp(`\`\`\`${language}\n([^\`]*(?:\`[^\`]+\`[^\`]*)*?)\`\`\``).exec(README)?.[1] ?? "";
  return text.trim().split("\n");
}

/** A folder of a reader who has installed this package, with the schemas. */
function readersFolder(): string {
  const folder = folderWithPackages();
  symlinkSync(join(packageRoot(), "schemas"), join(folder, "schemas"));
  return folder;
}

test("the README has three lines for each language", () => {
  for (const language of ["js", "python", "sh"]) expect(lines(language), language).toHaveLength(3);
});

test("the lines of JavaScript work, with the bundle imported from the package", () => {
  // The package can import itself by its own name, with the same `exports` that a user imports.
  const imports = [
    'import { createRequire } from "node:module";',
    `const inside = createRequire(${JSON.stringify(join(packageRoot(), "package.json"))});`,
    'const { Ajv2020 } = inside("ajv/dist/2020.js");',
    'const addFormats = inside("ajv-formats");',
    'const bundle = inside("plumbline-conformance/schemas/admin/bundle.json");',
  ];
  const judged = (answer: object): string => {
    const program = [...imports, `const answer = ${JSON.stringify(answer)};`, ...lines("js")].join("\n");
    const { stdout, stderr } = ran(packageRoot(), process.execPath, ["--input-type=module", "-e", program]);
    expect(stderr).toBe("");
    return stdout;
  };
  expect(judged(GOOD)).toBe("");
  expect(judged(WRONG)).toContain("limits/ingestion_rate must be integer");
});

test("the lines of Python work", (t) => {
  const python = pythonWithJsonschema();
  if (python === null) return t.skip(NO_PYTHON);
  const judged = (answer: object): string => {
    const program = ["import json, jsonschema", `answer = json.loads(${JSON.stringify(JSON.stringify(answer))})`, ...lines("python")];
    const { stdout, stderr } = ran(readersFolder(), python, ["-c", program.join("\n")]);
    expect(stderr).toBe("");
    return stdout.trim();
  };
  expect(judged(GOOD)).toBe("[]");
  expect(judged(WRONG)).toContain("'fast' is not of type 'integer'");
});

test("the lines of the shell work with a saved response", (t) => {
  const python = pythonWithJsonschema();
  if (python === null) return t.skip(NO_PYTHON);
  const [ask = "", ...rest] = lines("sh");
  expect(ask).toMatch(/^curl .* > answer\.json$/);
  const judged = (answer: object): number | null => {
    const folder = readersFolder();
    writeFileSync(join(folder, "answer.json"), JSON.stringify(answer));
    return ran(folder, "sh", ["-c", rest.join(" && ").replace("python3", python)]).status;
  };
  expect(judged(GOOD)).toBe(0);
  expect(judged(WRONG)).toBe(1);
});
