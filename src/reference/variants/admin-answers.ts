/** Variants with unusual responses of the admin API: other statuses, headers, spellings of JSON, or additional fields. */
import { rfc3339 } from "../admin/created-at.ts";
import type { AdminBehaviour } from "../admin/base.ts";
import type { Behaviour } from "../behaviour.ts";
import { onReply } from "../change.ts";
import { basicCredentials, sameSecret } from "../http/authorization.ts";
import { emptyReply, isJsonObject, jsonReply, type Reply, textReply } from "../http/message.ts";
import { legal, legalResult, type Row, variantsOf } from "./define.ts";
import type { Variant } from "./types.ts";

const CREATE_OPEN = "the response body and success status code of create are not shown";
const ERRORS_OPEN = "error status codes and error bodies of the admin API are not shown";
const JSON_VALUE = "JSON texts with the same values are the same";

function created(sentence: string, change: (reply: Reply) => Reply): Row {
  return legalResult("instanceReply", sentence, CREATE_OPEN, (reply, _body, _headers, context) =>
    context.operation === "create" ? change(reply) : reply,
  );
}

function nameIn({ body }: Reply): string {
  const name = body.kind === "json" && isJsonObject(body.value) ? body.value["name"] : undefined;
  return typeof name === "string" ? name : "";
}

function spelled(sentence: string, write: (json: string) => string): Row {
  return legalResult("serialize", sentence, JSON_VALUE, (json, _value, route) =>
    route?.operation.startsWith("admin.") === true ? write(json) : json,
  );
}

function dated(sentence: string, print: (ns: bigint) => string): Row {
  return legal(sentence, "an RFC 3339 timestamp may be written so", () => ({ formatCreatedAt: print }));
}

function errors(change: (reply: Reply) => Reply): (base: Behaviour) => Partial<Behaviour> {
  return (base) => ({
    respond: (given, request, route) => {
      const reply = base.respond(given, request, route);
      return route?.operation.startsWith("admin.") === true && reply.status >= 400 ? change(reply) : reply;
    },
  });
}

function typed(type: string | null): Pick<AdminBehaviour, "instanceReply"> {
  return {
    instanceReply: (body, headers, { operation }) => {
      const { "content-type": _usual, ...rest } = jsonReply(200, body, headers).headers;
      return {
        status: operation === "create" ? 201 : 200,
        headers: { ...rest, ...(type === null ? {} : { "content-type": type }) },
        body: { kind: "json", value: body },
      };
    },
  };
}

