/** Connects the server with Node's HTTP server. No input of a client may end the process, and each request must get a response. */
import { createServer as createHttp, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createHttps } from "node:https";
import type { Socket } from "node:net";
import { readBody } from "./body.ts";
import { type HttpRequest, type Reply, textReply } from "./message.ts";

/** A reply whose body is already text. */
export interface Rendered {
  readonly reply: Reply;
  readonly body: string;
}

export interface Listener {
  /** Returns the reply to a request. No input of a client makes `answer` throw. */
  readonly answer: (request: HttpRequest) => Rendered;
  readonly latencyMs: number;
  readonly now: () => number;
}

const MOST_HEADER_BYTES = 64 * 1024;
const LIMITS = { maxHeaderSize: MOST_HEADER_BYTES, headersTimeout: 10_000, requestTimeout: 30_000, keepAliveTimeout: 60_000 };

export function createListener(listener: Listener, tls: { readonly key: string; readonly cert: string } | undefined): Server {
  const onRequest = (message: IncomingMessage, response: ServerResponse): void => {
    serve(message, response, listener).catch(() => response.destroy());
  };
  const server = tls === undefined ? createHttp(LIMITS, onRequest) : createHttps({ ...LIMITS, ...tls }, onRequest);
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => {
    if (!socket.writable || error.code === "ECONNRESET") return socket.destroy();
    const status = error.code === "HPE_HEADER_OVERFLOW" ? "431 Request Header Fields Too Large" : "400 Bad Request";
    socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
  });
  return server;
}

async function serve(message: IncomingMessage, response: ServerResponse, listener: Listener): Promise<void> {
  const body = await readBody(message);
  const rendered = body === null ? tooLarge() : answered(message, body, listener);
  const waitMs = listener.latencyMs + (rendered.reply.delayMs ?? 0);
  if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
  write(response, rendered, listener.now());
}

function tooLarge(): Rendered {
  const text = "the body is larger than 4 MiB\n";
  return { reply: textReply(413, text, { connection: "close" }), body: text };
}

function answered(message: IncomingMessage, body: string, listener: Listener): Rendered {
  const request = requestOf(message, body);
  if (request === undefined) {
    const text = "the request target is malformed\n";
    return { reply: textReply(400, text), body: text };
  }
  try {
    return listener.answer(request);
  } catch (error) {
    const text = `internal error: ${String(error)}\n`;
    return { reply: textReply(500, text), body: text };
  }
}

function requestOf({ method, url, headers }: IncomingMessage, body: string): HttpRequest | undefined {
  const target = url ?? "/";
  const mark = target.indexOf("?");
  const path = mark === -1 ? target : target.slice(0, mark);
  try {
    return {
      method: method ?? "GET",
      segments: path
        .split("/")
        .filter((segment) => segment !== "")
        .map(decodeURIComponent),
      query: new URLSearchParams(mark === -1 ? "" : target.slice(mark + 1)),
      headers: headers as Readonly<Record<string, string>>,
      body,
    };
  } catch {
    return undefined;
  }
}

function write(response: ServerResponse, { reply, body }: Rendered, nowMs: number): void {
  if (reply.silent === true) return;
  if (reply.hangUp === true) {
    response.destroy();
    return;
  }
  response.statusCode = reply.status;
  response.setHeader("date", dateHeader(nowMs));
  for (const [name, value] of Object.entries(reply.headers)) response.setHeader(name, value);
  if (reply.chunked === true) {
    // The chunks of a body have fixed lengths in bytes, so a chunk may end within a character.
    const bytes = Buffer.from(body, "utf8");
    const middle = Math.floor(bytes.length / 2);
    response.write(bytes.subarray(0, middle));
    response.end(bytes.subarray(middle));
    return;
  }
  if (reply.status !== 204) response.setHeader("content-length", Buffer.byteLength(body));
  response.end(body);
}

let lastDate = { second: -1, text: "" };

function dateHeader(nowMs: number): string {
  const second = Math.floor(nowMs / 1_000);
  if (second !== lastDate.second) lastDate = { second, text: new Date(nowMs).toUTCString() };
  return lastDate.text;
}
