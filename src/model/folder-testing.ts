/** Makes folders for tests. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/**
 * Returns a folder without `.env`, so that a developer's settings do not affect tests. The folder is removed when the test ends.
 * Concurrent tests pass their own `onTestFinished`, because vitest's global function does not distinguish concurrent tests.
 */
export function emptyFolder(finished: (clean: () => void) => void = onTestFinished): string {
  const folder = mkdtempSync(join(tmpdir(), "plumbline-test-"));
  finished(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}
