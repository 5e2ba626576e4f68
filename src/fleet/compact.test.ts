import fc from "fast-check";
import { expect, test } from "vitest";
import { compactJson } from "./compact.ts";

test("each entry of a list or record has its own line", () => {
  const value = {
    seed: 1,
    seeds: [1, 2],
    faults: [
      { id: "a", red: [{ clause: "c" }] },
      { id: "b", red: [] },
    ],
    verdict: { survivors: [] },
  };
  expect(compactJson(value, 2)).toBe(`{
"seed":1,
"seeds":[1,2],
"faults":[
{"id":"a","red":[{"clause":"c"}]},
{"id":"b","red":[]}
],
"verdict":{
"survivors":[]
}
}
`);
});

test("the written text is parsed to the same value", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat({ max: 4 }), (value, depth) => {
      expect(JSON.stringify(JSON.parse(compactJson(value, depth)))).toBe(JSON.stringify(value));
    }),
  );
});
