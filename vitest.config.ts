/** Defines four vitest projects. `unit`, `processes` and `timed` are the tests of Plumbline itself. `conformance` judges the target. */
import { defineConfig } from "vitest/config";

/** If this variable is set, vitest also writes its results as JSON to this file, for scripts. */
const jsonFile = process.env["TEST_RESULTS_JSON"];

/** Tests that start processes. They run after the other tests, because each process needs a processor. */
const PROCESSES = ["src/cli/**/*.test.ts"];

/** Tests that measure time. They run one at a time, because a concurrent test could delay them. */
const TIMED = ["src/client/transport.test.ts", "src/reference/load.test.ts", "src/harness/settle.test.ts", "src/model/schemas.test.ts"];

/** Timeouts in ms. They are much longer than any test needs, because tests are slow on a busy machine. */
const OWN_TESTS = { testTimeout: 600_000, hookTimeout: 600_000 };

export default defineConfig({
  test: {
    // No test file depends on the state of a module that another test file has changed.
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
          // In an installed package, the specs are in node_modules, which vitest excludes by default.
          exclude: [],
          globalSetup: ["src/cli/vitest-setup.ts"],
          setupFiles: ["allure-vitest/setup"],
          // No timeout: a run has its own time budget, and its tests wait for each other.
          testTimeout: 0,
          hookTimeout: 0,
          maxConcurrency: Number.MAX_SAFE_INTEGER,
          // After this file is read, vitest sets the environment variable BASE_URL to "/". So its original value is kept here.
          provide: { plumblineEnvironment: { BASE_URL: process.env["BASE_URL"] ?? null } },
        },
      },
    ],
  },
});
