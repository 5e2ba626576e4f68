/** How long after their push labels are surely in the lists of labels. */
import type { CheckContext } from "../../src/harness/context.ts";
import type { Dataset } from "../../src/world/logs/datasets.ts";

/** Lists of labels may look back a while only, which is not stated; what is younger than this is in each of them, ms. */
const LISTED_MS = 240_000;

/** Whether the labels of a set must be in the lists. */
export function isListed({ lastWriteAt }: Dataset): boolean {
  return performance.now() - lastWriteAt < LISTED_MS;
}

export function notListed(t: CheckContext): never {
  t.notRun("the labels were pushed minutes ago; the document does not say how far back label lists look");
}
