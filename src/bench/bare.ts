/**
 * The baseline for the costs of the suite: a simple HTTP loop in its own process, with an undici pool and JSON.parse. If all requests are
 * reads of instances, Ajv validates the responses. The argument is a file with the requests, the URL and the concurrency. Prints wall time
 * and processor time in ms.
 */
import { readFileSync } from "node:fs";
import { Pool } from "undici";
import { schemaDifferences } from "../model/schemas.ts";
import { timed } from "./lanes.ts";
import type { RecordedRequest } from "./recorded.ts";

export interface BareWork {
  readonly url: string;
  readonly inFlight: number;
  readonly requests: readonly RecordedRequest[];
  readonly validates: boolean;
}

const work = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8")) as BareWork;
const pool = new Pool(work.url, { connections: work.inFlight });

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

await timed(work.requests.length, work.inFlight, async (index) => {
  const { method, path, headers, body } = work.requests[index] as RecordedRequest;
  const answer = await pool.request({ method, path, headers, body });
  const value = parsed(await answer.body.text());
  if (work.validates && schemaDifferences("admin/instance.json", value).length > 0) throw new Error(`not an instance: ${path}`);
});
await pool.close();
