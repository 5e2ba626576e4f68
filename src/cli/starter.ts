/** Ends the program when npm or npx ends. npm and npx do not forward signals, so a killed npm would leave the program running. */

/** The time between two checks whether npm still runs, in ms. */
const LOOK_EVERY_MS = 500;

/** If npm started this process, sends SIGTERM to this process when npm has ended. The timer does not keep the process alive. */
export function followStarter(): void {
  if (process.env["npm_command"] === undefined) return;
  const starter = process.ppid;
  const looking = setInterval(() => {
    if (process.ppid === starter) return;
    clearInterval(looking);
    process.kill(process.pid, "SIGTERM");
  }, LOOK_EVERY_MS);
  looking.unref();
}
