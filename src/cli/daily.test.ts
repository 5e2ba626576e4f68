/** Tests daily uses of the compiled program: accept, compare, wait, notify, shards, and two runs in one folder. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packageRoot } from "../model/schemas.ts";
import { serve } from "../client/testing.ts";
import type { Summary } from "../report/model.ts";
import { emptyFolder, plumbline, start, target } from "./testing.ts";

const SLOW = 120_000;

/** Returns an entry of a deviations file, on one line. */
function entry(match: string): string {
  return JSON.stringify({ match, owner: "o", reason: "r", expires: "2099-01-01" });
}

function summaryIn(folder: string): Summary {
  return JSON.parse(readFileSync(join(folder, "summary.json"), "utf8")) as Summary;
}

test.concurrent("an accepted failure counts as a deviation until it expires", { timeout: SLOW }, async ({ onTestFinished }) => {
  const env = await target(onTestFinished, "admin-removal-ignored");
  const folder = emptyFolder(onTestFinished);
  const judge = async (more: Record<string, string> = {}): Promise<number | null> =>
    (await plumbline(["run", "--only", "admin-4.2", "--profile", "smoke"], { ...env, ...more }, folder)).code;
  expect(await judge()).toBe(1);
  const asked = await plumbline(["accept", "admin-4.2"], {}, folder);
  expect(asked).toMatchObject({ code: 2, stdout: "" });
  expect(asked.stderr).toContain("--owner is missing");
  const flags = ["--owner", "team metrics", "--reason", "known", "--expires", "2099-01-01", "--link", "https://t.example.com/1"];
  expect(await plumbline(["accept", "admin-4.1", ...flags], {}, folder)).toMatchObject({ code: 2 });
  expect(await plumbline(["accept", "admin-4.2", ...flags], {}, folder)).toMatchObject({ code: 0 });
  const file = join(folder, "deviations.json");
  expect(await judge({ DEVIATIONS_FILE: file })).toBe(0);
  expect(summaryIn(join(folder, "reports"))).toMatchObject({ verdict: "conformant", totals: { fail: 0, deviation: 1 } });
  expect(readFileSync(join(folder, "reports", "junit.xml"), "utf8")).toContain(
    '<property name="deviation" value="accepted until 2099-01-01',
  );
  writeFileSync(file, readFileSync(file, "utf8").replace("2099-01-01", "2020-01-01"));
  const expired = await plumbline(["run", "--only", "admin-4.2", "--profile", "smoke"], { ...env, DEVIATIONS_FILE: file }, folder);
  expect(expired.code).toBe(1);
  expect(expired.stdout).toMatch(/delete line 5 of .*deviations\.json: "admin-4\.2" has expired on 2020-01-01/);
});

test.concurrent(
  "an entry that is not needed ends the run with 1 and with the line of the entry",
  { timeout: SLOW },
  async ({ onTestFinished }) => {
    const env = await target(onTestFinished);
    const folder = emptyFolder(onTestFinished);
    writeFileSync(join(folder, "d.json"), `{ "deviations": [\n${entry("admin-4.2")},\n${entry("logs-7.400")}\n] } // why\n`);
    const { code, stdout } = await plumbline(["run", "--only", "admin-4.2", "--deviations-file", "d.json"], env, folder);
    expect(code).toBe(1);
    expect(stdout).toMatch(/delete line 2 of .*d\.json: "admin-4\.2" now passes/);
    expect(stdout).toMatch(/delete line 3 of .*d\.json: "logs-7\.400" matches nothing that ran/);
  },
);

