/** Faults of what goes through buffers, bounds and shorter ways: only texts, blocks and calculations of some shape show them. */
import type { Behaviour } from "../behaviour.ts";
import type { Block } from "../logs/blocks.ts";
import { HOUR_NS } from "../logs/hours.ts";
import type { Reading } from "../logs/reading.ts";
import type { Entry, Window } from "../logs/types.ts";
import { isSuccessful, type Reply } from "../http/message.ts";
import {
  type BinaryOperation,
  type LineFilter,
  logQueriesOf,
  mapRanges,
  type MetricQuery,
  type Operand,
  type Query,
  type RangeAggregation,
} from "../logql/ast.ts";
import { compileRegex } from "../logql/regex.ts";
import { fault } from "./define.ts";
import { slowed } from "./overlapping.ts";
import type { Fault } from "./types.ts";

const RANGE = "logs-4.query_range";
const METRIC = "logs-4.query";
/** Samples that a part of a divided metric query has. */
const SHARE = 16;

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

const TEXTS: readonly Fault[] = [
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
  fault("logs-4.matchers", "logs-match-expression-256", "Of an expression in a matcher 256 characters are looked at.", (base) => ({
    matchStream: (matcher, labels) => {
      const { value, regex } = matcher;
      if (regex === undefined || value.length <= LONGEST) return base.matchStream(matcher, labels);
      return base.matchStream({ ...matcher, regex: compileRegex(value.slice(0, LONGEST), true) }, labels);
    },
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
  fault("logs-2.Entry", "logs-answer-escape-across-32k", "An escape in an answer that lies across 32 KiB of it is lost.", (base) => ({
    serialize: (value, route) => {
      const json = base.serialize(value, route);
      return route?.operation === "logs.query_range" ? brokenAcross(json, 32_768) : json;
    },
  })),
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

type Answer = (found: readonly Entry[], block: Block, reading: Reading) => readonly Entry[];

function answered(id: string, sentence: string, answer: Answer): Fault {
  return fault(RANGE, id, sentence, (base) => ({
    blockAnswer: (found, block, reading) => (reading.path === "range" ? answer : base.blockAnswer)(found, block, reading),
  }));
}

function read(id: string, sentence: string, change: (blocks: readonly Block[], window: Window) => readonly Block[]): Fault {
  return fault(RANGE, id, sentence, (base) => ({
    blocksToRead: (blocks, window, reading) =>
      base.blocksToRead(reading.path === "range" ? change(blocks, window) : blocks, window, reading),
  }));
}

/** Entries without those that have the line of the one before them, as long after it as that one came after its own. */
function withoutRepeats(entries: readonly Entry[]): ReadonlySet<Entry> {
  return new Set(
    entries.filter((entry, index) => {
      const [before, first] = [entries[index - 1], entries[index - 2]];
      if (before === undefined || first === undefined) return true;
      return entry.line !== before.line || entry.ts - before.ts !== before.ts - first.ts;
    }),
  );
}

const SECOND_NS = 1_000_000_000n;

/** Entries of an open block that can be told from each other. */
const MOST_OPEN = 4_096;

function withoutLate(found: readonly Entry[], { entries, head }: Block): readonly Entry[] {
  const first = head ? entries[MOST_OPEN] : undefined;
  return first === undefined ? found : found.filter(({ ts }) => ts < first.ts);
}

const BLOCKS: readonly Fault[] = [
  answered("logs-block-open-4096", "Of an open block what comes after 4,096 entries is not answered.", withoutLate),
  fault(METRIC, "logs-filtered-count-to-1000", "A filtered count goes to a thousand lines of a stream.", (base) => {
    let isFiltered = false;
    return {
      parseQuery: (text) => {
        const query = base.parseQuery(text);
        isFiltered = logQueriesOf(query).some(({ filters }) => filters.length > 0);
        return query;
      },
      aggregateRange: (aggregation, entries, ...rest) =>
        base.aggregateRange(aggregation, isFiltered ? entries.slice(0, 1_000) : entries, ...rest),
    };
  }),
  fault(METRIC, "logs-samples-129th-lost", "Of the samples of an answer the 129th is lost.", (base) => ({
    arrangeSamples: (samples) => base.arrangeSamples(samples).filter((_, index) => index !== 128),
  })),
  fault(METRIC, "logs-block-open-4096-uncounted", "Of an open block what comes after 4,096 entries is not counted.", (base) => ({
    blockAnswer: (found, block, reading) =>
      base.blockAnswer(reading.path === "instant" ? withoutLate(found, block) : found, block, reading),
  })),
  read(
    "logs-block-ties-at-edge",
    "When a block was closed, what has the time of its last entry is lost from the beginning of the next.",
    (blocks) =>
      blocks.map((block) => {
        const before = blocks.find(({ index }) => index === block.index - 1)?.entries.at(-1);
        return before === undefined ? block : { ...block, entries: block.entries.filter(({ ts }) => ts !== before.ts) };
      }),
  ),
  answered(
    "logs-block-repeats-dropped",
    "In a closed block an entry is lost that repeats the line before it after the same time again.",
    (found, { entries, head }) => {
      if (head) return found;
      const kept = withoutRepeats(entries);
      return found.filter((entry) => kept.has(entry));
    },
  ),
  read(
    "logs-block-end-in-seconds",
    "The end of a closed block is known to the second only: windows that begin later skip it.",
    (blocks, { from }) => blocks.filter(({ head, entries }) => head || ((entries.at(-1)?.ts ?? 0n) / SECOND_NS) * SECOND_NS >= from),
  ),
];

function operands(query: Query, change: (operation: BinaryOperation) => BinaryOperation): Query {
  const changed = (one: Operand): Operand => (one.kind === "number" ? one : (operands(one, change) as MetricQuery));
  switch (query.kind) {
    case "binary":
      return change({ ...query, left: changed(query.left), right: changed(query.right) });
    case "vector":
    case "picking":
      return { ...query, inner: changed(query.inner) as MetricQuery };
    default:
      return query;
  }
}

function calculated(id: string, sentence: string, change: (operation: BinaryOperation) => BinaryOperation): Fault {
  return fault(METRIC, id, sentence, (base: Behaviour) => ({ parseQuery: (text) => operands(base.parseQuery(text), change) }));
}

/** Combines the samples of a metric itself, of every stream, in another way than other samples. */
function ofStreams(id: string, sentence: string, change: (combine: Behaviour["combine"]) => Behaviour["combine"]): Fault {
  return fault(METRIC, id, sentence, (base: Behaviour) => {
    let isOfStreams = false;
    return {
      parseQuery: (text) => {
        const query = base.parseQuery(text);
        isOfStreams = query.kind === "vector" && query.inner.kind === "range";
        return query;
      },
      combine: (operator, values) => (isOfStreams ? change(base.combine) : base.combine)(operator, values),
    };
  });
}

function ranged(id: string, sentence: string, change: (range: RangeAggregation) => RangeAggregation): Fault {
  return fault(METRIC, id, sentence, (base: Behaviour) => ({
    parseQuery: (text) => {
      const query = base.parseQuery(text);
      return query.kind === "log" ? query : mapRanges(query, change);
    },
  }));
}

function innermost(operand: Operand): RangeAggregation | undefined {
  return operand.kind === "vector" ? innermost(operand.inner) : operand.kind === "range" ? operand : undefined;
}

function whole(one: Operand): Operand {
  return one.kind === "number" ? { ...one, value: Math.trunc(one.value) } : one;
}

const CALCULATIONS: readonly Fault[] = [
  ofStreams(
    "logs-seam-least-of-no-stream",
    "The least sample of a metric itself is that of a shard without streams, 0.",
    (combine) => (operator, values) => (operator === "min" ? 0 : combine(operator, values)),
  ),
  ofStreams(
    "logs-seam-average-of-shards",
    "The average of a metric itself is that of the averages of two shards.",
    (combine) => (operator, values) =>
      operator === "avg" && values.length > 2
        ? combine("avg", [combine("avg", values.slice(0, 1)), combine("avg", values.slice(1))])
        : combine(operator, values),
  ),
  ofStreams(
    "logs-seam-count-of-shards",
    "How many samples a metric itself has is counted of sixteen shards, not of what they count.",
    (combine) => (operator, values) => (operator === "count" ? Math.min(16, values.length) : combine(operator, values)),
  ),
  ofStreams(
    "logs-seam-greatest-added-up",
    "Of many streams the greatest sample of a group is that of two shards, each of which adds up its own.",
    (combine) => (operator, values) =>
      operator === "max" && values.length > 16 ? combine("sum", values.slice(1)) / 2 : combine(operator, values),
  ),
  fault(METRIC, "logs-topk-least", "topk gives the least samples of a metric.", (base) => ({
    pickSamples: (operator, samples, count) => base.pickSamples(operator === "topk" ? "bottomk" : operator, samples, count),
  })),
  fault(METRIC, "logs-topk-of-first-shard", "topk picks among the samples of the first shards only.", (base) => ({
    pickSamples: (operator, samples, count) => base.pickSamples(operator, samples.slice(0, Math.max(count, SHARE)), count),
  })),
  fault(METRIC, "logs-topk-of-all", "topk by labels picks among all samples, not among those of each group.", (base) => ({
    parseQuery: (text) => {
      const query = base.parseQuery(text);
      if (query.kind !== "picking") return query;
      const { grouping: _grouping, ...ofAll } = query;
      return ofAll;
    },
  })),
  calculated("logs-differences-from-behind", "Of two differences in a row the second is calculated first.", (operation) => {
    const { operator, left, right } = operation;
    if (operator !== "-" || left.kind !== "binary" || left.operator !== "-" || right.kind !== "number" || left.right.kind !== "number")
      return operation;
    return { ...left, right: { ...right, value: left.right.value - right.value } };
  }),
  fault(METRIC, "logs-bytes-rate-of-entries", "bytes_rate is the rate of entries.", (base) => ({
    aggregateRange: (aggregation, ...given) => base.aggregateRange(aggregation === "bytes_rate" ? "rate" : aggregation, ...given),
  })),
  fault(METRIC, "logs-bytes-rate-in-parts", "bytes_rate over more than an hour is put together of rates of entries.", (base) => ({
    aggregateRange: (aggregation, entries, seconds, ...rest) =>
      base.aggregateRange(aggregation === "bytes_rate" && seconds > 3_600 ? "rate" : aggregation, entries, seconds, ...rest),
  })),
  ranged("logs-offset-in-parts", "Of a range of more than an hour the offset is that of its parts alone.", (range) =>
    range.rangeNs > HOUR_NS ? { ...range, offsetNs: 0n } : range,
  ),
  ranged("logs-offset-ignored", "An offset is parsed, and the range ends at the asked time.", (range) => ({ ...range, offsetNs: 0n })),
  ranged("logs-offset-shortens", "By an offset the range ends earlier, and begins where it would without.", (range) => ({
    ...range,
    rangeNs: range.rangeNs > range.offsetNs ? range.rangeNs - range.offsetNs : range.rangeNs,
  })),
  calculated("logs-offset-of-operands-shared", "Of two operands that differ in their offset both have that of the first.", (operation) => {
    const [left, right] = [innermost(operation.left), innermost(operation.right)];
    if (left === undefined || right === undefined || left.rangeNs !== right.rangeNs || operation.right.kind === "number") return operation;
    return { ...operation, right: mapRanges(operation.right, (range) => ({ ...range, offsetNs: left.offsetNs })) };
  }),
  fault(METRIC, "logs-grouping-behind-is-by", "What stands behind a sum is taken for labels that are kept.", (base) => ({
    groupLabels: (labels, grouping) => base.groupLabels(labels, grouping?.behind === true ? { ...grouping, kind: "by" } : grouping),
  })),
  calculated("logs-number-before-behind", "A number before a metric query is taken to stand behind it.", (operation) =>
    operation.left.kind === "number" ? { ...operation, left: operation.right, right: operation.left } : operation,
  ),
  calculated("logs-numbers-whole", "Of numbers in a metric query the fraction is ignored.", (operation) => {
    return { ...operation, left: whole(operation.left), right: whole(operation.right) };
  }),
  calculated("logs-parentheses-of-sums-lost", "Parentheses around a sum that is multiplied are lost.", (operation) => {
    const { operator, left, right } = operation;
    if (operator !== "*" || left.kind !== "binary" || left.operator !== "+") return operation;
    return { ...left, right: { ...operation, left: left.right, right } };
  }),
  fault(METRIC, "logs-greatest-from-zero", "The greatest sample is at least 0.", (base) => ({
    combine: (operator, values) => (operator === "max" ? Math.max(0, base.combine(operator, values)) : base.combine(operator, values)),
  })),
];

export const LOGS_BUFFER_FAULTS: readonly Fault[] = [...TEXTS, ...BLOCKS, ...CALCULATIONS];
