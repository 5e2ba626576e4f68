/** docs/2 section 4, labels and label values: every pushed name and value is listed, values under their own label only. */
import type { LogsOverride } from "../../src/client/logs.ts";
import type { Check } from "../../src/harness/check.ts";
import type { CheckContext, Scope } from "../../src/harness/context.ts";
import type { Settled } from "../../src/harness/settle.ts";
import { type Answered, isSuccess, jsonOf } from "../../src/client/exchange.ts";
import { type Difference, show } from "../../src/model/difference.ts";
import { member } from "../../src/model/json.ts";
import type { RelativeStream } from "../../src/arbitraries/streams.ts";
import { type Fixture, fixture } from "../../src/harness/context.ts";
import { listOf } from "./answers.ts";
import { logsCheck } from "./check.ts";
import { type Dataset, RUN_LABEL, SET_LABEL, store } from "./datasets.ts";
import { visible } from "./reading.ts";
import { COLOURS, many, MANY_LABEL, words } from "./sets.ts";

/** Values for each of several labels whose names are prefixes of each other or differ in case; each value is the run's own. */
const NAMES = ["svc_a", "svc_ab", "svc_abc", "Svc_a", "_svc", "svc_0", "svc_zz"] as const;

function valuesFor(scope: Scope, name: string): string[] {
  const own = `${name}:${scope.run.runId}`;
  // The last two differ from the first in case and in a blank only.
  return [`${own}:one`, `${own}:"two", \\ {größe}`, `${own}:ONE`, `${own}:one `, `${own}:${"v".repeat(100)}`];
}

const labelled: Fixture<Dataset> = fixture("logs", "streams with many labels", async (scope) => {
  const streams = [0, 1, 2, 3, 4].map((which): RelativeStream => ({
    labels: Object.fromEntries(NAMES.map((name) => [name, valuesFor(scope, name)[which] ?? ""])),
    entries: [{ offset: BigInt(which + 1) * 1_000_000_000n, line: `labelled ${which}` }],
  }));
  return visible(scope, await store(scope, "labels", { pushes: [streams] }));
});

/** Reads a list until it holds what it must. */
export async function readList(
  scope: Scope,
  dataset: Dataset,
  clause: "logs-4.labels" | "logs-4.label-values",
  read: () => Promise<Answered>,
  judge: (list: readonly string[]) => readonly Difference[],
): Promise<Settled<Answered>> {
  return scope.eventually({
    resource: dataset,
    read,
    judge: (exchange) => {
      const { list, differences } = listOf(exchange, clause);
      return list === null ? differences : judge(list);
    },
  });
}

const names = logsCheck({
  slug: "pushed-names",
  title: "every label name that was pushed is listed",
  clauses: ["logs-4.labels"],
  async run(t) {
    const dataset = await t.use(labelled);
    const wanted = [RUN_LABEL, SET_LABEL, ...NAMES];
    const { differences, sightings } = await readList(
      t,
      dataset,
      "logs-4.labels",
      () => t.logs.labels(),
      (list) => [
        ...wanted
          .filter((name) => !list.includes(name))
          .map((name): Difference => ({ clause: "logs-4.labels", path: "data", expected: `${name} among the names`, actual: show(list) })),
        ...[t.run.runId]
          .filter((value) => list.includes(value))
          .map((value): Difference => ({
            clause: "logs-4.labels",
            path: "data",
            expected: "names only",
            actual: `the value ${show(value)}`,
          })),
      ],
    );
    t.judge("logs-4.labels", differences, { sightings });
  },
});

function listed(name: string, values: readonly string[], list: readonly string[]): Difference[] {
  return values
    .filter((value) => !list.includes(value))
    .map((value) => ({
      clause: "logs-4.label-values",
      path: `data (values of ${name})`,
      expected: `${show(value)} among the values`,
      actual: show(list),
    }));
}

const values = logsCheck({
  slug: "pushed-values",
  title: "every value that was pushed is listed under its label",
  clauses: ["logs-4.label-values"],
  async run(t) {
    const dataset = await t.use(labelled);
    const asked = t.settings.profile === "smoke" ? NAMES.slice(0, 1) : NAMES;
    for (const name of asked) await judgeValues(t, dataset, name, (list) => listed(name, valuesFor(t, name), list));
    await judgeValues(t, dataset, RUN_LABEL, (list) => listed(RUN_LABEL, [t.run.runId], list));
  },
});

