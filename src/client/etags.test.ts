import { expect, test } from "vitest";
import { ETags } from "./etags.ts";

test("a read that shows what an update has replaced is of a replica that is behind, until the update's own is not met", () => {
  const etags = new ETags();
  etags.shown("x", '"1"');
  etags.updated("x", '"2"', '"1"');
  etags.shown("x", '"1"');
  expect(etags.of("x")).toBe('"2"');
  etags.shown("x", '"3"');
  expect(etags.of("x")).toBe('"3"');
  etags.forget("x");
  etags.shown("x", '"1"');
  expect(etags.of("x")).toBe('"1"');
});

test("one that is made of what an instance holds may come again", () => {
  const etags = new ETags();
  etags.shown("x", '"a"');
  etags.updated("x", '"b"', '"a"');
  etags.updated("x", '"a"', '"b"');
  expect(etags.of("x")).toBe('"a"');
  etags.shown("x", '"b"');
  expect(etags.of("x")).toBe('"a"');
});

test("an update that was carried out and shows no ETag leaves it to be read; an instance without one has none", () => {
  const etags = new ETags();
  expect(etags.of("x")).toBeUndefined();
  etags.shown("x", undefined);
  expect(etags.of("x")).toBeNull();
  etags.updated("x", undefined, undefined);
  expect(etags.of("x")).toBeNull();
  etags.shown("x", '"1"');
  etags.updated("x", undefined, '"1"');
  expect(etags.of("x")).toBeUndefined();
});
