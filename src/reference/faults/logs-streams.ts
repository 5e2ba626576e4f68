/** Faults of streams and their labels (docs/2 section 1 rule 1, section 2 Stream). */
import { onPush } from "../change.ts";
import type { Json } from "../http/message.ts";
import { type Labels, labelValue, sortedLabels } from "../logs/types.ts";
import { broken, fault, faultsOf, type Row, wrongDecision, wrongResult } from "./define.ts";
import { HASHES } from "./helpers.ts";
import type { Fault } from "./types.ts";

/** Returns a fault: two streams are one stream for the server, if `identity` returns the same text for their labels. */
function identified(id: string, sentence: string, identity: (labels: Labels) => string): Fault {
  // If two streams are confused, reads show entries in a stream to which they were not pushed. This violates another clause too.
  return fault({ clause: "logs-1.1", also: ["logs-2.Entry"] }, id, sentence, () => ({ streamIdentity: identity }));
}

function shown(sentence: string, show: (name: string, value: string) => readonly [name: string, value: string] | undefined): Row {
  return broken(sentence, () => ({
    labelsOnRead: (labels, kind) =>
      kind === "metric"
        ? labels
        : Object.fromEntries(Object.entries(labels).flatMap(([name, value]) => [show(name, value)].filter((pair) => pair !== undefined))),
  }));
}

function presented(sentence: string, present: (labels: Labels) => Json): Row {
  return wrongDecision("presentLabels", sentence, (labels, kind) => (kind === "stream" ? present(labels) : undefined));
}

const value =
  (change: (text: string) => string): ((name: string, text: string) => readonly [string, string]) =>
  (name, text) => [name, change(text)];

function key(labels: Labels, names: readonly string[], change: (value: string) => string = (text) => text): string {
  return JSON.stringify(names.map((name) => [name, change(labelValue(labels, name))]));
}

export const LOGS_STREAM_FAULTS: readonly Fault[] = [
  identified(
    "logs-identity-joined",
    "Label sets are confused if their names and values, written one after the other, give the same text.",
    (labels) => Object.entries(sortedLabels(labels)).flat().join(""),
  ),
  identified("logs-identity-labels-joined", "Streams are identified by text without separators between labels.", (labels) =>
    Object.entries(sortedLabels(labels))
      .map((pair) => pair.join("="))
      .join(""),
  ),
  identified("logs-identity-first-kilobyte", "Streams are identified by the first kilobyte of their labels.", (labels) =>
    key(labels, Object.keys(labels).toSorted()).slice(0, 1_024),
  ),
  identified("logs-identity-first-label", "Streams are identified by their first label.", (labels) =>
    key(labels, Object.keys(labels).toSorted().slice(0, 1)),
  ),
  identified("logs-identity-not-last-label", "Streams that differ only in their last label are confused.", (labels) =>
    key(
      labels,
      Object.keys(labels)
        .toSorted()
        .slice(0, Math.max(1, Object.keys(labels).length - 1)),
    ),
  ),
  identified("logs-identity-names-only", "Streams are identified by their label names, without the values.", (labels) =>
    Object.keys(labels).toSorted().join(","),
  ),
  identified("logs-identity-short-values", "Streams are identified by the first eight characters of each label value.", (labels) =>
    key(labels, Object.keys(labels).toSorted(), (text) => text.slice(0, 8)),
  ),
  identified("logs-identity-without-digits", "Label values that differ only in digits are confused.", (labels) =>
    key(labels, Object.keys(labels).toSorted(), (text) => text.replaceAll(/\d/g, "")),
  ),
  identified("logs-identity-values-only", "Streams are identified by their values, without the label names.", (labels) =>
    Object.values(labels)
      .map((text) => text.replaceAll(/[^a-z0-9]/g, ""))
      .toSorted()
      .join(","),
  ),
  ...Object.entries(HASHES)
    .filter(([name]) => name !== "fnv-hashes")
    .map(([name, hash]) =>
      identified(`logs-identity-${name}`, `Label sets with equal ${name} of their text are confused.`, (labels) =>
        String(hash(key(labels, Object.keys(labels).toSorted()))),
      ),
    ),
  ...faultsOf("logs-2.Stream", {
    "logs-streams-of-a-push-mixed": broken(
      { clause: "logs-1.1", sentence: "In a push with more than four streams, the entries of the fifth are stored in the fourth." },
      (base) =>
        onPush(base, (streams) =>
          streams.map((stream, index) => (index === 4 ? { ...stream, labels: streams[3]?.labels ?? stream.labels } : stream)),
        ),
    ),
    "logs-labels-as-pairs": presented("`stream` is a list of pairs.", (labels) =>
      Object.entries(labels).map(([name, text]) => [name, text]),
    ),
    "logs-labels-numbers": presented("Label values that look like numbers are shown as numbers.", (labels) =>
      Object.fromEntries(Object.entries(labels).map(([name, text]) => [name, /^\d+$/.test(text) ? Number(text) : text])),
    ),
    "logs-label-last-missing": broken("The last label of a stream with more than two is not shown.", () => ({
      labelsOnRead: (labels, kind) =>
        kind === "metric" || Object.keys(labels).length < 3 ? labels : Object.fromEntries(Object.entries(labels).slice(0, -1)),
    })),
    "logs-label-values-lower-case": shown(
      "Label values are shown in lower case.",
      value((text) => text.toLowerCase()),
    ),
    "logs-label-names-lower-case": shown("Label names are shown in lower case.", (name, text) => [name.toLowerCase(), text]),
    "logs-label-underscore-lost": shown("An underscore at the beginning of a label name is lost.", (name, text) => [
      name.replace(/^_/, ""),
      text,
    ]),
    "logs-label-values-1024": shown(
      "Label values are shown cut to 1,024 characters.",
      value((text) => text.slice(0, 1_024)),
    ),
    "logs-label-values-cut": shown(
      "Label values are cut to 16 characters.",
      value((text) => text.slice(0, 16)),
    ),
    "logs-label-quote-and-backslash": shown(
      "A label value with a quote and a backslash loses the backslash.",
      value((text) => (text.includes('"') ? text.replaceAll("\\", "") : text)),
    ),
    "logs-label-ascii": shown(
      "Letters outside ASCII become question marks in label values.",
      value((text) => text.replaceAll(/[^\p{ASCII}]/gu, "?")),
    ),
    "logs-label-surrogates": shown(
      "Characters beyond 16 bits are lost in label values.",
      value((text) => text.replaceAll(/[\u{10000}-\u{10FFFF}]/gu, "")),
    ),
    "logs-label-separators": shown(
      "Line and paragraph separators in label values become newlines.",
      value((text) => text.replaceAll(/[\u2028\u2029]/g, "\n")),
    ),
    "logs-label-invisible": shown(
      "Invisible characters in label values are lost.",
      value((text) => text.replaceAll(/\p{Cf}/gu, "")),
    ),
    "logs-label-hexadecimal": shown(
      "A label value that is a hexadecimal number is shown as a decimal number.",
      value((text) => (/^0x[\da-f]+$/.test(text) ? `${Number(text)}` : text)),
    ),
    "logs-label-newline": shown(
      "A newline in a label value becomes a backslash and an n.",
      value((text) => text.replaceAll("\n", "\\n")),
    ),
    "logs-labels-after-eight": wrongResult(
      "labelsOnWrite",
      "A stream with more than eight labels loses the first labels of the alphabet.",
      (usual) => Object.fromEntries(Object.entries(usual).toReversed().slice(0, 8).toReversed()),
    ),
  }),
];
