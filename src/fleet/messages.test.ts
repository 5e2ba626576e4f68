/** Tests the messages about faulty servers. For some faults, the test has the text that the message must contain. */
import { expect, test } from "vitest";
import { FAULTS } from "../reference/faults/index.ts";
import { runEntry } from "./entry.ts";

/** For each fault, a pattern of its message. */
const PINNED: Readonly<Record<string, RegExp>> = {
  "admin-name-upper-case": /At name\n {2}expected: "plb-\S+-a"\n {2}actual: {3}"PLB-\S+-A"/,
  "admin-display-name-cut": /At display_name\n {2}expected: "plumbline Instance a"\n {2}actual: {3}"plumblin"/,
  "admin-no-limits-null":
    /The document says: limits is an object[^\n]*absent[^]*\nRequest: GET [^]*\nAt limits\n {2}expected: absent, because the last write sent no limits\n {2}actual: {3}null/,
  "admin-created-at-not-on-read":
    /At created_at\n {2}expected: an RFC 3339 timestamp with at most nine fraction digits\n {2}actual: {3}absent/,
  "admin-limit-ingestion_rate-default":
    /At limits\.ingestion_rate\n {2}expected: 350000 \(an integer; not sent: the global default\)\n {2}actual: {3}350001/,
  "admin-retention-no-years": /expected: success \(2xx\) for "1y"\n {2}actual: {3}status 400/,
  "admin-create-without-limits-refused": /At status\n {2}expected: success \(2xx\)\n {2}actual: {3}status 400: "limits are required/,
  "admin-json-single-quotes": /At body\n {2}expected: JSON\n {2}actual: {3}"\{'name'/,
  "admin-auth-none": /expected: no success for a read with no credentials\n {2}actual: {3}status 200/,
  "admin-put-500-bare":
    /At status\n {2}expected: success \(2xx\) for an update without limits, for an instance without limits, as for other kinds of updates\n {2}actual: {3}status 500, \d+ times/,
  "admin-put-unchanged-204": /At body\n {2}expected: the instance object as JSON\n {2}actual: {3}an empty body/,
  "admin-json-quotes-on-update": /At body\n {2}expected: JSON\n {2}actual: {3}"\{/,
  "logs-range-nothing-cached":
    /At data\.result\n {2}expected: every entry that the query selects\n {2}actual: {3}missing from the answer: [^\n]*: \["\d+","grown 0"\]/,
  "logs-match-empty-none": /Request: GET [^\n]*svc_a=""\}[^]*?\nAt data\.result\n {2}expected: every entry that the query selects\n/,
  "logs-filter-implied-by-prefix": /Request: GET [^\n]*\|= "alpha" \|= "alphaomega"[^]*?\nAt data\.result/,
  "logs-identity-joined": /At data\.result\n {2}expected: \["\d+","group \d+ \w+"\] in the stream with \{[^\n]*"svc_a":"1svc_ab2"/,
  "admin-update-never-changes":
    /At display_name[^\n]*\n {2}expected: "[Pp]lumbline [Uu]pdate \d+"\n {2}actual: {3}"plumbline Instance a1+"/,
  "admin-create-fills-nothing": /expected: each limit that was not sent has its global default\n {2}actual: {3}not filled: ingestion_rate/,
  "admin-names-camel-case": /At limits\.ingestionRate\n {2}expected: the name ingestion_rate\n {2}actual: {3}the name ingestionRate/,
  "admin-removal-ignored": /At limits \(in the response\)\n {2}expected: absent, because the last write sent no limits/,
  "admin-adding-fills-nothing":
    /At limits\.\w+ \(in the response\)\n {2}expected: [^\n]*\(not sent[^]*Input:\n {2}\{\n {4}"limits that the update sent \(the instance had none\)": \{\n {6}"\w+": \S+\n/,
  "logs-labels-as-pairs": /At data\.result\[0\]\.stream\n {2}expected: type object \(Label names to label values\)/,
  "logs-entry-object": /At data\.result\[0\]\.values\[0\]\n {2}expected: type array \(\[timestamp in ns, line\]\)/,
  "logs-ts-number":
    /At data\.result\[0\]\.values\[0\]\[0\]\n {2}expected: type string \(Unix time in nanoseconds, decimal\)\n {2}actual: {3}\d+/,
  "logs-push-empty-lines-dropped":
    /expected: every entry that the query selects\n {2}actual: {3}missing from the answer: [^\n]*: \["\d{19}",""\]/,
  "logs-default-limit-10": /expected: 100 entries\n {2}actual: {3}10 entries; missing from the answer: the oldest 90 of 100 entries: /,
  "logs-direction-default-forward":
    /expected: direction backward: the newest entry first\n {2}actual: {3}wrong order: (?:all \d+ entries are in the opposite order, such as )?\["\d+","[a-z]+ 0[^\n]*"\] before \["\d+","/,
  "logs-page-at-last-ends":
    /At data\.result \(page \d+ of \d+, paging forward\)[^]*"page size": \d+[^]*"next page starts": "at the last timestamp"/,
  "logs-match-unequal-ignored":
    /Request: GET [^\n]*svc_colour!="[^]*expected: only the entries the query selects\n {2}actual: {3}unexpected: [^\n]* in \{"plumbline_run"/,
  "logs-range-many-streams-cut":
    /lists the streams with the entries of that query[^]*expected: every entry that the query selects\n {2}actual: {3}missing from the answer: [^\n]*and \d+ more\n/,
  "logs-count-plus-one": /Request: GET [^\n]*count_over_time[^]*expected: \d+ for \{[^\n]*\n {2}actual: {3}\d+/,
  "logs-sample-number": /expected: type string \(Sample value\)\n {2}actual: {3}\d+/,
  "logs-labels-last-missing": /At data \(label names\)\n {2}expected: "(?:svc_values|zone)" in the list/,
  "logs-values-of-prefix": /expected: only values of svc_a, and none of another label\n {2}actual: {3}unexpected in the list: "svc_ab:/,
  "logs-instant-selector-streams":
    /expected: status 400 for the invalid query `\{plumbline_run="\S+", plumbline_set="hello"\}`\n {2}actual: {3}status 200[^]*"valid": "count_over_time/,
  "logs-no-matcher-everything": /expected: status 400 for the invalid query `\{\}`\n {2}actual: {3}status 200/,
  "logs-query-optional": /expected: an error for a request without query\n {2}actual: {3}status 200/,
  "logs-tenants-share-everything":
    /expected: only the tenant's own entries\n {2}actual: {3}\d entries of the other tenant; the first is "(?:first|second) \w+"/,
  "logs-several-tenants-first":
    /The document says: To query several tenants at once[^]*actual: {3}missing from the answer: \d+ of \d+ entries/,
  "logs-auth-none": /expected: no success for query_range with no credentials\n {2}actual: {3}status 200/,
};

/**
 * For each fault that no check of its own clause detects, the id of a check that detects it. This test runs that check against the fault.
 */
const FOUND_BY: Readonly<Record<string, string>> = {
  "admin-json-quotes-on-update": "admin-2.field.display_name/any-text",
  "logs-identity-joined": "logs-4.push/larger-sets",
};

test.concurrent.each(Object.entries(PINNED))("the message about %s says what is wrong", async (id, says) => {
  const fault = FAULTS.find((candidate) => candidate.id === id);
  if (fault === undefined) throw new Error(`no fault ${id}`);
  const only = FOUND_BY[id] ?? fault.clause;
  const { red } = await runEntry(fault, "release", 1, { only: [only], until: fault.clause });
  const { message = "" } = red.find(({ clause }) => clause === fault.clause) ?? {};
  expect(message).toMatch(says);
  expect(message.startsWith(`${fault.clause} is violated (`)).toBe(true);
  expect(message).toContain(`--only ${only} --seed 1`);
});

test("a server that counts equal entries of several streams once fails only checks that count such entries", async () => {
  const fault = FAULTS.find(({ id }) => id === "logs-seam-equal-entries-counted-once");
  if (fault === undefined) throw new Error("no such fault");
  const { red } = await runEntry(fault, "release", 1);
  expect(red.map(({ clause, checks }) => ({ clause, checks }))).toEqual([
    { clause: "logs-4.query", checks: ["logs-4.query/ranges", "logs-4.query_range/archive-windows", "logs-4.push/beside-old"] },
  ]);
});
