/** Tests that a response may show each value that a write can have given to an instance, and no other value. */
import { expect, test } from "vitest";
import { DOCUMENTED_DEFAULTS } from "../contract/limits.ts";
import { PossibleValues, type Shown, type Write, YearLengths } from "./possible-values.ts";

const FIELDS = { display_name: "A", status: "active", cluster: "c" };
const STAMP = "2026-01-02T03:04:05.123456789Z";
const DEFAULTS = { ...DOCUMENTED_DEFAULTS, max_series_per_query: 11, max_series_per_user: 12 };

/** Returns the possible values of an instance after writes of the given bodies, in this order. Each write was acknowledged. */
function written(...bodies: readonly object[]): PossibleValues {
  const possible = new PossibleValues("a", {});
  for (const [index, body] of bodies.entries()) {
    const write: Write = { kind: index === 0 ? "create" : "update", body: { ...FIELDS, ...body }, sentAt: index };
    possible.sending(write);
    possible.answered(write, true, index);
  }
  return possible;
}

function read(body: object, beganAt = 100): Shown {
  return { body: { name: "a", ...FIELDS, created_at: STAMP, ...body }, by: "read", beganAt };
}

/** Returns the clauses that reads with the given bodies violate. */
function clauses(possible: PossibleValues, ...bodies: readonly object[]): string[] {
  return bodies.flatMap((body) => possible.differences(read(body)).map(({ clause }) => clause));
}

test.each<[what: string, writes: readonly object[], shown: object]>([
  ["no limits where none were sent", [{}], {}],
  ["the sent limit and the defaults", [{ limits: { ingestion_rate: 7 } }], { limits: { ...DEFAULTS, ingestion_rate: 7 } }],
  ["an earlier display name", [{ display_name: "B" }, {}], { display_name: "B" }],
  [
    "an earlier limit after an update over limits",
    [{ limits: { ingestion_rate: 7 } }, { limits: { ingestion_rate: 8 } }],
    { limits: { ...DEFAULTS, ingestion_rate: 7 } },
  ],
  [
    "the default of a limit that an update over limits did not send",
    [{ limits: { ingestion_rate: 7 } }, { limits: { ha_max_clusters: 1 } }],
    { limits: DEFAULTS },
  ],
  ["limits that are not filled yet", [{ limits: { ingestion_rate: 7 } }], { limits: { ingestion_rate: 7 } }],
  ["limits that are not shown yet", [{ limits: { ingestion_rate: 7 } }], {}],
  ["limits after they were removed", [{ limits: { ingestion_rate: 7 } }, {}], { limits: { ...DEFAULTS, ingestion_rate: 7 } }],
  ["a display name with composed letters", [{ display_name: "Cafe\u0301" }], { display_name: "Caf\u00e9" }],
  ["created_at in another zone", [{}], { created_at: "2026-01-02T04:04:05.123456789+01:00" }],
  ["a status that was never sent", [{}], { status: "creating" }],
  ["a limit outside the table", [{ limits: {} }], { limits: { ...DEFAULTS, plumb: 1 } }],
  ["a limit of another type, which is a matter of the schema", [{ limits: {} }], { limits: { ...DEFAULTS, ingestion_rate: "7" } }],
])("a read may show %s", (_what, writes, shown) => {
  const possible = written(...writes);
  possible.differences(read({}, 0));
  expect(clauses(possible, shown)).toEqual([]);
});

