import type { Clock } from "./clock.js";

// A restart takes about a second. Calls wait that long for a connection; then they fail at once with the reason instead
// of waiting for their deadlines. The pipeline uses the same value.
const graceMs = 2_000;

/** A period in which connecting fails: its start, the reason, and whether calls still wait for its end (RETRY-9). */
export class Outage {
  // The start of the outage on the clock; 0 if there is none.
  #since = 0;
  // After the grace period, calls fail at once until this time. The next call after it is the probe.
  #until = 0;
  #reason = "";

  constructor(private readonly clock: Clock) {}

  /** Returns whether there is an outage now. */
  get isActive(): boolean {
    return this.#since !== 0;
  }

  /** Returns why the last attempt to connect failed; empty if it succeeded. */
  get reason(): string {
    return this.#reason;
  }

  /** Returns whether the outage has lasted so long that calls no longer wait. */
  get pastGrace(): boolean {
    return this.isActive && this.clock.now() - this.#since > graceMs;
  }

  /** Returns whether calls fail at once, without an attempt to connect. */
  get failsFast(): boolean {
    return this.pastGrace && this.clock.now() < this.#until;
  }

  /**
   * Records a failed attempt to connect; the next one is due in `retryMs`.
   * @param lasting - Whether waiting does not help, so that no call waits.
   */
  recordFailure(reason: string, retryMs: number, lasting = false): void {
    const now = this.clock.now();
    if (lasting) this.#since = Number.NEGATIVE_INFINITY;
    else if (!this.isActive) this.#since = now;
    this.#reason = reason;
    this.#until = now + retryMs;
  }

  /** Records a successful connection. */
  recordSuccess(): void {
    this.#since = 0;
    this.#reason = "";
    this.#until = 0;
  }
}
