/** `npm run schemas`: writes the generated files below `schemas/`. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../model/schemas.ts";
import { generatedFiles } from "./generated.ts";

for (const [file, text] of generatedFiles()) writeFileSync(join(packageRoot(), "schemas", file), text);
