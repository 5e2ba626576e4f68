/** Variants that differ in connections, in delays, or in temporary refusals. */
import type { Behaviour, ServerHandle } from "../behaviour.ts";
import { everyNth } from "../change.ts";
import { emptyReply, type HttpRequest, type Reply, type Route, textReply } from "../http/message.ts";
import { legal, legalDecision, variantsOf } from "./define.ts";
import type { Variant } from "./types.ts";

const HTTP = "HTTP permits this";
const OVERLOAD = "a 5xx means that the service is overloaded or unavailable, and no statement forbids it";

function everyReply(change: (reply: Reply, request: HttpRequest) => Reply): (base: Behaviour) => Partial<Behaviour> {
  return (base) => ({ respond: (given, request, route) => change(base.respond(given, request, route), request) });
}

/** Makes a legal server that answers one in `n` requests of some kind with `reply`. */
function sometimes(
  n: number,
  test: (request: HttpRequest, route: Route) => boolean,
  reply: Reply,
): (base: Behaviour) => Partial<Behaviour> {
  return (base) => {
    const nth = everyNth(n);
    return {
      beforeHandle: (request, route) => (route !== undefined && test(request, route) && nth() ? reply : base.beforeHandle(request, route)),
    };
  };
}

/** Returns a number that looks random and depends only on `count`. */
function scattered(count: number): number {
  const mixed = Math.imul(count ^ (count >>> 7), 0x9e_37_79_b1);
  return Math.imul(mixed ^ (mixed >>> 15), 0x85_eb_ca_6b) >>> 8;
}

const MOST_WRONG = 3;
const LOCKED_MS = 400;

/** After several requests with wrong credentials, a legal server refuses all requests for some time. */
function lock(server: ServerHandle): { readonly isOn: () => boolean; readonly note: () => void } {
  let wrong = 0;
  let untilMs = 0;
  return {
    isOn: () => server.options.now() < untilMs,
    note: () => {
      wrong += 1;
      if (wrong % MOST_WRONG === 0) untilMs = server.options.now() + LOCKED_MS;
    },
  };
}

const LOCKED_OUT = textReply(403, "too many attempts, wait a moment\n");

const isRead = ({ method }: HttpRequest): boolean => method === "GET";

export const TRANSPORT_VARIANTS: readonly Variant[] = variantsOf({
  chunked: legal(
    "Bodies are sent in chunks, without a length.",
    HTTP,
    everyReply((reply) => ({ ...reply, chunked: true })),
  ),
  "connection-close": legal(
    "The connection is closed after each response.",
    HTTP,
    everyReply((reply) => ({ ...reply, headers: { ...reply.headers, connection: "close" } })),
  ),
  "length-required": legalDecision("beforeHandle", "A body without Content-Length is answered 411.", HTTP, (request) =>
    request.headers["transfer-encoding"] === undefined ? undefined : textReply(411, "say how long it is\n"),
  ),
  "dated-1970": legal(
    "Each response is dated the first of January 1970.",
    "no statement says which date a response must have",
    everyReply((reply) => ({ ...reply, headers: { ...reply.headers, date: new Date(0).toUTCString() } })),
  ),
  "locked-out": legal(
    "After three requests with wrong credentials, all requests are refused for a while.",
    { why: "the document does not say how requests are answered after wrong credentials", settleMs: 2_000 },
    (base, server) => {
      const { isOn, note } = lock(server);
      const guarded = (refusal: Reply | undefined): Reply | undefined => {
        if (isOn()) return LOCKED_OUT;
        if (refusal !== undefined) note();
        return refusal;
      };
      return {
        authorizeAdmin: (request, credentials) => guarded(base.authorizeAdmin(request, credentials)),
        authorizeLogs: (request, credentials) => guarded(base.authorizeLogs(request, credentials)),
      };
    },
  ),
  slow: legal(
    "Each response takes 15 ms.",
    { why: "no statement says how fast responses must be", options: { latencyMs: 15 } },
    () => ({}),
  ),
  uneven: legal("Every tenth response takes 60 ms.", "no statement says how fast responses must be", (base) => {
    const tenth = everyNth(10);
    return everyReply((reply) => (tenth() ? { ...reply, delayMs: 60 } : reply))(base);
  }),
  "sometimes-503": legal("Every 23rd read is answered 503 once.", OVERLOAD, sometimes(23, isRead, textReply(503, "try again\n"))),
  "sometimes-500": legal("Every 31st read is answered 500 once.", OVERLOAD, sometimes(31, isRead, textReply(500, "no leader\n"))),
  "sometimes-502-html": legal(
    "Every 37th read is answered 502 with an HTML page by a gateway.",
    OVERLOAD,
    sometimes(37, isRead, textReply(502, "<html><body>Bad Gateway</body></html>", { "content-type": "text/html" })),
  ),
  "sometimes-408": legal(
    "Every 53rd request is answered 408 and not carried out.",
    HTTP,
    sometimes(53, () => true, textReply(408, "too slow\n")),
  ),
  "often-503": legal("One read in six, at random, is answered 503.", OVERLOAD, (base) => {
    let reads = 0;
    return {
      beforeHandle: (request, route) => {
        if (!isRead(request)) return base.beforeHandle(request, route);
        reads += 1;
        return scattered(reads) % 6 === 0 ? textReply(503, "try again\n") : base.beforeHandle(request, route);
      },
    };
  }),
  "push-sometimes-503": legal(
    "Every seventh push is answered 503 and not stored.",
    // After a refused push, a run pushes the whole dataset again. So it needs more bytes than the default.
    { why: OVERLOAD, settings: { MAX_PUSH_BYTES: "16777216" } },
    sometimes(7, (_request, { operation }) => operation === "logs.push", textReply(503, "ingester unavailable\n")),
  ),
  "update-sometimes-503": legal(
    "Every ninth update is answered 503 and not carried out.",
    OVERLOAD,
    sometimes(9, (_request, { operation }) => operation === "admin.update", textReply(503, "no leader\n")),
  ),
  "create-sometimes-503": legal(
    "Every third create is answered 503 and not carried out.",
    // A failed create may have been carried out, so a run counts its instance. So it needs more instances than the default of a release
    // run.
    { why: OVERLOAD, settings: { MAX_INSTANCES: "50" } },
    sometimes(3, (_request, { operation }) => operation === "admin.create", textReply(503, "no leader\n")),
  ),
  "sometimes-429": legal(
    "Every 29th request is answered 429.",
    "a request above the rate limit is answered 429, and the document does not show the limit",
    sometimes(29, () => true, textReply(429, "slow down\n")),
  ),
  "sometimes-429-retry-after": legal(
    "Every 29th read is answered 429 with a Retry-After.",
    "a request above the rate limit is answered 429, and the document does not show the limit",
    sometimes(29, isRead, textReply(429, "slow down\n", { "retry-after": "0" })),
  ),
  "closed-in-turns": legal(
    "Every 13th request is answered 429, and so are all requests in 0.9 of every eight seconds.",
    {
      // A run sends each refused request again, so it needs larger budgets than the default.
      why: "a request above the rate limit is answered 429, and the document does not show the limit",
      settings: { MAX_PUSH_BYTES: "16777216" },
    },
    (base) => {
      const nth = everyNth(13);
      return {
        beforeHandle: (request, route) =>
          nth() || Date.now() % 8_000 < 900 ? textReply(429, "slow down\n") : base.beforeHandle(request, route),
      };
    },
  ),
  "sometimes-hangs-up": legal(
    "The connection breaks on every 41st read.",
    OVERLOAD,
    sometimes(41, isRead, { ...emptyReply(200), hangUp: true }),
  ),
});
