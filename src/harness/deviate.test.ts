import { expect, test } from "vitest";
import type { Deviation } from "../settings/types.ts";
import { accepted } from "./deviate.ts";
import { checkOf, DEVIATION, finding, resultOf, settingsFor } from "./testing.ts";

const ENTRY = { ...DEVIATION, match: "admin-4.PUT", owner: "team metrics", reason: "known", link: "https://t/1", expires: "2027-01-01" };

const BROKEN = checkOf(async (t) => {
  await t.verify(finding("admin-4.PUT", [{ clause: "admin-4.PUT", path: "status", expected: "200", actual: "500" }]));
});

async function verdictWith(entry: Partial<Deviation>): Promise<string> {
  return (await resultOf(BROKEN, settingsFor("http://127.0.0.1:9", { deviations: [{ ...ENTRY, ...entry }] }))).verdict;
}

test("an accepted failure becomes a deviation that names its owner and keeps the evidence", async () => {
  const { verdict, outcomes } = await resultOf(BROKEN, settingsFor("http://127.0.0.1:9", { deviations: [ENTRY] }));
  expect(verdict).toBe("deviation");
  expect(outcomes[0]?.headline).toBe("accepted until 2027-01-01 by team metrics: known; GET: expected 200, got 500, request: GET /");
  expect(outcomes[0]?.message).toContain("https://t/1");
  expect(outcomes[0]?.message).toContain("Replay: ");
});

test("an entry accepts a failure by clause, by check or by glob, and only for its target", async () => {
  expect(await verdictWith({ match: "admin-4.PUT/made-up" })).toBe("deviation");
  expect(await verdictWith({ match: "admin-*" })).toBe("deviation");
  expect(await verdictWith({ target: "http://127.0.0.1:9" })).toBe("deviation");
  expect(await verdictWith({ target: "http://127.0.0.1:10" })).toBe("fail");
  expect(await verdictWith({ match: "admin-4.2" })).toBe("fail");
  expect(await verdictWith({ expired: true })).toBe("fail");
});

test("only a failure can be accepted", () => {
  const outcome = { clause: "admin-4.PUT", verdict: "inconclusive", headline: "x", message: "x" } as const;
  expect(accepted(outcome, BROKEN, settingsFor("http://x", { deviations: [ENTRY] }))).toBe(outcome);
});
