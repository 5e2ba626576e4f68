/** Handles SIGINT, SIGTERM and SIGHUP. After the first signal, the run ends and writes its reports. A later signal ends the program. */
import type { Signal } from "../report/model.ts";
import { EXIT_OF_SIGNAL } from "../report/summary.ts";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const satisfies readonly Signal[];

/** A second signal within this time (in ms) is ignored. Programs such as `timeout` send a signal to the process and to its group. */
const SAME_SIGNAL_MS = 500;

function isHeard(signal: NodeJS.Signals): signal is Signal {
  return SIGNALS.some((one) => one === signal);
}

export class Interrupts {
  #received: Signal | null = null;
  #receivedAt = 0;
  #onFirst: () => void = () => undefined;
  readonly #listener = (signal: NodeJS.Signals): void => {
    if (!isHeard(signal)) return;
    if (this.#received === signal && performance.now() - this.#receivedAt < SAME_SIGNAL_MS) return;
    if (this.#received !== null) process.exit(EXIT_OF_SIGNAL[signal]);
    this.#received = signal;
    this.#receivedAt = performance.now();
    process.stderr.write(`\nplumbline: ${signal}: ending the run and writing its reports; send the signal again to end at once\n`);
    this.#onFirst();
  };

  /** `listening` says whether signals to this process interrupt the run. */
  constructor(listening = true) {
    if (!listening) return;
    for (const signal of SIGNALS) process.on(signal, this.#listener);
  }

  /** The first signal that the program received, or null. */
  get received(): Signal | null {
    return this.#received;
  }

  /** Sets the action for the first signal. If a signal has already arrived, calls the action immediately. */
  onFirst(action: () => void): void {
    this.#onFirst = action;
    if (this.#received !== null) action();
  }
}

/** Removes a new signal listener. It does so a moment later, because Node.js adds the listener after this event. */
function removeLater(event: string | symbol, listener: () => void): void {
  if (SIGNALS.some((signal) => signal === event)) queueMicrotask(() => process.off(event, listener));
}

/** Removes all new signal listeners, until the returned function is called. The listeners of vitest would prevent the reports. */
export function refuseSignalListeners(): () => void {
  process.on("newListener", removeLater);
  return () => process.off("newListener", removeLater);
}
