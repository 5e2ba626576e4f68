/**
 * Writes the files that Allure reads. The writer of the library waits for the disk after each file, and writes an exchange once for each
 * check that uses it as evidence. With hundreds of results and a slow disk, this takes longer than the checks.
 */
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { extname, join } from "node:path";
import type { StepResult, TestResult } from "allure-js-commons";
import { FileSystemWriter } from "allure-js-commons/sdk/reporter";

/** The step of an attachment has no steps, although its type says so. */
type Attaching = Pick<StepResult, "attachments"> & { readonly steps?: readonly Attaching[] };

function withSteps(one: Attaching): Attaching[] {
  return [one, ...(one.steps ?? []).flatMap(withSteps)];
}

/** Writes each attachment once, even if several results show it. */
export class AllureWriter extends FileSystemWriter {
  readonly #resultsDir: string;
  readonly #firstByContent = new Map<string, string>();
  /** The name of the file that has the content of the attachment. */
  readonly #firstOf = new Map<string, string>();

  constructor(resultsDir: string) {
    super({ resultsDir });
    this.#resultsDir = resultsDir;
  }

  override writeAttachment(name: string, content: Buffer): void {
    const key = `${extname(name)} ${createHash("sha1").update(content).digest("base64")}`;
    const first = this.#firstByContent.get(key) ?? name;
    this.#firstOf.set(name, first);
    if (first !== name) return;
    this.#firstByContent.set(key, name);
    writeFileSync(join(this.#resultsDir, name), content);
  }

  /** Is called after the attachments of the result were written. */
  override writeResult(result: TestResult): void {
    for (const { attachments } of withSteps(result))
      for (const attachment of attachments) attachment.source = this.#firstOf.get(attachment.source) ?? attachment.source;
    writeFileSync(join(this.#resultsDir, `${result.uuid}-result.json`), JSON.stringify(result));
  }
}
