import { expect, test } from "vitest";
import { CLAUSES, isJudged } from "../contract/catalogue.ts";
import { MERGED_IDS, standingFor } from "./faults/aliases.ts";
import { FAULTS } from "./faults/index.ts";
import { linesIn, minutesAgo, TOKEN, withBench } from "./testing.ts";
import { VARIANTS } from "./variants/index.ts";

const judged = new Map(CLAUSES.filter(isJudged).map((clause) => [clause.id, clause]));

test("ids are unique and are words with dashes", () => {
  const ids = [...FAULTS, ...VARIANTS].map(({ id }) => id);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  expect(ids.filter((id) => !/^[a-z0-9_]+(?:-[a-z0-9_]+)*$/.test(id))).toEqual([]);
});

test("each fault violates a judged clause, and describes the violation in one sentence", () => {
  expect(FAULTS.filter(({ clause }) => !judged.has(clause)).map(({ id, clause }) => `${id}: ${clause}`)).toEqual([]);
  for (const { sentence } of [...FAULTS, ...VARIANTS]) expect(sentence).toMatch(/^\S.*\.$/s);
  const sentences = FAULTS.map(({ sentence }) => sentence);
  expect(sentences.filter((sentence, index) => sentences.indexOf(sentence) !== index)).toEqual([]);
});

test("each merged fault is represented by a fault", () => {
  const ids = new Set(FAULTS.map(({ id }) => id));
  expect(MERGED_IDS.filter((id) => ids.has(id) || !ids.has(standingFor(id)))).toEqual([]);
});

/** Whether a clause can be violated in only one way. This is true for the clauses of limits, and for the recovery after 429. */
function hasOneWay(id: string): boolean {
  return id.startsWith("admin-2.limit.") || id === "logs-7.429-recovery";
}

/** Returns the number of faults of a clause, including merged faults. */
function waysOf(clause: string): number {
  const ids = FAULTS.filter((fault) => fault.clause === clause).map(({ id }) => id);
  return ids.length + MERGED_IDS.filter((merged) => ids.includes(standingFor(merged))).length;
}

test("there are enough faults, with at least three for each clause that can be violated in several ways", () => {
  expect(FAULTS.length).toBeGreaterThanOrEqual(200);
  expect(VARIANTS.length).toBeGreaterThanOrEqual(60);
  const few = [...judged.keys()].filter((id) => waysOf(id) < (hasOneWay(id) ? 1 : 3));
  expect(few).toEqual([]);
});

test("the server starts and answers with each fault and variant", async () => {
  for (const entry of [...FAULTS, ...VARIANTS]) {
    await withBench({ ...entry.options, cluster: "bench", token: TOKEN, behaviours: [entry] }, async (bench) => {
      const answer = await bench.admin("POST", "", { name: "abc", display_name: "x", status: "active", cluster: "bench" });
      expect(answer.status, `${entry.id}: ${answer.text}`).not.toBe(500);
    });
  }
});

test("changes are applied on top of each other", async () => {
  const two = [
    ...FAULTS.filter(({ id }) => id === "logs-direction-default-forward"),
    ...VARIANTS.filter(({ id }) => id === "end-included"),
  ];
  await withBench({ behaviours: two }, async (bench) => {
    const at = minutesAgo(2);
    await bench.push({ app: "x" }, [
      [at, "a"],
      [at + 1n, "b"],
    ]);
    const answer = await bench.get("query_range", { query: '{app="x"}', start: `${at}`, end: `${at + 1n}` });
    expect(linesIn(answer)).toEqual(["a", "b"]);
  });
});

test("a body that is sent in chunks is complete, wherever it is cut", async () => {
  await withBench({ behaviours: VARIANTS.filter(({ id }) => id === "chunked") }, async (bench) => {
    const lines = Array.from({ length: 8 }, (_, length) => `${"x".repeat(length)}${"😀".repeat(100)}`);
    for (const [index, line] of lines.entries()) {
      const at = minutesAgo(2);
      await bench.push({ app: `${index}` }, [[at, line]]);
      const answer = await bench.get("query_range", { query: `{app="${index}"}`, start: `${at}`, end: `${at + 1n}` });
      expect(linesIn(answer)).toEqual([line]);
    }
  });
});
