/** `npm run messages`: prints each title and message, with an example where values are put in. Its arguments select kinds. */
import { packageRoot } from "../model/schemas.ts";
import { allMessages } from "./messages.ts";

const kinds = process.argv.slice(2);
for (const { file, line, kind, template, example } of allMessages(packageRoot())) {
  if (kinds.length > 0 && !kinds.includes(kind)) continue;
  process.stdout.write(`${file}:${line} [${kind}]\n  ${template}\n${example === template ? "" : `  for example: ${example}\n`}`);
}
