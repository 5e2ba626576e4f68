/** Tests that the rules of waiting report no slow replica as a fault, and find each real fault. */
import { expect, test } from "vitest";
import type { Difference } from "../model/difference.ts";
import { eventually, type Haste, type Patience, Settle } from "./settle.ts";

const WRONG = [{ clause: "admin-4.GET", path: "name", expected: "a", actual: "b" } as const];

function patience(settle: Settle, haste: Haste = "patient"): Patience {
  return { settle, haste, pollMs: 1, pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)) };
}

/** Returns a read that resolves to the items of a list in order, and then always to the last item. */
function reader(answers: readonly boolean[]): { readonly read: () => Promise<boolean>; readonly reads: () => number } {
  let reads = 0;
  return { reads: () => reads, read: async () => answers[Math.min(reads++, answers.length - 1)] ?? false };
}

const judge = (right: boolean) => (right ? [] : WRONG);
const impossibleIn = (_: boolean, differences: readonly Difference[]) => differences;

test("a right first read is enough", async () => {
  const { read, reads } = reader([true]);
  const settled = await eventually({ resource: { name: "r", lastWriteAt: performance.now() }, read, judge }, patience(new Settle(50, 200)));
  expect(settled.differences).toEqual([]);
  expect(reads()).toBe(1);
});

test("after a wrong read two right reads in a row are needed", async () => {
  const { read, reads } = reader([false, true, false, true, true]);
  const settle = new Settle(500, 1_000);
  const settled = await eventually({ resource: { name: "r", lastWriteAt: performance.now() }, read, judge }, patience(settle));
  expect(settled.differences).toEqual([]);
  expect(reads()).toBe(5);
  expect(settle.repeats).toBe(4);
  expect(settled.attempts.map(({ differences }) => differences.length)).toEqual([1, 0, 1, 0, 0]);
});

test("a read that is wrong at the deadline is certain, and all attempts are kept", async () => {
  const { read } = reader([false]);
  const started = performance.now();
  const settled = await eventually({ resource: { name: "r", lastWriteAt: started }, read, judge }, patience(new Settle(10, 60)));
  expect(settled.differences).toEqual(WRONG);
  expect(performance.now() - started).toBeGreaterThanOrEqual(60);
  expect(settled.attempts.length).toBeGreaterThan(2);
});

test("if a clause is known to be violated, a wrong read that violates only this clause is certain after W", async () => {
  const { read } = reader([false]);
  const settle = new Settle(20, 10_000);
  settle.noteCertain(WRONG);
  const started = performance.now();
  const settled = await eventually({ resource: { name: "r", lastWriteAt: started }, read, judge }, patience(settle));
  expect(settled.differences).toEqual(WRONG);
  expect(performance.now() - started).toBeLessThan(9_000);
});

/** Reads values that no write can have caused, until the rules decide that the read is wrong. */
async function readImpossible(answers: readonly boolean[]): Promise<readonly Difference[]> {
  const resource = { name: "r", lastWriteAt: performance.now() };
  const wanted = { resource, read: reader(answers).read, judge, impossibleIn };
  return (await eventually(wanted, patience(new Settle(3_000, 6_000)))).differences;
}

test("three reads in a row that show what no write can have caused are certain, and a single such read is not", async () => {
  const started = performance.now();
  expect(await readImpossible([false])).toEqual(WRONG);
  expect(performance.now() - started).toBeLessThan(3_000);
  expect(await readImpossible([false, false, true])).toEqual([]);
});

test("if a late write can have caused some differences of such reads, only the others are certain", async () => {
  const lost = { clause: "admin-4.GET", path: "limits", expected: "47 limits", actual: "absent" } as const;
  const wanted = {
    resource: { name: "r", lastWriteAt: performance.now() },
    read: async () => false,
    judge: () => [lost, ...WRONG],
    impossibleIn: () => WRONG,
  };
  expect((await eventually(wanted, patience(new Settle(3_000, 6_000)))).differences).toEqual(WRONG);
});

