/** Helpers for the tests of the client: a scripted server on the loopback interface, and a transport with short pauses. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import type { AdminTarget, Budgets, LogsTarget, TransportSettings } from "../settings/types.ts";
import { AdminClient, type AdminSession, nothingLearned } from "./admin.ts";
import { Budget, Gate } from "./budget.ts";
import type { Exchange } from "./exchange.ts";
import { LogsClient } from "./logs.ts";
import { PushPace } from "./push-pace.ts";
import { PushSizes } from "./push-parts.ts";
import { StreamQuota } from "./stream-quota.ts";
import type { Proxy } from "./proxy.ts";
import { CredentialTally } from "./credential-tally.ts";
import { type Call, Transport } from "./transport.ts";

export const TOKEN = "bench-token-1234";

export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** The answer of the scripted server: a status, a whole response, a dropped connection, or raw bytes. */
export type Answer =
  | number
  | "drop"
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string | Buffer }
  | ((response: ServerResponse) => void);

/** An exchange with a response, for tests that send no request. */
export const TOLD: Exchange = {
  sequence: 0,
  operation: "told",
  startedAt: 0,
  endedAt: 0,
  durationMs: 0,
  request: { method: "GET", url: "http://x/", headers: {}, body: null, credentials: {} },
  response: { status: 200, headers: {}, body: "" },
  error: null,
};

/** Returns an exchange whose request is sent and answered at the time `at`. */
export function exchange(method: Call["method"], url: string, status: number, at: number, body: string | null = null): Exchange {
  const request = { ...TOLD.request, method, url, body };
  return { ...TOLD, sequence: at, startedAt: at, endedAt: at, durationMs: 10, request, response: { status, headers: {}, body: "" } };
}

export interface TestServer {
  readonly url: string;
  readonly received: readonly Received[];
}

/** Starts a server that answers each request as the script says. Requests are numbered from 0. The server stops when the test ends. */
export async function serve(script: (request: Received, index: number) => Answer | Promise<Answer>): Promise<TestServer> {
  const received: Received[] = [];
  const server = createServer((message, response) => {
    const chunks: Buffer[] = [];
    message.on("data", (chunk: Buffer) => chunks.push(chunk));
    message.on("end", () => {
      const request = {
        method: message.method ?? "",
        url: message.url ?? "",
        headers: message.headers,
        body: Buffer.concat(chunks).toString("utf8"),
      };
      received.push(request);
      void Promise.resolve(script(request, received.length - 1)).then((answer) => give(response, answer));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

function give(response: ServerResponse, answer: Answer): void {
  if (answer === "drop") response.destroy();
  else if (typeof answer === "function") answer(response);
  else if (typeof answer === "number") response.writeHead(answer).end();
  else response.writeHead(answer.status, answer.headers).end(answer.body);
}

export const TRANSPORT_SETTINGS: TransportSettings = {
  concurrency: 4,
  requestTimeoutMs: 1_000,
  tlsCa: null,
  tlsInsecure: false,
  httpProxy: null,
  httpsProxy: null,
  noProxy: "",
  extraHeaders: {},
};

export interface TransportOverrides {
  readonly settings?: Partial<TransportSettings>;
  readonly budgets?: Partial<Budgets>;
  /** The gate that limits the number of requests in flight. The default gate takes its limit from the settings. */
  readonly gate?: Gate;
  readonly retryMs?: number;
  readonly proxy?: Proxy | null;
}

/** Returns a transport whose pauses take milliseconds instead of seconds. The transport is closed when the test ends. */
export function transport({ settings, budgets, gate, retryMs = 2, proxy = null }: TransportOverrides = {}): Transport {
  const all = { ...TRANSPORT_SETTINGS, ...settings };
  const made = new Transport({
    settings: all,
    budget: new Budget({ runTimeoutMs: 20_000, maxRequests: 100, maxInstances: 3, maxPushBytes: 1_000_000, ...budgets }),
    gate: gate ?? new Gate(all.concurrency),
    tally: new CredentialTally(),
    userAgent: "plumbline/0 run/test",
    retryMs,
    proxy,
  });
  onTestFinished(() => made.close());
  return made;
}

export function getting(url: string, overrides: Partial<Call> = {}): Call {
  return { operation: "read", method: "GET", url, headers: {}, credentials: {}, ...overrides };
}

export interface AdminBench {
  readonly client: AdminClient;
  readonly session: AdminSession;
  readonly exchanges: Exchange[];
  /** The names of instances, in the order in which the client announced their creates with `onCreate`. */
  readonly announced: string[];
}

export function adminBench(baseUrl: string, overrides: TransportOverrides & Partial<AdminTarget> = {}): AdminBench {
  const exchanges: Exchange[] = [];
  const announced: string[] = [];
  const session: AdminSession = {
    transport: transport(overrides),
    target: {
      baseUrl,
      token: overrides.token ?? TOKEN,
      tokenName: overrides.tokenName ?? "METRICS_API_TOKEN",
      cluster: "c",
      expectedDefaults: { limits: {}, extra: {} },
      authEnforced: true,
    },
    extraHeaders: overrides.settings?.extraHeaders ?? {},
    ...nothingLearned(300),
    onCreate: (name) => announced.push(name),
    urgency: 0,
  };
  return { client: new AdminClient(session, (exchange) => exchanges.push(exchange)), session, exchanges, announced };
}

/** Returns the settings of a log API without any opt-in. */
export function logsTarget(baseUrl: string): LogsTarget {
  return {
    baseUrl,
    segment: "logs",
    credentials: null,
    tenantId: null,
    tenantId2: null,
    multiTenantQueries: false,
    authEnforced: false,
    expectRateLimit: false,
  };
}

export function logsBench(
  baseUrl: string,
  target: Partial<LogsTarget> = {},
  overrides: TransportOverrides = {},
): { readonly client: LogsClient; readonly exchanges: Exchange[] } {
  const exchanges: Exchange[] = [];
  const session = {
    transport: transport(overrides),
    target: { ...logsTarget(baseUrl), ...target },
    extraHeaders: overrides.settings?.extraHeaders ?? {},
    sizes: new PushSizes(),
    pace: new PushPace(),
    quota: new StreamQuota(200, 100),
    urgency: 0,
  };
  return { client: new LogsClient(session, (exchange) => exchanges.push(exchange)), exchanges };
}
