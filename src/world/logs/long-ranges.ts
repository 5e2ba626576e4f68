/** Whether a target takes ranges of hours: how long the range of a metric query may be is not stated. */
import { type Fixture, fixture } from "../../harness/scope.ts";
import { sumText } from "../../model/query-text.ts";
import { hello } from "./gate.ts";
import { takesForm } from "./metrics.ts";

/** As long as windows of a range query usually may be. */
const LONGEST = "1d";

/** Asked once; a target that refuses a day as it refuses what it cannot read is asked for no range of more than an hour. */
export const takesLongRanges: Fixture<boolean> = fixture("logs", "whether ranges of hours are accepted", async (scope) => {
  const { matchers, end } = await scope.use(hello);
  const query = sumText("count_over_time", { matchers, filters: [] }, LONGEST, []);
  return (await takesForm(query, end)(scope)) !== null;
});

/** Why a check of longer ranges does not run. */
export const LONG_RANGES_REFUSED =
  "the target refuses ranges of one day; the document does not say how long the range of a metric query may be";
