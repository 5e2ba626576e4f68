/** Lists servers that misbehave on their sockets, each with the verdict that it must get. `docs/sockets.md` has the same list. */
import { createServer as createHttpServer, type IncomingMessage, request as forward, type Server, type ServerResponse } from "node:http";
import { createServer, type Socket } from "node:net";
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
  readonly why: string;
  /** Starts the misbehaving server. `behind` is the address of a correct server. */
  readonly serve: (behind: string) => Promise<Listening>;
}

async function listening(server: Server | ReturnType<typeof createServer>, sockets: ReadonlySet<Socket>): Promise<Listening> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** Starts a server on plain TCP sockets. `answer` is called when a request, or the first part of a request, has arrived. */
async function raw(answer: (socket: Socket) => void): Promise<Listening> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => sockets.delete(socket));
    socket.on("data", () => answer(socket));
  });
  return listening(server, sockets);
}

type Handler = (request: IncomingMessage, response: ServerResponse, index: number) => void;

async function http(handler: Handler): Promise<Listening> {
  const sockets = new Set<Socket>();
  let index = 0;
  const server = createHttpServer((request, response) => {
    handler(request, response, index);
    index += 1;
  });
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  return listening(server, sockets);
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
const NO_ANSWER = "no complete response arrived, so no clause was evaluated";
const NOT_THE_OBJECT = "the response is complete, and it is not what the documents describe";
const A_WHILE = "the service refused requests for a short time, and all later responses were right";

export const SOCKET_BEHAVIOURS: readonly SocketBehaviour[] = [
  {
    what: "refuses connections",
    verdict: "inconclusive",
    why: NO_ANSWER,
    serve: async () => {
      const gone = await raw(() => undefined);
      await gone.close();
      return { url: gone.url, close: async () => undefined };
    },
  },
  {
    what: "resets every connection",
    verdict: "inconclusive",
    why: NO_ANSWER,
    serve: async () => raw((socket) => socket.resetAndDestroy()),
  },
  {
    what: "resets in the middle of the body",
    verdict: "inconclusive",
    why: NO_ANSWER,
    serve: async () =>
      raw((socket) => socket.write(`${OK}content-length: 100\r\n\r\n{"status":`, () => setTimeout(() => socket.resetAndDestroy(), 20))),
  },
  { what: "never answers", verdict: "inconclusive", why: NO_ANSWER, serve: async () => raw(() => undefined) },
  {
    what: "sends one byte a second",
    verdict: "inconclusive",
    why: NO_ANSWER,
    serve: async () =>
      raw((socket) => {
        socket.write(`${OK}content-length: 100\r\n\r\n`);
        const drip = setInterval(() => socket.write("{"), 1_000);
        socket.once("close", () => clearInterval(drip));
      }),
  },
  {
    what: "announces more bytes than it sends",
    verdict: "inconclusive",
    why: NO_ANSWER,
    serve: async () => raw((socket) => socket.end(`${OK}content-length: 100\r\n\r\n{}`)),
  },
  {
    what: "announces a length that is not a number",
    verdict: "inconclusive",
    why: "the response is not HTTP",
    serve: async () => raw((socket) => socket.end(`${OK}content-length: many\r\n\r\n{}`)),
  },
  {
    what: "declares gzip and sends plain text",
    verdict: "inconclusive",
    why: "the response cannot be decoded",
    serve: always("{}", { "content-encoding": "gzip" }),
  },
  {
    what: "sends gzip that unpacks to 200 MiB",
    verdict: "inconclusive",
    why: "the suite reads at most 32 MiB of a response",
    serve: always(gzipSync(Buffer.alloc(200 * MIB)), { "content-encoding": "gzip" }),
  },
  {
    what: "sends 50 MB",
    verdict: "inconclusive",
    why: "the suite reads at most 32 MiB of a response",
    serve: always(Buffer.alloc(50 * MIB, " ")),
  },
  {
    what: "sends a megabyte of headers",
    verdict: "inconclusive",
    why: "the headers of the response are too long to read",
    serve: async () => raw((socket) => socket.end(`${OK}${"x-flood: 0123456789abcdef\r\n".repeat(40_000)}content-length: 2\r\n\r\n{}`)),
  },
  {
    what: "sends 20,000 nested lists",
    verdict: "nonconformant",
    why: NOT_THE_OBJECT,
    serve: always("[".repeat(20_000) + "]".repeat(20_000)),
  },
  {
    what: "sends an object with repeated keys",
    verdict: "nonconformant",
    why: NOT_THE_OBJECT,
    serve: always('{"status":"success","status":"success","data":1,"data":[],"name":"a","name":"b"}'),
  },
  {
    what: "sends `__proto__` as a key",
    verdict: "nonconformant",
    why: NOT_THE_OBJECT,
    serve: always('{"__proto__":{"status":"success","name":"x"},"constructor":{"prototype":{"data":[]}}}'),
  },
  { what: "answers null", verdict: "nonconformant", why: NOT_THE_OBJECT, serve: always("null") },
  { what: "sends a list", verdict: "nonconformant", why: NOT_THE_OBJECT, serve: always("[]") },
  { what: "sends a string", verdict: "nonconformant", why: NOT_THE_OBJECT, serve: always('"ok"') },
  { what: "sends a number", verdict: "nonconformant", why: NOT_THE_OBJECT, serve: always("1") },
  {
    what: "sends a page of HTML",
    verdict: "nonconformant",
    why: NOT_THE_OBJECT,
    serve: always("<h1>It works!</h1>", { "content-type": "text/html" }),
  },
  {
    what: "sends bytes that are not UTF-8",
    verdict: "nonconformant",
    why: NOT_THE_OBJECT,
    serve: always(Buffer.from([0x22, 0xff, 0xfe, 0xc3, 0x28, 0x22])),
  },
  {
    what: "redirects to itself for ever",
    verdict: "inconclusive",
    why: "the suite follows no redirect, so it saw no documented response",
    serve: async () =>
      http((request, response) => {
        request.resume();
        response.writeHead(302, { location: request.url ?? "/" }).end();
      }),
  },
  {
    what: "answers 429 for ever",
    verdict: "inconclusive",
    why: "no request was accepted, so no clause was evaluated",
    serve: always("", {}, 429),
  },
  {
    what: "answers 503 for ever",
    verdict: "inconclusive",
    why: "the service was unavailable, so no clause was evaluated",
    serve: always("", {}, 503),
  },
  { what: "answers 429 for a while", verdict: "conformant", why: A_WHILE, serve: atFirst(429) },
  { what: "answers 503 for a while", verdict: "conformant", why: A_WHILE, serve: atFirst(503) },
  { what: "answers 429 with Retry-After in seconds", verdict: "conformant", why: A_WHILE, serve: atFirst(429, { "retry-after": "1" }) },
  {
    what: "answers 503 with Retry-After as a date",
    verdict: "conformant",
    why: A_WHILE,
    serve: async (behind) => atFirst(503, { "retry-after": new Date(Date.now() + 1_000).toUTCString() })(behind),
  },
  {
    what: "answers 429 with an invalid Retry-After",
    verdict: "conformant",
    why: A_WHILE,
    serve: atFirst(429, { "retry-after": "soon, -1" }),
  },
  {
    what: "stops after a dozen requests",
    verdict: "inconclusive",
    why: "all earlier responses were right, and the other clauses were not evaluated",
    serve: inFront((request, _response, index) => index >= 12 && request.socket.destroy() !== undefined),
  },
  {
    what: "stops for half a second and starts again",
    verdict: "conformant",
    why: A_WHILE,
    serve: async (behind) => {
      let diedAt: number | null = null;
      return inFront((request, _response, index) => {
        // Only responses to reads are cut off, because the suite does not repeat a write without a response.
        if (index < 12 || request.method !== "GET") return false;
        diedAt ??= performance.now();
        if (performance.now() - diedAt > 500) return false;
        request.socket.destroy();
        return true;
      })(behind);
    },
  },
];
