/** The same exchange is evidence for many checks: `allure-results/` holds what was attached once, however often it is shown. */
import { createHash } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { StepResult, TestResult } from "allure-js-commons";

/** The step that stands for an attachment has no steps of its own, though its type says so. */
type Attaching = Pick<StepResult, "attachments"> & { readonly steps?: readonly Attaching[] };

function withSteps(one: Attaching): Attaching[] {
  return [one, ...(one.steps ?? []).flatMap(withSteps)];
}

export class SharedAttachments {
  readonly #resultsDir: string;
  readonly #byContent = new Map<string, string>();

  constructor(resultsDir: string) {
    this.#resultsDir = resultsDir;
  }

  /** To be called before a result is written, when its attachments are: those that hold what an earlier one holds become that one. */
  share(result: TestResult): void {
    for (const { attachments } of withSteps(result))
      for (const attachment of attachments) attachment.source = this.#sourceOf(attachment.source);
  }

  #sourceOf(source: string): string {
    const path = join(this.#resultsDir, source);
    const key = createHash("sha1").update(readFileSync(path)).digest("base64");
    const first = this.#byContent.get(key);
    if (first === undefined) this.#byContent.set(key, source);
    else if (first !== source) rmSync(path);
    return first ?? source;
  }
}
