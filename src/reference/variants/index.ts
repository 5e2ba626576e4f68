import type { Variant } from "./types.ts";

export const VARIANTS: readonly Variant[] = [];
