/** Reads the body of a request, up to a maximum size. */
import type { IncomingMessage } from "node:http";

const MOST_BYTES = 4 * 1024 * 1024;

/** Resolves to the body as text, or to null if the body is larger than the maximum size. Rejects if the client disconnects. */
export async function readBody(message: IncomingMessage): Promise<string | null> {
  const { method } = message;
  const length = message.headers["content-length"];
  if ((method === "GET" || method === "HEAD") && length === undefined && message.headers["transfer-encoding"] === undefined) return "";
  if (length !== undefined && Number(length) > MOST_BYTES) return null;
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    message.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > MOST_BYTES) {
        message.pause();
        resolve(null);
      } else chunks.push(chunk);
    });
    message.on("end", () => resolve(Buffer.concat(chunks).toString("utf8")));
    message.on("error", reject);
    message.on("close", () => reject(new Error("the client went away")));
  });
}
