/** Faults of servers that misread a request because of its spelling: white space, order of members, or escapes. */
import type { HttpRequest } from "../http/message.ts";
import { wrongResult, type FaultDetails } from "./define.ts";
import type { Fault } from "./types.ts";

const ADMIN = "admin-4.json";

function isAdmin({ segments }: HttpRequest): boolean {
  return segments[0] === "admin";
}

function misread(
  clause: string,
  id: string,
  sentence: string,
  admin: boolean,
  change: (body: string) => string,
  details: FaultDetails = {},
): Fault {
  return wrongResult("readRequest", { clause, ...details }, id, sentence, (request) =>
    isAdmin(request) === admin && request.body !== "" ? { ...request, body: change(request.body) } : request,
  );
}

const literalEscapes = (body: string): string => body.replaceAll(/(?<!\\)((?:\\\\)*)\\u/g, String.raw`$1\\u`);
const brokenPairs = (body: string): string => body.replaceAll(/\\ud[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}/gi, String.raw`\ufffd`);

export const REQUEST_FAULTS: readonly Fault[] = [
  misread(ADMIN, "admin-request-escapes-literal", String.raw`Escapes \u in a body are not decoded.`, true, literalEscapes, {
    // Control characters in a display name are always escaped in JSON, so this fault also changes display names.
    also: ["admin-2.field.display_name"],
  }),
  misread(
    ADMIN,
    "admin-request-fraction-joined",
    "The decimal point of a number in a body is ignored, also in texts.",
    true,
    (body) => body.replaceAll(/(?<=[:,[]\s*-?\d+)\.(?=\d+\s*[,}\]])/g, ""),
    { also: ["admin-2.limit.s3_sse_kms_encryption_context"] },
  ),
  misread(
    "logs-2.Entry",
    "logs-request-escaped-pairs",
    String.raw`A character that a push writes as two escapes \u is broken.`,
    false,
    brokenPairs,
  ),
];
