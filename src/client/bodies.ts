/** Writes and reads bodies: request bodies in chunks, and response bodies with or without compression. */
import { brotliDecompressSync, constants, gunzipSync, inflateSync } from "node:zlib";

const MOST_BODY_BYTES = 32 * 1024 * 1024;

/** The headers of a request whose body is sent in chunks, without its length (RFC 9112, section 7.1). */
export const IN_CHUNKS = { "transfer-encoding": "chunked" } as const;

export const COMPRESSED = { "accept-encoding": "gzip" } as const;

export function piecesOf(body: string): Buffer[] {
  const bytes = Buffer.from(body);
  const cuts = [0, 1, Math.ceil(bytes.length / 3), bytes.length];
  return cuts.slice(1).map((to, index) => bytes.subarray(cuts[index], to));
}

type RawHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** Returns the body of a response as text. Throws if the body is broken or larger than the maximum size. */
export async function readBody(stream: AsyncIterable<Uint8Array>, headers: RawHeaders): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > MOST_BODY_BYTES) throw new Error(`the response body is larger than ${MOST_BODY_BYTES} bytes`);
    chunks.push(chunk);
  }
  // If a response has neither a length nor chunks, a broken connection cannot be distinguished from the end of the response.
  const isWhole = headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined;
  return decoded(Buffer.concat(chunks), header(headers["content-encoding"]), isWhole).toString("utf8");
}

/**
 * Decodes a body. A service may compress a body even if the request does not ask for it. If a response is complete, but its compressed data
 * has no end mark, the decoded text counts as the whole body.
 */
function decoded(bytes: Buffer, encoding: string, isWhole: boolean): Buffer {
  const options = { maxOutputLength: MOST_BODY_BYTES, ...(isWhole ? { finishFlush: constants.Z_SYNC_FLUSH } : {}) };
  switch (encoding.trim().toLowerCase()) {
    case "gzip":
    case "x-gzip":
      return gunzipSync(bytes, options);
    case "deflate":
      return inflateSync(bytes, options);
    case "br":
      return brotliDecompressSync(bytes, { maxOutputLength: MOST_BODY_BYTES });
    default:
      return bytes;
  }
}

function header(value: string | string[] | undefined): string {
  return Array.isArray(value) ? value.join(", ") : (value ?? "");
}

/** Returns headers by lower-case name. The values of a repeated header are joined into one text. */
export function flatHeaders(headers: RawHeaders): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), header(value)]));
}
