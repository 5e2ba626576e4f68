/** Defines the functions that make a fault from its clause, id, sentence and changed behaviour. */
import type { Behaviour, ServerHandle } from "../behaviour.ts";
import { changedInput, changedResult, decided, type Given, type Result } from "../change.ts";
import type { Fault } from "./types.ts";

export type FaultDetails = Pick<Fault, "also" | "options" | "settings" | "expectedDefaults" | "settleMs" | "needs">;

/** The clause that a fault violates, alone or with the details of the fault. */
export type Violated = string | (FaultDetails & Pick<Fault, "clause">);

/** Returns a fault that replaces some functions of the base behaviour. */
export function fault(
  violated: Violated,
  id: string,
  sentence: string,
  change: (base: Behaviour, server: ServerHandle) => Partial<Behaviour>,
): Fault {
  return { id, ...(typeof violated === "string" ? { clause: violated } : violated), sentence, change };
}

/** Returns a fault that changes the result of one function of the base behaviour. */
export function wrongResult<Name extends keyof Behaviour>(
  name: Name,
  violated: Violated,
  id: string,
  sentence: string,
  change: (result: Result<Name>, ...given: Given<Name>) => Result<Name>,
): Fault {
  return fault(violated, id, sentence, changedResult(name, change));
}

/** Returns a fault that changes the arguments of one function of the base behaviour. */
export function wrongInput<Name extends keyof Behaviour>(
  name: Name,
  violated: Violated,
  id: string,
  sentence: string,
  change: (...given: Given<Name>) => Given<Name>,
): Fault {
  return fault(violated, id, sentence, changedInput(name, change));
}

/** Returns a fault that replaces one function of the base behaviour wherever `decide` does not return undefined. */
export function wrongDecision<Name extends keyof Behaviour>(
  name: Name,
  violated: Violated,
  id: string,
  sentence: string,
  decide: (...given: Given<Name>) => Result<Name> | undefined,
): Fault {
  return fault(violated, id, sentence, decided(name, decide));
}
