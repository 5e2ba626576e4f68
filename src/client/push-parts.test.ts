import { describe, expect, it } from "vitest";
import type { Stream } from "../model/logs.ts";
import { lineBytes, PushSizes } from "./push-parts.ts";

/** Returns a stream with numbered entries. Each log line has `bytes` bytes. */
function stream(name: string, entries: number, bytes: number): Stream {
  return { labels: { name }, entries: Array.from({ length: entries }, (_, index) => ({ ts: BigInt(index), line: "x".repeat(bytes) })) };
}

const LARGE = [stream("a", 100, 1_000), stream("b", 100, 1_000)];

/** Returns the number of entries in each part of a divided push. */
function partsOf(sizes: PushSizes, push: readonly Stream[]): number[] {
  return sizes.parts(push).map((part) => part.reduce((sum, { entries }) => sum + entries.length, 0));
}

describe("PushSizes", () => {
  it("sends a push in one part while no push of its size was refused", () => {
    expect(partsOf(new PushSizes(), LARGE)).toEqual([200]);
  });

  it.each([413, 429])("splits a push that is as large as a push that was answered %i", (status) => {
    const sizes = new PushSizes();
    sizes.answered(LARGE, status);
    expect(partsOf(sizes, LARGE)).toEqual([100, 100]);
    expect(partsOf(sizes, [stream("few but long", 10, 60_000)])).toEqual([10]);
  });

  it("keeps the order of the entries of a stream, and loses none", () => {
    const sizes = new PushSizes();
    const push = [stream("one", 101, 1_000)];
    sizes.answered(push, 413);
    expect(sizes.parts(push).flatMap((part) => part.flatMap(({ entries }) => entries.map(({ ts }) => Number(ts))))).toEqual(
      Array.from({ length: 101 }, (_, index) => index),
    );
  });

  it("does not learn a size from a small push that a rate limit refused", () => {
    const sizes = new PushSizes();
    sizes.answered([stream("small", 60, 100)], 429);
    expect(partsOf(sizes, LARGE)).toEqual([200]);
  });

  it("drops a refusal when a push of that size is accepted later", () => {
    const sizes = new PushSizes();
    sizes.answered(LARGE, 429);
    sizes.answered(LARGE, 204);
    expect(partsOf(sizes, LARGE)).toEqual([200]);
  });

  it("judges a refusal by the measure, entries or bytes, in which no accepted push was as large", () => {
    const ofBytes = new PushSizes();
    ofBytes.answered([stream("many", 300, 10)], 204);
    ofBytes.answered(LARGE, 413);
    expect(partsOf(ofBytes, [stream("few but long", 10, 60_000)])).toEqual([3, 2, 3, 2]);
    const ofEntries = new PushSizes();
    ofEntries.answered([stream("long", 10, 60_000)], 204);
    ofEntries.answered(LARGE, 413);
    expect(partsOf(ofEntries, [stream("many", 300, 100)])).toEqual([150, 150]);
  });

  it("treats a rate limit as a size limit if it refused several large pushes and no push of that size was accepted", () => {
    const sizes = new PushSizes();
    sizes.answered([stream("many", 300, 1_000)], 429);
    expect(partsOf(sizes, [stream("few but long", 10, 60_000)])).toEqual([10]);
    sizes.answered([stream("many", 150, 1_000)], 429);
    expect(partsOf(sizes, [stream("few but long", 10, 60_000)])).toEqual([2, 1, 2, 2, 1, 2]);
    sizes.answered([stream("fewer", 5, 60_000)], 204);
    expect(partsOf(sizes, [stream("few but long", 10, 60_000)])).toEqual([10]);
  });

  it("sends pushes of a size that was never accepted one at a time, and all at once after one was accepted", async () => {
    const sizes = new PushSizes();
    const order: string[] = [];
    const end = await sizes.turn(LARGE);
    const second = sizes.turn(LARGE).then((ended) => {
      order.push("second");
      return ended;
    });
    await sizes.turn([stream("small", 20, 10)]);
    order.push("small");
    await Promise.resolve();
    order.push("first is answered");
    sizes.answered(LARGE, 204);
    end();
    await second;
    await sizes.turn(LARGE);
    expect(order).toEqual(["small", "first is answered", "second"]);
  });

  it("does not split a small push", () => {
    const sizes = new PushSizes();
    const small = [stream("small", 20, 10)];
    sizes.answered(small, 413);
    expect(partsOf(sizes, small)).toEqual([20]);
  });
});

describe("lineBytes", () => {
  it("counts the UTF-8 bytes of lines", () => {
    expect(lineBytes([{ labels: {}, entries: [{ ts: 0n, line: "指x" }] }])).toBe(4);
  });
});
