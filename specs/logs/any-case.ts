/** Expressions for any case are judged only where a target shows that it reads them so. */
import type { CheckContext } from "../../src/harness/context.ts";

export function anyCaseUnknown(t: CheckContext): never {
  t.notRun("the target does not read (?i) as case-insensitive; the document does not show the syntax of regular expressions");
}
