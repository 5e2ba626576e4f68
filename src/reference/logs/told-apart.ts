/** Makes a server that adds a label with the tenant to the streams of a read of several tenants. */
import type { TenantPathsBehaviour } from "./tenant-paths.ts";
import type { LabelledEntries } from "./types.ts";

type Selected = readonly (readonly LabelledEntries[])[];

/** In a read of several tenants, adds the tenant as a label to each stream. Before that, `changed` may change the streams. */
export function toldApart(
  base: TenantPathsBehaviour,
  changed: (selected: Selected, path: "range" | "instant") => Selected = (selected) => selected,
): Pick<TenantPathsBehaviour, "rangeTenants" | "instantTenants" | "joinTenants"> {
  let path: "range" | "instant" = "range";
  let tenants: readonly string[] = [];
  return {
    rangeTenants: (asked, known) => {
      path = "range";
      tenants = base.rangeTenants(asked, known);
      return tenants;
    },
    instantTenants: (asked, known) => {
      path = "instant";
      tenants = base.instantTenants(asked, known);
      return tenants;
    },
    joinTenants: (selected, identity) => {
      const apart = changed(selected, path).map((streams, tenant) =>
        streams.map(({ labels, entries }) => ({ labels: { ...labels, __tenant_id__: tenants[tenant] ?? "" }, entries })),
      );
      return base.joinTenants(apart, identity);
    },
  };
}