test("a wrong read that violates another clause than the known clause is repeated until the deadline", async () => {
  const { read } = reader([false, false, true, true]);
  const settle = new Settle(1, 300);
  settle.noteCertain([{ clause: "admin-4.PUT", path: "name", expected: "a", actual: "b" }]);
  const settled = await eventually({ resource: { name: "r", lastWriteAt: performance.now() }, read, judge }, patience(settle));
  expect(settled.differences).toEqual([]);
});

test("a body that cannot be parsed in a known way is certain after W for each clause, and in another way it is not", async () => {
  const unreadable = { path: "body (answer)", expected: "the instance object", actual: "null" } as const;
  const settle = new Settle(20, 6_000);
  settle.noteCertain([{ ...unreadable, path: "body", clause: "admin-4.GET" }]);
  const waited = async (actual: string): Promise<number> => {
    const started = performance.now();
    const resource = { name: "r", lastWriteAt: started };
    const wrong = [{ ...unreadable, actual, clause: "admin-4.PUT" } as const];
    await eventually({ resource, read: async () => false, judge: () => wrong }, patience(settle));
    return performance.now() - started;
  };
  expect(await waited("[]")).toBeGreaterThanOrEqual(6_000);
  settle.noteCertain([{ ...unreadable, path: "body", clause: "admin-4.GET" }]);
  expect(await waited("null")).toBeLessThan(5_000);
});

test("a difference that was certain several times in exactly the same way needs almost no wait", async () => {
  const settle = new Settle(2_000, 10_000);
  for (let times = 0; times < 3; times += 1) settle.noteCertain(WRONG);
  const started = performance.now();
  const resource = { name: "r", lastWriteAt: started };
  const settled = await eventually({ resource, read: async () => false, judge }, patience(settle));
  expect(settled.differences).toEqual(WRONG);
  expect(performance.now() - started).toBeLessThan(9_000);
});

test("after W a wrong read is repeated, and a right repeat makes it suspicious", async () => {
  const { read, reads } = reader([false, true, true]);
  const settle = new Settle(50, 1_000);
  const settled = await eventually({ resource: { name: "r", lastWriteAt: performance.now() - 100 }, read, judge }, patience(settle));
  expect(settled).toMatchObject({ differences: [], suspicious: true });
  expect(reads()).toBe(3);
});

test("a read that begins later than SETTLE_TIMEOUT_MS after the last write is judged once", async () => {
  const { read, reads } = reader([false, true, true]);
  const settle = new Settle(50, 1_000);
  const settled = await eventually({ resource: { name: "r", lastWriteAt: performance.now() - 1_001 }, read, judge }, patience(settle));
  expect(settled.differences).toEqual(WRONG);
  expect(reads()).toBe(1);
});

test("a replica that lags for a part of SETTLE_TIMEOUT_MS is never blamed", async () => {
  let seed = 7;
  const random = (): number => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
  const settle = new Settle(20, 400);
  for (let round = 0; round < 6; round += 1) {
    const written = performance.now();
    const resource = { name: "r", lastWriteAt: written };
    const read = async (): Promise<boolean> => performance.now() - written > 150 || random() > 0.3;
    for (let look = 0; look < 12; look += 1) {
      expect((await eventually({ resource, read, judge }, patience(settle))).differences).toEqual([]);
      await new Promise((resolve) => setTimeout(resolve, 15));
    }
  }
});

