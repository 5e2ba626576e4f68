/**
 * Finds kinds of requests that the target no longer answers. An unanswered request is repeated for some time. If all requests of a kind
 * stay unanswered for that time, further checks would only wait for the same result.
 */

interface Silence {
  /** The value of `performance.now()` when the first request of this kind was sent. */
  readonly sinceMs: number;
  readonly requests: number;
  /** The time at which the next request may be sent, to find out whether the silence is over. */
  nextMs: number;
}

/** The minimum number of unanswered requests of a kind that counts as a silence, however long they took. */
const LEAST_REQUESTS = 6;

export class Silences {
  readonly #afterMs: number;
  readonly #againMs: number;
  readonly #silences = new Map<string, Silence>();

  /** A kind is silent after `afterMs` ms without a response. During a silence one request of this kind is sent per `againMs` ms. */
  constructor(afterMs: number, againMs: number) {
    this.#afterMs = afterMs;
    this.#againMs = againMs;
  }

  /** Records a response with any status. */
  answered(operation: string): void {
    this.#silences.delete(kindOf(operation));
  }

  /** Records that a request that was sent at `sentMs` got no response. */
  unanswered(operation: string, sentMs: number): void {
    const kind = kindOf(operation);
    const silence = this.#silences.get(kind);
    this.#silences.set(kind, {
      sinceMs: Math.min(silence?.sinceMs ?? sentMs, sentMs),
      requests: (silence?.requests ?? 0) + 1,
      nextMs: silence?.nextMs ?? 0,
    });
  }

  /** Returns the time in ms for which requests of this kind have been unanswered. Returns null if that is too short for a silence. */
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

/** The kind of an operation. The part of its name in parentheses distinguishes requests of the same kind. */
function kindOf(operation: string): string {
  return operation.replace(/ \(.*$/, "");
}
