/** Limits the garbage in memory. Without a limit, garbage fills much of the machine's memory, which other programs need too. */
import { setFlagsFromString } from "node:v8";

/**
 * Makes V8 collect garbage when the heap has grown by 40 %, also in threads that start later. By default, V8 waits until the heap is up to
 * four times as large. In one release run, the peak was 300 MB instead of 400 MB, and the run took 5 % longer.
 */
export function keepHeapSmall(): void {
  setFlagsFromString("--max-semi-space-size=8");
  setFlagsFromString("--heap-growing-percent=40");
}
