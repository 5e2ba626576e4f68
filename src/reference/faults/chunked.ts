/** Faults of requests whose body comes in chunks: its length is not known before its end. */
import { isJsonObject, parseJson, type HttpRequest } from "../http/message.ts";
import { fault } from "./define.ts";
import type { Fault } from "./types.ts";

function inChunks(clause: string, id: string, sentence: string, operation: HttpRequest["method"], change: (body: string) => string): Fault {
  return fault(clause, id, sentence, (base) => ({
    readRequest: (received) => {
      const request = base.readRequest(received);
      const isChunked = request.headers["transfer-encoding"] === "chunked" && request.method === operation;
      return isChunked ? { ...request, body: change(request.body) } : request;
    },
  }));
}

function withoutLimits(body: string): string {
  const payload = parseJson(body);
  if (!isJsonObject(payload)) return body;
  const { limits: _lost, ...rest } = payload;
  return JSON.stringify(rest);
}

/** So many bytes are made text at once. */
const AT_ONCE = 64;

function inPieces(body: string): string {
  const bytes = Buffer.from(body);
  return Array.from({ length: Math.ceil(bytes.length / AT_ONCE) }, (_, piece) =>
    bytes.subarray(piece * AT_ONCE, (piece + 1) * AT_ONCE).toString("utf8"),
  ).join("");
}

export const CHUNKED_FAULTS: readonly Fault[] = [
  inChunks(
    "admin-4.json",
    "admin-chunked-without-limits",
    "Of an update whose body comes in chunks the limits are not read.",
    "PUT",
    withoutLimits,
  ),
  inChunks(
    "logs-2.Entry",
    "logs-chunked-letters",
    "Of a push whose body comes in chunks letters are lost that lie across the end of one.",
    "POST",
    inPieces,
  ),
];
