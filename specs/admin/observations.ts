/** These checks record behaviour about which the admin document is silent. No such check judges this behaviour. */
import type { Check } from "../../src/harness/check.ts";
import { acceptedLimits } from "../../src/histories/accepted-limits.ts";
import { filledLimits, shownDefaults } from "../../src/histories/filled-limits.ts";
import { bare, created } from "../../src/histories/instances.ts";
import {
  answerShape,
  duplicateCreate,
  extraLimits,
  incompleteCreate,
  listInstances,
  ODD_UPDATES,
  oddUpdates,
  unknownInstance,
} from "../../src/histories/observations.ts";
import { sameDisplayName } from "../../src/histories/similar-instances.ts";
import { adminCheck, largerCheck } from "./check.ts";

export const ADMIN_OBSERVATIONS: readonly Check[] = [
  adminCheck({
    slug: "create",
    title: "how the service answers a create, and operations that the document does not show",
    clauses: ["admin-4.4"],
    // A create with an existing name may replace the instance. So no check judges the instance afterwards.
    phase: "last",
    async run(t) {
      const instance = created(await t.use(bare));
      const exchanges = [instance.created];
      t.observe("admin-4.4", "create", "the response to a create", { seen: answerShape(instance.created), exchanges });
      if (t.profile === "smoke") return;
      t.observe("admin-4.4", "duplicate-create", "the response to a create with a name in use", await t.probe(duplicateCreate(instance)));
      t.observe("admin-4.4", "list", "status of GET on the collection", await t.probe(listInstances));
    },
  }),
  largerCheck({
    slug: "refusals",
    title: "how the admin API answers invalid requests",
    clauses: ["admin-7.errors"],
    async run(t) {
      t.observe("admin-7.errors", "unknown-instance", "the response to a read of an unknown name", await t.probe(unknownInstance));
      const incomplete = await t.probe((scope) => incompleteCreate(scope, "m"));
      t.observe("admin-7.errors", "missing-display-name", "the response to a create without display_name", {
        seen: answerShape(incomplete.seen),
        exchanges: incomplete.exchanges,
      });
      const { refused, instance } = await t.use(sameDisplayName);
      const answer = refused ?? instance.created;
      t.observe("admin-7.errors", "shared-display-name", "the response to a create with the display name of another instance", {
        seen: answerShape(answer),
        exchanges: [answer],
      });
      const { seen, exchanges } = await t.probe(oddUpdates);
      for (const { slug, title } of ODD_UPDATES)
        t.observe("admin-7.errors", slug, `the response to an update with ${title}`, { seen: seen.get(slug) ?? null, exchanges });
    },
  }),
  adminCheck({
    slug: "defaults",
    title: "which defaults and limits outside the documented table the service shows, and for which limits it refuses ordinary values",
    clauses: ["admin-2.4"],
    async run(t) {
      const filled = await t.use(filledLimits);
      const effective = await t.use(shownDefaults);
      for (const name of ["max_series_per_query", "max_series_per_user"] as const)
        t.observe("admin-2.4", name, `the global default of ${name}`, { seen: effective[name] ?? null, exchanges: [] });
      t.observe("admin-2.4", "extra-limits", "limits outside the documented table", { seen: extraLimits(filled), exchanges: [] });
      const { refused } = await t.use(acceptedLimits);
      const exchanges = [...refused.values()].map(({ exchange }) => exchange);
      t.observe("admin-2.4", "refused-values", "limits for which the target refuses an ordinary value", {
        seen: [...refused.keys()].toSorted(),
        exchanges,
      });
    },
  }),
];
