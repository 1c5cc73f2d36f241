/**
 * A caller that waits for a permit. The limiter links its waiters in a list, so that a waiter can leave the queue from
 * any position.
 */
export interface Waiter {
  waitingBefore: Waiter | null;
  waitingAfter: Waiter | null;
  /** Called once, after the waiter has left the queue and has its permit. */
  admitted(): void;
}

/**
 * Limits the number of requests in flight. Permits are granted in FIFO order from a bounded queue.
 *
 * Invariants:
 * - A permit is granted only if the number of used permits is below the limit. This number can exceed the limit only
 *   after the limit has been lowered.
 * - No waiter waits while a permit is free.
 * - A waiter is admitted at most once.
 *
 * The queue has no timeout. If a caller's deadline passes or the caller cancels, the caller removes its waiter with
 * `leave`.
 */
export class InFlightLimiter {
  #inFlight = 0;
  #queued = 0;
  #first: Waiter | null = null;
  #last: Waiter | null = null;
  #admitting = false;

  constructor(
    private maxInFlight: number | "off",
    private readonly queueLimit: number,
  ) {}

  get inFlight(): number {
    return this.#inFlight;
  }
  get queued(): number {
    return this.#queued;
  }
  get limit(): number | "off" {
    return this.maxInFlight;
  }
  /** Sets a new limit. Permits that are in use stay valid. */
  set limit(maxInFlight: number | "off") {
    this.maxInFlight = maxInFlight;
    this.#admit();
  }

  /** Takes a permit if one is free and no waiter is queued. Returns whether a permit was taken. */
  tryAcquire(): boolean {
    if (this.#first !== null || !this.#free()) return false;
    this.#inFlight++;
    return true;
  }

  /** Queues a waiter. Returns false if the queue is full. */
  enqueue(waiter: Waiter): boolean {
    if (this.#queued >= this.queueLimit) return false;
    waiter.waitingBefore = this.#last;
    waiter.waitingAfter = null;
    if (this.#last === null) this.#first = waiter;
    else this.#last.waitingAfter = waiter;
    this.#last = waiter;
    this.#queued++;
    return true;
  }

  /** Removes a queued waiter from the queue. */
  leave(waiter: Waiter): void {
    if (waiter.waitingBefore === null) this.#first = waiter.waitingAfter;
    else waiter.waitingBefore.waitingAfter = waiter.waitingAfter;
    if (waiter.waitingAfter === null) this.#last = waiter.waitingBefore;
    else waiter.waitingAfter.waitingBefore = waiter.waitingBefore;
    waiter.waitingBefore = null;
    waiter.waitingAfter = null;
    this.#queued--;
  }

  /** Returns a permit to the limiter, which grants it to the first waiter in the queue. */
  release(): void {
    this.#inFlight--;
    if (this.#first !== null) this.#admit();
  }

  // An admitted waiter may release its permit immediately. The loop then admits the next waiter without recursion.
  #admit(): void {
    if (this.#admitting) return;
    this.#admitting = true;
    while (this.#first !== null && this.#free()) {
      const waiter = this.#first;
      this.leave(waiter);
      this.#inFlight++;
      waiter.admitted();
    }
    this.#admitting = false;
  }

  #free(): boolean {
    return this.maxInFlight === "off" || this.#inFlight < this.maxInFlight;
  }

  /** Throws if an invariant is broken. Used by tests. */
  assertValid(): void {
    let count = 0;
    let before: Waiter | null = null;
    for (let waiter = this.#first; waiter !== null; waiter = waiter.waitingAfter) {
      if (waiter.waitingBefore !== before) throw new Error("the links of a waiter are inconsistent");
      before = waiter;
      count++;
    }
    if (this.#last !== before) throw new Error("the end of the queue is not the last waiter");
    if (count !== this.#queued)
      throw new Error(`the queue contains ${count} waiters, but the counter is ${this.#queued}`);
    if (this.#inFlight < 0) throw new Error("more permits were returned than granted");
    if (count > 0 && this.#free()) throw new Error("a permit is free while a call waits");
  }
}