test.concurrent(
  "two runs of the same server do not differ, a changed server does, and drift fails the comparison on request",
  { timeout: SLOW },
  async ({ onTestFinished }) => {
    const folder = emptyFolder(onTestFinished);
    const env = await target(onTestFinished);
    const only = ["--only", "admin-4.4,admin-4.2,admin-4.PUT", "--profile", "smoke"];
    for (const [name, seed] of [
      ["a", "1"],
      ["b", "2"],
    ] as const) {
      expect((await plumbline(["run", ...only, "--seed", seed, "--reports-dir", name], env, folder)).code).toBe(0);
    }
    expect(await plumbline(["compare", "a", "b"], {}, folder)).toMatchObject({ code: 0, stdout: "no differences\n" });
    const changed = await plumbline(
      ["run", ...only, "--baseline-dir", "a", "--reports-dir", "c", "--fail-on-drift"],
      await target(onTestFinished, "admin-removal-ignored"),
      folder,
    );
    expect(changed.code).toBe(1);
    expect(changed.stdout).toContain("newly red (1):\n  admin-4.2");
    expect(readFileSync(join(folder, "c", "comparison.md"), "utf8")).toContain("| newly red | admin-4.2 |");
    const gated = async (gate: string): Promise<number | null> =>
      (await plumbline(["compare", "a", "c", "--fail-on", gate], {}, folder)).code;
    expect(await gated("newly-red")).toBe(1);
    expect(await gated("newly-blue")).toBe(2);
    expect((await plumbline(["compare", "a", "b", "--fail-on", "any"], {}, folder)).code).toBe(0);
    expect((await plumbline(["compare", "a"], {}, folder)).stderr).toContain("compare needs two report folders");
  },
);

test.concurrent(
  "shards judge together what one run judges, and merge reports missing or mixed shards",
  { timeout: SLOW },
  async ({ onTestFinished }) => {
    const folder = emptyFolder(onTestFinished);
    const env = { ...(await target(onTestFinished)), RUN_ID: "rdaily", PROFILE: "smoke", MAX_REQUESTS: "600", MAX_INSTANCES: "20" };
    const only = ["--only", "admin-2.field.*,logs-4.labels"];
    for (const shard of ["1", "2"]) {
      const { code, stderr } = await plumbline(["run", ...only, "--shard", `${shard}/2`, "--reports-dir", `s${shard}`], env, folder);
      expect({ shard, code, stderr }).toMatchObject({ code: 0 });
    }
    const whole = await plumbline(["run", ...only, "--reports-dir", "one"], { ...env, RUN_ID: "" }, folder);
    expect(whole.code).toBe(0);
    expect(await plumbline(["merge", "s1", "s2"], {}, folder)).toMatchObject({ code: 0, stderr: "" });
    const verdictsIn = (name: string): unknown => summaryIn(join(folder, name)).clauses.map(({ id, verdict }) => [id, verdict]);
    expect(verdictsIn("reports")).toEqual(verdictsIn("one"));
    expect(existsSync(join(folder, "reports", "report.html"))).toBe(true);
    const names = readFileSync(join(folder, "reports", "created.jsonl"), "utf8")
      .trim()
      .split("\n");
    expect(new Set(names).size).toBe(names.length);
    const partial = await plumbline(["merge", "s1"], { REPORTS_DIR: "part" }, folder);
    expect(partial.code).toBe(3);
    expect(partial.stdout).toContain("shard 2 of 2 is missing");
    expect((await plumbline(["merge", "s1", "s1"], { REPORTS_DIR: "part" }, folder)).stderr).toContain("name each shard once");
  },
);

test.concurrent("a shard without checks ends with 0 and can be merged", { timeout: SLOW }, async ({ onTestFinished }) => {
  const folder = emptyFolder(onTestFinished);
  const { METRICS_CLUSTER = "", API_TOKEN = "", BASE_URL = "" } = await target(onTestFinished);
  const env = { METRICS_BASE_URL: BASE_URL, METRICS_API_TOKEN: API_TOKEN, METRICS_CLUSTER, RUN_ID: "ridle" };
  const plans: number[] = [];
  for (const shard of ["1", "2", "3"]) {
    const args = ["run", "--only", "admin-4.2/removes", "--profile", "smoke", "--shard", `${shard}/3`];
    const { code, stdout } = await plumbline([...args, "--reports-dir", `s${shard}`], env, folder);
    expect({ shard, code, stdout }).toMatchObject({ code: 0 });
    plans.push(summaryIn(join(folder, `s${shard}`)).totals.pass);
  }
  expect(plans.filter((passed) => passed === 0).length).toBeGreaterThan(0);
  expect(await plumbline(["merge", "s1", "s2", "s3"], {}, folder)).toMatchObject({ code: 0, stderr: "" });
});

