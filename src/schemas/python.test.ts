/** Tests that the validator python3-jsonschema of Debian gives the same results as the validator of this project. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packageRoot, SCHEMA_FILES } from "../model/schemas.ts";
import { SAMPLES } from "../model/testing.ts";
import { folderWithPackages, NO_PYTHON, pythonWithJsonschema, ran } from "./testing.ts";

/**
 * The Python program tests that each schema file is valid in its dialect. Then it validates each sample with its schema file and with the
 * bundle.
 */
const PROGRAM = `
import json, os, sys, warnings
warnings.simplefilter("ignore")
from jsonschema import Draft202012Validator, RefResolver

root, samples = sys.argv[1], json.load(open(sys.argv[2]))
def load(file):
    with open(os.path.join(root, file), encoding="utf-8") as text:
        return json.load(text)
schemas = {file: load(file) for file in samples["files"]}
for folder in ("admin", "logs"):
    schemas[folder + "/bundle.json"] = load(folder + "/bundle.json")
for schema in schemas.values():
    Draft202012Validator.check_schema(schema)
store = {schema["$id"]: schema for schema in schemas.values()}

def verdict(file, value):
    folder, name = file.split("/")
    resolver = RefResolver(schemas[file]["$id"], schemas[file], store=store)
    by_bundle = Draft202012Validator({**schemas[folder + "/bundle.json"], "$ref": "#/$defs/" + name[:-len(".json")]})
    return [Draft202012Validator(schemas[file], resolver=resolver).is_valid(value), by_bundle.is_valid(value)]

print(json.dumps([verdict(file, value) for file, value, _ in samples["samples"]]))
`;

test("jsonschema for Python resolves each reference and gives the same result for each sample, by file and by bundle", (t) => {
  const python = pythonWithJsonschema();
  if (python === null) return t.skip(NO_PYTHON);
  const folder = folderWithPackages();
  writeFileSync(join(folder, "judge.py"), PROGRAM);
  writeFileSync(join(folder, "samples.json"), JSON.stringify({ files: SCHEMA_FILES, samples: SAMPLES }));
  const { stdout, stderr } = ran(folder, python, ["judge.py", join(packageRoot(), "schemas"), "samples.json"]);
  expect(stderr).toBe("");
  const verdicts = JSON.parse(stdout) as unknown[];
  expect(SAMPLES.map(([file, value], index) => [file, value, verdicts[index]])).toEqual(
    SAMPLES.map(([file, value, clauses]) => [file, value, [clauses.length === 0, clauses.length === 0]]),
  );
});
