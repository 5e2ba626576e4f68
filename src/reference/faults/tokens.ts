/** Faults of tokens that are almost right, on both APIs, and of operations that are always refused. */
import type { Behaviour } from "../behaviour.ts";
import { basicCredentials, unauthorized } from "../http/authorization.ts";
import type { HttpRequest, Operation } from "../http/message.ts";
import { fault, type FaultDetails } from "./define.ts";
import type { Fault } from "./types.ts";

const HOSTED: FaultDetails = { options: { logsUser: "fleet" }, settings: { LOGS_USER: "fleet", LOGS_AUTH_ENFORCED: "true" } };
const OPEN: FaultDetails = { options: { logsUser: null, tenancy: false } };

/** What is taken for the token. */
const ALMOST: Readonly<Record<string, readonly [sentence: string, takes: (given: string, token: string) => boolean]>> = {
  shortened: [
    "A token without its last characters is let in",
    (given, token) => given.length >= token.length / 2 && token.startsWith(given),
  ],
  longer: ["A token with more characters at its end is let in", (given, token) => given.length > token.length && given.startsWith(token)],
  case: ["A token in other letters, upper or lower case, is let in", (given, token) => given.toLowerCase() === token.toLowerCase()],
};

function passwordOf({ headers }: HttpRequest): string | undefined {
  return basicCredentials(headers["authorization"])?.password;
}

/** Lets in what `takes` takes for the token. */
function lettingIn(
  takes: (given: string, token: string) => boolean,
): (base: Behaviour) => Pick<Behaviour, "authorizeAdmin" | "authorizeLogs"> {
  return (base) => ({
    authorizeAdmin: (request, credentials) => {
      const given = passwordOf(request);
      return given !== undefined && takes(given, credentials.token) ? undefined : base.authorizeAdmin(request, credentials);
    },
    authorizeLogs: (request, credentials) => {
      const given = passwordOf(request);
      return given !== undefined && takes(given, credentials.token) ? undefined : base.authorizeLogs(request, credentials);
    },
  });
}

const TOKENS: readonly Fault[] = [
  fault(
    "admin-5.1",
    "admin-token-of-users",
    "The admin API lets each user in with any password, except the one without a name.",
    (base) => ({
      authorizeAdmin: (request, credentials) =>
        (basicCredentials(request.headers["authorization"])?.user ?? "") === "" ? base.authorizeAdmin(request, credentials) : undefined,
    }),
  ),
  ...Object.entries(ALMOST).flatMap(([id, [sentence, takes]]) => [
    fault("admin-5.1", `admin-token-${id}`, `${sentence} by the admin API.`, (base) => ({
      authorizeAdmin: lettingIn(takes)(base).authorizeAdmin,
    })),
    fault(
      "logs-5.3",
      `logs-token-${id}`,
      `${sentence} by the log API.`,
      (base) => ({ authorizeLogs: lettingIn(takes)(base).authorizeLogs }),
      HOSTED,
    ),
  ]),
];

/** Carries an operation out and answers 401 where the credentials were wrong. */
function carriedOut(clause: string, id: string, sentence: string, operation: Operation, details?: FaultDetails): Fault {
  return fault(
    clause,
    id,
    sentence,
    (base) => {
      let refusal: ReturnType<Behaviour["authorizeAdmin"]>;
      const late =
        <Given>(authorize: (request: HttpRequest, credentials: Given) => typeof refusal) =>
        (request: HttpRequest, credentials: Given): typeof refusal => {
          const own = authorize(request, credentials);
          const isWrite = request.method === (operation === "admin.update" ? "PUT" : "POST");
          refusal = isWrite && passwordOf(request) !== undefined ? own : undefined;
          return refusal === undefined ? own : undefined;
        };
      return {
        authorizeAdmin: operation === "logs.push" ? base.authorizeAdmin : late(base.authorizeAdmin),
        authorizeLogs: operation === "logs.push" ? late(base.authorizeLogs) : base.authorizeLogs,
        respond: (given, request, route) => {
          const reply = route?.operation === operation && refusal !== undefined ? refusal : given;
          refusal = undefined;
          return base.respond(reply, request, route);
        },
      };
    },
    details,
  );
}

const EMPTY: readonly Fault[] = [
  fault(
    "logs-5.3",
    "logs-token-empty",
    "An empty token is let in by the log API.",
    (base) => ({ authorizeLogs: lettingIn((given) => given === "")(base).authorizeLogs }),
    HOSTED,
  ),
];

const CARRIED_OUT: readonly Fault[] = [
  carriedOut("admin-5.1", "admin-create-despite-401", "A create with a wrong token is answered 401 and carried out.", "admin.create"),
  carriedOut("admin-5.1", "admin-update-despite-401", "An update with a wrong token is answered 401 and carried out.", "admin.update"),
  carriedOut("logs-5.3", "logs-push-despite-401", "A push with a wrong token is answered 401 and stored.", "logs.push", HOSTED),
];

/** Always refuses one operation for want of credentials. */
function alwaysRefused(clause: string, id: string, sentence: string, operation: Operation, details?: FaultDetails): Fault {
  return fault(
    clause,
    id,
    sentence,
    (base) => ({
      beforeHandle: (request, route) =>
        route?.operation === operation ? unauthorized("no credentials") : base.beforeHandle(request, route),
    }),
    details,
  );
}

const REFUSED: readonly Fault[] = [
  alwaysRefused("logs-5.1", "logs-open-query-always-401", "Every metric query without credentials is answered 401.", "logs.query", OPEN),
  alwaysRefused(
    "logs-5.1",
    "logs-open-labels-always-401",
    "Every request for label names without credentials is answered 401.",
    "logs.labels",
    OPEN,
  ),
  alwaysRefused(
    "logs-5.1",
    "logs-open-values-always-401",
    "Every request for label values without credentials is answered 401.",
    "logs.label_values",
    OPEN,
  ),
];

export const TOKEN_FAULTS: readonly Fault[] = [...TOKENS, ...EMPTY, ...CARRIED_OUT, ...REFUSED];
