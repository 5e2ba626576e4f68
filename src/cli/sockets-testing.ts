/** Lists servers that misbehave on their sockets, each with the verdict that it must get. `docs/sockets.md` says why. */
import { createServer as createHttpServer, type IncomingMessage, request as forward, type ServerResponse } from "node:http";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { gzipSync } from "node:zlib";
import type { Summary } from "../report/model.ts";

export interface Listening {
  readonly url: string;
  close(): Promise<void>;
}

export interface SocketBehaviour {
  /** The behaviour of the server, as a title. */
  readonly what: string;
  readonly verdict: Summary["verdict"];
  /** Starts the misbehaving server. `behind` is the address of a correct server. */
  readonly serve: (behind: string) => Promise<Listening>;
}

async function listening(server: Server): Promise<Listening> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** Returns a server on plain TCP sockets. */
function raw(answer: (socket: Socket) => void): () => Promise<Listening> {
  return async () => listening(createServer((socket) => socket.on("data", () => answer(socket))));
}

type Handler = (request: IncomingMessage, response: ServerResponse, index: number) => void;

async function http(handler: Handler): Promise<Listening> {
  let index = 0;
  return listening(
    createHttpServer((request, response) => {
      handler(request, response, index);
      index += 1;
    }),
  );
}

function always(body: string | Buffer, headers: Readonly<Record<string, string>> = {}, status = 200): () => Promise<Listening> {
  return async () =>
    http((request, response) => {
      request.resume().on("end", () => {
        response.writeHead(status, { "content-type": "application/json", ...headers }).end(body);
      });
    });
}

/** Returns a server that forwards requests to a correct server. If `spoilt` answers a request itself, it is not forwarded. */
function inFront(
  spoilt: (request: IncomingMessage, response: ServerResponse, index: number) => boolean,
): (behind: string) => Promise<Listening> {
  return async (behind) =>
    http((request, response, index) => {
      if (spoilt(request, response, index)) {
        request.resume();
        return;
      }
      const { hostname, port } = new URL(behind);
      const options = { hostname, port, path: request.url, method: request.method, headers: request.headers };
      const onward = forward(options, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      });
      onward.on("error", () => response.destroy());
      request.pipe(onward);
    });
}

/** Returns a server that answers its first three requests with a status. It forwards all other requests to a correct server. */
function atFirst(status: number, headers: Readonly<Record<string, string>> = {}): (behind: string) => Promise<Listening> {
  return inFront((_request, response, index) => {
    if (index >= 3) return false;
    response.writeHead(status, headers).end();
    return true;
  });
}

const OK = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n";
const MIB = 1024 * 1024;

const judged =
  (verdict: Summary["verdict"]) =>
  (what: string, serve: SocketBehaviour["serve"]): SocketBehaviour => ({ what, verdict, serve });
const [conformant, nonconformant, inconclusive] = [judged("conformant"), judged("nonconformant"), judged("inconclusive")];

/** A server on plain TCP sockets. `answer` is called when a request, or the first part of a request, has arrived. */
const breaking = (what: string, answer: (socket: Socket) => void): SocketBehaviour => inconclusive(what, raw(answer));

export const SOCKET_BEHAVIOURS: readonly SocketBehaviour[] = [
  inconclusive("refuses connections", async () => {
    const gone = await raw(() => undefined)();
    await gone.close();
    return { url: gone.url, close: async () => undefined };
  }),
  breaking("resets every connection", (socket) => socket.resetAndDestroy()),
  breaking("resets in the middle of the body", (socket) =>
    socket.write(`${OK}content-length: 100\r\n\r\n{"status":`, () => setTimeout(() => socket.resetAndDestroy(), 20)),
  ),
  breaking("never answers", () => undefined),
  breaking("sends one byte a second", (socket) => {
    socket.write(`${OK}content-length: 100\r\n\r\n`);
    const drip = setInterval(() => socket.write("{"), 1_000);
    socket.once("close", () => clearInterval(drip));
  }),
  breaking("announces more bytes than it sends", (socket) => socket.end(`${OK}content-length: 100\r\n\r\n{}`)),
  breaking("announces a length that is not a number", (socket) => socket.end(`${OK}content-length: many\r\n\r\n{}`)),
  inconclusive("declares gzip and sends plain text", always("{}", { "content-encoding": "gzip" })),
  inconclusive("sends gzip that unpacks to 200 MiB", always(gzipSync(Buffer.alloc(200 * MIB)), { "content-encoding": "gzip" })),
  inconclusive("sends 50 MB", always(Buffer.alloc(50 * MIB, " "))),
  breaking("sends a megabyte of headers", (socket) =>
    socket.end(`${OK}${"x-flood: 0123456789abcdef\r\n".repeat(40_000)}content-length: 2\r\n\r\n{}`),
  ),
  nonconformant("sends 20,000 nested lists", always("[".repeat(20_000) + "]".repeat(20_000))),
  nonconformant(
    "sends an object with repeated keys",
    always('{"status":"success","status":"success","data":1,"data":[],"name":"a","name":"b"}'),
  ),
  nonconformant(
    "sends `__proto__` as a key",
    always('{"__proto__":{"status":"success","name":"x"},"constructor":{"prototype":{"data":[]}}}'),
  ),
  nonconformant("answers null", always("null")),
  nonconformant("sends a list", always("[]")),
  nonconformant("sends a string", always('"ok"')),
  nonconformant("sends a number", always("1")),
  nonconformant("sends a page of HTML", always("<h1>It works!</h1>", { "content-type": "text/html" })),
  nonconformant("sends bytes that are not UTF-8", always(Buffer.from([0x22, 0xff, 0xfe, 0xc3, 0x28, 0x22]))),
  inconclusive("redirects to itself for ever", async () =>
    http((request, response) => {
      request.resume();
      response.writeHead(302, { location: request.url ?? "/" }).end();
    }),
  ),
  inconclusive("answers 429 for ever", always("", {}, 429)),
  inconclusive("answers 503 for ever", always("", {}, 503)),
  conformant("answers 429 for a while", atFirst(429)),
  conformant("answers 503 for a while", atFirst(503)),
  conformant("answers 429 with Retry-After in seconds", atFirst(429, { "retry-after": "1" })),
  conformant("answers 503 with Retry-After as a date", async (behind) =>
    atFirst(503, { "retry-after": new Date(Date.now() + 1_000).toUTCString() })(behind),
  ),
  conformant("answers 429 with an invalid Retry-After", atFirst(429, { "retry-after": "soon, -1" })),
  inconclusive(
    "stops after a dozen requests",
    inFront((request, _response, index) => index >= 12 && request.socket.destroy() !== undefined),
  ),
  conformant("stops for half a second and starts again", async (behind) => {
    let diedAt: number | null = null;
    return inFront((request, _response, index) => {
      // Only responses to reads are cut off, because the suite does not repeat a write without a response.
      if (index < 12 || request.method !== "GET") return false;
      diedAt ??= performance.now();
      if (performance.now() - diedAt > 500) return false;
      request.socket.destroy();
      return true;
    })(behind);
  }),
];
