/** Registers the checks as vitest tests. The command line and a direct run of vitest both use this file. */
import { inject } from "vitest";
import { ownChecks } from "../src/harness/own-checks.ts";
import { conformance } from "../src/harness/vitest.ts";
import { CHECKS } from "./index.ts";

const { specsDir } = inject("plumbline").settings;

conformance(specsDir === null ? CHECKS : [...CHECKS, ...(await ownChecks(specsDir, CHECKS))]);
