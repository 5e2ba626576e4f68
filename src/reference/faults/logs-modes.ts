/** Faults of authentication and of the rate limit (docs/2 sections 5, 7 and 8). */
import type { Behaviour } from "../behaviour.ts";
import { basicCredentials } from "../http/authorization.ts";
import { textReply } from "../http/message.ts";
import { PUSH_LIMIT } from "../http/rate-limit.ts";
import { fault, type FaultDetails } from "./define.ts";
import { ALL_LOGS, sometimesRefused } from "./refusing.ts";
import type { Fault } from "./types.ts";

const OPEN: FaultDetails = { options: { logsUser: null, tenancy: false } };
const HOSTED: FaultDetails = { options: { logsUser: "fleet" }, settings: { LOGS_USER: "fleet", LOGS_AUTH_ENFORCED: "true" } };
const LIMITED: FaultDetails = { options: { rateLimit: PUSH_LIMIT }, settings: { LOGS_EXPECT_RATE_LIMIT: "true" } };

const SINGLE: readonly Fault[] = [
  sometimesRefused("logs-5.1", "logs-open-sometimes-401", "Every ninth request without credentials is refused.", 9, ALL_LOGS, OPEN),
  sometimesRefused(
    "logs-5.1",
    "logs-open-queries-sometimes-401",
    "Every third instant query without credentials is refused.",
    3,
    ["logs.query"],
    OPEN,
  ),
];

/** Makes a faulty server that accepts a log request with wrong credentials if `test` is true for these credentials. */
function letIn(
  test: (password: string | undefined, request: { readonly method: string; readonly segments: readonly string[] }) => boolean,
): (base: Behaviour) => Partial<Behaviour> {
  return (base) => ({
    authorizeLogs: (request, credentials) =>
      test(basicCredentials(request.headers["authorization"])?.password, request) ? undefined : base.authorizeLogs(request, credentials),
  });
}

const BASIC: readonly Fault[] = [
  fault(
    { clause: "logs-5.3", ...HOSTED },
    "logs-auth-none",
    "Log requests without credentials are accepted.",
    letIn((password) => password === undefined),
  ),

  sometimesRefused("logs-5.3", "logs-auth-sometimes-401", "Every thirteenth request with user and token is refused.", 13, ALL_LOGS, HOSTED),
];

const RATE: readonly Fault[] = [
  fault(
    { clause: "logs-7.429", ...LIMITED },
    "logs-rate-queries-403",
    "A query that is sent more than 200 times within a second is answered 403. Pushes are not limited.",
    (_base, { options }) => {
      const asked = new Map<string, { second: number; times: number }>();
      return {
        limitRate: (_exceeds, { method, query }) => {
          const text = query.toString();
          const second = Math.floor(options.now() / 1_000);
          const last = asked.get(text);
          const times = last?.second === second ? last.times + 1 : 1;
          asked.set(text, { second, times });
          return method === "GET" && times > 200 ? textReply(403, "query quota used up\n") : undefined;
        },
      };
    },
  ),
  fault(
    { clause: "logs-7.429-recovery", ...LIMITED },
    "logs-rate-locks-out",
    "After the rate limit was exceeded once, each push is answered 400 for ever.",
    (base) => {
      let exceededBefore = false;
      return {
        limitRate: (exceeds, request) => {
          const locked = exceededBefore && !exceeds && request.method === "POST";
          exceededBefore ||= exceeds;
          return locked ? textReply(400, "locked out\n") : base.limitRate(exceeds, request);
        },
      };
    },
  ),
];

export const LOGS_MODE_FAULTS: readonly Fault[] = [...SINGLE, ...BASIC, ...RATE];
