/** Four projects: `unit`, `processes` and `timed`, the project's own tests, and `conformance`, which judges the configured target. */
import { defineConfig } from "vitest/config";

/** A file for the machine-readable results, where a script wants to count them. */
const jsonFile = process.env["TEST_RESULTS_JSON"];

/** Tests that start processes. They begin when the other tests have ended, because each process takes a processor. */
const PROCESSES = ["src/cli/**/*.test.ts"];

/** Tests that hold something to a time of its own. They run one at a time, because a neighbour could make them late. */
const TIMED = ["src/client/transport.test.ts", "src/reference/load.test.ts", "src/harness/settle.test.ts", "src/model/schemas.test.ts"];

/** Far longer than any test takes: on a busy machine a test may be slow, but it must not be wrong. */
const OWN_TESTS = { testTimeout: 600_000, hookTimeout: 600_000 };

export default defineConfig({
  test: {
    // Test files keep no state in modules that another could trip over.
    isolate: false,
    pool: "threads",
    reporters: jsonFile === undefined ? ["default"] : ["default", ["json", { outputFile: jsonFile }]],
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: ["src/**/*.test.ts", "specs/**/*.test.ts"],
          exclude: [...PROCESSES, ...TIMED],
          maxWorkers: "100%",
          sequence: { groupOrder: 0 },
          ...OWN_TESTS,
        },
      },
      {
        extends: true,
        test: {
          name: "processes",
          include: PROCESSES,
          maxWorkers: "100%",
          sequence: { groupOrder: 1 },
          ...OWN_TESTS,
        },
      },
      {
        extends: true,
        test: {
          name: "timed",
          include: TIMED,
          maxWorkers: 1,
          sequence: { groupOrder: 2 },
          ...OWN_TESTS,
        },
      },
      {
        extends: true,
        test: {
          name: "conformance",
          include: ["specs/conformance.spec.ts"],
          // The specs of an installed package lie in node_modules.
          exclude: [],
          globalSetup: ["src/cli/vitest-setup.ts"],
          setupFiles: ["allure-vitest/setup"],
          // A run has budgets of its own, and its tests wait for each other.
          testTimeout: 0,
          hookTimeout: 0,
          maxConcurrency: Number.MAX_SAFE_INTEGER,
          // vitest puts a BASE_URL of its own, "/", into the environment once this file is read.
          provide: { plumblineEnvironment: { BASE_URL: process.env["BASE_URL"] ?? null } },
        },
      },
    ],
  },
});
