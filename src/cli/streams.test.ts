/** Tests lost output, crashes and kills: they must not change the verdict, leave a lock, or lose a report. */
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packageRoot } from "../model/schemas.ts";
import { emptyFolder, plumbline, ran, start } from "./testing.ts";

const SLOW = 60_000;

const MAIN = `"${process.execPath}" "${join(packageRoot(), "dist/src/cli/main.js")}"`;

/** Runs a line of bash and returns its output. In the line, `plumbline` runs the compiled program. */
async function bash(line: string, folder: string): Promise<string> {
  return (await ran("bash", ["-c", line.replaceAll("plumbline", MAIN)], folder)).stdout.trim();
}

const RUN = "plumbline run --only admin-4.2 --profile smoke";

test.each([
  ["a pipe that is closed after a line", `${RUN} | head -1 > /dev/null; echo \${PIPESTATUS[0]}`],
  ["a full disk", `${RUN} > /dev/full; echo $?`],
  ["a full disk behind both streams", `${RUN} > /dev/full 2> /dev/full; echo $?`],
])(
  "%s at the end of the pipe changes neither the verdict nor a report",
  async (_what, line) => {
    const folder = emptyFolder();
    expect(await bash(line, folder)).toBe("0");
    const reports = join(folder, "reports");
    for (const name of ["summary.json", "junit.xml", "report.html"]) expect(existsSync(join(reports, name)), name).toBe(true);
    expect(existsSync(join(reports, ".plumbline.lock"))).toBe(false);
  },
  SLOW,
);

test("a closed pipe does not change the exit code of a list, and a full disk does not change that of a refusal", async () => {
  const folder = emptyFolder();
  expect(await bash("plumbline clauses | head -1 > /dev/null; echo ${PIPESTATUS[0]}", folder)).toBe("0");
  expect(await bash("plumbline run --nope 2> /dev/full; echo $?", folder)).toBe("2");
});

test.each(["Promise.reject(new Error('a crash'))", "queueMicrotask(() => { throw new Error('a crash'); })"])(
  "an uncaught error (%s) ends the program with 3 and one line",
  async (crash) => {
    // This module delays the program, to imitate a busy machine: errors occur before the program can handle them.
    const late = `import { isMainThread } from "node:worker_threads"; if (isMainThread) {
      const wait = setInterval(() => { if (process.listenerCount("uncaughtException") > 0) { clearInterval(wait); ${crash}; } }, 10);
    }`;
    const preload = `--import=data:text/javascript,${encodeURIComponent(late)}`;
    const { code, stderr } = await plumbline(["serve", "--port", "0"], { NODE_OPTIONS: preload });
    expect({ code, stderr }).toEqual({ code: 3, stderr: "plumbline: internal error, nothing was judged: a crash\n" });
  },
);

test(
  "a crash during a run ends it with 3 and leaves no lock",
  async () => {
    const folder = emptyFolder();
    const late = `import { isMainThread } from "node:worker_threads"; if (isMainThread) {
      const look = setInterval(() => { if (process.listenerCount("unhandledRejection") > 1) { clearInterval(look); Promise.reject(new Error("a crash")); } }, 10);
      look.unref();
    }`;
    const preload = `--import=data:text/javascript,${encodeURIComponent(late)}`;
    const { code, stderr } = await plumbline(["run", "--only", "admin-4.2"], { NODE_OPTIONS: preload }, folder);
    expect({ code, stderr }).toEqual({ code: 3, stderr: "plumbline: internal error, nothing was judged: a crash\n" });
    expect(existsSync(join(folder, "reports/.plumbline.lock"))).toBe(false);
  },
  SLOW,
);

test(
  "a killed run leaves the history of earlier runs",
  async () => {
    const folder = emptyFolder();
    const report = join(folder, "reports/allure-report");
    mkdirSync(report, { recursive: true });
    writeFileSync(join(report, "history.jsonl"), "earlier runs\n");
    writeFileSync(join(report, "index.html"), "an earlier report");
    const { process: child, printed, ended } = start(["run", "--only", "admin-4.2", "--profile", "smoke"], {}, folder);
    await printed("3 checks\n");
    child.kill("SIGKILL");
    expect((await ended).code).toBeNull();
    expect(readFileSync(join(report, "history.jsonl"), "utf8")).toBe("earlier runs\n");
    expect(existsSync(join(report, "index.html"))).toBe(false);
  },
  SLOW,
);

test("a program that cannot be loaded ends with 3 and one line", async () => {
  const folder = emptyFolder();
  mkdirSync(join(folder, "dist/src/cli"), { recursive: true });
  mkdirSync(join(folder, "bin"));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  writeFileSync(join(folder, "dist/src/cli/main.js"), 'import "a-package-that-is-not-installed";');
  copyFileSync(join(packageRoot(), "bin/plumbline.js"), join(folder, "bin/plumbline.js"));
  const { code, stderr } = await ran(process.execPath, ["bin/plumbline.js"], folder);
  expect(code).toBe(3);
  expect(stderr).toMatch(
    /^plumbline: internal error, nothing was judged: the program could not be loaded: .*a-package-that-is-not-installed.*\n$/,
  );
});
