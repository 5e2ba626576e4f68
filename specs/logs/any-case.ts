/** Expressions for any case are judged only where a target shows that it reads them so. */
import type { CheckContext } from "../../src/harness/context.ts";

export function anyCaseUnknown(t: CheckContext): void {
  t.notRun("this target does not show that it reads (?i) as any case; how an expression is written is not shown");
}
