/** Faults of servers that misread only chunked bodies. The length of a chunked body is unknown before its end. */
import { isJsonObject, parseJson, type HttpRequest } from "../http/message.ts";
import { wrongResult } from "./define.ts";
import type { Fault } from "./types.ts";

function inChunks(clause: string, id: string, sentence: string, operation: HttpRequest["method"], change: (body: string) => string): Fault {
  return wrongResult("readRequest", clause, id, sentence, (request) => {
    const isChunked = request.headers["transfer-encoding"] === "chunked" && request.method === operation;
    return isChunked ? { ...request, body: change(request.body) } : request;
  });
}

function withoutLimits(body: string): string {
  const payload = parseJson(body);
  if (!isJsonObject(payload)) return body;
  const { limits: _lost, ...rest } = payload;
  return JSON.stringify(rest);
}

export const CHUNKED_FAULTS: readonly Fault[] = [
  inChunks(
    "admin-4.json",
    "admin-chunked-without-limits",
    "The limits of an update with a chunked body are ignored.",
    "PUT",
    withoutLimits,
  ),
];
