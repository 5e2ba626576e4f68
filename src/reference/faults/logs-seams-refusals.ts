/** Faults of refusals in all positions: empty selectors, log selectors, text after a complete query, and rate limits by volume. */
import { emptyReply, type Reply, textReply } from "../http/message.ts";
import { fault } from "./define.ts";
import type { Fault } from "./types.ts";

const VOLUME_PER_SECOND = 4 * 1_024 * 1_024;
const VOLUME_BURST = 6 * 1_024 * 1_024;

/** A server that answers pushes of more than 4 MiB per second, with bursts of 6 MiB, with `reply` and does not store them. */
function byVolume(clause: string, id: string, sentence: string, reply: Reply): Fault {
  return fault(
    clause,
    id,
    sentence,
    (base, { options }) => {
      let [left, lastMs] = [VOLUME_BURST, options.now()];
      return {
        beforeHandle: (request, route) => {
          if (route?.operation !== "logs.push") return base.beforeHandle(request, route);
          const nowMs = options.now();
          left = Math.min(VOLUME_BURST, left + ((nowMs - lastMs) * VOLUME_PER_SECOND) / 1_000);
          lastMs = nowMs;
          if (left < request.body.length) return reply;
          left -= request.body.length;
          return base.beforeHandle(request, route);
        },
      };
    },
    { options: { rateLimit: { perSecond: 1_000_000, burst: 1_000_000 } }, settings: { LOGS_EXPECT_RATE_LIMIT: "true" } },
  );
}

export const LOGS_SEAM_VOLUME_FAULTS: readonly Fault[] = [
  byVolume(
    "logs-7.429",
    "logs-seam-volume-400",
    "Pushes above 4 MiB per second, with bursts of 6 MiB, are answered 400 instead of 429.",
    textReply(400, "ingestion rate limit exceeded\n"),
  ),
];

/** A server that drops pushes silently. Only reads show it; the responses to pushes beyond the rate do not. */
export const LOGS_SILENT_VOLUME_FAULTS: readonly Fault[] = [
  byVolume(
    "logs-7.429-accepted",
    "logs-seam-volume-silent",
    "Pushes above 4 MiB per second, with bursts of 6 MiB, are answered 204 and dropped. Nothing is answered 429.",
    emptyReply(204),
  ),
];

export const LOGS_SEAM_REFUSAL_FAULTS: readonly Fault[] = [];
