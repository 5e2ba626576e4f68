import { expect, test } from "vitest";
import { createRun } from "../harness/run.ts";
import { checkOf, settingsFor } from "../harness/testing.ts";
import { startReference } from "../reference/server.ts";
import { withInstances } from "./instance-pool.ts";

test("a check that borrows more instances than the pool has is inconclusive, and does not wait for itself", async () => {
  const server = await startReference({ token: "secret-token-1234", cluster: "c1" });
  const greedy = checkOf(async (t) => {
    await t.verify(async (scope) =>
      withInstances(scope, 2, async () => {
        throw new Error("a smoke run has a pool of one instance");
      }),
    );
  });
  const run = createRun({ settings: settingsFor(server.url, { profile: "smoke" }), runId: "pool1", suiteVersion: "0", checks: [greedy] });
  const { outcomes } = await run.execute(greedy);
  expect(outcomes.map(({ verdict, headline }) => [verdict, headline])).toEqual([
    ["inconclusive", expect.stringContaining("more instances at the same time than the pool has")],
  ]);
  await run.close();
  await server.close();
});