export const ADMIN_ANSWER_VARIANTS: readonly Variant[] = variantsOf({
  "create-200": created("A create answers 200 instead of 201.", (reply) => ({ ...reply, status: 200 })),
  "create-202": created("A create answers 202 with the instance object.", (reply) => ({ ...reply, status: 202 })),
  "create-204": created("A create answers 204 without a body.", () => emptyReply(204)),
  "create-location": created("A create answers 201 with a Location and an empty body.", () => ({
    ...emptyReply(201),
    headers: { location: "/admin/api/v1/instances/created" },
  })),
  "create-see-other": created("A create answers 303 with a Location and no body.", (reply) => ({
    ...emptyReply(303),
    headers: { location: `/admin/api/v1/instances/${nameIn(reply)}` },
  })),
  "create-text": created("A create answers 200 with a word as plain text.", () => textReply(200, "created\n")),
  "create-empty-object": created("A create answers 200 with an empty object.", () => jsonReply(200, {})),
  "update-202": legalResult(
    "instanceReply",
    "An update answers 202 with the modified instance object.",
    "which success status an update has is not shown",
    (reply, _body, _headers, context) => ({
      ...reply,
      status: context.operation === "update" ? 202 : context.operation === "create" ? 201 : 200,
    }),
  ),

  "created-at-whole-seconds": legal(
    "Instances are created on whole seconds. Responses to updates show nine fraction digits, and reads show none.",
    "zeros may be left out, and the precision of the service's clock is not stated",
    () => ({
      formatCreatedAt: (ns, { operation }) => {
        const seconds = new Date(Number(ns / 1_000_000_000n) * 1_000).toISOString().slice(0, 19);
        return operation === "update" ? `${seconds}.000000000Z` : `${seconds}Z`;
      },
    }),
  ),
  "json-numbers-with-point": spelled("Integers are written with a decimal point, 350000.0.", (json) =>
    json.replaceAll(/((?<!\\)":\s*)(\d+)(?=[,}])/g, "$1$2.0"),
  ),
  "json-numbers-with-exponent": spelled("Large integers are written with an exponent, 1.2096e15.", (json) =>
    json.replaceAll(/((?<!\\)":)(\d{7,})(?=[,}])/g, (_match, before: string, digits: string) => `${before}${exponent(digits)}`),
  ),
  "json-pretty": spelled("Bodies are indented.", (json) => JSON.stringify(JSON.parse(json), null, 4)),
  "json-escaped": spelled("Letters outside ASCII and slashes are written as escapes.", (json) =>
    json.replaceAll(/[^\p{ASCII}]/gu, escapes).replaceAll("/", String.raw`\/`),
  ),
  "json-trailing-newline": spelled("Bodies end with a newline.", (json) => `${json}\n`),
  "json-keys-reversed": legal(
    "Fields and limits come in another order.",
    "the order of the members of an object means nothing",
    (base) => ({
      presentInstance: (instance, { createdAt, limits }, context) => {
        const reversed = limits === undefined ? undefined : Object.fromEntries(Object.entries(limits).toReversed());
        return Object.fromEntries(Object.entries(base.presentInstance(instance, { createdAt, limits: reversed }, context)).toReversed());
      },
    }),
  ),
  "type-with-vendor": legal(
    "Bodies have the Content-Type application/vnd.instance+json.",
    "the Content-Type of responses is not stated",
    () => typed("application/vnd.instance+json"),
  ),
  "type-missing": legal("Bodies have no Content-Type.", "the Content-Type of responses is not stated", () => typed(null)),
  "type-text": legal("Bodies have the Content-Type text/plain.", "the Content-Type of responses is not stated", () => typed("text/plain")),

  "created-at-trimmed": dated("Trailing zeros in the fraction of created_at are left out.", (ns) => rfc3339(ns).replace(/\.?0+Z$/, "Z")),
  "created-at-offset": dated("created_at is given with an offset instead of Z.", (ns) =>
    rfc3339(ns + 19_800_000_000_000n).replace("Z", "+05:30"),
  ),
  "created-at-minus-offset": dated("created_at is given with a negative offset.", (ns) =>
    rfc3339(ns - 25_200_000_000_000n).replace("Z", "-07:00"),
  ),
  "created-at-zero-offset": dated("created_at ends in +00:00.", (ns) => rfc3339(ns).replace("Z", "+00:00")),

  "extra-fields": legal("Instance objects have more fields than the documented ones.", "extra fields contradict nothing", (base) => ({
    presentInstance: (instance, presented, context) => ({
      id: 17,
      ...base.presentInstance(instance, presented, context),
      kind: "instance",
      version: `${instance.version}`,
      updated_at: null,
      links: [{ rel: "self", href: `/admin/api/v1/instances/${instance.name}` }],
    }),
  })),
  "extra-headers": legal("Responses have headers such as request ids and cache rules.", "headers are not stated", (base) => ({
    instanceHeaders: (instance, context) => ({
      ...base.instanceHeaders(instance, context),
      "x-request-id": "4711",
      "cache-control": "no-store",
      vary: "Authorization",
    }),
  })),
  "admin-errors-json": legal(
    "Errors of the admin API are JSON objects.",
    ERRORS_OPEN,
    errors(({ status, headers }) => ({
      ...jsonReply(status, { status: "error", error: "refused", code: status }),
      headers: { ...headers, "content-type": "application/json" },
    })),
  ),
  "admin-errors-problem": legal(
    "Errors of the admin API are problem details.",
    ERRORS_OPEN,
    errors(({ status, headers }) => ({
      ...jsonReply(status, { title: "refused", status }),
      headers: { ...headers, "content-type": "application/problem+json" },
    })),
  ),
  "admin-errors-empty": legal(
    "Errors of the admin API have no body.",
    ERRORS_OPEN,
    errors(({ status, headers }) => ({ ...emptyReply(status), headers: { ...headers, "content-type": "text/html" } })),
  ),
  "admin-errors-422": legal(
    "The admin API answers each refusal with 422.",
    ERRORS_OPEN,
    errors((reply) => (reply.status === 400 || reply.status === 409 ? { ...reply, status: 422 } : reply)),
  ),
  "unknown-instance-400": legal(
    "A request for an unknown instance is answered 400.",
    ERRORS_OPEN,
    errors((reply) => (reply.status === 404 ? { ...reply, status: 400 } : reply)),
  ),
  "unknown-instance-500": legal(
    "A read of an unknown instance is answered 500.",
    ERRORS_OPEN,
    errors((reply) => (reply.status === 404 ? { ...reply, status: 500 } : reply)),
  ),
  "unknown-instance-204": legal("A request for an unknown instance is answered 204 without a body.", ERRORS_OPEN, (base) =>
    onReply(base, ["admin.read"], (reply) => (reply.status === 404 ? emptyReply(204) : reply)),
  ),

  "any-username": legal("The username is ignored.", "the document says what clients send, not what else a server accepts", (base) => ({
    authorizeAdmin: (request, credentials) => {
      const given = basicCredentials(request.headers["authorization"]);
      return given !== undefined && sameSecret(given.password, credentials.token) ? undefined : base.authorizeAdmin(request, credentials);
    },
  })),
  "bearer-as-well": legalResult(
    "authorizeAdmin",
    "The token is also accepted as a bearer token.",
    "the document says what clients send, not what else a server accepts",
    (usual, request, credentials) => (request.headers["authorization"] === `Bearer ${credentials.token}` ? undefined : usual),
  ),
  "refused-with-403": legal(
    "Wrong credentials are answered 403.",
    ERRORS_OPEN,
    errors((reply) => (reply.status === 401 ? { ...reply, status: 403 } : reply)),
  ),
  "admin-auth-not-enforced": legal(
    "The admin API accepts requests without credentials.",
    {
      why: "the suite judges refusals only if the user says that credentials are enforced",
      options: { authEnforced: false },
      settings: { METRICS_AUTH_ENFORCED: "false" },
    },
    () => ({}),
  ),
});

function exponent(digits: string): string {
  const [mantissa = "", power = ""] = Number(digits).toExponential().split("e+");
  return `${mantissa}e${power}`;
}

function escapes(character: string): string {
  return Array.from({ length: character.length }, (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`).join("");
}
