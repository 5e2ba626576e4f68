/** Records the requests of a release run in order. A bare loop can then send the same requests. */
import { CHECKS } from "../../specs/index.ts";
import { createRun } from "../harness/run.ts";
import { executeAll } from "../harness/schedule.ts";
import type { BehaviourChange } from "../reference/behaviour.ts";
import type { HttpRequest } from "../reference/http/message.ts";
import { startReference } from "../reference/server.ts";
import { resolveSettings } from "../settings/resolve.ts";
import { TOKEN } from "./target.ts";

export interface RecordedRequest {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

const SENT_AGAIN = ["authorization", "content-type", "x-scope-orgid", "if-match"];

function asRecorded({ method, segments, query, headers, body }: HttpRequest): RecordedRequest {
  const path = `/${segments.map(encodeURIComponent).join("/")}`;
  return {
    method: method as RecordedRequest["method"],
    path: query.size === 0 ? path : `${path}?${query.toString()}`,
    headers: Object.fromEntries(Object.entries(headers).filter(([name]) => SENT_AGAIN.includes(name))),
    body: body === "" ? null : body,
  };
}

export async function recordRelease(): Promise<RecordedRequest[]> {
  const recorded: RecordedRequest[] = [];
  const recording: BehaviourChange = {
    id: "recording",
    change: (base) => ({
      beforeHandle: (request, route) => {
        recorded.push(asRecorded(request));
        return base.beforeHandle(request, route);
      },
    }),
  };
  const server = await startReference({ token: TOKEN, cluster: "reference", behaviours: [recording] });
  const env = { BASE_URL: server.url, API_TOKEN: TOKEN, METRICS_CLUSTER: "reference" };
  const { settings } = resolveSettings({ flags: new Map(), env, dotenv: {} }, null);
  const run = createRun({ settings, runId: "rbench0001", suiteVersion: "bench", checks: CHECKS });
  await executeAll(run);
  await run.close();
  await server.close();
  return recorded;
}
