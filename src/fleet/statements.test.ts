/** What is said of a server is true of its own answers: a check judges what it has seen, and names no other fault than that. */
import { expect, test } from "vitest";
import { FAULTS } from "../reference/faults/index.ts";
import { type EntryOutcome, runEntry } from "./entry.ts";

async function outcomeOf(id: string, only: readonly string[]): Promise<EntryOutcome> {
  const fault = FAULTS.find((one) => one.id === id);
  if (fault === undefined) throw new Error(`no fault ${id}`);
  return runEntry(fault, "release", 1, { only });
}

test("of a server without metric queries what is listed and read beside pushes is judged", async () => {
  const { red, inconclusive } = await outcomeOf("logs-no-metric-queries", ["logs-4.query_range/added-much-later"]);
  expect(red.map(({ clause }) => clause)).toEqual(["logs-4.query"]);
  expect(inconclusive).toEqual([]);
});

test("of entries that are right and in the wrong order it is the order that is said to be wrong", async () => {
  const { inconclusive } = await outcomeOf("logs-order-always-descending", ["logs-4.4/hours-pages"]);
  expect(inconclusive.map(({ reason }) => reason)).toEqual([
    expect.stringMatching(
      /^precondition: a query with a limit across a full hour is wrong: .* expected direction forward: the oldest entry first/,
    ),
  ]);
});

test.each(["logs-direction-always-forward", "logs-direction-always-backward"])(
  "%s: paging blames the pages that are out of order, and no push",
  async (id) => {
    const { red } = await outcomeOf(id, ["logs-4.4/*", "logs-4.4-backward/*"]);
    expect(red.map(({ clause }) => clause)).toEqual(["logs-4.1"]);
  },
);

test("a page that is out of order is shown, and not the first of the pages", async () => {
  const { red } = await outcomeOf("logs-page-direction-ignored", ["logs-4.4/start-at-last"]);
  const [{ clause, message } = { clause: "", message: "" }] = red;
  expect(clause).toBe("logs-4.1");
  expect(message).toMatch(/^At data\.result\[\d+\]\.values\[\d+\] \(page [2-9], paging forward\)/m);
});

test("of several answers the wrong one is shown", async () => {
  const { red } = await outcomeOf("logs-direction-default-forward", ["logs-4.1/reverse"]);
  expect(red.map(({ clause }) => clause)).toEqual(["logs-4.1"]);
  expect(red[0]?.message).toMatch(/^Request: GET (?!.*direction=)/m);
});

test("an entry that a read answers twice is no matter of its push", async () => {
  const { red } = await outcomeOf("logs-seam-batch-first-twice", ["logs-4.1/reverse"]);
  expect(red.map(({ clause }) => clause)).toEqual(["logs-4.query_range"]);
});
