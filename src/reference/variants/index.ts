/** Lists all variants: variants with a single difference, and bundles that imitate whole deployments. */
import { BUNDLES, SINGLE_VARIANTS } from "./bundles.ts";
import type { Variant } from "./types.ts";

export const VARIANTS: readonly Variant[] = [...SINGLE_VARIANTS, ...BUNDLES];
