import { expect, test } from "vitest";
import type { FinishedRun } from "../model.ts";
import { summarize } from "../summary.ts";
import { COVERAGE, FULL_PLAN, plannedCheck, resultOf, RUN_DETAILS, settingsFor, withCoverage } from "../testing.ts";
import { type Html, markup } from "./html.ts";
import { verdictBody, type VerdictPage } from "./verdict-page.ts";

/** Returns the text of the page without the line breaks and indents of the HTML source. */
function flat({ text }: Html): string {
  return text.replaceAll(/\s+/g, " ").replaceAll(/>\s+</g, "><");
}

function bodyOf(finished: FinishedRun, page: Partial<VerdictPage> = {}): string {
  return flat(verdictBody({ finished, settings: settingsFor(), trend: [], anchors: new Map(), ...page }));
}

function pageOf(page: Partial<VerdictPage> = {}, verdict: "pass" | "fail" | "inconclusive" = "pass"): string {
  const results = FULL_PLAN.map((check) =>
    ["logs-4.push", "logs-4.4"].includes(check.clauses[0] ?? "")
      ? resultOf(check, verdict, `${verdict} <b>here</b>`)
      : resultOf(check, "pass"),
  );
  return bodyOf(summarize(results, FULL_PLAN, settingsFor(), RUN_DETAILS), page);
}

test("values are escaped, and HTML is not escaped twice", () => {
  const name = '<"&';
  expect(markup`<b>${name}</b>${[markup`<i>${1}</i>`, null]}`.text).toBe("<b>&lt;&quot;&amp;</b><i>1</i>");
});

test("the page begins with the verdict", () => {
  expect(pageOf()).toMatch(/^<header class="conformant"><h1>CONFORMANT/);
  expect(pageOf({}, "fail")).toMatch(/^<header class="nonconformant"><h1>NONCONFORMANT/);
  expect(pageOf({}, "inconclusive")).toMatch(/^<header class="inconclusive"><h1>INCONCLUSIVE/);
});

test("a release run says in its header that a budget cut more than 2 % of the pairs, and the page has the coverage", () => {
  const finished = summarize([], [], settingsFor(), withCoverage({ ...COVERAGE, cut: 200 }));
  const [header = "", rest = ""] = bodyOf(finished).split("</header>");
  expect(header).toContain("a budget was too small, so the run did not try 200 of 1,500 pairs of input values (histories);");
  expect(rest).toContain("<h2>Coverage of the generated requests</h2>");
});

test("for each judged service the page gives the time until writes were visible", () => {
  expect(pageOf()).toContain("<dt>Writes were visible</dt><dd>Log API: within 0.9 s</dd>");
  expect(pageOf()).toContain("<dt>Wrong reads are repeated</dt><dd>Log API: for at least 2.7 s</dd>");
});

test("if no read showed a write, the page claims no time", () => {
  const end = RUN_DETAILS.end === null ? null : { ...RUN_DETAILS.end, settling: { admin: null, logs: null } };
  expect(bodyOf(summarize([], [], settingsFor(), { ...RUN_DETAILS, end }))).toContain("<dd>not known, because no read showed a write</dd>");
  expect(bodyOf(summarize([], [], settingsFor(), { ...RUN_DETAILS, end: null }))).toContain(
    "<dd>not known, because the run did not end normally</dd>",
  );
});

test("defects come before the facts about the run, in the order of their causes, with clause, command and links to their checks", () => {
  const text = pageOf({ anchors: new Map([["logs-4.push/check", "abc"]]) }, "fail");
  const order = ["<h2>Defects", "#logs-4.push", "#logs-4.4", "<dt>Admin API</dt>", "<h2>Every clause</h2>"].map((part) =>
    text.indexOf(part),
  );
  expect(order).toEqual(order.toSorted((one, other) => one - other));
  expect(text).toContain(
    'may follow from the violation of <a href="#logs-4.push"><code>logs-4.push</code></a>. Look at that clause first.',
  );
  expect(text).toContain("<pre>curl -sS -X GET 'http://x/a'</pre>");
  expect(text).toContain("<dt>Expected</dt><dd>&quot;one&quot;</dd><dt>Actual</dt><dd>&quot;two&quot;</dd>");
  expect(text).toContain("fail &lt;b&gt;here&lt;/b&gt;");
  expect(text).toContain('First seen in this run. Found by <a href="#abc" data-open="abc"><code>logs-4.push/check</code></a>.');
  expect(text).not.toContain("<b>here</b>");
});

test("clauses that were not evaluated are listed by cause, with the next step", () => {
  const text = pageOf({}, "inconclusive");
  expect(text).toContain("<h2>Inconclusive</h2>");
  expect(text).toContain('<span class="cause">the responses did not show enough</span><br />Read the reasons: see ');
  expect(text).toContain("<code>logs-4.push, logs-4.4</code>");
});

test("behaviour about which the documents are silent is listed with the observation", () => {
  const check = plannedCheck("admin-7.errors");
  const unknown = { id: "admin-7.errors/unknown", clause: "admin-7.errors", title: "an unknown instance", seen: { status: 404 } };
  const result = { ...resultOf(check, "pass"), observations: [{ ...unknown, exchanges: [] }] };
  const text = bodyOf(summarize([result], [check], settingsFor(), RUN_DETAILS));
  expect(text).toContain("an unknown instance");
  expect(text).toContain("<td>status 404</td>");
});

test("the page holds the failure pages that it links", () => {
  const text = pageOf({}, "fail");
  expect(text).toContain('see <a href="#failure-violation"><code>violation</code></a>');
  expect(text).toMatch(/<details id="failure-violation"><summary>violation<\/summary><h1>[^<]+<\/h1><h2>Symptom<\/h2>/);
  for (const [, id] of pageOf({}, "inconclusive").matchAll(/href="#(failure-[\w-]+)"/g))
    expect(pageOf({}, "inconclusive")).toContain(`id="${id}"`);
  expect(pageOf()).not.toContain("Failure pages");
});
