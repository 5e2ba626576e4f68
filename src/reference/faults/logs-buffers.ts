/** Faults of buffers and bounds. Only lines, queries and bodies of some length or shape show them. */
import { onPush } from "../change.ts";
import { isSuccessful, type Reply } from "../http/message.ts";
import type { LineFilter } from "../logql/ast.ts";
import { QueryError } from "../logql/error.ts";
import { compileRegex } from "../logql/regex.ts";
import { fault } from "./define.ts";
import { slowed } from "./overlapping.ts";
import type { Fault } from "./types.ts";

const RANGE = "logs-4.query_range";
const METRIC = "logs-4.query";

/** The number of queries that the parser refuses after an invalid query. */
const KEPT_BAD = 3;

/** JSON in which a question mark replaces each escape that crosses a multiple of `bytes`. */
function brokenAcross(json: string, bytes: number): string {
  let at = 0;
  return json.replaceAll(/\\u[0-9a-fA-F]{4}|\\.|[^\\]+/g, (part) => {
    const from = at;
    at += Buffer.byteLength(part);
    const isCut = part.startsWith("\\") && Math.floor(from / bytes) !== Math.floor((at - 1) / bytes);
    return isCut ? "?" : part;
  });
}

/** The text, with each page of bytes decoded separately. */
function readInPages(text: string, pageBytes: number): string {
  const bytes = Buffer.from(text);
  const pages = Array.from({ length: Math.ceil(bytes.length / pageBytes) }, (_, page) =>
    bytes.subarray(page * pageBytes, (page + 1) * pageBytes).toString("utf8"),
  );
  return pages.join("");
}

const MEBIBYTE = 1 << 20;

/** A server that ignores an anchor at one end of an expression in a line filter. The whole expression can stand in parentheses. */
function unanchored(id: string, sentence: string, end: RegExp): Fault {
  return fault("logs-4.3", id, sentence, (base) => ({
    filterLine: (filter, line, index) => {
      if (filter.regex === undefined) return base.filterLine(filter, line, index);
      const inside = /^\.\*\((.*)\)\.\*$/s.exec(filter.text)?.[1] ?? filter.text;
      return end.test(inside)
        ? base.filterLine({ ...filter, regex: compileRegex(inside.replace(end, ""), false) }, line, index)
        : base.filterLine(filter, line, index);
    },
  }));
}

export const LOGS_BUFFER_FAULTS: readonly Fault[] = [
  unanchored("logs-filter-end-lost", "The anchor $ of an expression in a line filter is ignored.", /\$$/),
  fault("logs-4.3", "logs-filter-escapes-in-backquotes", "Escapes are decoded inside backquotes, too.", (base) => ({
    parseQuery: (text) =>
      base.parseQuery(
        text.replaceAll(
          /("(?:[^"\\]|\\.)*")|`([^`]*)`/gs,
          (_all, usual: string | undefined, raw: string) => usual ?? `"${raw.replaceAll('"', '\\"')}"`,
        ),
      ),
  })),
  fault(RANGE, "logs-answer-control-31", "In responses, the last control character is not escaped.", (base) => ({
    serialize: (value, route) => base.serialize(value, route).replaceAll(String.raw`\u001f`, "\u001f"),
  })),

  fault(
    "logs-4.query_range",
    "logs-refused-filters-stay",
    "The line filters of a refused query are also applied to the next query.",
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
  fault(
    RANGE,
    "logs-refused-parser-kept",
    "After a refused query, the next queries are refused as well.",
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
    { also: [METRIC] },
  ),
  fault(
    "logs-2.Entry",
    "logs-push-escape-across-16k",
    "An escape that crosses a multiple of 16 KiB in the body of a push is lost.",
    (base) => ({
      readRequest: (received) => {
        const request = base.readRequest(received);
        return request.method === "POST" && request.body.includes('"streams"')
          ? { ...request, body: brokenAcross(request.body, 16_384) }
          : request;
      },
    }),
  ),
  fault(
    "logs-2.Entry",
    "logs-push-character-across-8k",
    "A character that crosses a multiple of 8 KiB in the body of a push is broken.",
    (base) => ({
      readRequest: (received) => {
        const request = base.readRequest(received);
        return request.method === "POST" && request.body.includes('"streams"')
          ? { ...request, body: readInPages(request.body, 8_192) }
          : request;
      },
    }),
  ),
  fault(
    "logs-4.push",
    "logs-push-lines-of-128-kib",
    "Entries with lines above 128 KiB are accepted and not stored.",
    (base) =>
      onPush(base, (streams) =>
        streams.map(({ labels, entries }) => ({ labels, entries: entries.filter(({ line }) => line.length <= MEBIBYTE / 8) })),
      ),
    { needs: "nightly" },
  ),
  fault(RANGE, "logs-answers-share-buffers", "A large response is overwritten by a concurrent response.", (base) => {
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
];
