import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect, test } from "vitest";
import { packageRoot } from "../model/schemas.ts";
import { summarize } from "../report/summary.ts";
import { SETTING_NAMES, SETTINGS } from "../settings/table.ts";
import { clauseOf } from "../contract/catalogue.ts";
import { RUN_DETAILS, plannedCheck, resultOf, settingsFor } from "../report/testing.ts";
import { type Ended, emptyFolder, ran } from "./testing.ts";

/** Runs a shell script of the workflows. Programs in the folder `bin` replace the installed programs. */
async function script(
  name: string,
  args: readonly string[],
  { bin = "", ...env }: Record<string, string>,
  cwd = packageRoot(),
): Promise<Ended> {
  const PATH = `${bin}${delimiter}${process.env["PATH"] ?? ""}`;
  return ran("bash", [join(packageRoot(), ".github", name), ...args], cwd, { ...env, PATH });
}

/** Returns a folder in which `npm` is a script that records its arguments and ends with exit code `code`. */
function fakeNpm(code: number): string {
  const folder = emptyFolder();
  writeFileSync(join(folder, "npm"), `#!/bin/sh\nprintf '%s\\n' "$@" >"${folder}/arguments"\nexit ${code}\n`, { mode: 0o755 });
  return folder;
}

test.each([0, 1, 2, 3])("the exit code %i of the suite becomes an output and does not end the job yet", async (code) => {
  const folder = fakeNpm(code);
  const output = join(folder, "output");
  expect((await script("scripts/conformance.sh", [], { bin: folder, GITHUB_OUTPUT: output })).code).toBe(0);
  expect(readFileSync(output, "utf8")).toBe(`code=${code}\n`);
  expect(readFileSync(join(folder, "arguments"), "utf8")).not.toContain("--only");
});

test("globs of clauses reach the suite as one argument", async () => {
  const folder = fakeNpm(0);
  await script("scripts/conformance.sh", [], { bin: folder, GITHUB_OUTPUT: join(folder, "output"), ONLY: "admin-4.*,logs-7.400" });
  expect(readFileSync(join(folder, "arguments"), "utf8")).toContain("--\n--only\nadmin-4.*,logs-7.400\n");
});

test.each([
  [0, "Conformant"],
  [1, "Contract violated"],
  [2, "Configuration"],
  [3, "Inconclusive"],
  [130, "Interrupted"],
  [77, "undocumented"],
])("the job ends with %i, described as %s", async (code, words) => {
  const ended = await script("scripts/conclude.sh", [String(code)], {});
  expect(ended.code).toBe(code);
  expect(ended.stdout).toContain(words);
});

test("the job summary shows the verdict and the violated clauses, and escapes their markup", async () => {
  const folder = emptyFolder();
  mkdirSync(join(folder, "reports"));
  const check = plannedCheck("admin-4.2");
  const { summary } = summarize([resultOf(check, "fail", "got <b>|\nmore")], [check], settingsFor(), RUN_DETAILS);
  writeFileSync(join(folder, "reports/summary.json"), JSON.stringify(summary));
  const page = join(folder, "page.md");
  const ended = await script("scripts/job-summary.sh", [], { REPORTS_DIR: join(folder, "reports"), GITHUB_STEP_SUMMARY: page });
  expect(ended).toMatchObject({ code: 0, stderr: "" });
  const text = readFileSync(page, "utf8");
  expect(text).toContain("## NONCONFORMANT");
  expect(text).toContain(`| admin-4.2 | ${clauseOf("admin-4.2").statement} |`);
  expect(text).toContain(String.raw`| got &lt;b>\| more |`);
  expect(ended.stdout).toBe("::error title=admin-4.2 is violated::got <b>|%0Amore\n");
});

test("without a summary the job summary says so", async () => {
  const folder = emptyFolder();
  const page = join(folder, "page.md");
  expect((await script("scripts/job-summary.sh", [], { REPORTS_DIR: folder, GITHUB_STEP_SUMMARY: page })).code).toBe(0);
  expect(readFileSync(page, "utf8")).toContain("## No verdict");
});

test("the workflow runs these scripts and no other shell commands", () => {
  const workflow = readFileSync(join(packageRoot(), ".github/workflows/conformance.yml"), "utf8");
  const commands = [...workflow.matchAll(/^\s+(?:- )?run: (.*)$/gm)].map(([, command]) => command ?? "");
  expect(commands[0]).toBe("npm ci");
  for (const command of commands.slice(1)) {
    const [path = ""] = command.split(" ");
    expect(existsSync(join(packageRoot(), path)), command).toBe(true);
  }
});

test("the action and the reusable workflow accept each setting, and tokens only as secrets", () => {
  const action = readFileSync(join(packageRoot(), ".github/actions/conformance/action.yml"), "utf8");
  const reusable = readFileSync(join(packageRoot(), ".github/workflows/conformance-reusable.yml"), "utf8");
  for (const name of SETTING_NAMES) {
    const input = name.toLowerCase().replaceAll("_", "-");
    expect(action).toContain(`\n  ${input}:\n`);
    expect(action).toContain(`\n        ${name}: \${{ inputs.${input} }}\n`);
    if (name === "REPORTS_DIR") continue;
    const source = SETTINGS[name].kind === "secret" ? `secrets.${name}` : `inputs.${input}`;
    expect(reusable).toContain(`\n          ${name}: \${{ ${source} }}\n`);
  }
});

