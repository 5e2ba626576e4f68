/** Makes the same reads and prints the same data as `bare.ts`, but with the client of the suite. */
import { readFileSync } from "node:fs";
import { AdminClient, nothingLearned } from "../client/admin.ts";
import { Budget, Gate } from "../client/budget.ts";
import { CredentialTally } from "../client/credential-tally.ts";
import { type Exchange, jsonOf } from "../client/exchange.ts";
import { Transport } from "../client/transport.ts";
import { schemaDifferences } from "../model/schemas.ts";
import { resolveSettings } from "../settings/resolve.ts";
import type { BareWork } from "./bare.ts";
import { timed } from "./lanes.ts";
import { TOKEN } from "./target.ts";

const work = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8")) as BareWork;
const env = { METRICS_BASE_URL: work.url, METRICS_API_TOKEN: TOKEN, METRICS_CLUSTER: "reference", CONCURRENCY: String(work.inFlight) };
const { settings } = resolveSettings({ flags: new Map(), env, dotenv: {} }, null);
if (settings.admin === null) throw new Error("the admin API is not configured");
const exchanges: Exchange[] = [];
const client = new AdminClient(
  {
    transport: new Transport({
      settings: settings.transport,
      budget: new Budget({ ...settings.budgets, maxRequests: Number.MAX_SAFE_INTEGER }),
      gate: new Gate(work.inFlight),
      tally: new CredentialTally(),
      userAgent: "bench",
      retryMs: 500,
      proxy: null,
    }),
    target: settings.admin,
    extraHeaders: {},
    ...nothingLearned(settings.settleTimeoutMs),
    onCreate: () => undefined,
    urgency: 0,
  },
  (exchange) => exchanges.push(exchange),
);

await timed(work.requests.length, work.inFlight, async (index) => {
  const name = work.requests[index]?.path.split("/").at(-1) ?? "";
  if (schemaDifferences("admin/instance.json", jsonOf(await client.read(name))).length > 0) throw new Error(`not an instance: ${name}`);
});
process.exit(exchanges.length >= work.requests.length ? 0 : 1);
