/** Starts the reference server. It serves both APIs at one loopback address, and has all data in memory. */
import type { AddressInfo } from "node:net";
import { handleAdmin } from "./admin/handlers.ts";
import { AdminState } from "./admin/state.ts";
import { type Behaviour, changedBehaviour, type ServerHandle } from "./behaviour.ts";
import { createListener, type Rendered } from "./http/listener.ts";
import { type HttpRequest, type Reply, type Route, textReply } from "./http/message.ts";
import { rateLimiter } from "./http/rate-limit.ts";
import { handleLogs } from "./logs/handlers.ts";
import { LogStore } from "./logs/store.ts";
import { type ReferenceOptions, resolveOptions } from "./options.ts";

export type { ReferenceOptions } from "./options.ts";

export interface RunningReference {
  /** The base URL of the server: `http://127.0.0.1:<port>`, or with https if `tls` is set. */
  readonly url: string;
  readonly port: number;
  /** Closes each connection and frees the port. */
  close(): Promise<void>;
}

const HOST = "127.0.0.1";

/** Starts a server. Rejects with the error of the system if the port cannot be used. */
export async function startReference(options: ReferenceOptions = {}): Promise<RunningReference> {
  const resolved = resolveOptions(options);
  const handle: ServerHandle = { options: resolved, instances: new AdminState(), logs: new LogStore() };
  const answer = answering(changedBehaviour(options.behaviours ?? [], handle), handle);
  const server = createListener({ answer, latencyMs: resolved.latencyMs, now: resolved.now }, options.tls);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port ?? 0, HOST, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `${options.tls === undefined ? "http" : "https"}://${HOST}:${port}`,
    port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Handles a request, from the path to the text of the body. */
function answering(behaviour: Behaviour, server: ServerHandle): (request: HttpRequest) => Rendered {
  const { options } = server;
  const exceeds = rateLimiter(options.rateLimit);
  const handled = (request: HttpRequest, found: Route | "method" | undefined): Reply => {
    if (found === undefined) return textReply(404, "there is nothing at this path\n");
    if (found === "method") return textReply(405, "there is no such method at this path\n");
    if (found.operation.startsWith("admin.")) return handleAdmin(request, found, behaviour, server);
    return handleLogs(request, found, behaviour, server, exceeds(options.now(), found.operation));
  };
  return (received) => {
    const request = behaviour.readRequest(received);
    const found = behaviour.route(request, options.segment);
    const route = typeof found === "object" ? found : undefined;
    const reply = behaviour.respond(behaviour.beforeHandle(request, route) ?? handled(request, found), request, route);
    const { body } = reply;
    const text = body.kind === "json" ? behaviour.serialize(body.value, route) : body.kind === "text" ? body.text : "";
    return { reply, body: text };
  };
}
