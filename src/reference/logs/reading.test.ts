/** Tests that a read finds the same entries as a search of all entries, for each way to divide windows, streams and entries. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { AdminState } from "../admin/state.ts";
import { BASE, type ServerHandle } from "../behaviour.ts";
import { resolveOptions } from "../options.ts";
import { gatherEntries, gatherSamples } from "./batches.ts";
import { HOUR_NS } from "./hours.ts";
import { readStreams } from "./reading.ts";
import { LogStore } from "./store.ts";
import type { Direction, Entry } from "./types.ts";

const HOUR = 400_000n * HOUR_NS;
const EDGES = [-1n, 0n, 1n, -1_000_000n, 999_999n];

/** Generates a time within four hours, often at the edge of an hour. */
const time = fc
  .tuple(
    fc.bigInt({ min: 0n, max: 3n }),
    fc.oneof(fc.constantFrom(...EDGES), fc.bigInt({ min: 0n, max: HOUR_NS }), fc.bigInt({ min: 0n, max: 20n })),
  )
  .map(([hour, offset]) => HOUR + hour * HOUR_NS + offset);

const stream = fc.array(fc.tuple(time, fc.constantFrom(10, 4_000, 90_000)), { maxLength: 40 });

/** Returns a server with the streams `{app="x", n="0"}`, `{app="x", n="1"}`, … that have the given entries. */
function serverWith(streams: readonly (readonly (readonly [bigint, number])[])[]): ServerHandle {
  const logs = new LogStore();
  for (const [n, entries] of streams.entries()) {
    const labels = { app: "x", n: `${n}` };
    const stored = logs.tenant("").stream(BASE.streamIdentity(labels), labels);
    for (const [index, [ts, length]] of entries.entries()) {
      BASE.insertEntry(stored.entries, { ts, line: `${index}`.padEnd(length), storedAtMs: 0 });
      // The stream is cut into blocks while it grows, as by reads between the pushes.
      if (index % 3 === 0) BASE.cutBlocks(stored.entries);
    }
  }
  return { options: resolveOptions({}), instances: new AdminState(), logs };
}

const matchers = [{ name: "app", operator: "=", value: "x" }] as const;
const keyOf = ({ ts, line }: Entry): string => `${ts} ${line.trim()}`;

test("with any split into hours, shards, blocks and batches a read finds the entries that a full search finds", () => {
  fc.assert(
    fc.property(
      fc.array(stream, { maxLength: 5 }),
      time,
      time,
      fc.integer({ min: 1, max: 250 }),
      fc.constantFrom<Direction>("forward", "backward"),
      (streams, one, other, limit, direction) => {
        const server = serverWith(streams);
        const window = one < other ? { from: one, to: other } : { from: other, to: one };
        const query = { kind: "log", matchers, filters: [] } as const;
        const read = readStreams(query, window, { path: "range", limit, direction }, [""], BASE, server);
        const answer = gatherEntries(BASE.pick(read, limit, direction), direction, BASE).map(({ entries }) => entries.map(keyOf));
        const all = [...server.logs.tenant("").all()].map(({ labels, entries }) => ({
          labels,
          entries: BASE.scan(entries, window, () => true, limit, direction),
        }));
        expect(answer).toEqual(BASE.pick(all, limit, direction).map(({ entries }) => entries.map(keyOf)));
      },
    ),
    { numRuns: 300 },
  );
});

test("a metric query counts each entry in its window once", () => {
  fc.assert(
    fc.property(stream, time, time, (entries, one, other) => {
      const server = serverWith([entries]);
      const window = one < other ? { from: one, to: other } : { from: other, to: one };
      const query = { kind: "log", matchers, filters: [] } as const;
      const reading = { path: "instant", limit: Number.POSITIVE_INFINITY, direction: "forward" } as const;
      const [read] = readStreams(query, window, reading, [""], BASE, server);
      const stored = [...server.logs.tenant("").all()][0]?.entries ?? [];
      const inside = stored.filter(({ ts }) => ts >= window.from && ts < window.to);
      expect(gatherSamples(read?.entries ?? [], BASE).map(keyOf)).toEqual(inside.map(keyOf));
    }),
    { numRuns: 200 },
  );
});

test("a stream is cut into blocks of 256 KiB, six to a chunk, and the newest block is the head", () => {
  const entries = Array.from({ length: 3_000 }, (_, index) => ({ ts: BigInt(index), line: "x".repeat(1_024), storedAtMs: 0 }));
  const blocks = BASE.cutBlocks(entries);
  expect(blocks.map(({ entries: part }) => part.length)).toEqual([...Array.from({ length: 11 }, () => 256), 184]);
  expect(blocks.length).toBe(12);
  expect(blocks.map(({ chunk }) => chunk)).toEqual([0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1]);
  expect(blocks.map(({ head }) => head).indexOf(true)).toBe(11);
  expect(blocks.flatMap(({ entries: part }) => part)).toEqual(entries);
});
