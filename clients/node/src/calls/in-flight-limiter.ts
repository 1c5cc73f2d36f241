/** A caller that waits for a permit. The limiter keeps its links, so that it can leave from anywhere. */
export interface Waiter {
  waitingBefore: Waiter | null;
  waitingAfter: Waiter | null;
  /** Called once, when the waiter has left the queue and owns a permit. */
  admitted(): void;
}

/**
 * The cap on requests in flight: first come, first served, with a bounded queue.
 *
 * Invariants: permits out never exceed the limit (after it was lowered: never grow beyond it); nobody waits while a
 * permit is free; a waiter is admitted at most once. Waiting has no time of its own: a caller whose deadline passes
 * or who cancels takes its waiter out by `leave`.
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
  /** A new limit; permits that are out stay out. */
  set limit(maxInFlight: number | "off") {
    this.maxInFlight = maxInFlight;
    this.#admit();
  }

  /** Takes a permit if one is free and nobody waits. */
  tryAcquire(): boolean {
    if (this.#first !== null || !this.#free()) return false;
    this.#inFlight++;
    return true;
  }

  /** Queues a waiter; false at the queue's bound. */
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

  /** Takes a waiter that is queued out of the queue. */
  leave(waiter: Waiter): void {
    if (waiter.waitingBefore === null) this.#first = waiter.waitingAfter;
    else waiter.waitingBefore.waitingAfter = waiter.waitingAfter;
    if (waiter.waitingAfter === null) this.#last = waiter.waitingBefore;
    else waiter.waitingAfter.waitingBefore = waiter.waitingBefore;
    waiter.waitingBefore = null;
    waiter.waitingAfter = null;
    this.#queued--;
  }

  /** Returns a permit; the first waiter gets it. */
  release(): void {
    this.#inFlight--;
    if (this.#first !== null) this.#admit();
  }

  // A waiter that is admitted may release at once; the loop, not recursion, then serves the next.
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

  /** Throws if an invariant is broken; for tests. */
  assertValid(): void {
    let count = 0;
    let before: Waiter | null = null;
    for (let waiter = this.#first; waiter !== null; waiter = waiter.waitingAfter) {
      if (waiter.waitingBefore !== before) throw new Error("a waiter's links disagree");
      before = waiter;
      count++;
    }
    if (this.#last !== before) throw new Error("the queue's end is not its last waiter");
    if (count !== this.#queued) throw new Error(`${count} wait, ${this.#queued} counted`);
    if (this.#inFlight < 0) throw new Error("more permits came back than went out");
    if (count > 0 && this.#free()) throw new Error("a permit is free while somebody waits");
  }
}
