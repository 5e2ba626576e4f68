/** Tests the schemas: a wrong value violates the right clause, each schema is used, and the schemas agree with the table of limits. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ordinaryValue, unusualValue, zeroValue } from "../arbitraries/limits.ts";
import { LIMIT_TYPES } from "../contract/limit-types.ts";
import { LIMIT_NAMES, LIMITS } from "../contract/limits.ts";
import { newAjv } from "./ajv.ts";
import { hasLimitType } from "./limits.ts";
import {
  ANSWERING_OPERATIONS,
  answerDifferences,
  type AnsweringOperation,
  readSchema,
  requestDifferences,
  type RequestingOperation,
  REQUESTING_OPERATIONS,
  SCHEMA_FILES,
  schemaDifferences,
  withSchemas,
} from "./schemas.ts";
import { ALL_LIMITS, INSTANCE, SAMPLES } from "./testing.ts";
import { durationLength } from "./times.ts";

const ENTRIES = [{ stream: { a: "b" }, values: [["1700000000000000000", "x"]] }];
const WRITTEN = { display_name: "A", status: "active", cluster: "c", limits: { ingestion_rate: 1 } };

/** A valid response of each operation. Together, these responses have a value for each schema that responses use. */
const ANSWERS: Readonly<Record<AnsweringOperation, unknown>> = {
  "read instance": { ...INSTANCE, limits: ALL_LIMITS },
  "update instance": { ...INSTANCE, limits: ALL_LIMITS },
  query_range: { data: { result: ENTRIES } },
  query: { data: { result: [{ metric: {}, value: [1.5, "3"] }] } },
  labels: { data: ["a"] },
  "label values": { data: ["b"] },
};

/** A valid request of each operation. The values of parameters are texts, as in a URL. */
const REQUESTS: Readonly<Record<RequestingOperation, unknown>> = {
  "create instance": { name: "a", ...WRITTEN },
  "update instance": WRITTEN,
  "read instance": { name: "a" },
  push: { streams: ENTRIES },
  query_range: { query: '{a="b"}', start: "1", end: "2", limit: "10", direction: "backward" },
  query: { query: 'count_over_time({a="b"}[1m])', time: "1" },
  "label values": { name: "a" },
};

/** Returns the number of differences that the schemas find in the valid requests and responses. */
function findings(): number {
  return [
    ...ANSWERING_OPERATIONS.map((operation) => answerDifferences(operation, ANSWERS[operation])),
    ...REQUESTING_OPERATIONS.map((operation) => requestDifferences(operation, REQUESTS[operation])),
  ].flat().length;
}

/** Returns the number of sample values that the schemas refuse. */
function refusals(): number {
  return SAMPLES.filter(([file, value]) => schemaDifferences(file, value).length > 0).length;
}

test.each(SAMPLES)("%s finds in %j violations of the clauses %j", (file, value, clauses) => {
  expect(schemaDifferences(file, value).map(({ clause }) => clause)).toEqual(clauses);
});

test("each schema has valid samples, and the valid request and response of each operation pass", () => {
  expect(findings()).toBe(0);
  const whole = SCHEMA_FILES.filter(
    (file) => !["limits", "limits-request", "entry", "stream", "sample"].some((part) => file.includes(`/${part}.`)),
  );
  expect(whole.filter((file) => !SAMPLES.some(([sample, , clauses]) => sample === file && clauses.length === 0))).toEqual([]);
});

describe("a wrong schema changes a result", () => {
  test.each(SCHEMA_FILES)("%s is noticed if it refuses all values", (file) => {
    expect(withSchemas({ [file]: false }, findings)).toBeGreaterThan(0);
    expect(findings()).toBe(0);
  });

  test.each(SCHEMA_FILES)("%s is noticed if it accepts all values", (file) => {
    const { $id, $comment } = readSchema(file);
    expect(withSchemas({ [file]: { $id, $comment } }, refusals)).toBeLessThan(refusals());
  });

  test("concurrent work keeps the schemas of the files", async () => {
    const broken = withSchemas({ "logs/entry.json": false }, async () => {
      await Promise.resolve();
      return findings();
    });
    expect(findings()).toBe(0);
    expect(await broken).toBeGreaterThan(0);
  });
});

