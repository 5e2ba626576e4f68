/** Variants with unusual responses of the admin API: other statuses, headers, spellings of JSON, or additional fields. */
import { rfc3339 } from "../admin/created-at.ts";
import type { AdminBehaviour } from "../admin/base.ts";
import type { Behaviour } from "../behaviour.ts";
import { onReply } from "../change.ts";
import { basicCredentials, sameSecret } from "../http/authorization.ts";
import { emptyReply, isJsonObject, jsonReply, type Reply, textReply } from "../http/message.ts";
import { variant, variantOfResult } from "./define.ts";
import type { Variant } from "./types.ts";

const CREATE_OPEN = "the response body and success status code of create are not shown";
const ERRORS_OPEN = "error status codes and error bodies of the admin API are not shown";
const JSON_VALUE = "JSON texts with the same values are the same";

function created(id: string, sentence: string, change: (reply: Reply) => Reply): Variant {
  return variantOfResult("instanceReply", id, sentence, CREATE_OPEN, (reply, _body, _headers, context) =>
    context.operation === "create" ? change(reply) : reply,
  );
}

function nameIn({ body }: Reply): string {
  const name = body.kind === "json" && isJsonObject(body.value) ? body.value["name"] : undefined;
  return typeof name === "string" ? name : "";
}

function spelled(id: string, sentence: string, write: (json: string) => string): Variant {
  return variantOfResult("serialize", id, sentence, JSON_VALUE, (json, _value, route) =>
    route?.operation.startsWith("admin.") === true ? write(json) : json,
  );
}

