/** Tests that each command of `schemas/README.md` works as printed, in a clone and in a folder in which the package is installed. */
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { emptyFolder } from "../model/folder-testing.ts";
import { packageRoot } from "../model/schemas.ts";
import { startReference } from "../reference/server.ts";
import { EXAMPLES } from "./examples.ts";
import { NO_PYTHON, pythonWithJsonschema, ran } from "./testing.ts";

const README = readFileSync(join(packageRoot(), "schemas/README.md"), "utf8");

const BLOCKS = [...README.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(([, language, text = ""]) => ({ language, text }));
const [FETCH = "", INSTALL = "", JAVASCRIPT = "", PYTHON = ""] = BLOCKS.map(({ text }) => text);

const GOOD = EXAMPLES["admin/instance.json"];
const WRONG = { ...GOOD, limits: { ...GOOD.limits, ingestion_rate: "fast" } };

const READERS = ["in a clone", "beside an installed package"] as const;

/** Returns the folder in which a reader runs the commands. The folder is deleted after the test. */
function folderOf(reader: (typeof READERS)[number]): string {
  const folder = emptyFolder();
  if (reader === "in a clone") {
    cpSync(join(packageRoot(), "package.json"), join(folder, "package.json"));
    for (const name of ["node_modules", "schemas"]) symlinkSync(join(packageRoot(), name), join(folder, name));
    return folder;
  }
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(packageRoot(), join(folder, "node_modules/plumbline-conformance"));
  for (const name of INSTALL.trim().split(" ").slice(2)) {
    symlinkSync(join(packageRoot(), "node_modules", name), join(folder, "node_modules", name));
  }
  return folder;
}

/** Returns the line that a block of commands prints about a response. */
function printed(reader: (typeof READERS)[number], block: string, answer: object): string {
  const folder = folderOf(reader);
  cpSync(join(packageRoot(), "schemas/admin/bundle.json"), join(folder, "bundle.json"));
  writeFileSync(join(folder, "answer.json"), JSON.stringify(answer));
  const { stdout, stderr } = ran(folder, "sh", ["-c", block]);
  expect(stderr).toBe("");
  return stdout.trim();
}

test("the tests below run every block, except the one that only installs packages", () => {
  expect(BLOCKS.map(({ language }) => language)).toEqual(["sh", "sh", "sh", "sh"]);
  expect(INSTALL).toMatch(/^npm install (?:[a-z-]+ ?)+\n$/);
});

test.each(READERS)("the first block copies the bundle and fetches a response %s", async (reader) => {
  const folder = folderOf(reader);
  const reference = await startReference({ token: "token-of-a-reader", cluster: "reference" });
  try {
    const url = `${reference.url}/admin/api/v1/instances`;
    const headers = { "content-type": "application/json", authorization: `Basic ${btoa(":token-of-a-reader")}` };
    await fetch(url, { method: "POST", headers, body: JSON.stringify(EXAMPLES["admin/create-request.json"]) });
    const env = { METRICS_API_TOKEN: "token-of-a-reader", METRICS_BASE_URL: reference.url, NAME: "shop" };
    await promisify(execFile)("sh", ["-ec", FETCH], { cwd: folder, env: { ...process.env, ...env } });
  } finally {
    await reference.close();
  }
  const [bundle, answer] = ["bundle.json", "answer.json"].map((file) => readFileSync(join(folder, file), "utf8"));
  expect(bundle).toBe(readFileSync(join(packageRoot(), "schemas/admin/bundle.json"), "utf8"));
  expect(JSON.parse(answer ?? "")).toMatchObject({ name: "shop" });
});

test.each(READERS)("the block of JavaScript judges a response %s", (reader) => {
  expect(printed(reader, JAVASCRIPT, GOOD)).toBe("valid");
  expect(printed(reader, JAVASCRIPT, WRONG)).toContain("limits/ingestion_rate must be integer");
});

test.for(READERS)("the block of Python judges a response %s", (reader, t) => {
  const python = pythonWithJsonschema();
  if (python === null) return t.skip(NO_PYTHON);
  const block = PYTHON.replace("python3", python);
  expect(printed(reader, block, GOOD)).toBe("valid");
  expect(printed(reader, block, WRONG)).toContain("'fast' is not of type 'integer'");
});
