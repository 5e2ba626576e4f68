/** Faults of inputs of the admin API that are valid, or may be refused, and that clients send seldom. */
import type { LimitValues } from "../admin/state.ts";
import type { Behaviour, ServerHandle } from "../behaviour.ts";
import { fault } from "./define.ts";
import type { Fault } from "./types.ts";

/** A read of a name is answered with the last instance whose name is `alike`. */
function mistaken(id: string, sentence: string, alike: (asked: string, name: string) => boolean): Fault {
  const change = (base: Behaviour, server: ServerHandle): Partial<Behaviour> => ({
    findInstance: (versions, context) => {
      const found = base.findInstance(versions, context);
      if (context.operation !== "read" || found === undefined) return found;
      return server.instances.all().findLast(({ name }) => alike(context.name, name)) ?? found;
    },
  });
  return fault("admin-2.field.name", id, sentence, change);
}

const NAMES: readonly Fault[] = [
  mistaken("admin-name-underscore-any", "In a read an underscore of a name stands for any character.", (asked, name) =>
    new RegExp(`^${asked.replaceAll(".", "\\.").replaceAll("_", ".")}$`).test(name),
  ),
];

/** Fills a limit that an update does not send with another value where the update sends some others. */
function filledBeside(id: string, sentence: string, third: string, valueOf: (sent: LimitValues) => LimitValues[string] | undefined): Fault {
  return fault("admin-4.3", id, sentence, (base) => ({
    fillLimits: (requested, defaults, context) => {
      const filled = base.fillLimits(requested, defaults, context);
      const value = context.operation === "update" && !(third in requested) ? valueOf(requested) : undefined;
      return filled === undefined || value === undefined ? filled : { ...filled, [third]: value };
    },
  }));
}

const FILLED: readonly Fault[] = [
  filledBeside(
    "admin-adding-rates-make-global",
    "A rate and a burst without a strategy are filled with the strategy `global`.",
    "ingestion_rate_strategy",
    (sent) => ("ingestion_rate" in sent && "ingestion_burst_size" in sent && Object.keys(sent).length === 2 ? "global" : undefined),
  ),
  filledBeside(
    "admin-adding-ha-labels-accept",
    "Both labels of replicas without accept_ha_samples are filled with true.",
    "accept_ha_samples",
    (sent) => ("ha_cluster_label" in sent && "ha_replica_label" in sent && Object.keys(sent).length === 2 ? true : undefined),
  ),
  filledBeside(
    "admin-adding-freshness-from-period",
    "Beside a retention period max_cache_freshness is filled with the period of overrides.",
    "max_cache_freshness",
    (sent) =>
      "compactor_blocks_retention_period" in sent && Object.keys(sent).length === 2 ? sent["per_tenant_override_period"] : undefined,
  ),
];

/** When limits that were removed are shown again, as parts of the time after which a service reads its limits anew. */
const BACK = { from: 0.15, to: 0.9 } as const;

const LATER: readonly Fault[] = [
  fault(
    "admin-4.2",
    "admin-removed-back-until-refresh",
    "Limits that an update removed are shown again some seconds later, until the service reads its limits anew.",
    (base, { options }) => ({
      findInstance: (versions, context) => {
        const found = base.findInstance(versions, context);
        const [before, last] = versions.slice(-2);
        if (found === undefined || found.limits !== undefined || context.operation !== "read" || last === undefined) return found;
        const age = (context.nowMs - last.atMs) / options.refreshMs;
        const { limits } = before?.instance ?? {};
        return limits === undefined || age < BACK.from || age > BACK.to ? found : { ...found, limits };
      },
    }),
    { options: { refreshMs: 500 }, needs: "nightly" },
  ),
];

export const ADMIN_UNTRIED_FAULTS: readonly Fault[] = [...NAMES, ...FILLED, ...LATER];
