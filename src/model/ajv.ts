/** Ajv as the project uses it: draft 2020-12, every strictness on, and `date-time` as RFC 3339 has it. */
import { createRequire } from "node:module";
import type { Ajv2020 } from "ajv/dist/2020.js";
import { parseRfc3339 } from "./timestamp.ts";

/** Loaded when first needed: it takes longer than the rest of the program's start, and `--help` needs none of it. */
const load = (): { readonly Ajv2020: typeof Ajv2020 } =>
  createRequire(import.meta.url)("ajv/dist/2020.js") as { readonly Ajv2020: typeof Ajv2020 };

/** A validator without schemas; its errors hold the constraint that was broken and the value that broke it. */
export function newAjv(): Ajv2020 {
  const { Ajv2020: Validator } = load();
  const formats = { "date-time": (text: string) => parseRfc3339(text) !== null };
  return new Validator({ strict: true, allErrors: true, verbose: true, formats });
}
