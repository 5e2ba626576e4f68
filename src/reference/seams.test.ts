/**
 * Each fault at an edge of the store answers rightly for small data that is some minutes old. Data that crosses the edge gets a wrong
 * response.
 */
import { describe, expect, test } from "vitest";
import type { BehaviourChange } from "./behaviour.ts";
import { SEAM_FAULTS } from "./faults/logs-seams.ts";
import type { Fault } from "./faults/types.ts";
import { Client, NOW_MS, type Script, type Seen } from "./seams/script.ts";
import { SCRIPTS } from "./seams/scripts.ts";
import { SMALL } from "./seams/small.ts";
import { withBench } from "./testing.ts";

/** The responses that the small script and then another script get from a server with these changes. */
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

describe.each(Object.entries(SEAM_FAULTS))(
  "the faults at the edge %s change only data that crosses it",
  (seam, faults: readonly Fault[]) => {
    const scripts = SCRIPTS[seam as keyof typeof SEAM_FAULTS];
    const tenancy = seam === "tenants" || seam === "inFlight";
    // Whether two requests overlap depends on milliseconds, so a fault that needs an overlap may be missed once.
    test.each(faults.map((fault) => ({ id: fault.id, fault })))(
      "the fault $id changes only data that crosses the edge",
      { retry: seam === "overlap" || seam === "inFlight" ? 3 : 0 },
      async ({ fault }) => {
        const script = fault.needs === "nightly" ? scripts.nightly : scripts.release;
        if (script === undefined) throw new Error(`there is no script of ${seam} for so much data`);
        const expected = plain.get(script) ?? run(script, tenancy, []);
        plain.set(script, expected);
        const right = await expected;
        const seen = await run(script, tenancy, [fault]);
        expect(seen.small).toEqual(right.small);
        // Whole responses are long, so only the indexes of differing responses are compared.
        const differing = seen.crossing.flatMap((answer, index) => (answer === right.crossing[index] ? [] : [index]));
        expect(differing.length).toBeGreaterThan(0);
      },
    );
  },
);

test("there are enough such faults, and few of them need the amount of data of a nightly run", () => {
  const all = Object.values(SEAM_FAULTS).flat() as readonly Fault[];
  expect(all.length).toBeGreaterThanOrEqual(60);
  expect(all.filter(({ needs }) => needs === "nightly").length).toBeLessThanOrEqual(10);
});
