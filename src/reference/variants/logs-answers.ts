/** Variants with unusual responses of the log API: another envelope, spelling or order, or labels that the service adds. */
import { isJsonObject, type Json, type JsonObject, jsonReply, emptyReply, type Reply, textReply } from "../http/message.ts";
import { onAnswer, onReply, withMembers, without } from "../change.ts";
import type { Behaviour } from "../behaviour.ts";
import type { LabelledEntries, Labels } from "../logs/types.ts";
import { legal, legalInput, legalResult, type Row, variantsOf } from "./define.ts";
import type { Variant } from "./types.ts";

const PUSH_OPEN = "the success status and body of push are not shown";
const ENVELOPE = "fields of the envelope other than data and data.result are not shown";
const SPELLING = "the sample is a string, and the document does not say how its number is written";
const UNIT = "the unit of an instant result's timestamp is not stated";
const ORDER = "the order of the streams of a result is not stated";
const ADDED = "all pushed labels are present, and the document does not forbid that the service adds labels";

function pushed(sentence: string, reply: Reply): Row {
  return legal(sentence, PUSH_OPEN, () => ({ pushReply: () => reply }));
}

function sampled(sentence: string, print: (value: number) => string): Row {
  return legal(sentence, SPELLING, () => ({ presentSample: print }));
}

function stamped(sentence: string, print: (time: bigint) => Json): Row {
  return legal(sentence, UNIT, () => ({ instantTimestamp: print }));
}

function errors(change: (reply: Reply) => Reply): (base: Behaviour) => Partial<Behaviour> {
  return (base) => ({
    respond: (given, request, route) => {
      const reply = base.respond(given, request, route);
      return route?.operation.startsWith("logs.") === true && reply.status >= 400 && reply.status !== 429 ? change(reply) : reply;
    },
  });
}

/** Makes a legal server that changes the response to a list request if its `data` is empty. */
function emptyList(change: (answer: JsonObject) => JsonObject): (base: Behaviour) => Partial<Behaviour> {
  return (base) => ({
    presentList: (list, name) => {
      const answer = base.presentList(list, name);
      return list.length === 0 ? change(answer) : answer;
    },
  });
}

function firstTime({ entries }: LabelledEntries): bigint {
  return entries[0]?.ts ?? 0n;
}

/** Splits each stream of a response into two objects, each with every second entry. */
function split(streams: readonly LabelledEntries[], label?: (part: number) => Labels): LabelledEntries[] {
  return streams.flatMap(({ labels, entries }) =>
    [0, 1]
      .map((part) => ({ labels: { ...labels, ...label?.(part) }, entries: entries.filter((_entry, index) => index % 2 === part) }))
      .filter((stream) => stream.entries.length > 0),
  );
}

/** Adds all labels of all result objects to each result object, in its member `field`. Added labels have an empty value. */
function evenly(result: readonly Json[], field: "stream" | "metric"): Json[] {
  const labelsOf = (object: Json): JsonObject => (isJsonObject(object) && isJsonObject(object[field]) ? object[field] : {});
  const names = [...new Set(result.flatMap((object) => Object.keys(labelsOf(object))))];
  const none = Object.fromEntries(names.map((name) => [name, ""]));
  return result.map((object) => withMembers(object, { [field]: { ...none, ...labelsOf(object) } }));
}

