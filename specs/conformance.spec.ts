/** The checks as tests: what vitest runs, started by the command line or by vitest itself. */
import { conformance } from "../src/harness/vitest.ts";
import { CHECKS } from "./index.ts";

conformance(CHECKS);
