/** The project's own tests; a conformance run configures vitest by itself. */
import { defineConfig } from "vitest/config";

/** A file for the machine-readable results, where a script wants to count them. */
const jsonFile = process.env["TEST_RESULTS_JSON"];

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "specs/**/*.test.ts"],
    // No test keeps state in a module that another file could trip over.
    isolate: false,
    pool: "threads",
    testTimeout: 30_000,
    hookTimeout: 30_000,
    reporters: jsonFile === undefined ? ["default"] : ["default", ["json", { outputFile: jsonFile }]],
  },
});
