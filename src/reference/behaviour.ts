/** Defines behaviour as a record of small functions. A fault or a variant replaces some of these functions. */
import { ADMIN_BASE, type AdminBehaviour } from "./admin/base.ts";
import type { AdminState } from "./admin/state.ts";
import { HTTP_BASE, type HttpBehaviour } from "./http/base.ts";
import type { RateLimit } from "./http/rate-limit.ts";
import { LOGS_BASE, type LogsBehaviour } from "./logs/base.ts";
import type { LogStore } from "./logs/store.ts";

export interface Behaviour extends HttpBehaviour, AdminBehaviour, LogsBehaviour {}

/** The base behaviour, which obeys both documents exactly. */
export const BASE: Behaviour = { ...HTTP_BASE, ...ADMIN_BASE, ...LOGS_BASE };

/** The options of a server that its behaviour uses. All defaults are filled in. */
export interface ResolvedOptions {
  readonly token: string;
  readonly cluster: string | null;
  readonly logsUser: string | null;
  readonly tenancy: boolean;
  readonly authEnforced: boolean;
  readonly latencyMs: number;
  readonly rateLimit: RateLimit | null;
  readonly segment: string;
  readonly refreshMs: number;
  readonly now: () => number;
}

/** The data of a server that a fault or variant may use, in addition to the arguments of the functions that it replaces. */
export interface ServerHandle {
  readonly options: ResolvedOptions;
  readonly instances: AdminState;
  readonly logs: LogStore;
}

export interface BehaviourChange {
  readonly id: string;
  /** Returns the functions that replace those of `base`. Called at each start of a server, so that each server has its own state. */
  readonly change: (base: Behaviour, server: ServerHandle) => Partial<Behaviour>;
}

/** Returns the base behaviour with all changes applied, in the order of the list. */
export function changedBehaviour(changes: readonly BehaviourChange[], server: ServerHandle): Behaviour {
  return changes.reduce<Behaviour>((behaviour, { change }) => ({ ...behaviour, ...change(behaviour, server) }), BASE);
}
