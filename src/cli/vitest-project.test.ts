/** Tests the vitest project `conformance`, started by the command that a user would type. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packageRoot } from "../model/schemas.ts";
import { type Ended, emptyFolder, ran, target } from "./testing.ts";

const TIMEOUT_MS = 60_000;

/** Runs vitest in an empty folder, so that no `.env` of a developer is read. The process gets only PATH and HOME from the environment. */
async function vitest(folder: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  const program = join(packageRoot(), "node_modules/vitest/vitest.mjs");
  const all = [program, "run", "--root", packageRoot(), "--project", "conformance", "--reporter", "verbose", ...args];
  return ran(process.execPath, all, folder, { NO_COLOR: "1", CI: "1", REPORTS_DIR: join(folder, "reports"), PROFILE: "smoke", ...env });
}

test.concurrent(
  "the id of a clause selects its checks, and a check that only observes does not pass",
  { timeout: TIMEOUT_MS },
  async ({ onTestFinished }) => {
    const folder = emptyFolder(onTestFinished);
    const { code, stdout, stderr } = await vitest(folder, ["-t", "admin-4\\.[34]/"]);
    expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("(embedded reference server)");
    expect(stdout).toMatch(/✓ .*\(metrics service\) > Section 4: Endpoints > admin-4\.3\/histories: /);
    expect(stdout).toMatch(/↓ .*admin-4\.4\/.*\[observed, never judged\]/);
    expect(stdout).not.toMatch(/✓ .*admin-4\.4\//);
    expect(readFileSync(join(folder, "reports/created.jsonl"), "utf8")).not.toBe("");
  },
);

test.concurrent("a violation is a failed test of the configured target", { timeout: TIMEOUT_MS }, async ({ onTestFinished }) => {
  const env = await target(onTestFinished, "admin-removal-ignored");
  const { code, stdout, stderr } = await vitest(emptyFolder(onTestFinished), ["-t", "admin-4.3"], env);
  expect(code, stdout).toBe(1);
  expect(stderr).toContain("admin-4.2 is violated (");
});

test.concurrent.for([
  ["a malformed setting", [], { SEED: "x" }, "SEED must be an integer; for example SEED=1729"],
  ["an unfilled URL", [], { BASE_URL: "" }, "BASE_URL is present but empty"],
  ["a URL that is none", [], { BASE_URL: "/" }, "BASE_URL is not an absolute URL"],
  ["a pattern that fits no check", ["-t", "no-such-check"], {}, "-t no-such-check matches no check of this run"],
] as const)("%s fails the run", { timeout: TIMEOUT_MS }, async ([_what, args, env, line], { onTestFinished }) => {
  const folder = emptyFolder(onTestFinished);
  const { code, stdout, stderr } = await vitest(folder, args, env);
  expect(code, stdout + stderr).toBe(1);
  expect(stderr).toContain(line);
  expect(stdout).not.toContain("✓");
  expect(existsSync(join(folder, "reports/created.jsonl"))).toBe(args.length > 0);
});
