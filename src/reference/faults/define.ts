/** How a fault is written down. */
import type { Behaviour, ServerHandle } from "../behaviour.ts";
import type { Fault } from "./types.ts";

/** What a fault may say beyond the essentials. */
export type FaultDetails = Pick<Fault, "options" | "settings" | "settleMs">;

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

/** A function that is true on its second call, its fourth, and so on. */
export function everySecondTime(): () => boolean {
  let calls = 0;
  return () => {
    calls += 1;
    return calls % 2 === 0;
  };
}

/** For each key, a function that is false the first time and true from then on. */
export function againFor(): (key: string) => boolean {
  const seen = new Set<string>();
  return (key) => {
    if (seen.has(key)) return true;
    seen.add(key);
    return false;
  };
}
