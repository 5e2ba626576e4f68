/** Faults of texts that go through buffers and bounds: only lines, queries and bodies of some length or shape show them. */
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

/** How many queries a parser refuses after one that it had to refuse. */
const KEPT_BAD = 3;

/** JSON in which an escape that lies across a multiple of so many bytes is a question mark. */
function brokenAcross(json: string, bytes: number): string {
  let at = 0;
  return json.replaceAll(/\\u[0-9a-fA-F]{4}|\\.|[^\\]+/g, (part) => {
    const from = at;
    at += Buffer.byteLength(part);
    const isCut = part.startsWith("\\") && Math.floor(from / bytes) !== Math.floor((at - 1) / bytes);
    return isCut ? "?" : part;
  });
}

/** Text of which each page of bytes is read by itself. */
function readInPages(text: string, pageBytes: number): string {
  const bytes = Buffer.from(text);
  const pages = Array.from({ length: Math.ceil(bytes.length / pageBytes) }, (_, page) =>
    bytes.subarray(page * pageBytes, (page + 1) * pageBytes).toString("utf8"),
  );
  return pages.join("");
}

/** A filter by an expression that is more than a text or alternatives of texts. */
function isExpression({ operator, text }: LineFilter): boolean {
  return operator === "|~" && /[^\w\s|()]/.test(text);
}

const MEBIBYTE = 1 << 20;

/** Bytes of a text in a query that are looked at. */
const LONGEST = 256;

/** An end of an expression in a line filter that is not looked at; all of it may stand in parentheses between gaps. */
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
  fault("logs-4.3", "logs-query-ends-with-ampersand", "A query ends at the first & of a text in it.", (base) => ({
    filterLine: (filter, line, index) => base.filterLine({ ...filter, text: filter.text.replace(/&.*$/s, "") }, line, index),
  })),
  fault("logs-4.3", "logs-filter-256", "Of the text of a line filter 256 characters are looked at.", (base) => ({
    filterLine: (filter, line, index) =>
      filter.regex === undefined
        ? base.filterLine({ ...filter, text: filter.text.slice(0, LONGEST) }, line, index)
        : base.filterLine(filter, line, index),
  })),
  fault("logs-4.3", "logs-filter-expressions-last", "Of several |~ that no text stands for the last counts.", (base) => ({
    parseQuery: (text) => {
      const query = base.parseQuery(text);
      if (query.kind !== "log") return query;
      const last = query.filters.findLastIndex(isExpression);
      return { ...query, filters: query.filters.filter((one, index) => !isExpression(one) || index === last) };
    },
  })),
  fault("logs-4.3", "logs-filter-alternative-begun", "Of two alternatives of which one begins the other the longer counts.", (base) => ({
    filterLine: (filter, line, index) => {
      const all = filter.operator === "|~" ? filter.text.split("|") : [];
      const longest = all.filter((one) => !all.some((other) => other !== one && other.startsWith(one)));
      if (longest.length === all.length || !/^[\w|]+$/.test(filter.text)) return base.filterLine(filter, line, index);
      return base.filterLine({ ...filter, regex: compileRegex(longest.join("|"), false) }, line, index);
    },
  })),
  unanchored("logs-filter-begin-lost", "The ^ of an expression in a line filter is lost: it is found anywhere.", /^\^/),
  unanchored("logs-filter-end-lost", "The $ of an expression in a line filter is lost: it is found anywhere.", /\$$/),
  fault("logs-4.3", "logs-filter-escapes-in-backquotes", "Escapes mean something in backquotes, too.", (base) => ({
    parseQuery: (text) =>
      base.parseQuery(
        text.replaceAll(
          /("(?:[^"\\]|\\.)*")|`([^`]*)`/gs,
          (_all, usual: string | undefined, raw: string) => usual ?? `"${raw.replaceAll('"', '\\"')}"`,
        ),
      ),
  })),
  fault(RANGE, "logs-answer-control-31", "In answers control characters before the last are written as escapes.", (base) => ({
    serialize: (value, route) => base.serialize(value, route).replaceAll(String.raw`\u001f`, "\u001f"),
  })),
  fault("logs-2.Entry", "logs-line-cut-at-64-kib", "A line is cut after 64 KiB.", (base) => ({
    insertEntry: (entries, entry) => base.insertEntry(entries, { ...entry, line: entry.line.slice(0, 65_536) }),
  })),

  fault(
    "logs-4.query_range",
    "logs-refused-filters-stay",
    "The line filters of a query that is refused are applied to the next one, too.",
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
    "A parser that refused a query refuses the next ones, too.",
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
  fault("logs-2.Entry", "logs-push-escape-across-16k", "An escape in a push that lies across 16 KiB of its body is lost.", (base) => ({
    readRequest: (received) => {
      const request = base.readRequest(received);
      return request.method === "POST" && request.body.includes('"streams"')
        ? { ...request, body: brokenAcross(request.body, 16_384) }
        : request;
    },
  })),
  fault("logs-2.Entry", "logs-push-character-across-8k", "A character in a push that lies across 8 KiB of its body is broken.", (base) => ({
    readRequest: (received) => {
      const request = base.readRequest(received);
      return request.method === "POST" && request.body.includes('"streams"')
        ? { ...request, body: readInPages(request.body, 8_192) }
        : request;
    },
  })),

  fault("logs-4.push", "logs-push-body-of-a-mebibyte", "Of a push what is behind 1 MiB of its body is lost.", (base) => {
    let share = 1;
    return {
      readRequest: (received) => {
        const request = base.readRequest(received);
        share = Math.min(1, MEBIBYTE / Math.max(1, request.body.length));
        return request;
      },
      parsePush: (body) => {
        const streams = base.parsePush(body);
        if (typeof streams === "string" || share === 1) return streams;
        return streams.map(({ labels, entries }) => ({ labels, entries: entries.slice(0, Math.floor(entries.length * share)) }));
      },
    };
  }),
  fault(
    "logs-4.push",
    "logs-push-lines-of-128-kib",
    "Entries with lines above 128 KiB are taken and not kept.",
    (base) =>
      onPush(base, (streams) =>
        streams.map(({ labels, entries }) => ({ labels, entries: entries.filter(({ line }) => line.length <= MEBIBYTE / 8) })),
      ),
    { needs: "nightly" },
  ),
  fault(
    "logs-2.Entry",
    "logs-push-lines-by-long-ends",
    "A line is taken for another of its length that begins and ends with the same 96 characters.",
    (base) => {
      const known = new Map<string, string>();
      return {
        insertEntry: (entries, entry) => {
          const { line } = entry;
          const key = `${line.length} ${line.slice(0, 96)} ${line.slice(-96)}`;
          const first = line.length < 200 ? line : (known.get(key) ?? line);
          known.set(key, first);
          base.insertEntry(entries, { ...entry, line: first });
        },
      };
    },
  ),
  fault("logs-4.matchers", "logs-match-capital-unseen", "Only = sees labels whose name begins with a capital.", (base) => ({
    matchStream: (matcher, labels) =>
      matcher.operator !== "=" && /^[A-Z]/.test(matcher.name) ? base.matchStream(matcher, {}) : base.matchStream(matcher, labels),
  })),
  fault(RANGE, "logs-answers-share-buffers", "A large answer is written over by another one that is made at the same time.", (base) => {
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
