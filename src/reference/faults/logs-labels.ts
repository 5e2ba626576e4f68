/** Faults of servers that return wrong lists of label names or label values (docs/2 section 4). */
import { labelValue } from "../logs/types.ts";
import { everyNth } from "../change.ts";
import { fault } from "./define.ts";
import type { Fault } from "./types.ts";

const NAMES = "logs-4.labels";
const VALUES = "logs-4.label-values";

function listed(id: string, sentence: string, change: (names: readonly string[]) => readonly string[]): Fault {
  return fault(NAMES, id, sentence, (base) => ({ labelNames: (streams) => change(base.labelNames(streams)) }));
}

function valued(id: string, sentence: string, change: (values: readonly string[], name: string) => readonly string[]): Fault {
  return fault(VALUES, id, sentence, (base) => ({ labelValues: (name, streams) => change(base.labelValues(name, streams), name) }));
}

function borrowed(id: string, sentence: string, borrows: (name: string, other: string) => boolean): Fault {
  return fault(VALUES, id, sentence, () => ({
    labelValues: (name, streams) =>
      [
        ...new Set(
          streams.flatMap(({ labels }) =>
            Object.keys(labels).flatMap((other) => (borrows(name, other) ? [labelValue(labels, other)] : [])),
          ),
        ),
      ].toSorted(),
  }));
}

export const LOGS_LABEL_FAULTS: readonly Fault[] = [
  valued("logs-values-trimmed", "Values are listed without blanks around them.", (values) => values.map((value) => value.trim())),
  fault(VALUES, "logs-values-frozen", "The list of values of a label does not change after its first values were listed.", (base) => {
    const first = new Map<string, readonly string[]>();
    return {
      labelValues: (name, streams) => {
        const values = first.get(name) ?? base.labelValues(name, streams);
        if (values.length > 0) first.set(name, values);
        return values;
      },
    };
  }),
  valued("logs-values-without-slash", "Values with a slash are not listed.", (values) => values.filter((value) => !value.includes("/"))),
  valued("logs-values-hundred", "At most a hundred values are listed.", (values) => values.slice(0, 100)),
  listed("logs-labels-last-missing", "The last label name is not listed.", (names) => names.slice(0, -1)),

  listed("logs-labels-first-four", "At most four label names are listed.", (names) => names.slice(0, 4)),

  borrowed(
    "logs-values-of-prefix",
    "The list of values has the values of labels whose names begin with the requested name.",
    (name, other) => other.startsWith(name),
  ),
  valued("logs-values-first-only", "Only the first value of a label is listed.", (values) => values.slice(0, 1)),

  fault(VALUES, "logs-values-every-third-empty", "Every third list of label values is empty.", (base) => {
    const third = everyNth(3);
    return { labelValues: (name, streams) => (third() ? [] : base.labelValues(name, streams)) };
  }),
  fault(
    "logs-4.labels",
    "logs-names-until-next-stream",
    "The list of label names lacks the stream that was pushed last, until another stream is pushed.",
    (base) => ({ labelNames: (streams) => base.labelNames(streams.slice(0, -1)) }),
  ),
  fault(
    "logs-4.label-values",
    "logs-values-until-next-stream",
    "The list of label values lacks the stream that was pushed last, until another stream is pushed.",
    (base) => ({ labelValues: (name, streams) => base.labelValues(name, streams.slice(0, -1)) }),
  ),
];
