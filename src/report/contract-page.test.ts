import { expect, test } from "vitest";
import { clauseOf } from "../contract/catalogue.ts";
import { contractPage, type ListedClause } from "./contract-page.ts";

function listed(id: string, change: Partial<ListedClause> = {}): ListedClause {
  return { ...clauseOf(id), checks: [{ id: `${id}/some`, title: "some *title*", profiles: ["smoke", "release"] }], ...change };
}

const ROWS = ["admin-2.limit.ingestion_rate", "admin-2.limit.max_query_length"];

test("the page of a clause has an anchor, its level and statement, its checks, and the clauses that can hide it", () => {
  const page = contractPage([listed("admin-4.2", { statement: "a <b> `<c>` __d__ e_f" })], () => ["admin-4.GET", "admin-4.PUT"]);
  expect(page).toContain(String.raw`## Metrics admin API: Instance Administration and Per-Instance Limits (metrics service)

### 4. Endpoints

<a id="admin-4.2"></a>

#### admin-4.2

a \<b\> ${"`<c>`"} \_\_d\_\_ e_f *(stated)*

- checked by ${"`admin-4.2/some`"} (smoke, release): some \*title\*
- not evaluated if one of these is violated: [admin-4.GET](#admin-4.GET), [admin-4.PUT](#admin-4.PUT)
`);
});

function pageWith(hiders: readonly string[]): string {
  return contractPage([listed("admin-4.1")], () => hiders);
}

test("if several rows of the table of limits can hide a clause, the page names them together", () => {
  expect(pageWith(ROWS)).toContain("- not evaluated if one of these is violated: the clause of any limit\n");
  expect(pageWith(["admin-4.GET", ...ROWS])).toContain(
    "- not evaluated if one of these is violated: [admin-4.GET](#admin-4.GET), the clause of any limit\n",
  );
  expect(pageWith(ROWS.slice(0, 1))).toContain(`- not evaluated if one of these is violated: [${ROWS[0]}](#${ROWS[0]})\n`);
  expect(pageWith([])).not.toContain("hidden by");
});

test("a clause that is not judged has a reason, and a repeated clause names the clauses that are judged", () => {
  const page = contractPage([listed("logs-6.events"), listed("logs-8.rate-limit")], () => ["admin-4.GET"]);
  expect(page).toContain('- not judged: the document says "not shown"');
  expect(page).toContain("- observed by `logs-6.events/some`");
  expect(page).toContain("- the same statement is judged as [logs-7.429](#logs-7.429)\n");
  expect(page).not.toContain("hidden by");
  expect(page).not.toContain("## Metrics admin API");
});
