/** `npm run demo`: judges a server with a fault, and opens the report. The exit code is 0 if the run has found the fault. */
import { resolve } from "node:path";
import { FAULTS } from "../reference/faults/index.ts";
import { startReference } from "../reference/server.ts";
import { EXIT } from "./command.ts";
import { endInconclusiveOnCrash, endWith, surviveLostOutput } from "./exit.ts";
import { openReport } from "./open-report.ts";
import { run } from "./programme.ts";

const FAULT = "logs-no-matcher-everything";
/** The clause that the fault of the demo violates, and two other clauses. Their checks send few requests and do not wait. */
const ONLY = "logs-2.2,logs-7.400,logs-4.labels";
const REPORTS_DIR = "reports/demo";

/** The words about replays. The server of the demo has ended then, so a replay needs a new server. */
const AGAIN = `The server has ended. To replay, start it again: npm run plumbline -- serve --fault ${FAULT}\n`;

async function demo(): Promise<number> {
  const fault = FAULTS.find(({ id }) => id === FAULT);
  if (fault === undefined) throw new Error(`no fault ${FAULT}`);
  const server = await startReference({ behaviours: [fault] });
  try {
    process.stdout.write(`A server with one fault is judged. The fault: ${fault.sentence}\n\n`);
    const settings = { LOGS_BASE_URL: server.url, PROFILE: "smoke", REPORTS_DIR };
    const summary = await run(settings, { only: ONLY, onText: (text) => process.stdout.write(text) });
    const found = summary.clauses.some(({ id, verdict }) => id === fault.clause && verdict === "fail");
    const opened = found && (await openReport(resolve(REPORTS_DIR, "report.html")));
    const next = opened ? "The report opens in a browser." : "Open the report above in a browser.";
    process.stdout.write(found ? `\nThe fault was found. ${next}\n${AGAIN}` : "\nThe fault was not found.\n");
    return found ? EXIT.ok : EXIT.inconclusive;
  } finally {
    await server.close();
  }
}

surviveLostOutput();
endInconclusiveOnCrash();
await endWith(await demo());
