/** Runs several calls of a function at the same time in this process, and measures the time. */

/** Calls `one` for each index below `count`, at most `inFlight` at a time. Prints wall and processor time in ms as JSON. */
export async function timed(count: number, inFlight: number, one: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < count) {
      next += 1;
      await one(next - 1);
    }
  };
  const started = performance.now();
  const before = process.cpuUsage();
  await Promise.all(Array.from({ length: inFlight }, lane));
  const { user, system } = process.cpuUsage(before);
  process.stdout.write(`${JSON.stringify({ wallMs: performance.now() - started, processorMs: (user + system) / 1_000 })}\n`);
}
