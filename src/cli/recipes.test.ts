/** Tests the files that other repositories use: recipes, documentation pages, files of `init`, and the package itself. */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { parse } from "dotenv";
import { expect, test } from "vitest";
import { packageRoot } from "../model/schemas.ts";
import { EXIT_OF_SIGNAL } from "../report/summary.ts";
import { isSettingName } from "../settings/table.ts";
import { FAILURE_PAGES } from "../report/failure-pages.ts";
import { answersTo, ASKED, envWith, filesOf } from "./init.ts";
import { type Ended, emptyFolder, plumbline, ran } from "./testing.ts";

function textOf(path: string): string {
  return readFileSync(join(packageRoot(), path), "utf8");
}

const RECIPES = readdirSync(join(packageRoot(), "recipes"), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map(({ parentPath, name }) => relative(join(packageRoot(), "recipes"), join(parentPath, name)))
  .filter((name) => !name.startsWith("checks"));

test("each class of failure has a page, and each page has a class", () => {
  const pages = readdirSync(join(packageRoot(), "docs/failures")).map((name) => name.replace(".md", ""));
  expect(pages.toSorted()).toEqual([...FAILURE_PAGES].toSorted());
  for (const page of FAILURE_PAGES)
    expect(textOf(`docs/failures/${page}.md`)).toMatch(/^# .+\n\n## Symptom\n\n(?:.+\n)+\n## Cause\n\n(?:.+\n)+\n## Next step\n\n- /);
});

test.each(RECIPES)("the recipe %s sets only existing settings, and never fetches a package by the name of the program", (name) => {
  const text = textOf(`recipes/${name}`);
  const names = [...text.matchAll(/^\s+(?:- name: |)((?:METRICS|LOGS|TLS|MAX|RUN)_[A-Z_\d]+)/gm)].map(([, variable = ""]) => variable);
  expect(names.filter((variable) => !isSettingName(variable))).toEqual([]);
  expect(text).not.toMatch(/npx (?!--no -- )/);
  expect(text).not.toContain("\t");
});

test("the page on Allure links each file of its recipes", () => {
  const page = textOf("docs/allure.md");
  const links = [...page.matchAll(/\]\(\.\.\/recipes\/(allure\/[^)]+)\)/g)].map(([, name = ""]) => name);
  expect(links.toSorted()).toEqual(RECIPES.filter((name) => name.startsWith("allure/")).toSorted());
});

test("init writes its files, never overwrites a file, and a run accepts the files", async () => {
  const folder = emptyFolder();
  const mine = '{ "deviations": [] } // mine';
  writeFileSync(join(folder, "deviations.json"), mine);
  const { code, stdout } = await plumbline(["init", "--yes"], {}, folder);
  expect(code).toBe(0);
  expect(stdout).toContain("deviations.json: already exists, not changed");
  expect(readFileSync(join(folder, "deviations.json"), "utf8")).toBe(mine);
  const workflows = readdirSync(join(folder, ".github/workflows")).toSorted();
  expect(workflows).toEqual(["conformance-nightly.yml", "conformance-release.yml"]);
  for (const name of workflows) {
    const text = readFileSync(join(folder, ".github/workflows", name), "utf8");
    expect(text).toContain("- run: npm ci\n");
    expect(text).toContain("DEVIATIONS_FILE: deviations.json\n");
    for (const { name: setting } of ASKED) expect(text).toContain(`${setting}: \${{ vars.${setting} }}\n`);
  }
  expect(parse(readFileSync(join(folder, ".env"), "utf8"))).toEqual({ DEVIATIONS_FILE: "deviations.json" });
  expect((await plumbline(["doctor"], {}, folder)).code).toBe(0);
  expect((await plumbline(["init"], {}, folder)).stderr).toContain("there is no terminal for the questions");
});

test.each([
  [
    ["https://m", "prod", "https://l", "", "both"],
    ["release", "nightly"],
    ["METRICS_CLUSTER", "LOGS_PATH_SEGMENT"],
  ],
  [["", "https://l", "loki", "Nightly"], ["nightly"], ["LOGS_PATH_SEGMENT"]],
  [["https://m", "prod", "", "release"], ["release"], ["METRICS_CLUSTER"]],
  [["", "", "yes please", "none"], [], []],
])("init with the answers %j writes the workflows %j, and asks only %j of the remaining questions", async (given, workflows, asked) => {
  const left = [...given];
  const questions: string[] = [];
  const answers = await answersTo(async (question) => {
    questions.push(question);
    return left.shift() ?? "";
  });
  expect(left).toEqual([]);
  expect(questions).toHaveLength(given.length);
  expect(answers.workflows).toEqual(workflows);
  expect([...answers.values.keys()].filter((name) => !name.endsWith("BASE_URL"))).toEqual(asked);
  expect([...filesOf(answers).keys()].filter((path) => path.endsWith(".yml"))).toEqual(
    workflows.map((name) => `.github/workflows/conformance-${name}.yml`),
  );
});

