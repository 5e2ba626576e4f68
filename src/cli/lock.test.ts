import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { lock } from "./lock.ts";
import { emptyFolder } from "./testing.ts";

test("a folder is locked for one run at a time, and unlocked afterwards", () => {
  const folder = emptyFolder();
  const release = lock(folder, "rfirst");
  expect(() => lock(folder, "rsecond")).toThrow(/^REPORTS_DIR is in use by run rfirst \(process \d+\)/);
  release();
  expect(readdirSync(folder)).toEqual([]);
  lock(folder, "rthird")();
});

test.each([JSON.stringify({ pid: 2 ** 22 + 1, runId: "rgone" }), "not JSON", ""])(
  "a lock of an ended process (%j) does not block a run",
  (text) => {
    const folder = emptyFolder();
    writeFileSync(join(folder, ".plumbline.lock"), text);
    lock(folder, "rnew")();
    expect(existsSync(join(folder, ".plumbline.lock"))).toBe(false);
  },
);
