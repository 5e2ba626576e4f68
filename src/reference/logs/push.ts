/** Handles a push: each entry of the body is stored in its stream, or refused with a sentence that gives the reason. */
import type { Behaviour, ServerHandle } from "../behaviour.ts";
import { type HttpRequest, type Reply, textReply } from "../http/message.ts";
import type { PushedStream } from "./ingest.ts";

export function handlePush(request: HttpRequest, tenant: string, behaviour: Behaviour, server: ServerHandle): Reply {
  const refusal = behaviour.checkPush(request);
  if (refusal !== undefined) return refusal;
  const streams = behaviour.parsePush(request.body);
  if (typeof streams === "string") return textReply(400, `${streams}\n`);
  const complaints = streams.flatMap((stream, index) => storeStream(stream, index, tenant, behaviour, server));
  return complaints.length === 0 ? behaviour.pushReply() : textReply(400, `${complaints.join("\n")}\n`);
}

/** Stores the accepted entries, and returns the reasons why other entries were refused. */
function storeStream(pushed: PushedStream, streamIndex: number, tenant: string, behaviour: Behaviour, server: ServerHandle): string[] {
  const nowMs = server.options.now();
  const labels = behaviour.labelsOnWrite(pushed.labels);
  const stream = server.logs.tenant(tenant).stream(behaviour.streamIdentity(labels), labels);
  const complaints: string[] = [];
  for (const [entryIndex, entry] of pushed.entries.entries()) {
    const context = { labels, streamIndex, entryIndex, nowMs };
    const complaint = behaviour.refuseEntry(entry, stream, context);
    if (complaint !== undefined) {
      complaints.push(complaint);
      continue;
    }
    const kept = behaviour.entryOnWrite(entry, context);
    if (kept !== undefined) behaviour.insertEntry(stream.entries, { ...kept, storedAtMs: nowMs });
  }
  return complaints;
}
