/** Section 2 for what is long: lines, label names and label values, as long as the target takes them. */
import type { ClauseId } from "../../src/contract/catalogue.ts";
import type { Check } from "../../src/harness/check.ts";
import type { CheckContext } from "../../src/harness/context.ts";
import { found } from "../../src/harness/finding.ts";
import type { Fixture } from "../../src/harness/scope.ts";
import type { LineFilter } from "../../src/model/logs.ts";
import { READ_BACK_CLAUSES } from "../../src/model/log-answer.ts";
import { EVERYTHING, metricCut } from "../../src/world/logs/cutting.ts";
import { phrasing } from "../../src/world/logs/expressions.ts";
import type { Laddered } from "../../src/world/logs/laddered.ts";
import { namesListed, valuesListed } from "../../src/world/logs/lists.ts";
import { acrossBorders, LAST_WORD, longLabels, longLines, longValuesOf, manyLabels } from "../../src/world/logs/long-sets.ts";
import { answeredFrom } from "../../src/world/logs/looks.ts";
import { metricTrial } from "../../src/world/logs/metrics.ts";
import { selection } from "../../src/world/logs/range-query.ts";
import { useful } from "../../src/world/logs/reading.ts";
import { logsCheck } from "./check.ts";

/** Characters of a filter's text: more than a text is given room for where it is kept carelessly, and few enough for a URL. */
const LONG_TEXT = 1_300;
const IN_NO_LINE = " qz";

const REFUSED =
  "the target refuses even the shortest long line or label of this check; the document does not say which lengths a service must accept";

function longCheck(
  spec: { readonly slug: string; readonly title: string; readonly clauses: readonly [ClauseId, ...ClauseId[]] },
  set: Fixture<Laddered | null>,
  run: (t: CheckContext, taken: Laddered) => Promise<void>,
): Check {
  return logsCheck({
    ...spec,
    profiles: ["release", "nightly"],
    async run(t) {
      const taken = await t.use(set);
      if (taken === null) return t.notRun(REFUSED);
      await run(t, taken);
    },
  });
}

const lines = longCheck(
  { slug: "long-lines", title: "long lines are returned byte for byte, if they are accepted", clauses: READ_BACK_CLAUSES },
  longLines,
  async (t, { finding }) => void (await t.verify(found(finding.clauses, finding.differences, finding))),
);

const filters = longCheck(
  { slug: "long-lines", title: "line filters search the whole of a long line", clauses: ["logs-4.3"] },
  longLines,
  async (t, taken) => {
    const dataset = useful(taken);
    const phrased = await t.use(phrasing);
    for (const operator of ["|=", "!="] as const) await t.verify(selection(dataset, { filters: [{ operator, text: LAST_WORD }] }));
    const longest =
      dataset.streams.flatMap(({ entries }) => entries.map(({ line }) => line)).toSorted((one, other) => other.length - one.length)[0] ??
      "";
    await t.verify(selection(dataset, { filters: acrossBorders(longest).map((text) => ({ operator: "|=", text })) }));
    // No line holds the end of it.
    const longText: readonly LineFilter[] = [{ operator: "|=", text: `${longest.slice(0, LONG_TEXT)}${IN_NO_LINE}` }];
    if ((await t.probe(answeredFrom(dataset, 0n, { filters: longText }))).seen !== null)
      await t.verify(selection(dataset, { filters: longText }));
    // An expression may be searched for as text, or be tried on the line.
    await t.verify(selection(dataset, { filters: [{ operator: "|~", text: `.* ${LAST_WORD}` }] }));
    for (const operator of ["|~", "!~"] as const)
      await t.verify(selection(dataset, { filters: phrased([{ operator, text: LAST_WORD.replace("w", "[v-x]") }]) }));
  },
);

const metrics = longCheck(
  { slug: "long-lines", title: "metric queries count all bytes of long lines", clauses: ["logs-4.query"] },
  longLines,
  async (t, taken) => {
    const dataset = useful(taken);
    for (const metric of ["count_over_time", "bytes_over_time"] as const)
      await t.verify(metricTrial(dataset, metricCut(dataset, EVERYTHING, { metric, by: [], matchers: [], filters: [] })));
  },
);

const labels = longCheck(
  {
    slug: "long-labels",
    title: "long label names and values are returned unchanged, if they are accepted",
    clauses: READ_BACK_CLAUSES,
  },
  longLabels,
  async (t, { finding }) => void (await t.verify(found(finding.clauses, finding.differences, finding))),
);

const many = longCheck(
  { slug: "many-labels", title: "all labels of a stream with many labels are returned, if they are accepted", clauses: READ_BACK_CLAUSES },
  manyLabels,
  async (t, { finding }) => void (await t.verify(found(finding.clauses, finding.differences, finding))),
);

const matchers = longCheck(
  { slug: "long-values", title: "matchers compare the whole of a long label value", clauses: ["logs-4.matchers"] },
  longLabels,
  async (t, taken) => {
    const [value = ""] = longValuesOf(t.runId, taken.size);
    for (const operator of ["=", "!=", "=~", "!~"] as const)
      await t.verify(selection(useful(taken), { matchers: [{ name: "svc_colour", operator, value }] }));
  },
);

const values = longCheck(
  { slug: "long-values", title: "long label values are listed completely", clauses: ["logs-4.label-values"] },
  longLabels,
  async (t, taken) => void (await t.verify(valuesListed(useful(taken), "svc_colour"))),
);

const names = longCheck(
  { slug: "many-names", title: "long label names are listed, also if a stream has more than twelve labels", clauses: ["logs-4.labels"] },
  longLabels,
  async (t, taken) => {
    await t.verify(namesListed(useful(taken), [t.runId]));
  },
);

export const LONG_CHECKS: readonly Check[] = [lines, filters, metrics, labels, many, matchers, values, names];
