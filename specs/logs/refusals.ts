/** Section 2 rule 2, section 4 rule 2 and section 7: what gets a 400, each beside a valid request that does not. */
import type { Check } from "../../src/harness/check.ts";
import { hello } from "../../src/world/logs/gate.ts";
import { stored } from "../../src/world/logs/datasets.ts";
import { refused, taken } from "../../src/world/logs/refusing.ts";
import { stillAnswered } from "../../src/world/logs/still-answered.ts";
import { logsCheck } from "./check.ts";
import { POSITION_REFUSALS } from "./invalid-positions.ts";
import { type Refusal, REFUSALS } from "./invalid-queries.ts";

function refusalCheck(refusal: Refusal): Check {
  const { slug, title, clause, endpoint, profiles } = refusal;
  return logsCheck({
    slug,
    title: `${endpoint} answers 400 to ${title}`,
    clauses: [clause],
    ...(profiles === undefined ? {} : { profiles }),
    async run(t) {
      const dataset = stored(await t.use(hello));
      if (refusal.undocumented === true && !(await t.probe(taken(dataset, refusal))).seen)
        return t.notRun("the target also refuses the valid query, which is of a kind that the documents do not name");
      await t.verify(refused(dataset, refusal));
    },
  });
}

/** Beside those that are refused, and early: where valid queries are refused, too, a run may not come to much else. */
const answeredStill = logsCheck({
  slug: "still-answered",
  title: "a valid query is not refused after invalid queries were refused",
  clauses: ["logs-4.query_range"],
  profiles: ["release", "nightly"],
  async run(t) {
    await t.verify(stillAnswered(stored(await t.use(hello))));
  },
});

export const REFUSAL_CHECKS: readonly Check[] = [answeredStill, ...[...REFUSALS, ...POSITION_REFUSALS].map(refusalCheck)];
