/** Section 4, labels and label values: every pushed name and value is listed, values under their own label only. */
import type { Check } from "../../src/harness/check.ts";
import { RUN_LABEL } from "../../src/world/logs/datasets.ts";
import { labelled, NAMES, valuesFor } from "../../src/world/logs/labelled.ts";
import { grownValues, namesListed, unusedLabel, valuesListed } from "../../src/world/logs/lists.ts";
import { useful } from "../../src/world/logs/reading.ts";
import { HOST_LABEL, host } from "../../src/world/logs/large-sets.ts";
import { colours, many, MANY_LABEL } from "../../src/world/logs/sets.ts";
import { logsCheck } from "./check.ts";

const names = logsCheck({
  slug: "pushed-names",
  title: "every pushed label name is listed",
  clauses: ["logs-4.labels"],
  async run(t) {
    await t.verify(namesListed(await t.use(labelled), [t.runId]));
    if (t.profile === "smoke") return;
    // The second set has a name that comes after most others in the alphabet.
    for (const set of [many, colours]) await t.verify(namesListed(await t.use(set), [t.runId]));
  },
});

const values = logsCheck({
  slug: "pushed-values",
  title: "every pushed value is listed under its label",
  clauses: ["logs-4.label-values"],
  async run(t) {
    const dataset = await t.use(labelled);
    for (const name of [...(t.profile === "smoke" ? NAMES.slice(0, 1) : NAMES), RUN_LABEL]) await t.verify(valuesListed(dataset, name));
  },
});

const ownOnly = logsCheck({
  slug: "own-values-only",
  title: "the list of values of a label has no values of a label whose name has the same beginning or end",
  clauses: ["logs-4.label-values"],
  profiles: ["release", "nightly"],
  async run(t) {
    const dataset = await t.use(labelled);
    const lines = dataset.streams.flatMap(({ entries }) => entries.map(({ line }) => line));
    for (const name of NAMES) {
      const foreign = NAMES.filter((other) => other !== name).flatMap((other) => valuesFor(t.runId, other));
      await t.verify(valuesListed(dataset, name, [...foreign, t.runId, ...lines]));
    }
  },
});

const manyValues = logsCheck({
  slug: "many-values",
  title: "each of many pushed values is listed",
  clauses: ["logs-4.label-values"],
  profiles: ["release", "nightly"],
  async run(t) {
    for (const [set, name] of [
      [many, MANY_LABEL],
      [host, HOST_LABEL],
    ] as const) {
      await t.verify(valuesListed(await t.use(set), name));
    }
  },
});

/** The second may be in use by others; many names that were pushed begin with it. */
const UNUSED = ["plumbline_unused", "svc"] as const;

const unusedName = logsCheck({
  slug: "unused-name",
  title: "the list of values of an unused label has no values of other labels, even if another label name begins with the unused name",
  clauses: ["logs-4.label-values"],
  profiles: ["release", "nightly"],
  async run(t) {
    const dataset = await t.use(labelled);
    const pushed = [...NAMES.flatMap((name) => valuesFor(t.runId, name)), t.runId, dataset.name];
    for (const name of UNUSED) await t.verify(unusedLabel(dataset, name, pushed));
  },
});

const laterValues = logsCheck({
  slug: "later-values",
  title: "a value that is pushed after a read of the list is in the next list",
  clauses: ["logs-4.label-values"],
  profiles: ["release", "nightly"],
  async run(t) {
    await t.use(labelled);
    await t.verify(grownValues);
  },
});

const shortValues = logsCheck({
  slug: "short-values",
  title: "values that look like numbers or contain commas and braces are listed unchanged",
  clauses: ["logs-4.label-values"],
  profiles: ["release", "nightly"],
  async run(t) {
    // Of the very set: a list shows what a service spoilt besides.
    await t.verify(valuesListed(useful(await t.use(colours.pushed)), "svc_colour"));
  },
});

export const LABEL_CHECKS: readonly Check[] = [names, values, ownOnly, manyValues, unusedName, laterValues, shortValues];
