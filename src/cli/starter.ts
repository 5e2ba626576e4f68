/** Ends the program when npm or npx ends. They do not forward signals. So if npm is killed, the program would continue to run. */

/** The time in ms between two tests whether npm still runs. */
const LOOK_EVERY_MS = 500;

/** If npm started this process, sends SIGTERM to it when npm has ended. The timer does not keep this process alive. */
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
