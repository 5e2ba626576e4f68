import fc from "fast-check";
import { expect, test } from "vitest";
import type { Payload, RelativeStream } from "../arbitraries/streams.ts";
import { labelKey } from "../model/logs.ts";
import { REDUCTIONS } from "./removable-parts.ts";

const stream = fc.record({
  labels: fc.record({ svc_a: fc.constantFrom("a", "b", "c") }),
  entries: fc
    .array(fc.string({ minLength: 1, maxLength: 3 }), { maxLength: 60 })
    .map((lines) => lines.map((line, index) => ({ offset: BigInt(index), line }))),
});
const payload: fc.Arbitrary<Payload> = fc.record({ pushes: fc.array(fc.array(stream, { maxLength: 8 }), { maxLength: 3 }) });

/** The lines of each stream in the order in which they are pushed. */
function linesOf({ pushes }: Payload): ReadonlyMap<string, readonly string[]> {
  const lines = new Map<string, string[]>();
  for (const { labels, entries } of pushes.flat()) {
    if (entries.length > 0) lines.set(labelKey(labels), [...(lines.get(labelKey(labels)) ?? []), ...entries.map(({ line }) => line)]);
  }
  return lines;
}

const SIZES: readonly (readonly [pattern: RegExp, sizeOf: (push: readonly RelativeStream[]) => number])[] = [
  [/^pushes of (\d+) streams$/, (push) => push.length],
  [/^pushes of (\d+) entries of one stream$/, (push) => Math.max(0, ...push.map(({ entries }) => entries.length))],
  [/^pushes of (\d+) entries$/, (push) => push.reduce((sum, { entries }) => sum + entries.length, 0)],
];

test("smaller pushes hold the same lines in the same order, and are smaller than the refused size", () => {
  const dividing = SIZES.flatMap(([pattern, sizeOf]) =>
    REDUCTIONS.filter(({ what }) => pattern.test(what)).map((one) => ({ ...one, sizeOf, refused: Number(pattern.exec(one.what)?.[1]) })),
  );
  expect(dividing).toHaveLength(9);
  fc.assert(
    fc.property(payload, fc.constantFrom(...dividing), (whole, { reduce, sizeOf, refused }) => {
      const less = reduce(whole);
      if (less === null) return;
      expect(linesOf(less)).toEqual(linesOf(whole));
      for (const push of less.pushes) expect(sizeOf(push)).toBeLessThan(refused);
    }),
  );
});

test("the smallest push with a part has this part", () => {
  for (const { what, least, reduce } of REDUCTIONS) expect(reduce({ pushes: [least] }), what).not.toBeNull();
});

test("shorter lines and label values have fewer bytes than the refused ones, and no part of a character", () => {
  const text = fc.string({ unit: "grapheme", minLength: 100, maxLength: 400 });
  const shortening = REDUCTIONS.filter(({ slug }) => /^(?:line|value)-\d+$/.test(slug));
  expect(shortening).toHaveLength(6);
  fc.assert(
    fc.property(text, fc.constantFrom(...shortening), (long, { slug, reduce }) => {
      const isLine = slug.startsWith("line");
      const entries = [{ offset: 1n, line: isLine ? long : "a" }];
      const less = reduce({ pushes: [[{ labels: { svc_a: isLine ? "a" : long }, entries }]] });
      if (less === null) return;
      const [changed] = less.pushes.flat();
      const shorter = (isLine ? changed?.entries[0]?.line : changed?.labels["svc_a"]) ?? "";
      expect(Buffer.byteLength(shorter)).toBeLessThan(Number(slug.split("-")[1]));
      expect(long.startsWith(shorter)).toBe(true);
    }),
  );
});
