import { expect, test } from "vitest";
import { serve } from "../client/testing.ts";
import { summarize } from "../report/summary.ts";
import { RUN_DETAILS, plannedCheck, resultOf, settingsFor } from "../report/testing.ts";
import { notify } from "./notify.ts";

const PLAN = [plannedCheck("admin-4.2")];
const { summary } = summarize(
  [resultOf(plannedCheck("admin-4.2"), "fail")],
  PLAN,
  settingsFor({ BASE_URL: "https://b", API_TOKEN: "t", METRICS_CLUSTER: "c" }, ["admin-4.2"]),
  RUN_DETAILS,
);

test("a webhook gets the verdict and the counts as text and as data", async () => {
  const { url, received } = await serve(() => 200);
  expect(await notify(`${url}/secret-path`, summary)).toBeNull();
  const payload = JSON.parse(received[0]?.body ?? "") as { text: string; verdict: string; totals: { fail: number } };
  expect(payload).toMatchObject({ verdict: "nonconformant", totals: { fail: 1 } });
  expect(payload.text).toContain("NONCONFORMANT: https://b\n0 passed, 1 failed");
  expect(payload.text).toContain("violated: admin-4.2");
});

test("a webhook that refuses or does not answer gives a warning without its address", async () => {
  const { url } = await serve(() => 404);
  expect(await notify(`${url}/secret-path`, summary)).toBe("the webhook of NOTIFY_URL_FILE answered 404");
  const warning = await notify("http://127.0.0.1:9/secret-path", summary);
  expect(warning).toContain("could not be reached (");
  expect(warning).not.toContain("secret-path");
});