test.concurrent("the checks of the recipe pass, and fail if the log API answers wrongly", { timeout: SLOW }, async ({ onTestFinished }) => {
  const folder = emptyFolder(onTestFinished);
  const args = ["run", "--specs", join(packageRoot(), "recipes/checks"), "--only", "logs-*/own-*", "--profile", "smoke"];
  const right = await plumbline(args, await target(onTestFinished), folder);
  expect(right).toMatchObject({ code: 0, stderr: "" });
  expect(summaryIn(join(folder, "reports")).totals).toMatchObject({ pass: 3, fail: 0 });
  const wrong = await plumbline(args, await target(onTestFinished, "logs-no-matcher-everything"), folder);
  expect(wrong.code).toBe(1);
  expect(wrong.stdout).toMatch(/^ {2}logs-2\.2 {2}.*expected 400, got 200/m);
});

test(
  "--wait waits until the target answers, and a webhook gets the result without printing its address",
  { timeout: SLOW },
  async ({ onTestFinished }) => {
    const folder = emptyFolder(onTestFinished);
    const { url, received } = await serve(() => 200);
    writeFileSync(join(folder, "hook"), `${url}/very-secret-path\n`);
    const env = await target(onTestFinished);
    const { code, stdout, stderr } = await plumbline(
      ["run", "--only", "admin-4.2", "--profile", "smoke", "--wait", "20s", "--notify-url-file", "hook"],
      env,
      folder,
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(received.map(({ url: path }) => path)).toEqual(["/very-secret-path"]);
    expect(JSON.parse(received[0]?.body ?? "")).toMatchObject({ verdict: "conformant" });
    expect(stdout + readFileSync(join(folder, "reports", "summary.json"), "utf8")).not.toContain("very-secret-path");
    expect(readFileSync(join(folder, "reports", "metrics.prom"), "utf8")).toContain(
      `plumbline_clauses{target="${env["BASE_URL"] ?? ""}",profile="smoke",verdict="pass"} 1`,
    );
  },
);

test("--wait ends as inconclusive if the target never answers", { timeout: SLOW }, async () => {
  const env = { LOGS_BASE_URL: "http://127.0.0.1:9", SETTLE_TIMEOUT_MS: "500", RUN_TIMEOUT_MS: "4000" };
  const { code, stdout, stderr } = await plumbline(["run", "--only", "logs-4.1", "--wait", "1"], env);
  expect(code).toBe(3);
  expect(stdout).toContain("waiting for the target, 1 s at most: log API, reads: no connection");
  expect(stderr).toContain("not ready after 1 s");
});

test("a second run into the same folder is refused with the id of the first", { timeout: SLOW }, async ({ onTestFinished }) => {
  const folder = emptyFolder(onTestFinished);
  const first = start(["run", "--only", "admin-4.*", "--profile", "smoke"], {}, folder);
  await first.printed("checks");
  const { code, stderr } = await plumbline(["run", "--only", "admin-4.2"], {}, folder);
  expect(code).toBe(2);
  expect(stderr).toMatch(/REPORTS_DIR is in use by run r\w+ \(process \d+\)/);
  expect((await first.ended).code).toBe(0);
  expect(existsSync(join(folder, "reports", ".plumbline.lock"))).toBe(false);
});

test("doctor --write creates one instance and sends one push", { timeout: SLOW }, async ({ onTestFinished }) => {
  const { code, stdout } = await plumbline(["doctor", "--write"], await target(onTestFinished));
  expect(code).toBe(0);
  expect(stdout).toMatch(/ok: creating instance plumbline-doctor-r\w+ in cluster "c": status 20\d/);
  expect(stdout).toMatch(/ok: pushing one line: status 2\d\d/);
  const refused = await plumbline(["doctor", "--write"], { ...(await target(onTestFinished)), METRICS_CLUSTER: "none" });
  expect(refused.code).toBe(3);
  expect(refused.stdout).toMatch(/problem: creating instance .* was refused with status 4\d\d .*see docs\/failures\/create-refused\.md/);
});
