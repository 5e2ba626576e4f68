/** Faults of authentication and of the rate limit (docs/2 sections 5, 7 and 8), and faults of tokens, which both APIs can have. */
import { decided, everyNth } from "../change.ts";
import { basicCredentials, unauthorized } from "../http/authorization.ts";
import { type HttpRequest, type Operation, textReply } from "../http/message.ts";
import { PUSH_LIMIT } from "../http/rate-limit.ts";
import { broken, fault, faultsOf, type Row, type Told, type Violated, wrongDecision, wrongResult } from "./define.ts";
import { HOSTED, OPEN } from "./helpers.ts";
import type { Fault } from "./types.ts";

export const ALL_LOGS: readonly Operation[] = ["logs.push", "logs.query_range", "logs.query", "logs.labels", "logs.label_values"];

/** Makes a fault: each `n`th request of some operations is answered 401. */
export function sometimesRefused(told: Told, n: number, operations: readonly Operation[]): Row {
  return broken(told, (base, server) => {
    const nth = everyNth(n);
    const refusing = decided("beforeHandle", (_request, route) =>
      route !== undefined && operations.includes(route.operation) && nth() ? unauthorized("no credentials") : undefined,
    );
    return refusing(base, server);
  });
}

function passwordOf({ headers }: HttpRequest): string | undefined {
  return basicCredentials(headers["authorization"])?.password;
}

const OPENED: Violated = { clause: "logs-5.1", ...OPEN };
const GUARDED: Violated = { clause: "logs-5.3", ...HOSTED };
const LIMITED: Violated = { clause: "logs-7.429", options: { rateLimit: PUSH_LIMIT }, settings: { LOGS_EXPECT_RATE_LIMIT: "true" } };

export const LOGS_MODE_FAULTS: readonly Fault[] = [
  ...faultsOf(OPENED, {
    "logs-open-sometimes-401": sometimesRefused("Every ninth request without credentials is refused.", 9, ALL_LOGS),
    "logs-open-queries-sometimes-401": sometimesRefused("Every third instant query without credentials is refused.", 3, ["logs.query"]),
  }),
  ...faultsOf(GUARDED, {
    "logs-auth-none": wrongResult("authorizeLogs", "Log requests without credentials are accepted.", (refusal, request) =>
      passwordOf(request) === undefined ? undefined : refusal,
    ),
    "logs-auth-sometimes-401": sometimesRefused("Every thirteenth request with user and token is refused.", 13, ALL_LOGS),
  }),
  ...faultsOf(LIMITED, {
    "logs-rate-queries-403": broken(
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
    "logs-rate-locks-out": broken(
      { clause: "logs-7.429-recovery", sentence: "After the rate limit was exceeded once, each push is answered 400 for ever." },
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
  }),
];

/** For each fault, its sentence and a function that says which wrong tokens the server accepts. */
const ALMOST: Readonly<Record<string, readonly [sentence: string, takes: (given: string, token: string) => boolean]>> = {
  shortened: ["accepts a token without its last characters", (given, token) => given.length >= token.length / 2 && token.startsWith(given)],
  longer: [
    "accepts a token with additional characters at the end",
    (given, token) => given.length > token.length && given.startsWith(token),
  ],
  case: ["accepts a token in upper or lower case", (given, token) => given.toLowerCase() === token.toLowerCase()],
};

export const TOKEN_FAULTS: readonly Fault[] = [
  ...Object.entries(ALMOST).flatMap(([id, [sentence, takes]]) => {
    const isTaken = (request: HttpRequest, token: string): boolean => {
      const password = passwordOf(request);
      return password !== undefined && takes(password, token);
    };
    return [
      fault("admin-5.1", `admin-token-${id}`, `The admin API ${sentence}.`, (base) => ({
        authorizeAdmin: (request, given) => (isTaken(request, given.token) ? undefined : base.authorizeAdmin(request, given)),
      })),
      fault(GUARDED, `logs-token-${id}`, `The log API ${sentence}.`, (base) => ({
        authorizeLogs: (request, given) => (isTaken(request, given.token) ? undefined : base.authorizeLogs(request, given)),
      })),
    ];
  }),
  ...faultsOf(OPENED, {
    "logs-open-labels-always-401": wrongDecision(
      "beforeHandle",
      "Every request for label names without credentials is answered 401.",
      (_request, route) => (route?.operation === "logs.labels" ? unauthorized("no credentials") : undefined),
    ),
  }),
];
