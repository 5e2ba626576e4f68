/**
 * Kinds of requests that the target no longer answers. An unanswered request is repeated for a while. If all requests of a kind have been
 * unanswered for that long, further ones would only make each check wait for the same result.
 */

interface Silence {
  /** `performance.now()` when the first request of this kind was sent. */
  readonly sinceMs: number;
  readonly requests: number;
  /** When the next request may be sent, to find out whether the silence is over. */
  nextMs: number;
}

/** Fewer requests than this are not a silence, however long they took. */
const LEAST_REQUESTS = 6;

export class Silences {
  readonly #afterMs: number;
  readonly #againMs: number;
  readonly #silences = new Map<string, Silence>();

  /** A kind is silent after `afterMs` without a response. Then one request per `againMs` is sent. */
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

  /** How long requests of this kind have been unanswered, ms, if that is long enough for a silence. Otherwise null. */
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

/** The part of an operation's name in parentheses distinguishes requests of one kind. */
function kindOf(operation: string): string {
  return operation.replace(/ \(.*$/, "");
}
