/** Stores pushed entries (docs/2 section 4, push). */
import { emptyReply, type HttpRequest, isJsonObject, type Json, parseJson, type Reply, textReply } from "../http/message.ts";
import { insertInOrder, type StoredStream } from "./store.ts";
import { type Entry, type Labels, labelValue, sortedLabels } from "./types.ts";

export interface PushedEntry {
  readonly ts: bigint;
  readonly line: string;
}

export interface PushedStream {
  readonly labels: Labels;
  readonly entries: readonly PushedEntry[];
}

export interface PushContext {
  /** The labels of the stream of the entry, as the server stores labels. */
  readonly labels: Labels;
  /** The index of the stream in the body, and the index of the entry in the stream. */
  readonly streamIndex: number;
  readonly entryIndex: number;
  readonly nowMs: number;
}

export interface IngestBehaviour {
  /** Returns the refusal of a push because of its headers, or undefined if the headers are right. */
  readonly checkPush: (request: HttpRequest) => Reply | undefined;
  /** Returns the streams of a body, or the reason why the body is not a push. */
  readonly parsePush: (body: string) => readonly PushedStream[] | string;
  /** Returns the labels of a pushed stream, as the server stores labels. */
  readonly labelsOnWrite: (labels: Labels) => Labels;
  /** Returns the identity of a stream. Pushed streams with the same identity are the same stream. */
  readonly streamIdentity: (labels: Labels) => string;
  /** Returns the reason why an entry is refused, or undefined. The other entries of the push are still stored. */
  readonly refuseEntry: (entry: PushedEntry, stream: StoredStream, context: PushContext) => string | undefined;
  /** Returns an entry as the server stores it. If the result is undefined, the server drops the entry. */
  readonly entryOnWrite: (entry: PushedEntry, context: PushContext) => PushedEntry | undefined;
  readonly insertEntry: (entries: Entry[], entry: Entry) => void;
  readonly pushReply: () => Reply;
}

const LABEL_NAME = /^[a-zA-Z_][a-zA-Z0-9_]*$/;
const TIMESTAMP = /^\d{1,19}$/;
const LATEST = 2n ** 63n - 1n;

export function parsePush(body: string): readonly PushedStream[] | string {
  const payload = parseJson(body);
  if (payload === undefined) return "the body is no JSON";
  if (!isJsonObject(payload) || !Array.isArray(payload["streams"])) return "the body must be an object with a list of streams";
  const streams: PushedStream[] = [];
  for (const item of payload["streams"] as readonly Json[]) {
    const stream = parseStream(item);
    if (typeof stream === "string") return stream;
    streams.push(stream);
  }
  return streams;
}

function parseStream(item: Json): PushedStream | string {
  if (!isJsonObject(item) || !isJsonObject(item["stream"]) || !Array.isArray(item["values"])) {
    return "a stream must be an object with a labels object `stream` and a list `values`";
  }
  const pairs = Object.entries(item["stream"]);
  const wrong = pairs.find(([name, value]) => !LABEL_NAME.test(name) || typeof value !== "string");
  if (wrong !== undefined) return `${JSON.stringify(wrong[0])} is no label with a string value`;
  const labels = Object.fromEntries(pairs.filter(([, value]) => value !== "")) as Labels;
  if (Object.keys(labels).length === 0) return "a stream needs at least one label";
  const entries: PushedEntry[] = [];
  for (const value of item["values"] as readonly Json[]) {
    const entry = parseEntry(value);
    if (typeof entry === "string") return entry;
    entries.push(entry);
  }
  return { labels, entries };
}

function parseEntry(value: Json): PushedEntry | string {
  if (!Array.isArray(value)) return "an entry must be a pair of strings";
  // A log shipper may add an object with metadata. The document does not describe it.
  const [ts, line, metadata] = value as readonly Json[];
  if (typeof ts !== "string" || typeof line !== "string" || value.length > 3) return "an entry must be a pair of strings";
  if (metadata !== undefined && !isJsonObject(metadata)) return "an entry must be a pair of strings";
  if (!TIMESTAMP.test(ts) || BigInt(ts) > LATEST) return `${JSON.stringify(ts)} is no Unix time in nanoseconds`;
  return { ts: BigInt(ts), line };
}

export const INGEST_BASE: IngestBehaviour = {
  checkPush: ({ headers }) =>
    /^application\/json\s*(?:;|$)/i.test(headers["content-type"] ?? "")
      ? undefined
      : textReply(400, "Content-Type must be application/json\n"),
  parsePush,
  labelsOnWrite: sortedLabels,
  streamIdentity: (labels) =>
    JSON.stringify(
      Object.keys(labels)
        .toSorted()
        .map((name) => [name, labelValue(labels, name)]),
    ),
  refuseEntry: () => undefined,
  entryOnWrite: (entry) => entry,
  insertEntry: insertInOrder,
  pushReply: () => emptyReply(204),
};
