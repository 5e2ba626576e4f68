/** Faults of inputs of the log API that are valid, or may be refused, and that clients send seldom. */
import { fault } from "./define.ts";
import type { Fault } from "./types.ts";

const MINUTE_NS = 60_000_000_000n;

const WINDOWS: readonly Fault[] = [
  fault(
    "logs-4.query_range",
    "logs-empty-window-next-minute",
    "A window with start equal to end is answered with the next minute.",
    (base) => ({
      rangeTimes: (start, end) => base.rangeTimes(start, start === end ? end + MINUTE_NS : end),
    }),
  ),
];

export const LOGS_UNTRIED_FAULTS: readonly Fault[] = [...WINDOWS];
