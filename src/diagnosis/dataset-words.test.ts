import { expect, test } from "vitest";
import { datasetText } from "./dataset-words.ts";

test("a message names the special property of the queried dataset", () => {
  expect(datasetText('{plumbline_run="r", plumbline_set="same-times-2"} |= "a"')).toBe("; the queried entries share timestamps");
  expect(datasetText('{plumbline_run="r", plumbline_set="words"}')).toBe("");
  expect(datasetText("")).toBe("");
});
