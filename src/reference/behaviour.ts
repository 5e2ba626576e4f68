/**
 * Everything about the server that its developer could have got wrong, as one record of small functions. The server calls
 * them at the points their descriptions name; a fault or a variant is a value that replaces some of them.
 */
import { ADMIN_BASE, type AdminBehaviour } from "./admin/base.ts";
import type { AdminState } from "./admin/state.ts";
import { HTTP_BASE, type HttpBehaviour } from "./http/base.ts";
import { LOGS_BASE, type LogsBehaviour } from "./logs/base.ts";
import type { LogStore } from "./logs/store.ts";
import type { ResolvedOptions } from "./options.ts";

export interface Behaviour extends HttpBehaviour, AdminBehaviour, LogsBehaviour {}

/** The documents, kept to the letter. */
export const BASE: Behaviour = { ...HTTP_BASE, ...ADMIN_BASE, ...LOGS_BASE };

/** What a change may look at besides the arguments of the functions it replaces. */
export interface ServerHandle {
  readonly options: ResolvedOptions;
  readonly instances: AdminState;
  readonly logs: LogStore;
}

export interface BehaviourChange {
  readonly id: string;
  /** Called once per server start with what it changes, so that it may keep state of its own. */
  readonly change: (base: Behaviour, server: ServerHandle) => Partial<Behaviour>;
}

/** The base with all changes made, each on top of those before it. */
export function changedBehaviour(changes: readonly BehaviourChange[], server: ServerHandle): Behaviour {
  return changes.reduce<Behaviour>((behaviour, { change }) => ({ ...behaviour, ...change(behaviour, server) }), BASE);
}
