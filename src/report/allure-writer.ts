/** Writes the files that Allure reads. The library waits for the disk after each file, which may take longer than the checks. */
import { createHash } from "node:crypto";
import { linkSync, writeFileSync } from "node:fs";
import { extname, join } from "node:path";
import type { TestResult } from "allure-js-commons";
import { FileSystemWriter } from "allure-js-commons/sdk/reporter";

/** Writes each attachment once. Allure loads a file for one attachment only, so each further file is a hard link. */
export class AllureWriter extends FileSystemWriter {
  readonly #resultsDir: string;
  readonly #firstByContent = new Map<string, string>();

  constructor(resultsDir: string) {
    super({ resultsDir });
    this.#resultsDir = resultsDir;
  }

  override writeAttachment(name: string, content: Buffer): void {
    const key = `${extname(name)} ${createHash("sha1").update(content).digest("base64")}`;
    const first = this.#firstByContent.get(key);
    const path = join(this.#resultsDir, name);
    if (first === undefined) this.#firstByContent.set(key, path);
    else if (isLinked(first, path)) return;
    writeFileSync(path, content);
  }

  override writeResult(result: TestResult): void {
    writeFileSync(join(this.#resultsDir, `${result.uuid}-result.json`), JSON.stringify(result));
  }
}

/** Makes `path` a hard link to a file. Returns whether the file system can make hard links. */
function isLinked(file: string, path: string): boolean {
  try {
    linkSync(file, path);
    return true;
  } catch {
    return false;
  }
}
