/** Creates Ajv with the options of this project: draft 2020-12, all strict modes, and `date-time` as defined in RFC 3339. */
import { createRequire } from "node:module";
import type { Ajv2020 } from "ajv/dist/2020.js";
import { parseRfc3339 } from "./times.ts";

/** Ajv is loaded at its first use, because loading Ajv takes long, and commands such as `--help` do not need it. */
const load = (): { readonly Ajv2020: typeof Ajv2020 } =>
  createRequire(import.meta.url)("ajv/dist/2020.js") as { readonly Ajv2020: typeof Ajv2020 };

/** Returns a validator without schemas. Its errors contain the violated constraint and the value. */
export function newAjv(): Ajv2020 {
  const { Ajv2020: Validator } = load();
  const formats = { "date-time": (text: string) => parseRfc3339(text) !== null };
  // A schema is compiled once and validates few values. So fast compilation is more important than fast validation.
  return new Validator({ strict: true, allErrors: true, verbose: true, inlineRefs: false, code: { optimize: false }, formats });
}
