/** Tests that variants that imitate real servers behave as described. */
import { expect, test } from "vitest";
import { type Bench, linesIn, listIn, withBench } from "./testing.ts";
import { VARIANTS } from "./variants/index.ts";

const INSTANCE = { display_name: "x", status: "active", cluster: "bench" };
/** The clock of the server, in milliseconds since 1970. */
const NOW_MS = Date.UTC(2027, 0, 15, 8, 40);
const NOW = BigInt(NOW_MS) * 1_000_000n;
const MINUTE = 60_000_000_000n;

/** Runs `work` against a server with one variant and with a clock that the test can change. */
async function withVariant(id: string, work: (bench: Bench, clock: { ms: number }) => Promise<void>): Promise<void> {
  const behaviours = VARIANTS.filter((variant) => variant.id === id);
  expect(behaviours).toHaveLength(1);
  const clock = { ms: NOW_MS };
  await withBench({ behaviours, now: () => clock.ms }, async (bench) => work(bench, clock));
}

async function pushed(bench: Bench, labels: Readonly<Record<string, string>>, ageMinutes: bigint, line = "line"): Promise<number> {
  return (await bench.push(labels, [[NOW - ageMinutes * MINUTE, line]])).status;
}

const many = (count: number): Record<string, string> => Object.fromEntries(Array.from({ length: count }, (_, index) => [`l${index}`, "x"]));

test.each<[string, (bench: Bench) => Promise<number>, (bench: Bench) => Promise<number>]>([
  ["labels-at-most-15", (bench) => pushed(bench, many(15), 1n), (bench) => pushed(bench, many(16), 1n)],
  [
    "labels-at-most-63-bytes",
    (bench) => pushed(bench, { a: "v".repeat(63) }, 1n),
    (bench) => pushed(bench, { a: `${"v".repeat(62)}é` }, 1n),
  ],
  [
    "lines-at-most-256-kib",
    (bench) => pushed(bench, { a: "x" }, 1n, "x".repeat(262_144)),
    (bench) => pushed(bench, { a: "x" }, 1n, "x".repeat(262_145)),
  ],
  [
    "lines-at-most-64-kib",
    (bench) => pushed(bench, { a: "x" }, 1n, "x".repeat(65_536)),
    (bench) => pushed(bench, { a: "x" }, 1n, "x".repeat(65_537)),
  ],
  [
    "pushes-at-most-1-mib",
    (bench) => pushed(bench, { a: "x" }, 1n, "x".repeat(1_000_000)),
    (bench) => pushed(bench, { a: "x" }, 1n, "x".repeat(1_048_576)),
  ],
  ["a-week-old-refused", (bench) => pushed(bench, { a: "x" }, 10_079n), (bench) => pushed(bench, { a: "x" }, 10_081n)],
  ["no-history", (bench) => pushed(bench, { a: "x" }, 59n), (bench) => pushed(bench, { a: "x" }, 61n)],
])("the variant %s accepts values up to its limit and refuses larger values", async (id, taken, refused) => {
  await withVariant(id, async (bench) => {
    expect([await taken(bench), await refused(bench)]).toEqual([204, 400]);
  });
});

test("the variant an-hour-late-refused measures lateness from the newest entry of the stream", async () => {
  await withVariant("an-hour-late-refused", async (bench) => {
    const statuses = [];
    for (const age of [200n, 300n, 250n, 100n, 200n, 159n]) statuses.push(await pushed(bench, { a: "x" }, age));
    expect(statuses).toEqual([204, 400, 204, 204, 400, 204]);
  });
});

test("the variant windows-at-most-24-hours refuses longer windows", async () => {
  await withVariant("windows-at-most-24-hours", async (bench) => {
    const asked = async (hours: bigint): Promise<number> =>
      (await bench.get("query_range", { query: '{a="x"}', start: `${NOW - hours * 60n * MINUTE}`, end: `${NOW}` })).status;
    expect([await asked(24n), await asked(25n)]).toEqual([200, 400]);
  });
});

test("the variant labels-of-ten-minutes lists only labels of the last ten minutes", async () => {
  await withVariant("labels-of-ten-minutes", async (bench) => {
    await pushed(bench, { old: "x" }, 11n);
    await pushed(bench, { fresh: "x" }, 9n);
    expect(listIn(await bench.get("labels"))).toEqual(["fresh"]);
    expect(listIn(await bench.get("label/old/values"))).toEqual([]);
  });
});

test("the variant rate-limited-by-volume accepts 6 MiB at once, then 4 MiB per second", async () => {
  await withVariant("rate-limited-by-volume", async (bench, clock) => {
    const statuses = [];
    for (let push = 0; push < 4; push += 1) statuses.push(await pushed(bench, { a: "x" }, 1n, `${push}`.repeat(2_000_000)));
    clock.ms += 500;
    statuses.push(await pushed(bench, { a: "x" }, 1n, "x".repeat(2_000_000)));
    expect(statuses).toEqual([204, 204, 204, 429, 204]);
  });
});

