/**
 * Writes the peak memory of a measured process, in kB, into the file that BENCH_PEAK_FILE names, when the process ends. The measured
 * process loads `peak.ts` at its start.
 */
import { writeFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

const file = process.env["BENCH_PEAK_FILE"];
if (isMainThread && file !== undefined) {
  process.once("exit", () => {
    writeFileSync(file, String(process.resourceUsage().maxRSS));
  });
}