test("a difference names the place, the expected value and the actual value", () => {
  const { ingestion_rate: _left, ...rest } = ALL_LIMITS as Record<string, unknown>;
  expect(schemaDifferences("admin/limits.json", rest)).toEqual([
    { clause: "admin-2.limit.ingestion_rate", path: "ingestion_rate", expected: "present", actual: "absent" },
  ]);
  expect(requestDifferences("create instance", { name: "a", ...WRITTEN, limits: { INGESTION_RATE: 1 } })).toEqual([
    { clause: "admin-2.3a", path: "limits.INGESTION_RATE", expected: "no field of this name", actual: "1", kind: "present" },
  ]);
  expect(requestDifferences("update instance", { name: "a", ...WRITTEN })).toEqual([
    { clause: "admin-2.field.name", path: "name", expected: "absent (Not part of an update)", actual: '"a"', kind: "present" },
  ]);
  expect(answerDifferences("labels", { data: ["a", 1] })).toEqual([
    { clause: "logs-4.labels", path: "data[1]", expected: "type string (Label name)", actual: "1", kind: "type" },
  ]);
});

test("in a URL the text of an integer counts as that integer, and other text does not", () => {
  const query = '{a="b"}';
  expect(requestDifferences("query_range", { query, limit: "100" })).toEqual([]);
  expect(requestDifferences("query_range", { query, limit: "1.5" }).map(({ path }) => path)).toEqual(["limit"]);
  expect(requestDifferences("query_range", { query, start: 1 }).map(({ path }) => path)).toEqual(["start"]);
});

test("500 validations take far less time than compiling the schema 500 times", () => {
  const answer = ANSWERS["read instance"];
  const took = Array.from({ length: 5 }, () => {
    const start = performance.now();
    for (let time = 0; time < 500; time += 1) answerDifferences("read instance", answer);
    return performance.now() - start;
  });
  // Compiling a schema takes about 20 ms. If it were compiled again for each validation, this test would take 10 s.
  expect(Math.min(...took)).toBeLessThan(2_000);
});

describe("the type of a limit is the same in code and schemas", () => {
  const named = fc.constantFrom(...LIMIT_NAMES);

  test("each documented default has the type of its limit", () => {
    expect(LIMIT_NAMES).toHaveLength(47);
    for (const name of LIMIT_NAMES.filter((limit) => LIMITS[limit].default !== undefined)) {
      expect(hasLimitType(name, LIMITS[name].default)).toBe(true);
    }
  });

  test("for each JSON value the code and the schema of a response agree", () => {
    const value = fc.oneof(
      fc.jsonValue(),
      fc.stringMatching(/^\d{1,3}(?:\.\d)?(?:ms|s|m|h|d|w|y)?$/),
      fc.array(fc.string(), { maxLength: 3 }),
    );
    fc.assert(
      fc.property(named, value, (name, candidate) => {
        const wrong = schemaDifferences("admin/limits.json", { ...ALL_LIMITS, [name]: candidate });
        expect(wrong.length === 0).toBe(hasLimitType(name, candidate));
      }),
      { seed: 1, numRuns: 500 },
    );
  });

  test("each generated value is valid in a request and in a response", () => {
    const made = named.chain((name) => {
      const zero = zeroValue(name);
      const value = fc.oneof(ordinaryValue(name), unusualValue(name), ...(zero === undefined ? [] : [fc.constant(zero)]));
      return fc.tuple(fc.constant(name), value);
    });
    fc.assert(
      fc.property(made, ([name, value]) => {
        expect(schemaDifferences("admin/limits-request.json", { [name]: value })).toEqual([]);
        expect(hasLimitType(name, value)).toBe(true);
      }),
      { seed: 1, numRuns: 500 },
    );
  });

  test("a string of numbers and units may be sent as a duration exactly if it has a length", () => {
    const mayBeSent = newAjv().compile(LIMIT_TYPES.duration.onWrite ?? {});
    const term = fc.stringMatching(/^\d{1,3}(?:\.\d{0,2})?(?:ns|us|µs|μs|ms|s|m|h|d|w|y|M|x| )?$/u);
    fc.assert(
      fc.property(
        fc.oneof(
          // Strings that begin with `P` are left out, because a read may show an ISO 8601 duration, which begins with this letter.
          fc.string().filter((text) => !text.startsWith("P")),
          fc.array(term, { maxLength: 3 }).map((terms) => terms.join("")),
        ),
        (text) => {
          expect(mayBeSent(text)).toBe(durationLength(text) !== null);
        },
      ),
      { seed: 1, numRuns: 1000 },
    );
  });
});
