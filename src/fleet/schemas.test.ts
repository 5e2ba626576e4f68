/** The schemas judge: a run notices when any one of them refuses everything. */
import { expect, test } from "vitest";
import { SCHEMA_FILES, withSchemas } from "../model/schemas.ts";
import { runEntry } from "./entry.ts";

test("with the schemas as they are a run finds nothing", async () => {
  expect(await runEntry(null, "smoke", 1)).toMatchObject({ red: [], inconclusive: [] });
});

test.concurrent.each(SCHEMA_FILES)("a run notices when %s refuses everything", async (file) => {
  const { red, inconclusive } = await withSchemas({ [file]: false }, () => runEntry(null, "smoke", 1));
  expect(red.length + inconclusive.length).toBeGreaterThan(0);
});
