import { expect, test } from "vitest";
import { escapeXml, toJunit } from "./junit.ts";
import { summarize } from "./summary.ts";
import { RUN_DETAILS, plannedCheck, resultOf, settingsFor } from "./testing.ts";

test.each([
  ["a<b>&\"'c", "a&lt;b&gt;&amp;&quot;&apos;c"],
  ["\u0000\u001B[31m\uFFFF", "\uFFFD\uFFFD[31m\uFFFD"],
  ["\uD800 alone, 😀 whole", "\uFFFD alone, 😀 whole"],
  ["line\nend\tand\rmore", "line\nend\tand\rmore"],
  ["]]>", "]]&gt;"],
])("%j is escaped", (text, escaped) => {
  expect(escapeXml(text)).toBe(escaped);
});

test("verdicts become failure, error and skipped, the classname has document and section, and the numbers equal the summary", () => {
  const settings = settingsFor({}, ["admin-4.1", "admin-4.2", "admin-4.3", "logs-7.400", "logs-6.events"]);
  const plan = ["admin-4.1", "admin-4.2", "admin-4.3", "logs-7.400"].map((clause) => plannedCheck(clause));
  const verdicts = ["fail", "inconclusive", "not-run", "pass"] as const;
  const reason = 'got "<2>" & more';
  const results = plan.map((check, index) => resultOf(check, verdicts[index] ?? "pass", verdicts[index] === "pass" ? "" : reason));
  const xml = toJunit(summarize(results, plan, settings, RUN_DETAILS));
  expect(xml).toContain('<testsuites name="plumbline" tests="4" failures="1" errors="1" skipped="1" time="0.020">');
  expect(xml).toContain('<testsuite name="admin" tests="3" failures="1" errors="1" skipped="1"');
  expect(xml).toContain('classname="admin.4"');
  expect(xml).toContain('classname="logs.7"');
  expect(xml).toContain(
    '<failure message="got &quot;&lt;2&gt;&quot; &amp; more">admin-4.1/check: check of admin-4.1\ngot &quot;&lt;2&gt;&quot; &amp; more\nmore</failure>',
  );
  expect(xml).toMatch(/<error message="[^"]*">[^<]*\n\nNext: Read the reasons; see docs\/failures\/inconclusive\.md<\/error>/);
  expect(xml).toContain('<skipped message="got &quot;&lt;2&gt;&quot; &amp; more"></skipped>');
  expect(xml).not.toContain("logs-6.events");
  const links = [...xml.matchAll(/<property name="contract" value="[^"]*docs\/contract\.md#([^"]*)"\/>/g)].map(([, clause]) => clause);
  expect(links).toEqual(["admin-4.1", "admin-4.2", "admin-4.3", "logs-7.400"]);
});

test("a violation that may follow from another violation names it", () => {
  const plan = ["logs-4.push", "logs-4.4"].map((clause) => plannedCheck(clause));
  const results = plan.map((check) => resultOf(check, "fail", "lost"));
  const run = summarize(results, plan, settingsFor({}, ["logs-4.push", "logs-4.4"]), RUN_DETAILS);
  expect(run.summary.clauses.map(({ followsFrom }) => followsFrom)).toEqual([undefined, "logs-4.push"]);
  expect(toJunit(run)).toContain(">May follow from the violation of logs-4.push. Correct logs-4.push first.\n\nlogs-4.4/check");
});

test("the times of the test cases add up to the times of their suites and of the run, and each check counts once", () => {
  const clauses = ["admin-4.1", "admin-4.2", "logs-7.400"];
  const shared = plannedCheck("admin-4.1", "shared", ["admin-4.2"]);
  const plan = [...clauses.map((clause) => plannedCheck(clause)), shared];
  const results = plan.map((check, index) => ({ ...resultOf(check, "pass"), durationMs: [10, 200, 3_000, 40_000][index] ?? 0 }));
  const xml = toJunit(summarize(results, plan, settingsFor({}, clauses), RUN_DETAILS));
  const times = (element: string): number[] =>
    [...xml.matchAll(new RegExp(`<${element} [^>]*time="([\\d.]+)"`, "g"))].map(([, time]) => Number(time));
  expect(times("testcase")).toEqual([40.01, 0.2, 3]);
  expect(times("testsuite")).toEqual([40.21, 3]);
  expect(times("testsuites")).toEqual([43.21]);
});
