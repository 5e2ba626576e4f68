import { expect, test } from "vitest";
import { Silences } from "./silences.ts";

const AFTER_MS = 60_000;
const AGAIN_MS = 10_000;

function unanswered(silences: Silences, operation: string, timesMs: readonly number[]): void {
  for (const ms of timesMs) silences.unanswered(operation, ms);
}

const SIX = [0, 1_000, 2_000, 3_000, 4_000, 5_000];

test("a kind of request is silent if many were unanswered for long, whatever their names have in parentheses", () => {
  const silences = new Silences(AFTER_MS, AGAIN_MS);
  unanswered(silences, "query (a form)", SIX);
  expect(silences.lastingMs("query", 59_000)).toBeNull();
  expect(silences.letsThrough("query", 59_000)).toBe(true);
  expect(silences.lastingMs("query (another form)", 61_000)).toBe(61_000);
  expect(silences.lastingMs("query_range", 61_000)).toBeNull();
});

test("during a silence single requests are sent to find out whether it is over", () => {
  const silences = new Silences(AFTER_MS, AGAIN_MS);
  unanswered(silences, "query", SIX);
  const sent = [61_000, 61_001, 70_999, 71_000, 71_001].filter((ms) => silences.letsThrough("query", ms));
  expect(sent).toEqual([61_000, 71_000]);
});

test("few unanswered requests are no silence, however long they took", () => {
  const silences = new Silences(AFTER_MS, AGAIN_MS);
  unanswered(silences, "push", SIX.slice(1));
  expect(silences.lastingMs("push", 200_000)).toBeNull();
});

test("a response ends a silence", () => {
  const silences = new Silences(AFTER_MS, AGAIN_MS);
  unanswered(silences, "push", SIX);
  silences.letsThrough("push", 100_000);
  expect(silences.letsThrough("push", 100_001)).toBe(false);
  silences.answered("push");
  expect(silences.letsThrough("push", 100_002)).toBe(true);
});
