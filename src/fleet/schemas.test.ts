/** Tests that each schema judges responses: if a schema refuses all values, a run reports a violation. */
import { expect, test } from "vitest";
import { SCHEMA_FILES, withSchemas } from "../model/schemas.ts";
import { runEntry } from "./entry.ts";

test("with the unchanged schemas a run finds no violation", async () => {
  expect(await runEntry(null, "smoke", 1)).toMatchObject({ red: [], inconclusive: [] });
});

test.concurrent.each(SCHEMA_FILES)("a run notices if the schema %s refuses all values", async (file) => {
  const { red, inconclusive } = await withSchemas({ [file]: false }, () => runEntry(null, "smoke", 1));
  expect(red.length + inconclusive.length).toBeGreaterThan(0);
});
