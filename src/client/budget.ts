/** Limits how much a run uses of its target: requests, instances, bytes of log lines, time, and requests in flight. */
import { setMaxListeners } from "node:events";
import type { Budgets } from "../settings/types.ts";
import { BudgetExhausted, Interrupted } from "./inconclusive.ts";
import { pause } from "./pause.ts";

/** The maximum number of bytes that the opt-in overload check pushes in addition to MAX_PUSH_BYTES: 64 MiB. */
export const MAX_BYTES_ASIDE = 64 * 1024 * 1024;

/** The size, in bytes of log lines, above which a push counts as large. Large pushes must not use all of MAX_PUSH_BYTES. */
const LARGE_PUSH = 65_536;
const KEPT_FOR_SMALL = 1 / 40;

/** The longest delay of a timer in Node.js. A timer with a longer delay would end immediately. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export class Budget {
  readonly #limits: Budgets;
  readonly #endsAt: number;
  #requests = 0;
  #instances = 0;
  #pushed = 0;
  #pushedAside = 0;
  #stopped = false;
  /** The number of requests that are reserved for the checks at the end of the run. */
  #reserved = 0;
  #isReleased = false;
  readonly #stop = new AbortController();

  constructor(limits: Budgets) {
    this.#limits = limits;
    this.#endsAt = performance.now() + limits.runTimeoutMs;
    // The signal may have many listeners, because each waiting check and each request in flight listens to it.
    setMaxListeners(0, this.#stop.signal);
  }

  get requests(): number {
    return this.#requests;
  }

  get instances(): number {
    return this.#instances;
  }

  get maxRequests(): number {
    return this.#limits.maxRequests;
  }

  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** The number of milliseconds that are left of RUN_TIMEOUT_MS. */
  get msLeft(): number {
    return this.#endsAt - performance.now();
  }

  /** Counts a request. Throws `Inconclusive` if the run may not send another request. `kept`: the requests that the other service needs. */
  takeRequest(kept = 0): void {
    this.check();
    const left = this.requestsLeft;
    if (left <= kept) {
      const except = left > 0 ? `, except ${left} that the other service needs,` : "";
      throw new BudgetExhausted(`MAX_REQUESTS (${this.#limits.maxRequests}) requests were sent${except}`);
    }
    this.#requests += 1;
  }

  /** Counts a created instance. Throws `Inconclusive` if the run may not create another instance. */
  takeInstance(): void {
    if (this.instancesLeft <= 0) throw new BudgetExhausted(`MAX_INSTANCES (${this.#limits.maxInstances}) instances were created`);
    this.#instances += 1;
  }

  get requestsLeft(): number {
    return this.#limits.maxRequests - this.#reserved - this.#requests;
  }

  /** Reserves requests for the last checks. `release` frees them, and also frees the bytes that are reserved for small pushes. */
  reserve(requests: number): void {
    this.#reserved = requests;
  }

  release(): void {
    this.#reserved = 0;
    this.#isReleased = true;
  }

  get instancesLeft(): number {
    return this.#limits.maxInstances - this.#instances;
  }

  /** Counts the bytes of a push. Throws `Inconclusive` if the budget is used up. Some bytes are reserved for small pushes. */
  takePushBytes(bytes: number): void {
    const { maxPushBytes } = this.#limits;
    const kept = bytes > LARGE_PUSH && !this.#isReleased ? maxPushBytes * KEPT_FOR_SMALL : 0;
    if (this.#pushed + bytes > maxPushBytes - kept)
      throw new BudgetExhausted(`MAX_PUSH_BYTES (${maxPushBytes}) bytes of log lines were pushed`);
    this.#pushed += bytes;
  }

  /** Subtracts the bytes of a push again, because the push was refused or no connection was made for it. */
  returnPushBytes(bytes: number): void {
    this.#pushed -= bytes;
  }

  /** Counts bytes of undocumented pushes, mainly of the opt-in overload check. MAX_PUSH_BYTES does not limit undocumented pushes. */
  takeBytesAside(bytes: number): void {
    if (this.#pushedAside + bytes > MAX_BYTES_ASIDE)
      throw new BudgetExhausted(`${MAX_BYTES_ASIDE} bytes of undocumented pushes, which MAX_PUSH_BYTES does not count, were sent`);
    this.#pushedAside += bytes;
  }

  /** Subtracts a counted instance again, because its create was refused. */
  returnInstance(): void {
    this.#instances -= 1;
  }

  /** Throws if the run was interrupted or its time is used up. */
  check(): void {
    if (this.#stopped) throw new Interrupted();
    if (this.msLeft <= 0) throw this.#timeIsUp();
  }

  /** Waits `ms` milliseconds. Throws if the time of the run is used up or the run is interrupted. */
  async pause(ms: number): Promise<void> {
    const { msLeft } = this;
    await pause(Math.max(Math.min(ms, msLeft), 0), this.signal);
    if (ms > msLeft) throw this.#timeIsUp();
  }

  /** Waits for `work`, but not longer than the time of the run, because `work` may never end. */
  async within<T>(work: Promise<T>): Promise<T> {
    const done = new AbortController();
    const end = pause(Math.min(Math.max(this.msLeft, 0), LONGEST_TIMER_MS), AbortSignal.any([this.signal, done.signal])).then(() =>
      Promise.reject(this.#timeIsUp()),
    );
    try {
      return await Promise.race([work, end]);
    } finally {
      done.abort();
      end.catch(() => null);
    }
  }

  #timeIsUp(): BudgetExhausted {
    return new BudgetExhausted(`RUN_TIMEOUT_MS (${this.#limits.runTimeoutMs}) ended`);
  }

  interrupt(): void {
    this.#stopped = true;
    this.#stop.abort();
  }
}

interface Waiting {
  readonly urgency: number;
  readonly enter: () => void;
}

/** Runs at most `size` tasks at the same time: the most urgent first, and equally urgent tasks in the order of arrival. */
export class Gate {
  #size: number;
  #running = 0;
  /** The waiting tasks, the most urgent first. */
  readonly #waiting: Waiting[] = [];

  constructor(size: number) {
    this.#size = size;
  }

  async enter(urgency = 0): Promise<void> {
    if (this.#running < this.#size) {
      this.#running += 1;
      return;
    }
    await new Promise<void>((enter) => {
      const behind = this.#waiting.findIndex((one) => one.urgency < urgency);
      this.#waiting.splice(behind === -1 ? this.#waiting.length : behind, 0, { urgency, enter });
    });
  }

  leave(): void {
    this.#running -= 1;
    this.#admit();
  }

  /** Changes the maximum number of running tasks. Tasks that already run continue, even if there are more than `size` of them. */
  resize(size: number): void {
    this.#size = size;
    this.#admit();
  }

  #admit(): void {
    while (this.#running < this.#size) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      this.#running += 1;
      next.enter();
    }
  }
}
