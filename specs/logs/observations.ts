/** These checks record behaviour about which the log document is silent. No such check judges this behaviour. */
import type { Check } from "../../src/harness/check.ts";
import { stored } from "../../src/datasets/datasets.ts";
import { hello } from "../../src/datasets/first-push.ts";
import {
  addedLabels,
  appearance,
  edgeOf,
  emptyLineAlone,
  envelope,
  lateWrite,
  malformedPush,
  ODD_RANGES,
  oddAnswer,
  pastLabels,
  pushAnswer,
  twice,
  withoutTenant,
} from "../../src/queries/observations.ts";
import { hourBoundaryData } from "../../src/datasets/hour-boundary-data.ts";
import { several } from "../../src/datasets/shared-datasets.ts";
import { largerCheck, logsCheck, observed } from "./check.ts";

const push = logsCheck({
  slug: "push",
  title: "how the service answers a push, and how label endpoints use a time range",
  clauses: ["logs-4.5"],
  async run(t) {
    const dataset = await t.use(hello);
    t.observe("logs-4.5", "push-status", "the status and the body of the response to a successful push", pushAnswer(dataset));
    if (t.profile === "smoke") return;
    const what = "whether the list of labels is empty for a window without entries";
    t.observe("logs-4.5", "labels-range", what, await t.probe(pastLabels(dataset)));
  },
});

const envelopes = logsCheck({
  slug: "envelope",
  title: "which fields the response envelope has, and which labels the service adds to pushed labels",
  clauses: ["logs-2.3"],
  async run(t) {
    const dataset = stored(await t.use(hello));
    t.observe("logs-2.3", "range", "fields of the response to a range query", await t.probe(envelope(dataset)));
    t.observe("logs-2.3", "added-labels", "labels that the client did not push", await t.probe(addedLabels(dataset)));
    t.observe("logs-2.3", "visibility", "the time until a pushed entry can be read", await t.probe(appearance));
  },
});

const errors = largerCheck({
  slug: "bodies",
  title: "how the log API answers invalid or unusual requests",
  clauses: ["logs-7.bodies"],
  async run(t) {
    const dataset = stored(await t.use(hello));
    for (const odd of ODD_RANGES)
      t.observe("logs-7.bodies", odd.slug, `the response to ${odd.title}`, await t.probe(oddAnswer(dataset, odd)));
    t.observe("logs-7.bodies", "malformed-push", "the response to a malformed push", await t.probe(malformedPush));
    if (t.logsTarget.tenantId !== null)
      t.observe("logs-7.bodies", "no-tenant", "status of a request without the tenant header", await t.probe(withoutTenant));
  },
});

const edges = largerCheck({
  slug: "edges",
  title: "whether start and end include an entry at the edge, and how duplicates, out-of-order entries and old entries are stored",
  clauses: ["logs-3.states"],
  async run(t) {
    const dataset = await t.use(several);
    for (const [slug, what, probe] of [
      ["start-inclusive", "whether an entry exactly at start is returned", edgeOf(dataset, "start")],
      ["end-inclusive", "whether an entry exactly at end is returned", edgeOf(dataset, "end")],
      ["duplicate", "how often an entry that was pushed twice is returned", twice],
      ["empty-alone", "whether an entry with an empty line is returned if its stream has no other entry", emptyLineAlone],
      ["out-of-order", "status of an out-of-order push", lateWrite],
    ] as const)
      t.observe("logs-3.states", slug, what, await t.probe<unknown>(probe));
    const set = await t.use(hourBoundaryData);
    const seen = set === null ? "no entries from before the last full hour" : (set.refused ?? "entries of all four hours");
    t.observe("logs-3.states", "reach", "how old pushed entries may be, and how old entries can still be read", observed(seen));
  },
});

export const LOGS_OBSERVATIONS: readonly Check[] = [push, envelopes, errors, edges];
