import type { Clock } from "./clock.js";

// A restart takes about a second: calls wait that long for a connection, then they fail at once with the reason
// instead of waiting for their deadlines. The same as the pipeline's.
const graceMs = 2_000;

/** A time in which no connection can be made: since when, why, and whether calls still wait for its end (RETRY-9). */
export class Outage {
  // Since when, on the clock; 0: a connection could be made, or nobody has tried.
  #since = 0;
  // Past the grace calls fail at once until then: the next one is the probe.
  #until = 0;
  #reason = "";

  constructor(private readonly clock: Clock) {}

  /** Whether it lasts. */
  get lasts(): boolean {
    return this.#since !== 0;
  }

  /** Why no connection could be made at the last try; empty when one could. */
  get reason(): string {
    return this.#reason;
  }

  /** Whether it has lasted so long that calls no longer wait. */
  get pastGrace(): boolean {
    return this.lasts && this.clock.now() - this.#since > graceMs;
  }

  /** Whether calls fail at once, without another try. */
  get refuses(): boolean {
    return this.pastGrace && this.clock.now() < this.#until;
  }

  /** A try failed; the next is in `retryMs`. `lasting`: waiting does not help, so no call waits. */
  seen(reason: string, retryMs: number, lasting = false): void {
    const now = this.clock.now();
    if (lasting) this.#since = Number.NEGATIVE_INFINITY;
    else if (!this.lasts) this.#since = now;
    this.#reason = reason;
    this.#until = now + retryMs;
  }

  /** A connection could be made. */
  over(): void {
    this.#since = 0;
    this.#reason = "";
    this.#until = 0;
  }
}