test("the action outputs verdict, counts and code, and leaves an empty address unset", async () => {
  const folder = emptyFolder();
  const installed = `printf '{"verdict":"nonconformant","totals":{"pass":5,"fail":1,"deviation":2,"inconclusive":0,"notRun":3}}' >"$REPORTS_DIR/summary.json"; echo "\${BASE_URL-unset} $*" >"${folder}/seen"; exit 1`;
  const npm = `#!/bin/bash\nmkdir -p "$6/node_modules/.bin"\nprintf '%s\\n' '#!/bin/bash' ${JSON.stringify(installed).replaceAll("$", String.raw`\$`)} >"$6/node_modules/.bin/plumbline"\nchmod +x "$6/node_modules/.bin/plumbline"\n`;
  writeFileSync(join(folder, "npm"), npm, { mode: 0o755 });
  const output = join(folder, "output");
  const env = { bin: folder, GITHUB_OUTPUT: output, REPORTS_DIR: folder, BASE_URL: "", ARGUMENTS: "--wait 5" };
  expect(await script("actions/conformance/run.sh", [], env)).toMatchObject({ code: 1, stderr: "" });
  expect(readFileSync(join(folder, "seen"), "utf8")).toBe("unset run --wait 5\n");
  expect(readFileSync(output, "utf8")).toBe("code=1\nverdict=nonconformant\npassed=5\nfailed=1\ndeviations=2\ninconclusive=0\nnot-run=3\n");
});

test("a published package names its repository, and only a tag with its own version publishes it", async () => {
  const folder = emptyFolder();
  const own = readFileSync(join(packageRoot(), "package.json"), "utf8");
  writeFileSync(join(folder, "package.json"), own);
  const { version } = JSON.parse(own) as { version: string };
  const env = { HOME: folder, GITHUB_SERVER_URL: "https://example.com", GITHUB_REPOSITORY: "owner/name" };
  const packaged = async (tag: string): Promise<Ended> => script("scripts/packaged.sh", [], { ...env, GITHUB_REF_NAME: tag }, folder);
  expect(await packaged("v0.0.1")).toMatchObject({ code: 1, stdout: expect.stringContaining(`package.json says ${version}`) as string });
  expect(readFileSync(join(folder, "package.json"), "utf8")).toBe(own);
  expect((await packaged(`v${version}`)).code).toBe(0);
  expect(JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))).toMatchObject({
    repository: { type: "git", url: "git+https://example.com/owner/name.git" },
  });
});

test("the image of a tag has the package of that tag, an SBOM and a provenance, and its job may write only packages", () => {
  const workflow = readFileSync(join(packageRoot(), ".github/workflows/image.yml"), "utf8");
  expect(workflow).toContain('\non:\n  push:\n    tags: ["v*"]\n\npermissions: {}\n');
  const granted = /\n {4}permissions:\n((?: {6}.+\n)+)/.exec(workflow)?.[1] ?? "";
  expect(granted).toBe("      contents: read\n      packages: write\n");
  expect(workflow).toContain("\n        run: .github/scripts/packaged.sh\n");
  expect(workflow).toContain("mv context/*.tgz context/package.tgz\n");
  for (const input of [
    "context: context",
    "file: recipes/Dockerfile",
    "build-args: VERSION=file:/context/package.tgz",
    "push: true",
    "sbom: true",
    "provenance: mode=max",
  ]) {
    expect(workflow).toContain(`\n          ${input}\n`);
  }
});

test("the image runs a program of the package, and does not run it as root", () => {
  const lines = readFileSync(join(packageRoot(), "recipes/Dockerfile"), "utf8").trim().split("\n");
  const users = lines.filter((line) => line.startsWith("USER "));
  expect(users).toEqual([expect.stringMatching(/^USER [1-9]\d*:[1-9]\d*$/)]);
  expect(lines.slice(lines.indexOf(users[0] ?? "")).filter((line) => /^(?:RUN|COPY|ADD) /.test(line))).toEqual([]);
  const entry = lines.find((line) => line.startsWith("ENTRYPOINT "))?.replace("ENTRYPOINT ", "") ?? "[]";
  const [, program = ""] = JSON.parse(entry) as string[];
  expect(existsSync(program.replace("/app/node_modules/plumbline-conformance", packageRoot()))).toBe(true);
});

test("each action of each workflow is pinned to a version", () => {
  const folder = join(packageRoot(), ".github/workflows");
  const used = readdirSync(folder).flatMap((name) => [...readFileSync(join(folder, name), "utf8").matchAll(/uses: (.*)$/gm)]);
  expect(used.length).toBeGreaterThan(10);
  for (const [, action = ""] of used) expect(action).toMatch(/^[\w-]+\/[\w-]+(?:\/[\w-]+)*@v\d+$/);
});
