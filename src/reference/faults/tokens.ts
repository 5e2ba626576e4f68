/** Faults that both APIs can have: the server accepts a token that is similar to the right token, or always refuses an operation. */
import type { Behaviour } from "../behaviour.ts";
import { basicCredentials, unauthorized } from "../http/authorization.ts";
import type { HttpRequest, Operation } from "../http/message.ts";
import { fault, type FaultDetails } from "./define.ts";
import type { Fault } from "./types.ts";

const HOSTED: FaultDetails = { options: { logsUser: "fleet" }, settings: { LOGS_USER: "fleet", LOGS_AUTH_ENFORCED: "true" } };
const OPEN: FaultDetails = { options: { logsUser: null, tenancy: false } };

/** For each faulty server, its sentence and a function that says which wrong tokens it accepts. */
const ALMOST: Readonly<Record<string, readonly [sentence: string, takes: (given: string, token: string) => boolean]>> = {
  shortened: ["accepts a token without its last characters", (given, token) => given.length >= token.length / 2 && token.startsWith(given)],
  longer: [
    "accepts a token with additional characters at the end",
    (given, token) => given.length > token.length && given.startsWith(token),
  ],
  case: ["accepts a token in upper or lower case", (given, token) => given.toLowerCase() === token.toLowerCase()],
};

function passwordOf({ headers }: HttpRequest): string | undefined {
  return basicCredentials(headers["authorization"])?.password;
}

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

const TOKENS: readonly Fault[] = Object.entries(ALMOST).flatMap(([id, [sentence, takes]]) => [
  fault("admin-5.1", `admin-token-${id}`, `The admin API ${sentence}.`, (base) => ({
    authorizeAdmin: lettingIn(takes)(base).authorizeAdmin,
  })),
  fault({ clause: "logs-5.3", ...HOSTED }, `logs-token-${id}`, `The log API ${sentence}.`, (base) => ({
    authorizeLogs: lettingIn(takes)(base).authorizeLogs,
  })),
]);

function alwaysRefused(clause: string, id: string, sentence: string, operation: Operation, details?: FaultDetails): Fault {
  return fault({ clause, ...details }, id, sentence, (base) => ({
    beforeHandle: (request, route) => (route?.operation === operation ? unauthorized("no credentials") : base.beforeHandle(request, route)),
  }));
}

const REFUSED: readonly Fault[] = [
  alwaysRefused(
    "logs-5.1",
    "logs-open-labels-always-401",
    "Every request for label names without credentials is answered 401.",
    "logs.labels",
    OPEN,
  ),
];

export const TOKEN_FAULTS: readonly Fault[] = [...TOKENS, ...REFUSED];
