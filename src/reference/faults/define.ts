/** Defines the function `fault`, which makes a fault from its clause, id, sentence and changed behaviour. */
import type { Behaviour, ServerHandle } from "../behaviour.ts";
import type { Fault } from "./types.ts";

export type FaultDetails = Pick<Fault, "also" | "options" | "settings" | "expectedDefaults" | "settleMs" | "needs">;

/** Returns a fault that replaces some functions of the base behaviour. */
export function fault(
  clause: string,
  id: string,
  sentence: string,
  change: (base: Behaviour, server: ServerHandle) => Partial<Behaviour>,
  details: FaultDetails = {},
): Fault {
  return { id, clause, sentence, change, ...details };
}
