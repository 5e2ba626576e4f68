/** Tests that each response is smaller than the largest message that the components of a service can send each other. */
import { expect, test } from "vitest";
import { countEntries, type Stream, within } from "../model/logs.ts";
import type { Dataset } from "./datasets.ts";
import { readsOfAll } from "./read-back.ts";

const SECOND = 1_000_000_000n;
const ANCHOR = 1_790_000_000n * SECOND;

function datasetOf(streams: readonly Stream[]): Dataset {
  const end = ANCHOR + 600n * SECOND;
  const matchers = [{ name: "plumbline_set", operator: "=" as const, value: "sized" }];
  return {
    name: "sized",
    streams,
    matchers,
    anchor: ANCHOR,
    start: ANCHOR - SECOND,
    end,
    entries: countEntries(streams),
    pushes: [],
    lastWriteAt: 0,
  };
}

function streamOf(colour: string, entries: number, bytes: number): Stream {
  return {
    labels: { plumbline_set: "sized", svc_colour: colour },
    entries: Array.from({ length: entries }, (_, index) => ({ ts: ANCHOR + BigInt(index) * 10_007n, line: "x".repeat(bytes) })),
  };
}

test.each([
  ["few small entries", [streamOf("a", 60, 10), streamOf("b", 30, 10)], 1],
  ["more entries than a limit safely asks for", [streamOf("a", 2_000, 10), streamOf("b", 30, 10)], 4],
  ["few entries of many bytes", [streamOf("a", 300, 30_000), streamOf("b", 200, 30_000)], 5],
  ["lines each larger than an answer", [streamOf("a", 3, 4_000_000)], 3],
])("%s", (_name, streams, requests) => {
  const dataset = datasetOf(streams);
  const reads = readsOfAll(dataset);
  expect(reads).toHaveLength(requests);
  let seen = 0;
  for (const { parameters, streams: part } of reads) {
    const { query, start, end, limit = 0 } = parameters;
    const asked = streams.filter(({ labels }) => requests === 1 || query.includes(`svc_colour="${labels["svc_colour"]}"`));
    const held = within(asked, start, end);
    expect(part).toEqual(held);
    seen += countEntries(held);
    expect(countEntries(held)).toBeLessThan(limit);
    const lines = held.flatMap(({ entries }) => entries.map(({ line }) => line.length));
    expect(lines.length === 1 || lines.reduce((sum, length) => sum + length, 0) <= 3 << 20).toBe(true);
  }
  expect(seen).toBe(dataset.entries);
});
