/** Each way to read resolves the tenants of a request by itself; what several tenants hold is joined. */
import { insertInOrder } from "./store.ts";
import type { Entry, LabelledEntries } from "./types.ts";

/** The tenants to read out of those that were asked for; `known` are all that ever pushed, the first to do so first. */
export type ResolveTenants = (asked: readonly string[], known: readonly string[]) => readonly string[];

export interface TenantPathsBehaviour {
  readonly rangeTenants: ResolveTenants;
  readonly instantTenants: ResolveTenants;
  readonly namesTenants: ResolveTenants;
  readonly valuesTenants: ResolveTenants;
  /** The selected streams of several tenants, one list for each, as one list. */
  readonly joinTenants: (
    selected: readonly (readonly LabelledEntries[])[],
    identity: (labels: LabelledEntries["labels"]) => string,
  ) => readonly LabelledEntries[];
}

const asAsked: ResolveTenants = (asked) => asked;

/** Streams of the same labels in several tenants become one. */
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
