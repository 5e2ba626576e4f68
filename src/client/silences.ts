/** Finds kinds of requests that the target no longer answers. Checks then do not wait for more requests of this kind. */

interface Silence {
  /** The value of `performance.now()` when the first of the unanswered requests of this kind was sent. */
  readonly sinceMs: number;
  readonly requests: number;
  /** The time at which the next request of this kind may be sent, to find out whether the target answers again. */
  nextMs: number;
}

/** A silence needs at least this number of unanswered requests of one kind. */
const LEAST_REQUESTS = 6;

export class Silences {
  readonly #afterMs: number;
  readonly #againMs: number;
  readonly #silences = new Map<string, Silence>();

  /** A silence begins after `afterMs` ms without a response. During a silence, one request of the kind is sent every `againMs` ms. */
  constructor(afterMs: number, againMs: number) {
    this.#afterMs = afterMs;
    this.#againMs = againMs;
  }

  answered(operation: string): void {
    this.#silences.delete(kindOf(operation));
  }

  unanswered(operation: string, sentMs: number): void {
    const kind = kindOf(operation);
    const silence = this.#silences.get(kind);
    this.#silences.set(kind, {
      sinceMs: Math.min(silence?.sinceMs ?? sentMs, sentMs),
      requests: (silence?.requests ?? 0) + 1,
      nextMs: silence?.nextMs ?? 0,
    });
  }

  /** Returns how long requests of this kind have been unanswered, in ms. Returns null if that time is too short for a silence. */
  lastingMs(operation: string, nowMs: number): number | null {
    const silence = this.#silences.get(kindOf(operation));
    if (silence === undefined || silence.requests < LEAST_REQUESTS) return null;
    const lastingMs = nowMs - silence.sinceMs;
    return lastingMs < this.#afterMs ? null : lastingMs;
  }

  /** Whether a request of this kind may be sent at `nowMs`. During a silence the next request may be sent `againMs` ms later. */
  letsThrough(operation: string, nowMs: number): boolean {
    const silence = this.#silences.get(kindOf(operation));
    if (silence === undefined || this.lastingMs(operation, nowMs) === null) return true;
    if (nowMs < silence.nextMs) return false;
    silence.nextMs = nowMs + this.#againMs;
    return true;
  }
}

/** Returns the kind of an operation: its name without the part in parentheses, which distinguishes requests of the same kind. */
function kindOf(operation: string): string {
  return operation.replace(/ \(.*$/, "");
}
