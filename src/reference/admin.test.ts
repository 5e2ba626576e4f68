import { expect, test } from "vitest";
import { DOCUMENTED_DEFAULTS, LIMIT_NAMES } from "../contract/limits.ts";
import { basicHeader, type Bench, TOKEN, withBench } from "./testing.ts";

const FIELDS = { display_name: "An instance", status: "active", cluster: "bench" };

function limitsOf(answer: { readonly json: unknown }): Record<string, unknown> | undefined {
  return (answer.json as { readonly limits?: Record<string, unknown> }).limits;
}

async function create(bench: Bench, name: string, limits?: object): Promise<void> {
  const { status } = await bench.admin("POST", "", { name, ...FIELDS, ...(limits === undefined ? {} : { limits }) });
  expect(status).toBe(201);
}

test("an instance without limits is read as it was sent, without `limits`", async () => {
  await withBench({}, async (bench) => {
    await create(bench, "plain");
    const { status, json } = await bench.admin("GET", "plain");
    expect(status).toBe(200);
    expect(json).toEqual({ name: "plain", ...FIELDS, created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z$/) });
  });
});

test("a create with some limits gets the documented defaults for the others", async () => {
  await withBench({}, async (bench) => {
    await create(bench, "filled", { ingestion_rate: 7, compactor_blocks_retention_period: "2y" });
    const limits = limitsOf(await bench.admin("GET", "filled"));
    expect(Object.keys(limits ?? {})).toHaveLength(LIMIT_NAMES.length);
    expect(limits).toMatchObject({ ...DOCUMENTED_DEFAULTS, ingestion_rate: 7, compactor_blocks_retention_period: "2y" });
  });
});

test("an update removes limits, adds limits with defaults, and keeps name and created_at", async () => {
  await withBench({}, async (bench) => {
    await create(bench, "changing", { ingestion_rate: 7 });
    const before = (await bench.admin("GET", "changing")).json as { readonly created_at: string };
    const removed = await bench.admin("PUT", "changing", { ...FIELDS, display_name: "Changed" });
    expect(removed.json).toEqual({ name: "changing", ...FIELDS, display_name: "Changed", created_at: before.created_at });
    expect((await bench.admin("GET", "changing")).json).toEqual(removed.json);
    const added = await bench.admin("PUT", "changing", { ...FIELDS, limits: { drop_labels: ["pod"], ha_max_clusters: 3 } });
    expect(limitsOf(added)).toMatchObject({ ...DOCUMENTED_DEFAULTS, drop_labels: ["pod"], ha_max_clusters: 3 });
    expect((await bench.admin("GET", "changing")).json).toEqual(added.json);
  });
});

test("only Basic credentials with an empty user and the right token are accepted", async () => {
  await withBench({}, async (bench) => {
    await create(bench, "guarded");
    for (const headers of [{}, basicHeader("", "wrong"), basicHeader("somebody", TOKEN), { authorization: `Bearer ${TOKEN}` }]) {
      expect((await bench.admin("GET", "guarded", undefined, headers)).status).toBe(401);
    }
  });
  await withBench({ authEnforced: false }, async (bench) => {
    expect((await bench.admin("POST", "", { name: "open", ...FIELDS }, {})).status).toBe(201);
  });
});

const REFUSED: readonly (readonly [what: string, body: unknown])[] = [
  ["no display_name", { name: "x1", status: "active", cluster: "bench" }],
  ["a number for a status", { name: "x1", ...FIELDS, status: 1 }],
  ["another cluster", { name: "x1", ...FIELDS, cluster: "elsewhere" }],
  ["a bad name", { name: "../x1", ...FIELDS }],
  ["limits that are a list", { name: "x1", ...FIELDS, limits: [] }],
  ["an unknown limit", { name: "x1", ...FIELDS, limits: { no_such_limit: 1 } }],
  ["a text for an integer", { name: "x1", ...FIELDS, limits: { ingestion_rate: "7" } }],
  ["a number for a boolean", { name: "x1", ...FIELDS, limits: { accept_ha_samples: 1 } }],
  ["a number for a text", { name: "x1", ...FIELDS, limits: { s3_sse_type: 1 } }],
  ["a text for a list", { name: "x1", ...FIELDS, limits: { drop_labels: "pod" } }],
  ["a retention without a unit", { name: "x1", ...FIELDS, limits: { compactor_blocks_retention_period: "30" } }],
  ["a list", []],
];

test.each(REFUSED)("a create with %s is refused with 400", async (_what, body) => {
  await withBench({}, async (bench) => {
    expect((await bench.admin("POST", "", body)).status).toBe(400);
    expect((await bench.admin("GET", "x1")).status).toBe(404);
  });
});

test("a read of an absent instance and a create of an existing instance are refused", async () => {
  await withBench({}, async (bench) => {
    await create(bench, "once");
    expect((await bench.admin("POST", "", { name: "once", ...FIELDS })).status).toBe(409);
    expect((await bench.admin("GET", "none")).status).toBe(404);
    expect((await bench.admin("PUT", "none", FIELDS)).status).toBe(404);
    expect((await bench.admin("PUT", "once", { name: "once", ...FIELDS })).status).toBe(400);
    expect((await bench.admin("DELETE", "once")).status).toBe(405);
    expect((await bench.send("POST", "/admin/api/v1/instances", "{", basicHeader("", TOKEN))).status).toBe(400);
    expect((await bench.send("GET", "/admin/api/v2/instances/once", undefined, basicHeader("", TOKEN))).status).toBe(404);
  });
});