async function judgeValues(
  t: CheckContext,
  dataset: Dataset,
  name: string,
  judge: (list: readonly string[]) => readonly Difference[],
  override?: LogsOverride,
): Promise<void> {
  const { differences, sightings } = await readList(t, dataset, "logs-4.label-values", () => t.logs.labelValues(name, override), judge);
  t.judge("logs-4.label-values", differences, { sightings, exchanges: t.exchanges.slice(-1) });
}

const ownOnly = logsCheck({
  slug: "own-values-only",
  title: "the values of a label are of that label, not of one whose name begins or ends alike",
  clauses: ["logs-4.label-values"],
  profiles: ["release", "nightly"],
  async run(t) {
    const dataset = await t.use(labelled);
    for (const name of NAMES) {
      const lines = dataset.streams.flatMap(({ entries }) => entries.map(({ line }) => line));
      const foreign = new Set([...NAMES.filter((other) => other !== name).flatMap((other) => valuesFor(t, other)), t.run.runId, ...lines]);
      await judgeValues(t, dataset, name, (list) =>
        list
          .filter((value) => foreign.has(value))
          .map((value) => ({
            clause: "logs-4.label-values",
            path: `data (values of ${name})`,
            expected: `only values of ${name}`,
            actual: `${show(value)}, which is another label's`,
          })),
      );
    }
  },
});

const manyValues = logsCheck({
  slug: "many-values",
  title: "all of many values that were pushed are listed",
  clauses: ["logs-4.label-values"],
  profiles: ["release", "nightly"],
  async run(t) {
    const dataset = await t.use(many);
    const pushed = dataset.streams.map(({ labels }) => labels[MANY_LABEL] ?? "");
    await judgeValues(t, dataset, MANY_LABEL, (list) => listed(MANY_LABEL, pushed, list).slice(0, 1));
  },
});

const unusedName = logsCheck({
  slug: "unused-name",
  title: "a label that nobody used does not have the values of other labels",
  clauses: ["logs-4.label-values"],
  profiles: ["release", "nightly"],
  async run(t) {
    const dataset = await t.use(labelled);
    const foreign = new Set([...NAMES.flatMap((name) => valuesFor(t, name)), t.run.runId, dataset.name]);
    const exchange = await t.logs.labelValues("plumbline_unused");
    // Refused, or a list that is absent, null or empty: which of them is not stated.
    const data = isSuccess(exchange) ? member(jsonOf(exchange), "data") : undefined;
    const wrong = Array.isArray(data) ? data.find((value) => typeof value === "string" && foreign.has(value)) : undefined;
    t.judge(
      "logs-4.label-values",
      wrong === undefined
        ? []
        : [
            {
              clause: "logs-4.label-values",
              path: "data (values of plumbline_unused)",
              expected: "no value that was pushed under another label",
              actual: show(wrong),
            },
          ],
    );
  },
});

const laterValues = logsCheck({
  slug: "later-values",
  title: "a value that is pushed after the values were read is in the next list",
  clauses: ["logs-4.label-values"],
  profiles: ["release", "nightly"],
  async run(t) {
    await t.use(labelled);
    await t.logs.labelValues(SET_LABEL);
    const name = `later-${t.run.unique()}`;
    const dataset = await visible(t, await store(t, name, { pushes: [[{ labels: {}, entries: [{ offset: 1n, line: "later" }] }]] }));
    await judgeValues(t, dataset, SET_LABEL, (list) => listed(SET_LABEL, [dataset.name], list));
  },
});

const shortValues = logsCheck({
  slug: "short-values",
  title: "values that look like numbers or hold commas and braces are listed as they were pushed",
  clauses: ["logs-4.label-values"],
  profiles: ["release", "nightly"],
  async run(t) {
    await judgeValues(t, await t.use(words), "svc_colour", (list) => listed("svc_colour", COLOURS, list));
  },
});

export const LABEL_CHECKS: readonly Check[] = [names, values, ownOnly, manyValues, unusedName, laterValues, shortValues];
