import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { placeReport, withoutAnalytics } from "./allure-html.ts";
import { outputsIn } from "./outputs.ts";

test("scripts from outside and the analytics they need are taken out, the report's own scripts stay", () => {
  const own =
    '<script src="data:text/javascript;base64,AAAA"></script><script>window.allureReportData = {};</script><script src="app.js"></script>';
  const analytics = [
    '<script async src="https://www.googletagmanager.com/gtag/js?id=G-1"></script>',
    "<script>\n  window.dataLayer = window.dataLayer || [];\n  gtag('js', new Date());\n</script>",
  ].join("\n");
  expect(withoutAnalytics(`<head>${analytics}</head>${own}`).replaceAll("\n", "")).toBe(`<head></head>${own}`);
});

test("a new report takes the place of the old one, and its history that of the old history", () => {
  const folder = mkdtempSync(join(tmpdir(), "plumbline-place-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const outputs = outputsIn(folder);
  const generated = join(folder, "generated");
  for (const path of [outputs.allureReport, join(generated, "data")]) mkdirSync(path, { recursive: true });
  writeFileSync(join(outputs.allureReport, "history.jsonl"), "old");
  writeFileSync(join(outputs.allureReport, "stale.html"), "");
  writeFileSync(join(generated, "index.html"), "new");
  writeFileSync(join(generated, "data", "one.json"), "{}");
  placeReport(generated, outputs, "old\nnew\n");
  expect(readdirSync(outputs.allureReport).toSorted()).toEqual(["data", "history.jsonl", "index.html"]);
  expect(readdirSync(join(outputs.allureReport, "data"))).toEqual(["one.json"]);
  expect(readFileSync(join(outputs.allureReport, "history.jsonl"), "utf8")).toBe("old\nnew\n");
});