test.each([
  ["integers-at-most-10000", { max_metadata_per_user: 10_000 }, { max_metadata_per_user: 10_001 }],
  ["durations-at-least-1s", { creation_grace_period: 1_000_000_000 }, { creation_grace_period: 999 }],
  ["burst-at-least-rate", { ingestion_rate: 5, ingestion_burst_size: 5 }, { ingestion_rate: 6, ingestion_burst_size: 5 }],
])("the variant %s accepts values that keep its rule and refuses others", async (id, taken, refused) => {
  await withVariant(id, async (bench) => {
    expect((await bench.admin("POST", "", { name: "taken", ...INSTANCE, limits: taken })).status).toBe(201);
    expect((await bench.admin("POST", "", { name: "refused", ...INSTANCE, limits: refused })).status).toBe(400);
  });
});

test("the variant etag-on-get-only gives an ETag only on reads", async () => {
  await withVariant("etag-on-get-only", async (bench) => {
    await bench.admin("POST", "", { name: "abc", ...INSTANCE });
    expect((await bench.admin("PUT", "abc", INSTANCE)).status).toBe(400);
    expect((await bench.admin("GET", "abc")).headers.get("etag")).toBe('"1"');
  });
});

test("the variant status-creating shows this status for half a second", async () => {
  await withVariant("status-creating", async (bench, clock) => {
    await bench.admin("POST", "", { name: "abc", ...INSTANCE });
    expect((await bench.admin("GET", "abc")).json).toMatchObject({ status: "creating" });
    clock.ms += 501;
    expect((await bench.admin("GET", "abc")).json).toMatchObject({ status: "active" });
  });
});

test.each([
  ["clock-eleven-minutes-behind", "2027-01-15T08:29"],
  ["clock-an-hour-ahead", "2027-01-15T09:40"],
  ["created-at-padded", /^2027-01-15T08:40:00\.000\d{3}000Z$/],
])("the variant %s changes created_at", async (id, start) => {
  await withVariant(id, async (bench) => {
    const { json, headers } = await bench.admin("POST", "", { name: "abc", ...INSTANCE });
    expect((json as { readonly created_at: string }).created_at).toMatch(start);
    expect(headers.get("date")).toBe("Fri, 15 Jan 2027 08:40:00 GMT");
  });
});

test("the variant drop-labels-sorted sorts the list", async () => {
  await withVariant("drop-labels-sorted", async (bench) => {
    const { json } = await bench.admin("POST", "", { name: "abc", ...INSTANCE, limits: { drop_labels: ["b", "a"] } });
    expect(json).toMatchObject({ limits: { drop_labels: ["a", "b"] } });
  });
});

/** Sends 100 reads to each API, and returns how many of them show a write from `ms` milliseconds ago. */
async function seeing(id: string, ms: number): Promise<readonly [admin: number, logs: number]> {
  let found: readonly [number, number] = [0, 0];
  await withVariant(id, async (bench, clock) => {
    await bench.admin("POST", "", { name: "abc", ...INSTANCE });
    await pushed(bench, { a: "x" }, 1n);
    clock.ms += ms;
    const counts = [0, 0];
    for (let read = 0; read < 100; read += 1) {
      if ((await bench.admin("GET", "abc")).status === 200) counts[0] = (counts[0] ?? 0) + 1;
    }
    for (let read = 0; read < 100; read += 1) {
      if (linesIn(await bench.get("query_range", { query: '{a="x"}' })).length === 1) counts[1] = (counts[1] ?? 0) + 1;
    }
    found = [counts[0] ?? 0, counts[1] ?? 0];
  });
  return found;
}

test.each([
  ["lag-some-reads-1s", 1_000],
  ["lag-some-reads-4s", 4_000],
  ["lag-some-reads-9s", 9_000],
  ["lag-alternating-2s", 2_000],
  ["lag-first-appearance-8s", 8_000],
])("with the variant %s all reads show a write after its lag, and each run gives the same reads", async (id, ms) => {
  const [early, again] = [await seeing(id, ms - 1), await seeing(id, ms - 1)];
  expect(early).toEqual(again);
  const share = id.includes("some-reads") ? [55, 85] : id.includes("alternating") ? [50, 50] : [0, 0];
  for (const count of early) {
    expect(count).toBeGreaterThanOrEqual(share[0] ?? 0);
    expect(count).toBeLessThanOrEqual(share[1] ?? 0);
  }
  expect(await seeing(id, ms)).toEqual([100, 100]);
});
