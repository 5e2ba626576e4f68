/** `npm run demo`: starts a server with a fault, judges it, and prints the path of the report. Ends with 0 if the fault was found. */
import { FAULTS } from "../reference/faults/index.ts";
import { startReference } from "../reference/server.ts";
import { EXIT } from "./command.ts";
import { endWith, surviveLostOutput } from "./exit.ts";
import { run } from "./programme.ts";

const FAULT = "logs-no-matcher-everything";
/** The clause that the fault violates, and two clauses that it does not violate. These clauses need few requests and no waiting. */
const ONLY = "logs-2.2,logs-7.400,logs-4.labels";

async function demo(): Promise<number> {
  const fault = FAULTS.find(({ id }) => id === FAULT);
  if (fault === undefined) throw new Error(`no fault ${FAULT}`);
  const server = await startReference({ behaviours: [fault] });
  try {
    process.stdout.write(`A server with one fault is judged. The fault: ${fault.sentence}\n\n`);
    const settings = { LOGS_BASE_URL: server.url, PROFILE: "smoke", REPORTS_DIR: "reports/demo" };
    const summary = await run(settings, { only: ONLY, onText: (text) => process.stdout.write(text) });
    const found = summary.clauses.some(({ id, verdict }) => id === fault.clause && verdict === "fail");
    process.stdout.write(found ? `\nThe fault was found: open the report above in a browser.\n` : "\nThe fault was not found.\n");
    return found ? EXIT.ok : EXIT.inconclusive;
  } finally {
    await server.close();
  }
}

surviveLostOutput();
await endWith(await demo());