test.each<[what: string, clauses: readonly string[], writes: readonly object[], shown: readonly object[]]>([
  ["another name", ["admin-2.field.name"], [{}], [{ name: "b" }]],
  ["a display name that nobody wrote", ["admin-2.field.display_name"], [{}], [{ display_name: "B" }]],
  ["such a display name after the right one", ["admin-4.GET"], [{}], [{}, { display_name: "B" }]],
  ["another cluster", ["admin-2.field.cluster"], [{}], [{ cluster: "d" }]],
  ["another created_at", ["admin-2.created-at-unchanged"], [{}], [{}, { created_at: "2026-01-02T03:04:05Z" }]],
  ["limits where none were sent", ["admin-2.field.limits"], [{}], [{ limits: DEFAULTS }]],
  [
    "no limits after they were shown whole",
    ["admin-4.GET"],
    [{ limits: { ingestion_rate: 7 } }],
    [{ limits: { ...DEFAULTS, ingestion_rate: 7 } }, {}],
  ],
  [
    "one limit that was never sent",
    ["admin-2.limit.ingestion_rate"],
    [{ limits: { ingestion_rate: 7 } }],
    [{ limits: { ...DEFAULTS, ingestion_rate: 8 } }],
  ],
  [
    "a default in place of a limit that was shown",
    ["admin-4.GET"],
    [{ limits: { ingestion_rate: 7 } }],
    [{ limits: { ...DEFAULTS, ingestion_rate: 7 } }, { limits: DEFAULTS }],
  ],
  [
    "another default than the one that was learned",
    ["admin-4.GET"],
    [{ limits: { ingestion_rate: 7 } }],
    [{ limits: { ...DEFAULTS, ingestion_rate: 7 } }, { limits: { ...DEFAULTS, ingestion_rate: 7, max_series_per_user: 13 } }],
  ],
  [
    "many limits that were never sent",
    ["admin-4.1", "admin-4.1", "admin-4.1"],
    [{ limits: { ingestion_rate: 7 } }],
    [{ limits: { ...DEFAULTS, ingestion_rate: 8, ha_max_clusters: 9, max_metadata_length: 10 } }],
  ],
])("a read must not show %s", (_what, expected, writes, shown) => {
  expect(clauses(written(...writes), ...shown)).toEqual(expected);
});

test("a wrong created_at shows by how many whole seconds it differs", () => {
  const possible = written({});
  const actual = (created_at: string): string | undefined => possible.differences(read({ created_at }))[0]?.actual;
  expect(actual("2026-01-02T03:04:05.123456789Z")).toBeUndefined();
  expect(actual("2026-01-02T02:04:05.123456789Z")).toBe('"2026-01-02T02:04:05.123456789Z" (3600 s earlier)');
  expect(actual("2026-01-02T03:04:05Z")).toBe('"2026-01-02T03:04:05Z"');
});

test("while a write is in flight, and after a write that was not JSON, nothing is learned and nothing is judged", () => {
  const possible = written({ limits: { ingestion_rate: 7 } });
  const open: Write = { kind: "update", body: { ...FIELDS, display_name: "B" }, sentAt: 200 };
  possible.sending(open);
  expect(possible.wasAlone(open)).toBe(true);
  expect(clauses(possible, { display_name: "B" }, {}, { limits: { ...DEFAULTS, ingestion_rate: 7 } }, {})).toEqual([]);
  const other: Write = { kind: "update", body: undefined, sentAt: 201 };
  possible.sending(other);
  expect(possible.wasAlone(open)).toBe(false);
  expect(clauses(possible, { display_name: "anything" })).toEqual([]);
});

test("a write that failed five seconds ago does not meet a later write", () => {
  const possible = written({});
  const [failed, soon, late] = [200, 1_000, 5_400].map((sentAt): Write => ({ kind: "update", body: FIELDS, sentAt })) as [
    Write,
    Write,
    Write,
  ];
  possible.sending(failed);
  possible.answered(failed, false, 300);
  possible.sending(soon);
  possible.answered(soon, true, 1_100);
  possible.sending(late);
  expect([failed, soon, late].map((one) => possible.wasAlone(one))).toEqual([false, false, true]);
});

test("a year has the same length in all values of a run", () => {
  const years = new YearLengths();
  expect(years.fits(["1y"], "1y")).toBe(true);
  expect(years.fits(["30d"], "720h")).toBe(true);
  expect(years.fits(["1y"], "8766h0m0s")).toBe(true);
  expect(years.fits(["2y"], "17532h")).toBe(true);
  expect(years.fits(["1y"], "365d")).toBe(false);
});

test("the origin of a value names the value before the last write", () => {
  const possible = written({ limits: { ingestion_rate: 7 } });
  possible.differences(read({ limits: { ...DEFAULTS, ingestion_rate: 7, max_series_per_user: 13 } }, 1));
  possible.sending({ kind: "update", body: { display_name: "B", limits: { ingestion_rate: 8 } }, sentAt: 2 });
  expect(possible.originOf("limits.ingestion_rate", 7, 3)).toBe("before");
  expect(possible.originOf("limits.max_series_per_user", 13, 3)).toBe("before");
  expect(possible.originOf("display_name", "A", 3)).toBe("before");
  expect(possible.originOf("limits.ingestion_rate", 7, 1)).toBe("written");
  expect(possible.originOf("limits.ingestion_rate", 7)).toBe("written");
  expect(possible.originOf("limits.ingestion_rate", 9, 3)).toBeNull();
});
