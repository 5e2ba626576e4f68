/** Faults of servers that return wrong lists of label names or label values (docs/2 section 4). */
import { labelValue } from "../logs/types.ts";
import { everyNth } from "../change.ts";
import { broken, faultsOf, type Row, wrongResult } from "./define.ts";
import type { Fault } from "./types.ts";

const NAMES = "logs-4.labels";
const VALUES = "logs-4.label-values";

function listed(sentence: string, change: (names: readonly string[]) => readonly string[]): Row {
  return broken({ clause: NAMES, sentence }, (base) => ({ labelNames: (streams) => change(base.labelNames(streams)) }));
}

function valued(sentence: string, change: (values: readonly string[], name: string) => readonly string[]): Row {
  return wrongResult("labelValues", sentence, change);
}

function borrowed(sentence: string, borrows: (name: string, other: string) => boolean): Row {
  return broken(sentence, () => ({
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

export const LOGS_LABEL_FAULTS: readonly Fault[] = faultsOf(VALUES, {
  "logs-values-trimmed": valued("Values are listed without blanks around them.", (values) => values.map((value) => value.trim())),
  "logs-values-frozen": broken("The list of values of a label does not change after its first values were listed.", (base) => {
    const first = new Map<string, readonly string[]>();
    return {
      labelValues: (name, streams) => {
        const values = first.get(name) ?? base.labelValues(name, streams);
        if (values.length > 0) first.set(name, values);
        return values;
      },
    };
  }),
  "logs-values-without-slash": valued("Values with a slash are not listed.", (values) => values.filter((value) => !value.includes("/"))),
  "logs-values-above-1024": valued("Values above 1,024 characters are not listed.", (values) =>
    values.filter(({ length }) => length <= 1_024),
  ),
  "logs-values-hundred": valued("At most a hundred values are listed.", (values) => values.slice(0, 100)),
  "logs-labels-last-missing": listed("The last label name is not listed.", (names) => names.slice(0, -1)),
  "logs-labels-first-four": listed("At most four label names are listed.", (names) => names.slice(0, 4)),
  "logs-values-of-prefix": borrowed(
    "The list of values has the values of labels whose names begin with the requested name.",
    (name, other) => other.startsWith(name),
  ),
  "logs-values-first-only": valued("Only the first value of a label is listed.", (values) => values.slice(0, 1)),
  "logs-values-every-third-empty": broken("Every third list of label values is empty.", (base) => {
    const third = everyNth(3);
    return { labelValues: (name, streams) => (third() ? [] : base.labelValues(name, streams)) };
  }),
  "logs-names-until-next-stream": broken(
    { clause: "logs-4.labels", sentence: "The list of label names lacks the stream that was pushed last, until another stream is pushed." },
    (base) => ({ labelNames: (streams) => base.labelNames(streams.slice(0, -1)) }),
  ),
  "logs-values-until-next-stream": broken(
    {
      clause: "logs-4.label-values",
      sentence: "The list of label values lacks the stream that was pushed last, until another stream is pushed.",
    },
    (base) => ({ labelValues: (name, streams) => base.labelValues(name, streams.slice(0, -1)) }),
  ),
});
