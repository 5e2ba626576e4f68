/** Section 2, Limits object, and section 4 rules 1 and 3: instance histories over the levels of all limits. */
import { LIMIT_NAMES } from "../../src/contract/limits.ts";
import {
  findingsAlone,
  histories,
  keptLimits,
  limitFindings,
  refusedRows,
  unshownRows,
  untriedUpdates,
} from "../../src/histories/limit-findings.ts";
import { acceptedLimits } from "../../src/histories/accepted-limits.ts";
import { leftOverwritten, leftWithLimits, leftWithoutLimits } from "../../src/histories/later-reads.ts";
import { periodsKept } from "../../src/histories/retention.ts";
import { adminCheck } from "./check.ts";

const RETENTION = {
  smoke: ["3650d", "1y"],
  release: ["1d", "17d", "365d", "3650d", "1y", "13y", "280y"],
  // The longest period has more nanoseconds than 63 bits can hold, so a service may refuse it.
  nightly: ["1d", "17d", "30d", "365d", "400d", "3650d", "1y", "2y", "13y", "100y", "280y", "300y"],
};

export const HISTORY_CHECKS = [
  // Sends all levels of all limits in creates, in updates that add limits and in updates that overwrite them.
  adminCheck({
    slug: "histories",
    title: "a create or an update with limits stores each kind of value that it sends, and fills the other limits with the global defaults",
    clauses: [
      "admin-4.3",
      "admin-4.1",
      "admin-4.2",
      "admin-4.PUT-over-limits",
      ...LIMIT_NAMES.map((name) => `admin-2.limit.${name}` as const),
    ],
    async run(t) {
      // These instances are created early, so that most other instances are created and updated after them.
      if (t.profile !== "smoke") await t.use(leftWithoutLimits);
      const run = await t.use(histories);
      if (t.profile !== "smoke") for (const one of [leftWithLimits, leftOverwritten]) await t.use(one);
      const { brokenRows } = await t.use(keptLimits);
      const { refused } = await t.use(acceptedLimits);
      // The check verifies only one removal with a wrong response, because a single wrong response shows the violation.
      const wrong = run.removals.find(({ differences }) => differences.length > 0);
      const removals = wrong === undefined ? run.removals : [wrong];
      for (const finding of [...refusedRows(refused), ...findingsAlone(run), ...removals, ...limitFindings(run, brokenRows)])
        await t.verify(async () => finding);
      await t.verifyRows([...unshownRows(run, refused), ...untriedUpdates(run)]);
      for (const masked of run.refused) await t.verify(() => Promise.reject(masked));
      const seen = { seen: [...run.overLimits].toSorted(), exchanges: run.outcomes.flatMap(({ exchanges }) => exchanges).slice(-1) };
      t.observe("admin-4.4", "put-over-limits", "what happens to the limits that an update with limits does not send", seen);
      if (run.stopped !== null) t.inconclusive(`not all combinations of limit values could be judged: ${run.stopped}`);
    },
  }),
  adminCheck({
    slug: "read-back",
    title: "a retention period in days or years is accepted, and reads show a period of the same length",
    clauses: ["admin-2.retention-format"],
    run: async (t) => t.verify(periodsKept(t.pick(RETENTION))),
  }),
];
