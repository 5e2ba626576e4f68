/** Reads of several tenants that tell their streams apart: those of each come under a label with its tenant. */
import type { TenantPathsBehaviour } from "./tenant-paths.ts";
import type { LabelledEntries } from "./types.ts";

type Selected = readonly (readonly LabelledEntries[])[];

/** `changed` is what becomes of the streams of each tenant before they are joined, on a way to read. */
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