test("init sets the answers in .env and leaves the other settings as comments", () => {
  const text = envWith(
    new Map([
      ["LOGS_BASE_URL", "https://l.example.com/$&"],
      ["METRICS_BASE_URL", ""],
    ]),
  );
  expect(parse(text)).toEqual({ LOGS_BASE_URL: "https://l.example.com/$&" });
});

test("the packed package has the promised files and no tests", () => {
  const { stdout } = spawnSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], { cwd: packageRoot(), encoding: "utf8" });
  const [packed] = JSON.parse(stdout) as [{ readonly files: readonly { readonly path: string }[] }];
  const paths = new Set(packed.files.map(({ path }) => path));
  for (const name of RECIPES) expect(paths).toContain(`recipes/${name}`);
  for (const path of [
    "bin/plumbline.js",
    "CHANGELOG.md",
    "SECURITY.md",
    "docs/versioning.md",
    "dist/src/cli/programme.js",
    "dist/src/cli/programme.d.ts",
    "dist/specs/own.js",
    "schemas/report/deviations.json",
    "docs/failures/tls.md",
  ]) {
    expect(paths).toContain(path);
  }
  expect([...paths].filter((path) => path.includes(".test."))).toEqual([]);
  const pages = [...paths].filter((path) => path === "README.md" || path.startsWith("docs/")).filter((path) => path.endsWith(".md"));
  const links = pages.flatMap((page) =>
    [...textOf(page).matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, target = ""]) => join(page, "..", target).replace(/\/$/, "")),
  );
  // A link may lead to a folder, which is the beginning of the path of a file.
  expect(links.filter((link) => !paths.has(link) && ![...paths].some((path) => path.startsWith(`${link}/`)))).toEqual([]);
  const {
    exports: entries,
    private: hidden,
    scripts,
  } = JSON.parse(textOf("package.json")) as {
    exports: Record<string, { types: string; default: string }>;
    private?: boolean;
    scripts: Record<string, string>;
  };
  // The package must not have scripts that run when it is installed, because npm warns of such scripts.
  expect(["preinstall", "install", "postinstall", "prepare"].filter((name) => name in scripts)).toEqual([]);
  expect(scripts).toHaveProperty("prepack");
  expect(hidden).toBeUndefined();
  for (const entry of [entries["."], entries["./checks"]]) {
    expect(existsSync(join(packageRoot(), entry?.types ?? "none"))).toBe(true);
    expect(existsSync(join(packageRoot(), entry?.default ?? "none"))).toBe(true);
  }
});

async function demo(folder: string, env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  return ran(process.execPath, [join(packageRoot(), "dist/src/cli/demo.js")], folder, env);
}

test.each([
  ["opens its report", "browser", "The report opens in a browser.", "/reports/demo/report.html"],
  ["says that the report can be opened", "not-there", "Open the report above in a browser.", ""],
])("the demo finds its fault and %s", { timeout: 60_000 }, async (_what, browser, next, opened) => {
  const folder = emptyFolder();
  const shown = join(folder, "shown");
  writeFileSync(join(folder, "browser"), `#!/bin/sh\nprintf %s "$1" > '${shown}.new' && mv '${shown}.new' '${shown}'\n`, { mode: 0o755 });
  const { code, stdout, stderr } = await demo(folder, { BROWSER: join(folder, browser) });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const report = join(folder, "reports/demo/report.html");
  expect(stdout).toContain(`report: ${report}\n`);
  expect(existsSync(report)).toBe(true);
  expect(stdout).toMatch(/^ {2}logs-2\.2 {2}/m);
  expect(stdout).toContain(`The fault was found. ${next}\n`);
  const seen = (): string => (existsSync(shown) ? readFileSync(shown, "utf8") : "");
  await expect.poll(seen).toBe(opened === "" ? "" : join(folder, opened));
});

test("the badges show the licence and the supported Node versions of the package", () => {
  const { license, engines } = JSON.parse(textOf("package.json")) as { license: string; engines: { node: string } };
  const shown = (name: string): string | undefined => /<title>\w+: (.*)<\/title>/.exec(textOf(`docs/images/${name}.svg`))?.[1];
  expect(shown("licence")).toBe(license);
  expect(shown("node")).toBe(engines.node.replace(">", "&gt;"));
});

test("the demo ends with 3 and one line if it cannot write its report", async () => {
  const folder = emptyFolder();
  writeFileSync(join(folder, "reports"), "");
  const { code, stderr } = await demo(folder);
  expect(code).toBe(3);
  expect(stderr).toMatch(/^plumbline: internal error, nothing was judged: REPORTS_DIR is not a folder .*\n$/);
});

test("the versioning policy lists each exit code and each schema version of the program", () => {
  const policy = textOf("docs/versioning.md");
  for (const code of [0, 1, 2, 3, ...Object.values(EXIT_OF_SIGNAL)])
    expect(policy).toMatch(new RegExp(`^\\| exit codes .*\\b${code}\\b`, "m"));
  expect(policy).toContain("`schemaVersion` 1 ");
});
