/**
 * Kinds of requests that the target no longer answers. One request that is not answered is repeated for a while; where every
 * request of its kind has gone unanswered for as long as that, further ones would only have each check wait for the same news.
 */

interface Silence {
  /** `performance.now()` when the first request of it was sent. */
  readonly sinceMs: number;
  readonly requests: number;
  /** When one more request may be sent, to see whether the silence is over. */
  nextMs: number;
}

/** Fewer requests than these are no silence, however long they took. */
const LEAST_REQUESTS = 6;

export class Silences {
  readonly #afterMs: number;
  readonly #againMs: number;
  readonly #silences = new Map<string, Silence>();

  /** A kind is silent after `afterMs` without an answer; then one request every `againMs` is let through. */
  constructor(afterMs: number, againMs: number) {
    this.#afterMs = afterMs;
    this.#againMs = againMs;
  }

  /** Notes an answer, whatever its status. */
  answered(operation: string): void {
    this.#silences.delete(kindOf(operation));
  }

  /** Notes that a request sent at `sentMs` got no answer. */
  unanswered(operation: string, sentMs: number): void {
    const kind = kindOf(operation);
    const silence = this.#silences.get(kind);
    this.#silences.set(kind, {
      sinceMs: Math.min(silence?.sinceMs ?? sentMs, sentMs),
      requests: (silence?.requests ?? 0) + 1,
      nextMs: silence?.nextMs ?? 0,
    });
  }

  /** For how long requests of this kind have not been answered, ms, where that is long enough for a silence; else null. */
  lastingMs(operation: string, nowMs: number): number | null {
    const silence = this.#silences.get(kindOf(operation));
    if (silence === undefined || silence.requests < LEAST_REQUESTS) return null;
    const lastingMs = nowMs - silence.sinceMs;
    return lastingMs < this.#afterMs ? null : lastingMs;
  }

  /** Whether a request of this kind may be sent at `nowMs`; during a silence the next one may be sent `againMs` later. */
  letsThrough(operation: string, nowMs: number): boolean {
    const silence = this.#silences.get(kindOf(operation));
    if (silence === undefined || this.lastingMs(operation, nowMs) === null) return true;
    if (nowMs < silence.nextMs) return false;
    silence.nextMs = nowMs + this.#againMs;
    return true;
  }
}

/** What is said of an operation in parentheses tells one request of a kind from another. */
function kindOf(operation: string): string {
  return operation.replace(/ \(.*$/, "");
}
