/** SIGINT, SIGTERM and SIGHUP during a run: the first asks it to end and report, the second ends the program at once. */
import type { Signal } from "../report/model.ts";
import { EXIT_OF_SIGNAL } from "../report/summary.ts";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const satisfies readonly Signal[];

function isHeard(signal: NodeJS.Signals): signal is Signal {
  return SIGNALS.some((one) => one === signal);
}

export class Interrupts {
  #received: Signal | null = null;
  #onFirst: () => void = () => undefined;
  readonly #listener = (signal: NodeJS.Signals): void => {
    if (!isHeard(signal)) return;
    if (this.#received !== null) process.exit(EXIT_OF_SIGNAL[signal]);
    this.#received = signal;
    process.stderr.write(`\nplumbline: ${signal}: ending the run and writing its reports; again to end at once\n`);
    this.#onFirst();
  };

  /** Listeners of whoever was here before: a program that runs the suite keeps its own. */
  readonly #kept = new Set(SIGNALS.flatMap((signal) => process.listeners(signal)));

  /** `listening`: whether signals to this process are signals to the run. */
  constructor(listening = true) {
    if (!listening) return;
    for (const signal of SIGNALS) process.on(signal, this.#listener);
  }

  /** The first signal that came, or null. */
  get received(): Signal | null {
    return this.#received;
  }

  /** What the first signal does; at once if it already came. */
  onFirst(action: () => void): void {
    this.#onFirst = action;
    if (this.#received !== null) action();
  }

  /** Removes listeners others have set: vitest's would end the process without reports. */
  removeOthers(): void {
    for (const signal of SIGNALS) {
      for (const listener of process.listeners(signal)) {
        if (listener !== this.#listener && !this.#kept.has(listener)) process.off(signal, listener);
      }
    }
  }
}
