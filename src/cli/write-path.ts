/** Tests whether a target accepts writes: either with a write that creates nothing, or by creating one instance and pushing one entry. */
import { pushBody } from "../client/logs.ts";
import { isAnswered, isSuccess, type Exchange } from "../client/exchange.ts";
import { pause } from "../client/pause.ts";
import { type Service, SERVICES } from "../contract/clause.ts";
import type { Settings } from "../settings/types.ts";
import { connectionProblem, type Finding, probeUrl, send, type Sent } from "./diagnose.ts";
import { connectionPage, seePage } from "../report/failure-pages.ts";
import { freshRunId } from "./suite.ts";

const PAUSE_MS = 1_000;

/** While the program waits, it prints a line after each period of this length, in ms. */
const NEWS_EVERY_MS = 10_000;

/** The age of the pushed entry in ms. Servers usually accept and show an entry that is 5 min old. */
const AGE_MS = 300_000;

function instancesUrl(settings: Settings): string {
  return `${settings.admin?.baseUrl ?? ""}/admin/api/v1/instances`;
}

function pushUrl(settings: Settings): string {
  return `${settings.logs?.baseUrl ?? ""}/${settings.logs?.segment ?? ""}/api/v1/push`;
}

/** Returns a write that cannot create anything. Any response other than 429 and 5xx shows that writes reach the service. */
function emptyWrite(settings: Settings, service: Service): Sent {
  const url = service === "admin" ? instancesUrl(settings) : pushUrl(settings);
  return { operation: "wait", method: "POST", url, body: service === "admin" ? "{}" : '{"streams":[]}' };
}

/** Returns the reason why a service is not ready, or null. If credentials are refused, the service is ready: waiting would not help. */
function unready(exchange: Exchange): string | null {
  if (!isAnswered(exchange)) return connectionProblem(exchange.error ?? "");
  const { status } = exchange.response;
  return status === 429 || status >= 500 ? `status ${status}` : null;
}

async function notReady(settings: Settings, service: Service): Promise<string | null> {
  const read = await send(settings, service, { operation: "wait", method: "GET", url: probeUrl(settings, service) });
  const reading = unready(read.exchange);
  if (reading !== null) return `reads: ${reading}`;
  const write = await send(settings, service, emptyWrite(settings, service));
  const writing = unready(write.exchange);
  return writing === null ? null : `writes: ${writing}`;
}

/** Waits until all targets answer reads and writes, at most `waitMs` ms. Resolves to the reason why a target is not ready, or null. */
export async function waitForTargets(settings: Settings, waitMs: number, say: (line: string) => void): Promise<string | null> {
  const ends = performance.now() + waitMs;
  let lastNews = Number.NEGATIVE_INFINITY;
  for (;;) {
    const reasons: string[] = [];
    for (const service of SERVICES) {
      const reason = settings[service] === null ? null : await notReady(settings, service);
      if (reason !== null) reasons.push(`${service === "admin" ? "admin API" : "log API"}, ${reason}`);
    }
    if (reasons.length === 0) return null;
    const left = ends - performance.now();
    if (left <= 0) return reasons.join("; ");
    if (performance.now() - lastNews >= NEWS_EVERY_MS) {
      lastNews = performance.now();
      say(`waiting for the target, ${Math.ceil(left / 1000)} s at most: ${reasons.join("; ")}`);
    }
    await pause(Math.min(PAUSE_MS, left), new AbortController().signal);
  }
}

function tried(what: string, { exchange }: { readonly exchange: Exchange }, page: "create-refused" | "push-refused"): Finding {
  if (!isAnswered(exchange))
    return { kind: "problem", text: `${what}: ${connectionProblem(exchange.error ?? "")}${seePage(connectionPage(exchange.error ?? ""))}` };
  const { status, body } = exchange.response;
  if (isSuccess(exchange)) return { kind: "ok", text: `${what}: status ${status}` };
  const said = body
    .replaceAll(/[^\P{C}]+|\s+/gu, " ")
    .trim()
    .slice(0, 200);
  return { kind: "problem", text: `${what} was refused with status ${status}${said === "" ? "" : ` (${said})`}${seePage(page)}` };
}

/** Creates one instance, or pushes one log line, and resolves to a finding about the response. */
export async function tryWrite(settings: Settings, service: Service): Promise<Finding> {
  const id = freshRunId();
  if (service === "admin") {
    const name = `plumbline-doctor-${id}`;
    const body = JSON.stringify({ name, display_name: name, status: "active", cluster: settings.admin?.cluster ?? "" });
    const sent = { operation: "doctor create", method: "POST", url: instancesUrl(settings), body } as const;
    return tried(
      `creating instance ${name} in cluster ${JSON.stringify(settings.admin?.cluster ?? "")}`,
      await send(settings, service, sent),
      "create-refused",
    );
  }
  const body = pushBody([
    { labels: { plumbline_doctor: id }, entries: [{ ts: BigInt(Date.now() - AGE_MS) * 1_000_000n, line: "a line of plumbline doctor" }] },
  ]);
  const sent = { operation: "doctor push", method: "POST", url: pushUrl(settings), body } as const;
  return tried("pushing one line", await send(settings, service, sent), "push-refused");
}
