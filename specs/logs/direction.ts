/** docs/2 section 4 rule 1: the order of entries by direction. */
import type { ClauseId } from "../../src/contract/catalogue.ts";
import type { Check } from "../../src/harness/check.ts";
import { type Difference, show } from "../../src/model/difference.ts";
import { departures, READ_BACK } from "../../src/model/log-answer.ts";
import type { Direction } from "../../src/model/logs.ts";
import { streamsOf } from "./answers.ts";
import { logsCheck } from "./check.ts";
import { wholeQuery } from "./datasets.ts";
import { limitJudge } from "./ranges.ts";
import { judged } from "./reading.ts";
import { several, single } from "./sets.ts";

function directionCheck(slug: string, title: string, asked: Direction | undefined): Check {
  return logsCheck({
    slug,
    title,
    clauses: ["logs-4.1"],
    async run(t) {
      for (const which of t.pick({ smoke: [several], release: [several, single], nightly: [several, single] })) {
        const dataset = await t.use(which);
        for (const limit of t.pick({ smoke: [7], release: [1, 7, dataset.entries], nightly: [1, 7, dataset.entries] })) {
          const effective = asked ?? "backward";
          const { start, end } = dataset;
          const { differences, sightings } = await t.eventually({
            resource: dataset,
            read: () =>
              t.logs.queryRange({ query: wholeQuery(dataset), start, end, limit, ...(asked === undefined ? {} : { direction: asked }) }),
            judge: (exchange) => judged(exchange, limitJudge(dataset, limit, effective)),
          });
          t.judge("logs-4.1", differences, {
            sightings,
            input: { value: { limit, direction: asked ?? "not sent" }, note: dataset.name },
          });
        }
      }
    },
  });
}

const reverse = logsCheck({
  slug: "reverse",
  title: "forward is the exact reverse of backward, and the same query gives the same answer",
  clauses: ["logs-4.1"],
  profiles: ["release", "nightly"],
  async run(t) {
    const dataset = await t.use(single);
    const asked = { query: wholeQuery(dataset), start: dataset.start, end: dataset.end, limit: 1_000 };
    const sequence = async (parameters: { readonly direction?: Direction }): Promise<string[] | null> => {
      const exchange = await t.logs.queryRange({ ...asked, ...parameters });
      const { streams, differences } = streamsOf(exchange);
      const incomplete =
        streams === null ? differences : departures(dataset.streams, streams, { ...READ_BACK, lost: "logs-4.query_range" });
      if (incomplete.length > 0) {
        t.judge([], incomplete, { exchanges: [exchange] });
        return t.inconclusive("precondition: not every answer holds the whole set (see logs-4.query_range)");
      }
      // The set is one stream; where a server splits it, each part is in order and the parts are compared by themselves.
      return streams?.length === 1 ? (streams[0]?.entries ?? []).map(({ ts, line }) => `${ts} ${line}`) : null;
    };
    const [forward, backward, byDefault, again] = [
      await sequence({ direction: "forward" }),
      await sequence({ direction: "backward" }),
      await sequence({}),
      await sequence({ direction: "backward" }),
    ];
    if (forward === null || backward === null || byDefault === null || again === null)
      return t.notRun("this target splits one pushed stream into several result objects, among which no order is stated");
    t.judge("logs-4.1", [
      ...sameSequence("forward against backward reversed", backward.toReversed(), forward),
      ...sameSequence("no direction against backward", backward, byDefault),
      ...sameSequence("the same query once more", backward, again),
    ]);
  },
});

function sameSequence(path: string, expected: readonly string[], actual: readonly string[]): Difference[] {
  const at = expected.findIndex((entry, index) => entry !== actual[index]);
  if (at === -1 && expected.length === actual.length) return [];
  const clause: ClauseId = "logs-4.1";
  return [
    {
      clause,
      path,
      expected: `${expected.length} entries, number ${at + 1} ${show(expected[at])}`,
      actual: `${actual.length} entries, number ${at + 1} ${show(actual[at])}`,
    },
  ];
}

export const DIRECTION_CHECKS: readonly Check[] = [
  directionCheck("default-direction", "without direction the most recent entries come first", undefined),
  directionCheck("backward", "direction=backward: the most recent entries come first", "backward"),
  directionCheck("forward", "direction=forward: the oldest entries come first", "forward"),
  reverse,
];
