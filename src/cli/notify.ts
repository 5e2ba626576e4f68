/** Sends the result of a run to a webhook, whose address is a secret. A failure does not change the verdict. */
import { EnvHttpProxyAgent, request } from "undici";
import type { Summary } from "../report/model.ts";
import { counted } from "../report/words.ts";

const TIMEOUT_MS = 10_000;

const MOST_CLAUSES = 10;

/** Returns the payload for the webhook. Programs such as Slack show `text` to people. Other programs use the other members. */
export function payloadOf(summary: Summary): {
  readonly text: string;
  readonly verdict: string;
  readonly totals: Summary["totals"];
  readonly run: { readonly id: string };
} {
  const { verdict, totals, run, targets, clauses } = summary;
  const named = [targets.admin, targets.logs].flatMap((target) => (target === null ? [] : [target.baseUrl]));
  const failed = clauses.filter((clause) => clause.verdict === "fail").map(({ id }) => id);
  const more = failed.length > MOST_CLAUSES ? ` and ${failed.length - MOST_CLAUSES} more` : "";
  const lines = [
    `${verdict.toUpperCase()}: ${[...new Set(named)].join(", ")}`,
    `${totals.pass} passed, ${totals.fail} failed, ${counted(totals.deviation, "accepted deviation")}, ${totals.inconclusive} inconclusive, ${totals.notRun} not run`,
    ...(failed.length === 0 ? [] : [`violated: ${failed.slice(0, MOST_CLAUSES).join(", ")}${more}`]),
    `profile ${run.profile}, seed ${run.seed}, run ${run.id}`,
  ];
  return { text: lines.join("\n"), verdict, totals, run: { id: run.id } };
}

/** Sends the payload by POST. Resolves to null, or to a warning if this fails. The warning does not contain the address of the webhook. */
export async function notify(url: string, summary: Summary): Promise<string | null> {
  const dispatcher = new EnvHttpProxyAgent();
  try {
    const { statusCode, body } = await request(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(payloadOf(summary)),
      dispatcher,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await body.dump();
    return statusCode < 300 ? null : `the webhook of NOTIFY_URL_FILE answered ${statusCode}`;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : error instanceof Error ? error.name : "unknown error";
    return `the webhook of NOTIFY_URL_FILE could not be reached (${code})`;
  } finally {
    await dispatcher.destroy();
  }
}
