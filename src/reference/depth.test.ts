/** Tests faults at the edges of values, names and tokens, and of the form of requests. Each fault must change at least one response. */
import { describe, expect, test } from "vitest";
import { ADMIN_CREATED_FAULTS } from "./faults/admin-created.ts";
import { ADMIN_TEXT_FAULTS } from "./faults/admin-texts.ts";
import { ADMIN_VALUE_FAULTS } from "./faults/admin-values.ts";
import { LOGS_DEFAULT_FAULTS } from "./faults/logs-defaults.ts";
import { LOGS_SHORTCUT_FAULTS } from "./faults/logs-shortcuts.ts";
import { REQUEST_FAULTS } from "./faults/requests.ts";
import { TOKEN_FAULTS } from "./faults/tokens.ts";
import type { Fault } from "./faults/types.ts";
import type { BehaviourChange } from "./behaviour.ts";
import type { ReferenceOptions } from "./options.ts";
import { adminRequests } from "./seams/admin.ts";
import { logRequests } from "./seams/logs.ts";
import { Differs, NOW_MS, type Seen, Transcript } from "./seams/script.ts";
import { withBench } from "./testing.ts";

const FAULTS: readonly Fault[] = [
  ...ADMIN_CREATED_FAULTS,
  ...ADMIN_VALUE_FAULTS,
  ...ADMIN_TEXT_FAULTS,
  ...REQUEST_FAULTS,
  ...TOKEN_FAULTS,
  ...LOGS_DEFAULT_FAULTS,
  ...LOGS_SHORTCUT_FAULTS,
];

/** The responses of the server. Rejects with `Differs` at the first response that differs from the expected response. */
async function run(
  admin: boolean,
  options: Partial<ReferenceOptions>,
  behaviours: readonly BehaviourChange[],
  expected: Seen | null = null,
): Promise<Seen> {
  const transcript = new Transcript(expected);
  const clock = { ms: NOW_MS };
  await withBench({ ...options, behaviours, now: () => clock.ms }, async (bench) =>
    admin ? adminRequests(bench, clock, transcript) : logRequests(bench, transcript),
  );
  return transcript.seen;
}

const plain = new Map<string, Promise<Seen>>();

// Whether two requests overlap depends on milliseconds, so a fault that needs an overlap may be missed once.
describe("each fault changes a response of the unchanged server", () => {
  test.each(FAULTS.map((fault) => ({ id: fault.id, fault })))("the fault $id changes a response", { retry: 2 }, async ({ fault }) => {
    const admin = fault.clause.startsWith("admin-");
    const options = fault.options ?? {};
    const key = `${admin} ${JSON.stringify(options)}`;
    const expected = plain.get(key) ?? run(admin, options, []);
    plain.set(key, expected);
    await expect(run(admin, options, [fault], await expected)).rejects.toBeInstanceOf(Differs);
  });
});

test("the unchanged server gives the same responses to the same requests twice", async () => {
  expect(await run(true, {}, [])).toEqual(await run(true, {}, []));
  expect(await run(false, {}, [])).toEqual(await run(false, {}, []));
});
