/** Every legal difference. */
import type { Variant } from "./types.ts";

export const VARIANTS: readonly Variant[] = [
  {
    id: "create-200",
    sentence: "A create answers 200 instead of 201.",
    why: "the success status of create is not shown",
    change: (base) => ({
      instanceReply: (body, headers, context) => ({ ...base.instanceReply(body, headers, context), status: 200 }),
    }),
  },
];
