/** npm and npx pass no signal on to the program they started, and leave it behind when they are killed. */

const LOOK_EVERY_MS = 500;

/** Where npm started this process: ends it as a SIGTERM does once npm is gone. Keeps no process alive. */
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
