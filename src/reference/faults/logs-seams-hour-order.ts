/** Faults of limited reads of windows that are divided at full hours or half hours: the server chooses or orders the entries wrongly. */
import { HOUR_NS, hoursWithin } from "../logs/hours.ts";
import { fault, wrongResult } from "./define.ts";
import { split } from "./logs-seams-hours.ts";
import type { Fault } from "./types.ts";

export const LOGS_SEAM_HOUR_ORDER_FAULTS: readonly Fault[] = [
  split(
    "logs-4.1",
    "range",
    "logs-seam-hour-order-backward",
    "Backward reads visit the oldest hour first, so a limit returns the wrong entries.",
    (parts, { direction }) => (direction === "backward" ? parts.toReversed() : parts),
  ),
  fault(
    "logs-4.1",
    "logs-seam-half-hour-order-backward",
    "Windows are divided at half hours. Backward reads visit the oldest half hour first, so a limit returns the wrong entries.",
    (base) => ({
      splitWindow: (window, span, reading) => {
        if (reading.path !== "range") return base.splitWindow(window, span, reading);
        const borders = hoursWithin(window, span, HOUR_NS / 2n);
        return [window.from, ...borders].map((from, index) => ({ from, to: borders[index] ?? window.to }));
      },
    }),
  ),
  wrongResult("order", "logs-4.1", "logs-seam-hour-shown-apart", "The hours of a stream are returned in the wrong order.", (right) => {
    const hours = [...new Set(right.map(({ ts }) => ts / HOUR_NS))].toReversed();
    return hours.length === 1 ? right : hours.flatMap((hour) => right.filter(({ ts }) => ts / HOUR_NS === hour));
  }),
];
