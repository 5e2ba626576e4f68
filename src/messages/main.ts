/** `npm run messages`: prints titles and messages with sample values. The arguments select kinds of messages. */
import { packageRoot } from "../model/schemas.ts";
import { allMessages } from "./messages.ts";

const kinds = process.argv.slice(2);
for (const { file, line, kind, template, example } of allMessages(packageRoot())) {
  if (kinds.length > 0 && !kinds.includes(kind)) continue;
  process.stdout.write(`${file}:${line} [${kind}]\n  ${template}\n${example === template ? "" : `  for example: ${example}\n`}`);
}
