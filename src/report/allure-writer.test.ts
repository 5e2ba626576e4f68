import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Attachment, TestResult } from "allure-js-commons";
import { afterEach, beforeEach, expect, test } from "vitest";
import { AllureWriter } from "./allure-writer.ts";

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "plumbline-allure-"))));
afterEach(() => rmSync(folder, { recursive: true }));

const attachment = (source: string): Attachment => ({ name: "curl", source, type: "text/plain" });

function resultWith(uuid: string, attachments: Attachment[], ofItsStep: Attachment[]): TestResult {
  const step = { name: "step", attachments: ofItsStep, steps: [], parameters: [] };
  return { uuid, name: uuid, attachments, steps: [step], parameters: [], labels: [], links: [] } as unknown as TestResult;
}

const namedBy = (attachments: readonly Attachment[]): string[] => attachments.map(({ source }) => source);

function sourcesOf(uuid: string): { own: string[]; step: string[] } {
  const result = JSON.parse(readFileSync(join(folder, `${uuid}-result.json`), "utf8")) as TestResult;
  return { own: namedBy(result.attachments), step: namedBy(result.steps[0]?.attachments ?? []) };
}

test("an attachment of several results is written once, and each result names this file", () => {
  const writer = new AllureWriter(folder);
  writer.writeAttachment("one.txt", Buffer.from("curl a"));
  writer.writeResult(resultWith("first", [attachment("one.txt")], []));
  writer.writeAttachment("two.txt", Buffer.from("curl a"));
  writer.writeAttachment("three.txt", Buffer.from("curl b"));
  writer.writeResult(resultWith("second", [attachment("three.txt")], [attachment("two.txt")]));
  expect(sourcesOf("first")).toEqual({ own: ["one.txt"], step: [] });
  expect(sourcesOf("second")).toEqual({ own: ["three.txt"], step: ["one.txt"] });
  expect(readdirSync(folder).toSorted()).toEqual(["first-result.json", "one.txt", "second-result.json", "three.txt"]);
  expect(readFileSync(join(folder, "one.txt"), "utf8")).toBe("curl a");
});

test("attachments of two types stay two files, because a viewer derives the type from the name", () => {
  const writer = new AllureWriter(folder);
  writer.writeAttachment("one.txt", Buffer.from("{}"));
  writer.writeAttachment("two.httpexchange", Buffer.from("{}"));
  writer.writeResult(resultWith("both", [attachment("one.txt"), attachment("two.httpexchange")], []));
  expect(sourcesOf("both").own).toEqual(["one.txt", "two.httpexchange"]);
});
