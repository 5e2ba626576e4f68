import { expect, test } from "vitest";
import { ETags } from "./etags.ts";

test("a read with a replaced ETag comes from a replica that lags, unless the ETag of the update is not met", () => {
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

test("an ETag that is computed from the content may return", () => {
  const etags = new ETags();
  etags.shown("x", '"a"');
  etags.updated("x", '"b"', '"a"');
  etags.updated("x", '"a"', '"b"');
  expect(etags.of("x")).toBe('"a"');
  etags.shown("x", '"b"');
  expect(etags.of("x")).toBe('"a"');
});

test("after an update without an ETag in its response the ETag must be read, unless the instance has none", () => {
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