export const LOGS_ANSWER_VARIANTS: readonly Variant[] = variantsOf({
  "push-200": pushed("A push answers 200 with an empty body.", textReply(200, "")),
  "push-200-json": pushed("A push answers 200 with an empty object.", jsonReply(200, {})),
  "push-202": pushed("A push answers 202.", emptyReply(202)),
  "push-201": pushed("A push answers 201 with a text.", textReply(201, "stored\n")),

  "envelope-bare": legal("Responses have data and no other field.", ENVELOPE, (base) =>
    onAnswer(base, ["logs.query_range", "logs.query", "logs.labels", "logs.label_values"], (value) => without(value, "status")),
  ),
  "envelope-without-type": legal("data has no resultType.", ENVELOPE, (base) =>
    onAnswer(base, ["logs.query_range", "logs.query"], (value) =>
      isJsonObject(value) ? withMembers(value, { data: without(value["data"] ?? null, "resultType") }) : value,
    ),
  ),
  "envelope-with-stats": legalResult("presentRange", "data also has statistics.", ENVELOPE, (answer, result) => ({
    ...answer,
    warnings: [],
    data: withMembers(answer["data"] ?? null, {
      stats: { summary: { execTime: 0.001, totalLinesProcessed: result.length } },
      encodingFlags: [],
    }),
  })),
  "result-objects-with-more": legal(
    "Result objects have more fields than the documented ones.",
    "extra fields contradict nothing",
    (base) => ({
      presentStream: (labels, values) => withMembers(base.presentStream(labels, values), { id: 1 }),
      presentInstantEntry: (metric, value) => withMembers(base.presentInstantEntry(metric, value), { warnings: null }),
    }),
  ),
  "labels-empty-for-none": legal("A label that a stream or a group does not have is shown with an empty value.", ADDED, (base) => ({
    presentRange: (result, query) => base.presentRange(evenly(result, "stream"), query),
    presentInstant: (result) => base.presentInstant(evenly(result, "metric")),
  })),
  "logs-json-pretty": legal(
    "Bodies are indented, and the keys are in another order.",
    "JSON texts with the same values are the same",
    () => ({
      serialize: (value) => JSON.stringify(isJsonObject(value) ? Object.fromEntries(Object.entries(value).toReversed()) : value, null, 2),
    }),
  ),
  "logs-json-escaped": legalResult(
    "serialize",
    "Characters outside ASCII, < and > are written as escapes.",
    "JSON texts with the same values are the same",
    (json) =>
      json.replaceAll(/[^\p{ASCII}]|[<>&]/gu, (character) =>
        Array.from({ length: character.length }, (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`).join(""),
      ),
  ),
  "logs-type-text": legal("Bodies have the Content-Type text/plain.", "the Content-Type of responses is not stated", (base) =>
    onReply(base, ["logs.query_range", "logs.query", "logs.labels", "logs.label_values"], (reply) => ({
      ...reply,
      headers: { ...reply.headers, "content-type": "text/plain" },
    })),
  ),
  "logs-errors-json": legal(
    "Errors of the log API are JSON objects.",
    "the shape of error bodies is not shown",
    errors((reply) => ({
      ...jsonReply(reply.status, { status: "error", errorType: "bad_data", error: "refused" }),
      headers: { "content-type": "application/json" },
    })),
  ),
  "logs-errors-empty": legal(
    "Errors of the log API have no body.",
    "the shape of error bodies is not shown",
    errors(({ status }) => emptyReply(status)),
  ),

  "samples-with-point": sampled("Samples are written with a decimal point, 3.0.", (value) =>
    Number.isInteger(value) ? value.toFixed(1) : String(value),
  ),
  "samples-with-exponent": sampled("Samples are written with an exponent, 3e+00.", (value) => value.toExponential()),
  "samples-rounded": sampled("Samples are written with eight significant digits.", (value) => value.toPrecision(8)),
  "instant-seconds": stamped("The timestamp of an instant result is in whole seconds.", (time) => Number(time / 1_000_000_000n)),
  "instant-milliseconds": stamped("The timestamp of an instant result is in milliseconds.", (time) => Number(time / 1_000_000n)),
  "instant-nanoseconds-text": stamped("The timestamp of an instant result is a string of nanoseconds.", String),
  "instant-seconds-text": stamped("The timestamp of an instant result is a string of seconds with a fraction.", (time) =>
    (Number(time / 1_000_000n) / 1_000).toFixed(3),
  ),
  "sum-over-nothing-0": legal("A sum over nothing is 0.", "the document does not say whether the result is [] or 0", (base) => {
    let summed = false;
    return {
      parseQuery: (text) => {
        const query = base.parseQuery(text);
        summed = query.kind === "vector" && query.operator === "sum" && query.grouping === undefined;
        return query;
      },
      arrangeSamples: (samples) => (samples.length === 0 && summed ? [{ labels: {}, value: 0 }] : base.arrangeSamples(samples)),
    };
  }),
  "sum-over-nothing-0-within": legal(
    "A sum over nothing is 0, also with labels and inside other queries.",
    "the document does not say whether the result is [] or 0",
    () => ({ sumOfNothing: () => [{ labels: {}, value: 0 }] }),
  ),
  "streams-without-entries-counted": legal(
    "Selected streams without an entry in the range have a sample of 0.",
    "the document does not say whether a stream without entries has no sample or the sample 0",
    () => ({ hasSample: () => true }),
  ),
  "streams-without-entries": legal(
    "Selected streams without a matching line are returned with an empty list of values.",
    "values is a list, and the document does not say that it is not empty",
    () => ({ arrange: (streams) => [...streams] }),
  ),
  "samples-labelled": legal("Samples of metric queries have a label that nobody pushed.", ADDED, (base) => ({
    presentInstantEntry: (metric, value) =>
      base.presentInstantEntry(isJsonObject(metric) ? { ...metric, __cluster__: "c1" } : metric, value),
  })),
  "result-newest-stream-first": legal("Streams are ordered by their newest entry.", ORDER, (base) => ({
    arrange: (streams, query) => base.arrange(streams, query).toSorted((one, other) => Number(firstTime(other) - firstTime(one))),
  })),
  "result-reversed": legal("Streams and samples are in the reverse order of their labels.", ORDER, (base) => ({
    arrange: (streams, query) => base.arrange(streams, query).toReversed(),
    arrangeSamples: (samples) => base.arrangeSamples(samples).toReversed(),
  })),
  "result-labels-reversed": legalResult(
    "labelsOnRead",
    "The labels of a stream are in another order.",
    "the order of the members of an object means nothing",
    (shown) => Object.fromEntries(Object.entries(shown).toReversed()),
  ),
  "ties-reversed": legalInput(
    "order",
    "Entries with equal timestamps are in the reverse order of their push.",
    "the order of entries with equal timestamps is not stated",
    (entries, direction) => [entries.toReversed(), direction],
  ),
  "service-name-added": legal("Streams have a label service_name that nobody pushed.", ADDED, (base) => ({
    labelsOnRead: (labels, kind) => ({ ...base.labelsOnRead(labels, kind), service_name: "unknown_service" }),
    labelNames: (streams) => [...base.labelNames(streams), "service_name"],
    labelValues: (name, streams) => (name === "service_name" ? ["unknown_service"] : base.labelValues(name, streams)),
  })),
  "detected-level-added": legal("Streams of range results have a label detected_level that nobody pushed.", ADDED, (base) => ({
    labelsOnRead: (labels, kind) => ({ ...base.labelsOnRead(labels, kind), ...(kind === "stream" ? { detected_level: "unknown" } : {}) }),
  })),
  "streams-split": legalResult(
    "arrange",
    "A pushed stream is returned as two result objects.",
    "the document does not say that a stream is one object of a result",
    (arranged) => split(arranged),
  ),
  "streams-split-by-level": legalResult(
    "arrange",
    "A pushed stream is returned as several result objects with a label that the service adds.",
    ADDED,
    (arranged) => split(arranged, (part) => ({ detected_level: part === 0 ? "info" : "error" })),
  ),

  "empty-list-absent": legal(
    "A response with an empty list of label names or values has no data.",
    "the document does not say what data is for a label that no stream has",
    emptyList((answer) => (isJsonObject(without(answer, "data")) ? { status: "success" } : answer)),
  ),
  "empty-list-null": legal(
    "A response with an empty list of label names or values has the data null.",
    "the document does not say what data is for a label that no stream has",
    emptyList((answer) => ({ ...answer, data: null })),
  ),
  "labels-unsorted": legal("Lists of label names and values are not sorted.", "the order of the lists is not stated", (base) => ({
    labelNames: (streams) => base.labelNames(streams).toReversed(),
    labelValues: (name, streams) => base.labelValues(name, streams).toReversed(),
  })),
  "labels-of-others": legal(
    "Lists of label names and values also have the names and values of other clients, and internal names.",
    "other clients push to the same service",
    (base) => ({
      labelNames: (streams) => ["__name__", "job", "pod", ...base.labelNames(streams)],
      labelValues: (name, streams) => [...base.labelValues(name, streams), "of another writer", `${name} of another writer`],
    }),
  ),
});
