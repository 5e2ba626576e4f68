import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { TestResult } from "allure-js-commons";
import { expect, test } from "vitest";
import { emptyFolder } from "../model/folder-testing.ts";
import { AllureWriter } from "./allure-writer.ts";

test("each attachment has a file of its own, and equal content is on the disk once", () => {
  const folder = emptyFolder();
  const writer = new AllureWriter(folder);
  writer.writeAttachment("one.txt", Buffer.from("curl a"));
  writer.writeAttachment("two.txt", Buffer.from("curl a"));
  writer.writeAttachment("three.txt", Buffer.from("curl b"));
  writer.writeAttachment("four.httpexchange", Buffer.from("curl a"));
  writer.writeResult({ uuid: "first", name: "first" } as unknown as TestResult);
  expect(readdirSync(folder).toSorted()).toEqual(["first-result.json", "four.httpexchange", "one.txt", "three.txt", "two.txt"]);
  expect(readFileSync(join(folder, "two.txt"), "utf8")).toBe("curl a");
  const fileOf = (name: string): number => statSync(join(folder, name)).ino;
  expect(fileOf("two.txt")).toBe(fileOf("one.txt"));
  expect(fileOf("three.txt")).not.toBe(fileOf("one.txt"));
});
