/** Streams with many labels, whose names are prefixes of each other, differ in case or are words that mean something elsewhere; each value is the run's own. */
import { LABEL_VALUE_BYTES, type RelativeStream } from "../../arbitraries/streams.ts";
import { type Fixture, fixture } from "../../harness/scope.ts";
import { type Dataset, store } from "./datasets.ts";
import { hello } from "./gate.ts";
import { visible } from "./reading.ts";

/** Those that begin with something else than a small letter, hold more than letters, or hold a word of a path or of the query language. */
export const ODD_NAMES = ["Svc_a", "_svc", "labels_0", "svc_values", "count"] as const;
/** With the two that every stream of a run has they are ten, as many as are taken everywhere. */
export const NAMES = ["svc_a", "svc_ab", "svc_abc", ...ODD_NAMES] as const;

/** Of these names the one that no other set has. */
const OWN_NAME: (typeof NAMES)[number] = "svc_values";

/** Of all names that a run pushes, the last in the order of the alphabet. */
const LAST_NAME = "zone";

/** The values of one of these labels in a run. */
export function valuesFor(runId: string, name: string): string[] {
  const own = `${name}:${runId}`;
  // The last but one differ from the first in case and in a blank only.
  return [`${own}:one`, `${own}:"two", \\ {größe}`, `${own}:ONE`, `${own}:one `, `${own}:`.padEnd(LABEL_VALUE_BYTES, "v")];
}

export const labelled: Fixture<Dataset> = fixture("logs", "streams with many labels", async (scope) => {
  // What is known of a label before anything was pushed under it says nothing of later.
  await scope.use(hello);
  await scope.logs.probe("label names before all are pushed", "labels", {});
  await scope.logs.probe("values of a label before they are pushed", `label/${OWN_NAME}/values`, {});
  const streams = [0, 1, 2, 3, 4].map((which): RelativeStream => ({
    labels: Object.fromEntries(NAMES.map((name) => [name, valuesFor(scope.run.runId, name)[which] ?? ""])),
    entries: [{ offset: BigInt(which + 1) * 1_000_000_000n, line: `labelled ${which}` }],
  }));
  const last: RelativeStream = {
    labels: { [LAST_NAME]: `${scope.run.runId}:last` },
    entries: [{ offset: 6_000_000_000n, line: "labelled last" }],
  };
  return visible(scope, await store(scope, "labels", { pushes: [[...streams, last]] }, undefined, "young"));
});
