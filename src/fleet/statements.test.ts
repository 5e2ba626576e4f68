/** Tests that a report names only the defects of a server: a check judges the responses that it got, and reports no other violation. */
import { expect, test } from "vitest";
import { FAULTS } from "../reference/faults/index.ts";
import type { Instance } from "../reference/admin/state.ts";
import { isJsonObject, type JsonObject, parseJson, type Reply, textReply } from "../reference/http/message.ts";
import { type Entry, type EntryOutcome, runEntry } from "./entry.ts";

async function outcomeOf(id: string, only: readonly string[]): Promise<EntryOutcome> {
  const fault = FAULTS.find((one) => one.id === id);
  if (fault === undefined) throw new Error(`no fault ${id}`);
  return runEntry(fault, "release", 1, { only });
}

test("on a server without metric queries, range queries beside pushes are judged", async () => {
  const { red, inconclusive } = await outcomeOf("logs-no-metric-queries", ["logs-4.query_range/during-pushes"]);
  expect(red.map(({ clause }) => clause)).toEqual(["logs-4.query"]);
  expect(inconclusive).toEqual([]);
});

test("if entries are right and in the wrong order, only the order is reported", async () => {
  const { inconclusive } = await outcomeOf("logs-order-always-descending", ["logs-4.4/hours-pages"]);
  const reason = expect.stringMatching(
    /^precondition not met: the response to a query with a limit across a full hour is wrong: .* expected direction forward: the oldest entry first/,
  );
  // The check has two clauses, so its reason appears twice.
  expect(inconclusive.map((one) => one.reason)).toEqual([reason, reason]);
});

test.each(["logs-direction-always-forward", "logs-direction-always-backward"])(
  "%s: paging reports the clause on the order of pages, and no push",
  async (id) => {
    const { red } = await outcomeOf(id, ["logs-4.4/*", "logs-4.4-backward/*"]);
    expect(red.map(({ clause }) => clause)).toEqual(["logs-4.1"]);
  },
);

test("the report shows the page that is out of order, and not the first page", async () => {
  const { red } = await outcomeOf("logs-page-direction-ignored", ["logs-4.4/pages"]);
  const [{ clause, message } = { clause: "", message: "" }] = red;
  expect(clause).toBe("logs-4.1");
  expect(message).toMatch(/^At data\.result\[\d+\]\.values\[\d+\] \(page [2-9] of \d+, paging forward\)/m);
});

test("of several responses the report shows the wrong response", async () => {
  const { red } = await outcomeOf("logs-direction-default-forward", ["logs-4.query_range/cases"]);
  expect(red.map(({ clause }) => clause)).toEqual(["logs-4.1"]);
  expect(red[0]?.message).toMatch(/^Request: GET (?!.*direction=)/m);
});

test("an entry that a read returns twice is not reported as an error of its push", async () => {
  const { red } = await outcomeOf("logs-seam-batch-first-twice", ["logs-4.query_range/cases"]);
  expect(red.map(({ clause }) => clause)).toEqual(["logs-4.query_range"]);
});

/** Returns a change of the server that refuses each update for which `isRefused` is true. */
function refusingUpdates(reply: Reply, isRefused: (payload: JsonObject, before: Instance) => boolean): Entry {
  return {
    id: "refusing-updates",
    change: (base, { instances }) => ({
      beforeHandle: (request, route) => {
        const payload = parseJson(request.body);
        const before = instances.all().find(({ name }) => route?.operation === "admin.update" && name === route.name);
        const isWrong = before !== undefined && isJsonObject(payload) && isRefused(payload, before);
        return isWrong ? reply : base.beforeHandle(request, route);
      },
    }),
  };
}

test("if updates of the display name are refused, no create is blamed", async () => {
  const entry = refusingUpdates(
    textReply(400, "display_name cannot be changed\n"),
    (payload, { display_name }) => payload["display_name"] !== display_name,
  );
  const { red } = await runEntry(entry, "release", 1, { service: "admin" });
  expect(red.map(({ clause }) => clause)).toEqual(["admin-4.PUT", "admin-4.2", "admin-4.3"]);
});

test("if updates over limits are refused, no single limit is blamed", async () => {
  const entry = refusingUpdates(
    textReply(409, "remove limits first\n"),
    (payload, { limits }) => payload["limits"] !== undefined && limits !== undefined,
  );
  const only = ["admin-2.limit.accept_ha_samples", "admin-2.limit.reject_old_samples"];
  const { red, inconclusive } = await runEntry(entry, "release", 1, { only });
  expect([red, inconclusive]).toEqual([[], []]);
});
