/** Assertions about the form of answers, where an answer holds anything at all. */
import { expecting } from "../../harness/expect.ts";
import type { Assertion } from "../../harness/scope.ts";
import { durationText, sumText } from "../../model/query-text.ts";
import { instant } from "./asks.ts";
import type { Dataset } from "./datasets.ts";

/** The form of an instant result over all of a set; an answer without samples shows no form. */
export function sampleShape(dataset: Dataset, by: readonly string[]): Assertion {
  const length = ((dataset.end - dataset.start) / 1_000_000_000n) * 1_000_000_000n;
  return expecting({
    clauses: "logs-2.instant-result",
    of: dataset,
    ask: instant(sumText("count_over_time", { matchers: dataset.matchers, filters: [] }, durationText(length), by), dataset.end),
    expect: (samples) =>
      samples.length > 0
        ? { differences: [], held: ["logs-2.instant-result"] }
        : {
            differences: [
              {
                clause: "logs-4.query",
                path: "data.result",
                expected: `at least one sample, because the query counts ${dataset.entries} pushed entries`,
                actual: "none",
              },
            ],
            held: [],
          },
  });
}
