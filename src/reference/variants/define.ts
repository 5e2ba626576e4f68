/** Defines the functions that make a variant, and a bundle of several variants. */
import type { Behaviour, ServerHandle } from "../behaviour.ts";
import type { Variant } from "./types.ts";

export type VariantDetails = Pick<Variant, "options" | "settings" | "expectedDefaults" | "settleMs" | "leavesOpen">;

export function variant(
  id: string,
  sentence: string,
  why: string,
  change: (base: Behaviour, server: ServerHandle) => Partial<Behaviour>,
  details: VariantDetails = {},
): Variant {
  return { id, sentence, why, change, ...details };
}

/** Combines several variants in their order, with their options and settings. */
export function bundle(id: string, sentence: string, why: string, parts: readonly Variant[], details: VariantDetails = {}): Variant {
  const options = Object.assign({}, ...parts.map((part) => part.options), details.options) as NonNullable<Variant["options"]>;
  const settings = Object.assign({}, ...parts.map((part) => part.settings), details.settings) as NonNullable<Variant["settings"]>;
  const expectedDefaults = Object.assign({}, ...parts.map((part) => part.expectedDefaults), details.expectedDefaults) as NonNullable<
    Variant["expectedDefaults"]
  >;
  const leavesOpen = parts.flatMap((part) => part.leavesOpen ?? []);
  const settleMs = Math.max(0, ...[...parts, details].map((part) => part.settleMs ?? 0));
  return {
    id,
    sentence,
    why,
    change: (base, server) => parts.reduce<Behaviour>((behaviour, part) => ({ ...behaviour, ...part.change(behaviour, server) }), base),
    options,
    settings,
    ...(Object.keys(expectedDefaults).length === 0 ? {} : { expectedDefaults }),
    ...(leavesOpen.length === 0 ? {} : { leavesOpen }),
    ...(settleMs === 0 ? {} : { settleMs }),
  };
}