test("if writes are usually late, a read that comes too early is repeated after most of the usual delay", async () => {
  const settle = new Settle(500, 1_000);
  for (const ms of [80, 60, 400]) settle.noteAppearance(ms);
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

test("a single slow write does not make later writes seem slow", async () => {
  const settle = new Settle(500, 1_000);
  settle.noteAppearance(200);
  for (let count = 0; count < 8; count += 1) {
    const started = performance.now();
    const read = async (): Promise<boolean> => performance.now() - started >= 10;
    await eventually({ resource: { name: "r", lastWriteAt: started }, read, judge }, patience(settle));
  }
  expect(settle.usualMs).toBeLessThan(160);
});

test("W is three times the longest delay, within its bounds", () => {
  const settle = new Settle(2_000, 15_000);
  expect(settle.windowMs).toBe(2_000);
  settle.noteAppearance(1_500);
  expect(settle.windowMs).toBe(4_500);
  settle.noteAppearance(9_000);
  expect(settle.windowMs).toBe(15_000);
});

test("if nearly all writes are late, the first read begins after the usual delay", async () => {
  const settle = new Settle(1, 1_000);
  for (let write = 0; write < 5; write += 1) settle.noteAppearance(40);
  const started = performance.now();
  const { read, reads } = reader([true]);
  await eventually({ resource: { name: "r", lastWriteAt: started }, read, judge }, patience(settle));
  // The bound is 2 ms below the wait, because timers may end some ms early.
  expect(performance.now() - started).toBeGreaterThanOrEqual(38);
  expect(reads()).toBe(1);
  expect((await eventually({ resource: { name: "r", lastWriteAt: started - 500 }, read, judge }, patience(settle))).attempts).toHaveLength(
    1,
  );
});

test("if some writes are visible immediately, the first read begins immediately", () => {
  const settle = new Settle(1, 1_000);
  for (let write = 0; write < 5; write += 1) settle.noteAppearance(40);
  settle.notePrompt(30);
  expect(settle.firstReadMs).toBe(40);
  settle.notePrompt(2);
  settle.notePrompt(3);
  expect(settle.firstReadMs).toBe(0);
});

test("if nearly all writes are late, some first reads are sent immediately, and more of them after one was right", () => {
  const settle = new Settle(1, 1_000);
  for (let write = 0; write < 9; write += 1) settle.noteAppearance(40);
  const next = (count: number): number[] => Array.from({ length: count }, () => settle.nextFirstReadMs());
  expect(next(11)).toEqual([40, 40, 40, 0, 40, 40, 40, 40, 40, 40, 0]);
  settle.notePrompt(2);
  expect(next(4)).toEqual([40, 0, 40, 40]);
  settle.notePrompt(2);
  settle.notePrompt(2);
  expect(next(2)).toEqual([0, 0]);
});

test("until the delay is known only three writes are polled, and the others are read after the usual delay", async () => {
  const settle = new Settle(50, 5_000);
  const started = performance.now();
  let reads = 0;
  const read = async (): Promise<boolean> => {
    reads += 1;
    return performance.now() - started > 400;
  };
  const late = Array.from({ length: 30 }, async (_, index) => {
    const resource = { name: `r${index}`, lastWriteAt: performance.now() };
    return eventually({ resource, read, judge }, patience(settle));
  });
  expect((await Promise.all(late)).flatMap(({ differences }) => differences)).toEqual([]);
  // Until the delay is known, three writes are polled. Then each write is read once, after the usual delay.
  expect(reads).toBeLessThan(30 + 3 * 15);
});

test("other writes are polled after the first writes were given up, and all of them find the violation", async () => {
  const settle = new Settle(10, 200);
  const started = performance.now();
  const lost = Array.from({ length: 12 }, async (_, index) => {
    const resource = { name: `r${index}`, lastWriteAt: performance.now() };
    return eventually({ resource, read: async () => false, judge }, patience(settle));
  });
  for (const { differences } of await Promise.all(lost)) expect(differences).toEqual(WRONG);
  // Each read waits for 200 ms. If the reads did not overlap, they would take longer than the bound.
  expect(performance.now() - started).toBeLessThan(12 * 200 * 5);
});

test("as long as no read has shown a write, nothing is known about delays", async () => {
  const settle = new Settle(50, 200);
  expect(settle.learned).toBeNull();
  const resource = { name: "r", lastWriteAt: performance.now() };
  await eventually({ resource, read: async () => 1, judge: () => [] }, patience(settle));
  expect(settle.learned).toEqual({ slowestMs: 0, windowMs: 50 });
});

test("clauses count as confirmed after several diagnoses in a row that found no nearer cause", () => {
  const settle = new Settle(2_000, 15_000);
  for (let times = 0; times < 4; times += 1) settle.noteDiagnosis(WRONG, true);
  expect(settle.areOftenConfirmed(WRONG)).toBe(true);
  settle.noteDiagnosis(WRONG, false);
  expect(settle.areOftenConfirmed(WRONG)).toBe(false);
});
