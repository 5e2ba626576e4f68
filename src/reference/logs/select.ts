/** Selects streams of one or several tenants by a selector. */
import type { Behaviour, ServerHandle } from "../behaviour.ts";
import type { LogQuery, Matcher } from "../logql/ast.ts";
import { QUERY_BASE } from "./query.ts";
import type { StoredStream, TenantStore } from "./store.ts";
import type { Entry, LabelledEntries } from "./types.ts";

/** Returns the streams of the tenants that a selector selects. */
export function selectStreams(
  matchers: readonly Matcher[],
  tenants: readonly string[],
  behaviour: Behaviour,
  server: ServerHandle,
): readonly LabelledEntries[] {
  const [only] = tenants;
  if (tenants.length === 1 && only !== undefined) return selected(matchers, server.logs.tenant(only), behaviour);
  return behaviour.joinTenants(
    tenants.map((tenant) => selected(matchers, server.logs.tenant(tenant), behaviour)),
    behaviour.streamIdentity,
  );
}

function selected(matchers: readonly Matcher[], store: TenantStore, behaviour: Behaviour): StoredStream[] {
  const found: StoredStream[] = [];
  for (const stream of candidates(matchers, store, behaviour)) {
    if (matchers.every((matcher) => behaviour.matchStream(matcher, stream.labels))) found.push(stream);
  }
  return found;
}

/**
 * Returns the smallest set of streams that the index has for one of the matchers. It contains all streams that match. The index compares
 * label values as the base behaviour does. If `matchStream` was replaced, all streams are searched.
 */
function candidates(matchers: readonly Matcher[], store: TenantStore, behaviour: Behaviour): Iterable<StoredStream> {
  if (behaviour.matchStream !== QUERY_BASE.matchStream) return store.all();
  const [fewest] = matchers
    .filter(({ operator, value }) => operator === "=" && value !== "")
    .map(({ name, value }) => store.withLabel(name, value))
    .toSorted((one, other) => one.size - other.size);
  return fewest ?? store.all();
}

/** Returns a function that says whether an entry is visible and passes the line filters of the query. */
export function entryTest({ filters }: LogQuery, behaviour: Behaviour, nowMs: number): (entry: Entry) => boolean {
  return (entry) =>
    behaviour.entryVisible(entry, nowMs) && filters.every((filter, index) => behaviour.filterLine(filter, entry.line, index));
}

/** Returns the streams of the tenants that have a visible entry. */
export function visibleStreams(tenants: readonly string[], behaviour: Behaviour, server: ServerHandle): readonly LabelledEntries[] {
  const nowMs = server.options.now();
  return tenants
    .flatMap((tenant) => [...server.logs.tenant(tenant).all()])
    .filter(({ entries }) => entries.some((entry) => behaviour.entryVisible(entry, nowMs)));
}
