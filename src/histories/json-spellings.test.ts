import { expect, test } from "vitest";
import { WRITINGS } from "./json-spellings.ts";

const PAYLOAD = {
  display_name: 'A "b" \\ /\u{1f600} ü\n',
  status: "active",
  cluster: "c",
  limits: { ingestion_rate: 5, accept_ha_samples: true, drop_labels: ["a", "指"] },
};

test.each(WRITINGS)("$what: means the same", ({ written }) => {
  const text = written(PAYLOAD);
  expect(JSON.parse(text)).toEqual(PAYLOAD);
  expect(text).not.toBe(JSON.stringify(PAYLOAD));
});

test("the forms are those that they are called by", () => {
  const [spaced = "", lines = "", backwards = "", needless = "", exponents = "", points = ""] = WRITINGS.map(({ written }) =>
    written(PAYLOAD),
  );
  expect(spaced).toContain(
    String.raw`"limits" : { "ingestion_rate" : 5 , "accept_ha_samples" : true , "drop_labels" : [ "a" , "\u6307" ] }`,
  );
  expect(spaced).toContain(String.raw`\ud83d\ude00 \u00fc\n`);
  expect(lines.split("\n").length).toBeGreaterThan(8);
  expect(needless).toContain(String.raw`"\u006cimits":{"\u0069ngestion_rate":5`);
  expect(exponents).toContain('"ingestion_rate":50e-1');
  expect(points).toContain('"ingestion_rate":5.0,');
  expect(backwards).toMatch(/^\{"limits":\{"drop_labels":\["\\u0061"/);
});
