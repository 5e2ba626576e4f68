/** Every fault at a seam is right on small data, minutes old, and wrong where data cross the seam. */
import { describe, expect, test } from "vitest";
import type { BehaviourChange } from "./behaviour.ts";
import { SEAM_FAULTS } from "./faults/logs-seams.ts";
import type { Fault } from "./faults/types.ts";
import { Client, NOW_MS, type Script, type Seen } from "./seams/script.ts";
import { SCRIPTS } from "./seams/scripts.ts";
import { SMALL } from "./seams/small.ts";
import { withBench } from "./testing.ts";

/** What the small script and then another see of a server with these changes. */
async function run(script: Script, tenancy: boolean, behaviours: readonly BehaviourChange[]): Promise<{ small: Seen; crossing: Seen }> {
  const seen: { small: Seen; crossing: Seen } = { small: [], crossing: [] };
  await withBench({ tenancy, behaviours, now: () => NOW_MS }, async (bench) => {
    const client = new Client(bench, "small");
    seen.small = await SMALL(client);
    seen.crossing = await script(client);
  });
  return seen;
}

const plain = new Map<Script, ReturnType<typeof run>>();

describe.each(Object.entries(SEAM_FAULTS))("%s", (seam, faults: readonly Fault[]) => {
  const scripts = SCRIPTS[seam as keyof typeof SEAM_FAULTS];
  const tenancy = seam === "tenants" || seam === "inFlight";
  // Whether requests overlap is a matter of milliseconds, so a fault that needs it may be missed once.
  test.each(faults.map((fault) => ({ id: fault.id, fault })))(
    "$id",
    { retry: seam === "overlap" || seam === "inFlight" ? 3 : 0 },
    async ({ fault }) => {
      const script = fault.needs === "nightly" ? scripts.nightly : scripts.release;
      if (script === undefined) throw new Error(`there is no script of ${seam} for so much data`);
      const expected = plain.get(script) ?? run(script, tenancy, []);
      plain.set(script, expected);
      const right = await expected;
      const seen = await run(script, tenancy, [fault]);
      expect(seen.small).toEqual(right.small);
      // Whole answers are long: where they differ says enough.
      const differing = seen.crossing.flatMap((answer, index) => (answer === right.crossing[index] ? [] : [index]));
      expect(differing.length).toBeGreaterThan(0);
    },
  );
});

test("there are enough of them, and few that need the most data", () => {
  const all = Object.values(SEAM_FAULTS).flat() as readonly Fault[];
  expect(all.length).toBeGreaterThanOrEqual(60);
  expect(all.filter(({ needs }) => needs === "nightly").length).toBeLessThanOrEqual(10);
});
