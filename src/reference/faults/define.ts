/** How a fault is written down. */
import type { Behaviour, ServerHandle } from "../behaviour.ts";
import type { Fault } from "./types.ts";

/** What a fault may say beyond the essentials. */
export type FaultDetails = Pick<Fault, "also" | "options" | "settings" | "expectedDefaults" | "settleMs" | "needs">;

/** A fault that replaces some functions of what it is laid upon. */
export function fault(
  clause: string,
  id: string,
  sentence: string,
  change: (base: Behaviour, server: ServerHandle) => Partial<Behaviour>,
  details: FaultDetails = {},
): Fault {
  return { id, clause, sentence, change, ...details };
}
