/** Faults of servers that read unusual spellings or chunked bodies of requests wrongly, or that cache compressed responses. */
import { changedResult } from "../change.ts";
import { type HttpRequest, isJsonObject, isSuccessful, parseJson, type Reply } from "../http/message.ts";
import { broken, faultsOf, type Row, type Told } from "./define.ts";
import { firstOfKey } from "./helpers.ts";
import type { Fault } from "./types.ts";

/** A fault: the bodies of requests for which `test` is true are read wrongly. */
function misread(told: Told, test: (request: HttpRequest) => boolean, change: (body: string) => string): Row {
  return broken(
    told,
    changedResult("readRequest", (request) => (test(request) ? { ...request, body: change(request.body) } : request)),
  );
}

function isAdmin({ segments }: HttpRequest): boolean {
  return segments[0] === "admin";
}

function withoutLimits(body: string): string {
  const payload = parseJson(body);
  if (!isJsonObject(payload)) return body;
  const { limits: _lost, ...rest } = payload;
  return JSON.stringify(rest);
}

export const REQUEST_FAULTS: readonly Fault[] = faultsOf("admin-4.json", {
  "admin-request-escapes-literal": misread(
    // In JSON, control characters are always escaped. So this fault also changes display names.
    { sentence: String.raw`Escapes \u in a body are not decoded.`, also: ["admin-2.field.display_name"] },
    isAdmin,
    (body) => body.replaceAll(/(?<!\\)((?:\\\\)*)\\u/g, String.raw`$1\\u`),
  ),
  "admin-request-fraction-joined": misread(
    {
      sentence: "The decimal point of a number in a body is ignored, also in texts.",
      also: ["admin-2.limit.s3_sse_kms_encryption_context"],
    },
    isAdmin,
    (body) => body.replaceAll(/(?<=[:,[]\s*-?\d+)\.(?=\d+\s*[,}\]])/g, ""),
  ),
  "logs-request-escaped-pairs": misread(
    { clause: "logs-2.Entry", sentence: String.raw`A character that a push writes as two escapes \u is broken.` },
    (request) => !isAdmin(request),
    (body) => body.replaceAll(/\\ud[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}/gi, String.raw`\ufffd`),
  ),
});

export const CHUNKED_FAULTS: readonly Fault[] = faultsOf("admin-4.json", {
  "admin-chunked-without-limits": misread(
    "The limits of an update with a chunked body are ignored.",
    ({ headers, method }) => headers["transfer-encoding"] === "chunked" && method === "PUT",
    withoutLimits,
  ),
});

export const COMPRESSED_FAULTS: readonly Fault[] = faultsOf("admin-4.GET", {
  "admin-compressed-kept": broken("The first response to a read that accepts compression is repeated for ever.", (base) => {
    const kept = firstOfKey<Reply>();
    return {
      respond: (given, request, route) => {
        const reply = base.respond(given, request, route);
        const isKept = route?.operation === "admin.read" && request.headers["accept-encoding"] === "gzip" && isSuccessful(reply);
        return isKept ? kept(route.name, reply) : reply;
      },
    };
  }),
});
