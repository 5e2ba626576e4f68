/** Writes the peak memory in kB of the process that loads this file into the file that BENCH_PEAK_FILE names. */
import { writeFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

const file = process.env["BENCH_PEAK_FILE"];
if (isMainThread && file !== undefined) {
  process.once("exit", () => {
    writeFileSync(file, String(process.resourceUsage().maxRSS));
  });
}
