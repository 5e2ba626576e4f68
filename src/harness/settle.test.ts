/** Waiting: a slow replica is not blamed, a real fault is not healed. */
import { expect, test } from "vitest";
import { eventually, type Patience, Settle } from "./settle.ts";

const WRONG = [{ clause: "admin-4.GET", path: "name", expected: "a", actual: "b" } as const];

function patience(settle: Settle, deadline: Patience["deadline"] = "full"): Patience {
  return { settle, deadline, pollMs: 1, pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)) };
}

/** Reads a list of answers, the last one for ever. */
function reader(answers: readonly boolean[]): { readonly read: () => Promise<boolean>; readonly reads: () => number } {
  let reads = 0;
  return { reads: () => reads, read: async () => answers[Math.min(reads++, answers.length - 1)] ?? false };
}

const judge = (right: boolean) => (right ? [] : WRONG);

test("a right first read is enough", async () => {
  const { read, reads } = reader([true]);
  const settled = await eventually({ resource: { name: "r", lastWriteAt: performance.now() }, read, judge }, patience(new Settle(50, 200)));
  expect(settled.differences).toEqual([]);
  expect(reads()).toBe(1);
});

test("after a wrong read it takes two right ones in a row", async () => {
  const { read, reads } = reader([false, true, false, true, true]);
  const settled = await eventually(
    { resource: { name: "r", lastWriteAt: performance.now() }, read, judge },
    patience(new Settle(500, 1_000)),
  );
  expect(settled.differences).toEqual([]);
  expect(reads()).toBe(5);
  expect(settled.sightings.map(({ differences }) => differences.length)).toEqual([1, 0, 1, 0, 0]);
});

test("wrong at the deadline is wrong, with all that was seen", async () => {
  const { read } = reader([false]);
  const started = performance.now();
  const settled = await eventually({ resource: { name: "r", lastWriteAt: started }, read, judge }, patience(new Settle(10, 60)));
  expect(settled.differences).toEqual(WRONG);
  expect(performance.now() - started).toBeGreaterThanOrEqual(60);
  expect(settled.sightings.length).toBeGreaterThan(2);
});

test("with short patience the deadline is W", async () => {
  const { read } = reader([false]);
  const started = performance.now();
  await eventually({ resource: { name: "r", lastWriteAt: started }, read, judge }, patience(new Settle(20, 10_000), "short"));
  expect(performance.now() - started).toBeLessThan(2_000);
});

test("once settled a wrong read is judged at once and a right repeat does not heal it", async () => {
  const { read, reads } = reader([false, true, true]);
  const settled = await eventually(
    { resource: { name: "r", lastWriteAt: performance.now() - 100 }, read, judge },
    patience(new Settle(50, 1_000)),
  );
  expect(settled.differences).toEqual(WRONG);
  expect(reads()).toBe(1);
});

test("where writes take their time, a read that comes too early is repeated after most of that time", async () => {
  const settle = new Settle(500, 1_000);
  for (const [ms, late] of [
    [1, false],
    [80, true],
    [60, true],
    [400, true],
  ] as const)
    settle.noteAppearance(ms, late);
  expect(settle.usualMs).toBe(80);
  const started = performance.now();
  let reads = 0;
  const read = async (): Promise<boolean> => {
    reads += 1;
    return performance.now() - started >= 75;
  };
  const settled = await eventually({ resource: { name: "r", lastWriteAt: started }, read, judge }, patience(settle));
  expect(settled.differences).toEqual([]);
  expect(reads).toBeLessThanOrEqual(4);
});

test("one slow write does not make later ones seem slow for ever", async () => {
  const settle = new Settle(500, 1_000);
  settle.noteAppearance(200, true);
  for (let count = 0; count < 8; count += 1) {
    const started = performance.now();
    const read = async (): Promise<boolean> => performance.now() - started >= 10;
    await eventually({ resource: { name: "r", lastWriteAt: started }, read, judge }, patience(settle));
  }
  expect(settle.usualMs).toBeLessThan(160);
});

test("W is three times the slowest appearance, within its bounds", () => {
  const settle = new Settle(2_000, 15_000);
  expect(settle.windowMs).toBe(2_000);
  settle.noteAppearance(1_500, true);
  expect(settle.windowMs).toBe(4_500);
  settle.noteAppearance(9_000, true);
  expect(settle.windowMs).toBe(15_000);
});
