/** Finds the tenants of a request, with a separate function for each kind of read. Joins the data of several tenants. */
import { insertInOrder } from "./store.ts";
import type { Entry, LabelledEntries } from "./types.ts";

/** Returns the tenants to read for the requested tenants. `known` has all tenants that have pushed, in the order of their first push. */
export type ResolveTenants = (asked: readonly string[], known: readonly string[]) => readonly string[];

export interface TenantPathsBehaviour {
  readonly rangeTenants: ResolveTenants;
  readonly instantTenants: ResolveTenants;
  readonly namesTenants: ResolveTenants;
  readonly valuesTenants: ResolveTenants;
  /** Joins the selected streams of several tenants. `selected` has a list for each tenant. */
  readonly joinTenants: (
    selected: readonly (readonly LabelledEntries[])[],
    identity: (labels: LabelledEntries["labels"]) => string,
  ) => readonly LabelledEntries[];
}

const asAsked: ResolveTenants = (asked) => asked;

/** Merges the streams of several tenants that have the same labels. */
function joinTenants(
  selected: readonly (readonly LabelledEntries[])[],
  identity: (labels: LabelledEntries["labels"]) => string,
): readonly LabelledEntries[] {
  const joined = new Map<string, LabelledEntries & { readonly entries: Entry[] }>();
  for (const stream of selected.flat()) {
    const key = identity(stream.labels);
    const known = joined.get(key);
    if (known === undefined) joined.set(key, { labels: stream.labels, entries: [...stream.entries] });
    else for (const entry of stream.entries) insertInOrder(known.entries, entry);
  }
  return [...joined.values()];
}

export const TENANT_PATHS_BASE: TenantPathsBehaviour = {
  rangeTenants: asAsked,
  instantTenants: asAsked,
  namesTenants: asAsked,
  valuesTenants: asAsked,
  joinTenants,
};
