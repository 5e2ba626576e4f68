/** Faults of buffers and bounds. Only lines, queries or bodies of a certain length or form show these faults. */
import { onPush } from "../change.ts";
import { isSuccessful, type Reply } from "../http/message.ts";
import type { LineFilter } from "../logql/ast.ts";
import { QueryError } from "../logql/error.ts";
import { broken, faultsOf, wrongResult } from "./define.ts";
import { slowed } from "./helpers.ts";
import type { Fault } from "./types.ts";

const RANGE = "logs-4.query_range";
const METRIC = "logs-4.query";

/** After an invalid query, the parser of the faulty server refuses this number of queries. */
const KEPT_BAD = 3;

/** Decodes each page of bytes of a text separately. So characters across two pages become wrong. */
function readInPages(text: string, pageBytes: number): string {
  const bytes = Buffer.from(text);
  const pages = Array.from({ length: Math.ceil(bytes.length / pageBytes) }, (_, page) =>
    bytes.subarray(page * pageBytes, (page + 1) * pageBytes).toString("utf8"),
  );
  return pages.join("");
}

const MEBIBYTE = 1 << 20;

export const LOGS_BUFFER_FAULTS: readonly Fault[] = faultsOf(RANGE, {
  "logs-refused-filters-stay": broken(
    { clause: "logs-4.query_range", sentence: "The line filters of a refused query are also applied to the next query." },
    (base) => {
      let left: readonly LineFilter[] = [];
      return {
        parseQuery: (text) => {
          const before = left;
          left = [];
          try {
            const query = base.parseQuery(text);
            return query.kind === "log" ? { ...query, filters: [...before, ...query.filters] } : query;
          } catch (error) {
            const begun = /\}\s*\|=\s*"([^"]*)"/.exec(text)?.[1];
            if (begun !== undefined) left = [{ operator: "|=", text: begun }];
            throw error;
          }
        },
      };
    },
  ),
  "logs-refused-parser-kept": broken(
    { sentence: "After a refused query, the next queries are refused as well.", also: [METRIC] },
    (base) => {
      let refusing = 0;
      return {
        parseQuery: (text) => {
          refusing -= 1;
          if (refusing >= 0) throw new QueryError("left over", 0);
          try {
            return base.parseQuery(text);
          } catch (error) {
            refusing = KEPT_BAD;
            throw error;
          }
        },
      };
    },
  ),
  "logs-push-character-across-8k": wrongResult(
    "readRequest",
    { clause: "logs-2.Entry", sentence: "A character that crosses a multiple of 8 KiB in the body of a push is broken." },
    (request) =>
      request.method === "POST" && request.body.includes('"streams"') ? { ...request, body: readInPages(request.body, 8_192) } : request,
  ),
  "logs-push-lines-of-128-kib": broken(
    { clause: "logs-4.push", sentence: "Entries with lines above 128 KiB are accepted and not stored.", needs: "nightly" },
    (base) =>
      onPush(base, (streams) =>
        streams.map(({ labels, entries }) => ({ labels, entries: entries.filter(({ line }) => line.length <= MEBIBYTE / 8) })),
      ),
  ),
  "logs-answers-share-buffers": broken("A large response is overwritten by a concurrent response.", (base) => {
    const { respond, begin } = slowed(base, ["logs.query_range"]);
    let last: Reply | null = null;
    return {
      respond: (given, request, route) => {
        const reply = respond(given, request, route);
        if (route?.operation !== "logs.query_range" || !isSuccessful(reply) || reply.body.kind !== "json") return reply;
        if (JSON.stringify(reply.body.value).length < 100_000) return reply;
        const { others } = begin(["large"]);
        const shown: Reply = others > 0 && last !== null ? { ...reply, body: last.body } : reply;
        last = reply;
        return shown;
      },
    };
  }),
});