function dated(id: string, sentence: string, print: (ns: bigint) => string): Variant {
  return variant(id, sentence, "an RFC 3339 timestamp may be written so", () => ({ formatCreatedAt: print }));
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

export const ADMIN_ANSWER_VARIANTS: readonly Variant[] = [
  created("create-200", "A create answers 200 instead of 201.", (reply) => ({ ...reply, status: 200 })),
  created("create-202", "A create answers 202 with the instance object.", (reply) => ({ ...reply, status: 202 })),
  created("create-204", "A create answers 204 without a body.", () => emptyReply(204)),
  created("create-location", "A create answers 201 with a Location and an empty body.", () => ({
    ...emptyReply(201),
    headers: { location: "/admin/api/v1/instances/created" },
  })),
  created("create-see-other", "A create answers 303 with a Location and no body.", (reply) => ({
    ...emptyReply(303),
    headers: { location: `/admin/api/v1/instances/${nameIn(reply)}` },
  })),
  created("create-text", "A create answers 200 with a word as plain text.", () => textReply(200, "created\n")),
  created("create-empty-object", "A create answers 200 with an empty object.", () => jsonReply(200, {})),
  variantOfResult(
    "instanceReply",
    "update-202",
    "An update answers 202 with the modified instance object.",
    "which success status an update has is not shown",
    (reply, _body, _headers, context) => ({
      ...reply,
      status: context.operation === "update" ? 202 : context.operation === "create" ? 201 : 200,
    }),
  ),

  variant(
    "created-at-whole-seconds",
    "Instances are created on whole seconds. Responses to updates show nine fraction digits, and reads show none.",
    "zeros may be left out, and the precision of the service's clock is not stated",
    () => ({
      formatCreatedAt: (ns, { operation }) => {
        const seconds = new Date(Number(ns / 1_000_000_000n) * 1_000).toISOString().slice(0, 19);
        return operation === "update" ? `${seconds}.000000000Z` : `${seconds}Z`;
      },
    }),
  ),
  spelled("json-numbers-with-point", "Integers are written with a decimal point, 350000.0.", (json) =>
    json.replaceAll(/((?<!\\)":\s*)(\d+)(?=[,}])/g, "$1$2.0"),
  ),
  spelled("json-numbers-with-exponent", "Large integers are written with an exponent, 1.2096e15.", (json) =>
    json.replaceAll(/((?<!\\)":)(\d{7,})(?=[,}])/g, (_match, before: string, digits: string) => `${before}${exponent(digits)}`),
  ),
  spelled("json-pretty", "Bodies are indented.", (json) => JSON.stringify(JSON.parse(json), null, 4)),
  spelled("json-escaped", "Letters outside ASCII and slashes are written as escapes.", (json) =>
    json.replaceAll(/[^\p{ASCII}]/gu, escapes).replaceAll("/", String.raw`\/`),
  ),
  spelled("json-trailing-newline", "Bodies end with a newline.", (json) => `${json}\n`),
  variant(
    "json-keys-reversed",
    "Fields and limits come in another order.",
    "the order of the members of an object means nothing",
    (base) => ({
      presentInstance: (instance, { createdAt, limits }, context) => {
        const reversed = limits === undefined ? undefined : Object.fromEntries(Object.entries(limits).toReversed());
        return Object.fromEntries(Object.entries(base.presentInstance(instance, { createdAt, limits: reversed }, context)).toReversed());
      },
    }),
  ),
  variant(
    "type-with-vendor",
    "Bodies have the Content-Type application/vnd.instance+json.",
    "the Content-Type of responses is not stated",
    () => typed("application/vnd.instance+json"),
  ),
  variant("type-missing", "Bodies have no Content-Type.", "the Content-Type of responses is not stated", () => typed(null)),
  variant("type-text", "Bodies have the Content-Type text/plain.", "the Content-Type of responses is not stated", () =>
    typed("text/plain"),
  ),

  dated("created-at-trimmed", "Trailing zeros in the fraction of created_at are left out.", (ns) => rfc3339(ns).replace(/\.?0+Z$/, "Z")),
  dated("created-at-offset", "created_at is given with an offset instead of Z.", (ns) =>
    rfc3339(ns + 19_800_000_000_000n).replace("Z", "+05:30"),
  ),
  dated("created-at-minus-offset", "created_at is given with a negative offset.", (ns) =>
    rfc3339(ns - 25_200_000_000_000n).replace("Z", "-07:00"),
  ),
  dated("created-at-zero-offset", "created_at ends in +00:00.", (ns) => rfc3339(ns).replace("Z", "+00:00")),

  variant("extra-fields", "Instance objects have more fields than the documented ones.", "extra fields contradict nothing", (base) => ({
    presentInstance: (instance, presented, context) => ({
      id: 17,
      ...base.presentInstance(instance, presented, context),
      kind: "instance",
      version: `${instance.version}`,
      updated_at: null,
      links: [{ rel: "self", href: `/admin/api/v1/instances/${instance.name}` }],
    }),
  })),
  variant("extra-headers", "Responses have headers such as request ids and cache rules.", "headers are not stated", (base) => ({
    instanceHeaders: (instance, context) => ({
      ...base.instanceHeaders(instance, context),
      "x-request-id": "4711",
      "cache-control": "no-store",
      vary: "Authorization",
    }),
  })),
  variant(
    "admin-errors-json",
    "Errors of the admin API are JSON objects.",
    ERRORS_OPEN,
    errors(({ status, headers }) => ({
      ...jsonReply(status, { status: "error", error: "refused", code: status }),
      headers: { ...headers, "content-type": "application/json" },
    })),
  ),
  variant(
    "admin-errors-problem",
    "Errors of the admin API are problem details.",
    ERRORS_OPEN,
    errors(({ status, headers }) => ({
      ...jsonReply(status, { title: "refused", status }),
      headers: { ...headers, "content-type": "application/problem+json" },
    })),
  ),
  variant(
    "admin-errors-empty",
    "Errors of the admin API have no body.",
    ERRORS_OPEN,
    errors(({ status, headers }) => ({ ...emptyReply(status), headers: { ...headers, "content-type": "text/html" } })),
  ),
  variant(
    "admin-errors-422",
    "The admin API answers each refusal with 422.",
    ERRORS_OPEN,
    errors((reply) => (reply.status === 400 || reply.status === 409 ? { ...reply, status: 422 } : reply)),
  ),
  variant(
    "unknown-instance-400",
    "A request for an unknown instance is answered 400.",
    ERRORS_OPEN,
    errors((reply) => (reply.status === 404 ? { ...reply, status: 400 } : reply)),
  ),
  variant(
    "unknown-instance-500",
    "A read of an unknown instance is answered 500.",
    ERRORS_OPEN,
    errors((reply) => (reply.status === 404 ? { ...reply, status: 500 } : reply)),
  ),
  variant("unknown-instance-204", "A request for an unknown instance is answered 204 without a body.", ERRORS_OPEN, (base) =>
    onReply(base, ["admin.read"], (reply) => (reply.status === 404 ? emptyReply(204) : reply)),
  ),

  variant("any-username", "The username is ignored.", "the document says what clients send, not what else a server accepts", (base) => ({
    authorizeAdmin: (request, credentials) => {
      const given = basicCredentials(request.headers["authorization"]);
      return given !== undefined && sameSecret(given.password, credentials.token) ? undefined : base.authorizeAdmin(request, credentials);
    },
  })),
  variantOfResult(
    "authorizeAdmin",
    "bearer-as-well",
    "The token is also accepted as a bearer token.",
    "the document says what clients send, not what else a server accepts",
    (usual, request, credentials) => (request.headers["authorization"] === `Bearer ${credentials.token}` ? undefined : usual),
  ),
  variant(
    "refused-with-403",
    "Wrong credentials are answered 403.",
    ERRORS_OPEN,
    errors((reply) => (reply.status === 401 ? { ...reply, status: 403 } : reply)),
  ),
  variant(
    "admin-auth-not-enforced",
    "The admin API accepts requests without credentials.",
    {
      why: "the suite judges refusals only if the user says that credentials are enforced",
      options: { authEnforced: false },
      settings: { METRICS_AUTH_ENFORCED: "false" },
    },
    () => ({}),
  ),
];

function exponent(digits: string): string {
  const [mantissa = "", power = ""] = Number(digits).toExponential().split("e+");
  return `${mantissa}e${power}`;
}

function escapes(character: string): string {
  return Array.from({ length: character.length }, (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`).join("");
}
