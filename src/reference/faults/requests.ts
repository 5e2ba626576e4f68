/** Faults of requests that are written as other clients write them: white space, order of members, escapes. */
import { type HttpRequest, textReply } from "../http/message.ts";
import { fault, type FaultDetails } from "./define.ts";
import type { Fault } from "./types.ts";

const ADMIN = "admin-4.json";

function isAdmin({ segments }: HttpRequest): boolean {
  return segments[0] === "admin";
}

/** The text of JSON without its strings, so that what is left is structure. */
function structure(body: string): string {
  return body.replaceAll(/"(?:[^"\\]|\\.)*"/gs, '""');
}

/** Refuses bodies of one API for how they are written. */
function refused(clause: string, id: string, sentence: string, admin: boolean, refuses: (body: string) => boolean): Fault {
  return fault(clause, id, sentence, (base) => ({
    beforeHandle: (request, route) =>
      route !== undefined && isAdmin(request) === admin && request.body !== "" && refuses(request.body)
        ? textReply(400, "the body is malformed\n")
        : base.beforeHandle(request, route),
  }));
}

/** Reads bodies of one API as others. */
function misread(
  clause: string,
  id: string,
  sentence: string,
  admin: boolean,
  change: (body: string) => string,
  details: FaultDetails = {},
): Fault {
  return fault(
    clause,
    id,
    sentence,
    (base) => ({
      readRequest: (received) => {
        const request = base.readRequest(received);
        return isAdmin(request) === admin && request.body !== "" ? { ...request, body: change(request.body) } : request;
      },
    }),
    details,
  );
}

/** A name in another place than the body's structure gives it would be a text. */
const namesWithBlanksLost = (body: string): string => body.replaceAll(/(?<=[{,]\s*)"(\w+)"\s+:/g, '"ignored $1":');
const escapedNamesLost = (body: string): string =>
  body.replaceAll(/(?<=[{,]\s*)"(?:[^"\\]|\\.)*\\u(?:[^"\\]|\\.)*"\s*:/g, (name) => name.replaceAll(String.raw`\u`, "u"));

const literalEscapes = (body: string): string => body.replaceAll(/(?<!\\)((?:\\\\)*)\\u/g, String.raw`$1\\u`);
const keptSlashes = (body: string): string => body.replaceAll(/(?<!\\)((?:\\\\)*)\\\//g, String.raw`$1\\/`);
const zeroCapitals = (body: string): string =>
  body.replaceAll(/\\u([\dA-Fa-f]{4})/g, (_escape, digits: string) => `\\u${digits.replaceAll(/[A-F]/g, "0")}`);
const brokenPairs = (body: string): string => body.replaceAll(/\\ud[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}/gi, String.raw`\ufffd`);

export const REQUEST_FAULTS: readonly Fault[] = [
  refused(ADMIN, "admin-request-blanks-refused", "A body with blanks between its members is refused.", true, (body) =>
    /[:,] /.test(structure(body)),
  ),
  refused(ADMIN, "admin-request-lines-refused", "A body of several lines is refused.", true, (body) => body.trim().includes("\n")),
  refused(
    ADMIN,
    "admin-request-order-refused",
    "A body in which display_name comes after status is refused.",
    true,
    (body) => body.indexOf('"status"') < body.indexOf('"display_name"'),
  ),

  misread(ADMIN, "admin-request-limits-first-lost", "Limits that come first in a body are lost.", true, (body) =>
    body.replace(/^\s*\{\s*"limits"/, '{"ignored"'),
  ),
  misread(ADMIN, "admin-request-escapes-literal", String.raw`Escapes \u in a body are taken for text.`, true, literalEscapes, {
    // Control characters are never written otherwise.
    also: ["admin-2.field.display_name"],
  }),
  fault(ADMIN, "admin-create-escapes-literal", String.raw`Escapes \u in the body of a create are taken for text.`, (base) => ({
    readRequest: (received) => {
      const request = base.readRequest(received);
      return isAdmin(request) && request.method === "POST" ? { ...request, body: literalEscapes(request.body) } : request;
    },
  })),
  misread(ADMIN, "admin-request-escaped-pairs", String.raw`A character written as two escapes \u in a body is broken.`, true, brokenPairs),
  misread(ADMIN, "admin-request-escaped-slash", "An escaped slash in a body keeps its backslash.", true, keptSlashes),
  misread(ADMIN, "admin-request-capital-digits", "Capital digits of escapes in a body are taken for 0.", true, zeroCapitals),

  misread(ADMIN, "admin-request-exponent-lost", "The exponent of a number in a body is ignored.", true, (body) =>
    body.replaceAll(/(?<=[:,[]\s*-?\d+(?:\.\d+)?)[eE][+-]?\d+/g, ""),
  ),
  misread(
    ADMIN,
    "admin-request-fraction-joined",
    "The point of a number in a body is ignored, of one in a text, too.",
    true,
    (body) => body.replaceAll(/(?<=[:,[]\s*-?\d+)\.(?=\d+\s*[,}\]])/g, ""),
    { also: ["admin-2.limit.s3_sse_kms_encryption_context"] },
  ),
  refused("logs-4.push", "logs-request-blanks-refused", "A push with blanks between its members is refused.", false, (body) =>
    /[:,] /.test(structure(body)),
  ),
  refused("logs-4.push", "logs-request-lines-refused", "A push whose body has several lines is refused.", false, (body) =>
    body.trim().includes("\n"),
  ),
  misread(
    "logs-4.push",
    "logs-request-blank-before-colon",
    "A member of a push with a blank before its colon is ignored.",
    false,
    namesWithBlanksLost,
  ),
  misread("logs-4.push", "logs-request-escaped-name", "A member of a push whose name has an escape is ignored.", false, escapedNamesLost),
  misread(
    "logs-4.push",
    "logs-request-values-first-lost",
    "Streams of a push whose values come before their labels are lost.",
    false,
    (body) => body.replaceAll(/\{\s*"values"\s*:\s*\[(?!\s*\])/g, '{"values":[],"ignored":['),
  ),
  misread("logs-2.Entry", "logs-request-escapes-literal", String.raw`Escapes \u in a push are taken for text.`, false, literalEscapes),
  misread(
    "logs-2.Entry",
    "logs-request-escaped-pairs",
    String.raw`A character written as two escapes \u in a push is broken.`,
    false,
    brokenPairs,
  ),
  misread(
    "logs-2.Entry",
    "logs-request-escaped-letters",
    String.raw`\b and \f in a push are taken for the letters b and f.`,
    false,
    (body) => body.replaceAll(/(?<!\\)((?:\\\\)*)\\([bf])/g, "$1$2"),
  ),
];
