import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { emptyFolder } from "../model/folder-testing.ts";
import { AllureGenerator } from "./allure-generator.ts";

const WORK = { config: {}, folder: tmpdir(), results: tmpdir() };

/** Returns a generator whose process runs the JavaScript text `program`. */
function generatorOf(program: string): AllureGenerator {
  const entry = join(emptyFolder(), "entry.mjs");
  writeFileSync(entry, program);
  return new AllureGenerator(entry);
}

test("if the process ends before it is used, the run rejects and does not wait forever", async () => {
  const generator = generatorOf('console.error("one\\ntwo\\nthree\\nfour"); process.exit(7);');
  generator.warm();
  await sleep(1000);
  await expect(generator.run(WORK)).rejects.toThrow("the report generator ended with 7: two three four");
});

test("a user without a home folder gets a report", async () => {
  vi.stubEnv("HOME", undefined);
  onTestFinished(() => void vi.unstubAllEnvs());
  await expect(generatorOf("process.exit(process.env.HOME === undefined ? 1 : 0);").run(WORK)).resolves.toBeUndefined();
});
