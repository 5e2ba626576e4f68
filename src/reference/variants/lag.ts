/** Variants whose replicas and caches lag by seconds, on both APIs. A write is visible later, or only in some reads. */
import type { Behaviour } from "../behaviour.ts";
import { everyNth, seededRandom } from "../change.ts";
import { emptyReply } from "../http/message.ts";
import { legal, type Row, variantsOf } from "./define.ts";
import type { Variant } from "./types.ts";

const LAG = "no statement says how soon reads show a write";
/** The settings for a run against a server that lags for many seconds. The user of such a server must set a long SETTLE_TIMEOUT_MS. */
const PATIENT = { SETTLE_TIMEOUT_MS: "15000" };

/** Makes a legal server that answers a read with the state from `ms` milliseconds ago, if `lags` returns true for it. */
function behind(ms: number, lags: () => boolean): (base: Behaviour) => Partial<Behaviour> {
  return (base) => {
    let lagging = false;
    return {
      beforeHandle: (request, route) => {
        lagging = request.method === "GET" && route !== undefined && lags();
        return base.beforeHandle(request, route);
      },
      findInstance: (versions, context) => {
        if (!lagging || context.operation !== "read") return base.findInstance(versions, context);
        return base.findInstance(
          versions.filter(({ atMs }) => atMs <= context.nowMs - ms),
          context,
        );
      },
      entryVisible: (entry, nowMs) => (!lagging || nowMs - entry.storedAtMs >= ms) && base.entryVisible(entry, nowMs),
    };
  };
}

function someReads(seconds: number, settings: Readonly<Record<string, string>>): Row {
  const sentence = `Three reads in ten are answered by a replica ${seconds} s behind.`;
  return legal(sentence, { why: LAG, settings: { ...PATIENT, ...settings } }, (base) => {
    const random = seededRandom(seconds);
    return behind(seconds * 1_000, () => random() < 0.3)(base);
  });
}

const FIRST_MS = 8_000;

/** Makes a legal server whose reads do not find a created instance for `ms` milliseconds. */
function knownLater(base: Behaviour, ms: number): Behaviour["findInstance"] {
  return (versions, context) => {
    const [first] = versions;
    return first !== undefined && context.nowMs - first.atMs < ms ? undefined : base.findInstance(versions, context);
  };
}

export const LAG_VARIANTS: readonly Variant[] = variantsOf({
  "unknown-instance-403": legal(
    "A create is answered 202, and the instance appears 1.2 s later. Requests for unknown instances are answered 403.",
    { why: `${LAG}; error status codes of the admin API are not shown`, settleMs: 4_000, service: "admin" },
    (base) => ({
      findInstance: knownLater(base, 1_200),
      respond: (given, request, route) => {
        const reply = base.respond(given, request, route);
        if (route?.operation === "admin.create" && reply.status === 201) return emptyReply(202);
        return reply.status === 404 && route !== undefined ? { ...reply, status: 403 } : reply;
      },
    }),
  ),
  "lag-some-reads-1s": someReads(1, {}),
  // A run against a server with a long lag needs more requests than the default of a release run.
  "lag-some-reads-4s": someReads(4, { MAX_REQUESTS: "4500" }),
  "lag-some-reads-9s": someReads(9, { MAX_REQUESTS: "5000" }),
  "lag-alternating-2s": legal(
    "Every other read is answered by a replica 2 s behind.",
    { why: LAG, settings: { ...PATIENT, MAX_REQUESTS: "4000" } },
    (base) => behind(2_000, everyNth(2))(base),
  ),
  "lag-first-appearance-8s": legal(
    "Pushed entries and new instances appear 8 s later. Updates are visible at once.",
    // A run polls during the lag. So it needs more requests than a release run has by default, and more time than a smoke run has.
    { why: LAG, settings: { ...PATIENT, MAX_REQUESTS: "4000", RUN_TIMEOUT_MS: "600000" } },
    (base) => ({
      findInstance: (versions, context) =>
        (context.operation === "read" ? knownLater(base, FIRST_MS) : base.findInstance)(versions, context),
      entryVisible: (entry, nowMs) => nowMs - entry.storedAtMs >= FIRST_MS && base.entryVisible(entry, nowMs),
    }),
  ),
});
