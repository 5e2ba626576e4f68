/** Section 4, labels and label values: lists have each pushed name and value, and each value is only in the list of its own label. */
import type { Check } from "../../src/harness/check.ts";
import type { TablePart } from "../../src/harness/context.ts";
import { linesOf } from "../../src/model/logs.ts";
import { RUN_LABEL } from "../../src/datasets/datasets.ts";
import { labelled, NAMES, valuesFor } from "../../src/datasets/small-datasets.ts";
import { namesListed, unusedLabel, valuesListed } from "../../src/queries/label-lists.ts";
import { useful } from "../../src/datasets/read-back.ts";
import { HOST_LABEL, host } from "../../src/datasets/large-datasets.ts";
import { longLabels } from "../../src/datasets/sized-datasets.ts";
import { colours, many, MANY_LABEL } from "../../src/datasets/shared-datasets.ts";
import { logsCheck, longest } from "./check.ts";

/** Names that the run does not push. Other clients may use the second name. Many pushed names begin with it. */
const UNUSED = ["plumbline_unused", "svc"] as const;

const names = logsCheck({
  slug: "pushed-names",
  title: "the list of label names has every pushed name, even long names and the names of a stream with more than twelve labels",
  clauses: ["logs-4.labels"],
  async run(t) {
    // The last dataset has a label name that comes after most other names in the alphabet.
    const sets = t.profile === "smoke" ? [labelled] : [labelled, many, colours];
    await t.verifyParts("logs-4.labels", [
      async () => Promise.all(sets.map(async (set) => namesListed(await t.use(set), [t.runId]))),
      ...(t.profile === "smoke" ? [] : [async () => [namesListed(useful(await longest(t, longLabels)), [t.runId])]]),
    ]);
  },
});

/** A list of values must not have values of another label whose name begins or ends in the same way. Smoke runs do not test this. */
const ownValues: TablePart = async (t) => {
  const dataset = await t.use(labelled);
  if (t.profile === "smoke") return [valuesListed(dataset, NAMES[0])];
  return [
    ...NAMES.map((name) => {
      const foreign = NAMES.filter((other) => other !== name).flatMap((other) => valuesFor(t.runId, other));
      return valuesListed(dataset, name, [...foreign, t.runId, ...linesOf(dataset.streams)]);
    }),
    valuesListed(dataset, RUN_LABEL),
  ];
};

const unusedNames: TablePart = async (t) => {
  const dataset = await t.use(labelled);
  const pushed = [...NAMES.flatMap((name) => valuesFor(t.runId, name)), t.runId, dataset.name];
  return UNUSED.map((name) => unusedLabel(dataset, name, pushed));
};

const values = logsCheck({
  slug: "pushed-values",
  title: "the list of values of a label has every pushed value, even unusual and long values, and no value of another label",
  clauses: ["logs-4.label-values"],
  async run(t) {
    const manyValues: TablePart = async () => [valuesListed(await t.use(many), MANY_LABEL)];
    const larger: readonly TablePart[] = [
      async () => [valuesListed(await t.use(host), HOST_LABEL)],
      // Even if reads return changed labels, the dataset is used: the list of values shows the same changes.
      async () => [valuesListed(useful(await t.use(colours.pushed)), "svc_colour")],
      unusedNames,
      async () => [valuesListed(useful(await longest(t, longLabels)), "svc_colour")],
    ];
    await t.verifyParts("logs-4.label-values", [ownValues, manyValues, ...(t.profile === "smoke" ? [] : larger)]);
  },
});

export const LABEL_CHECKS: readonly Check[] = [names, values];
