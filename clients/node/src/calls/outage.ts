import type { Clock } from "./clock.js";

/**
 * The grace period: the time in milliseconds that calls wait for the end of an outage. A restart of the server takes
 * about a second. After the grace period, calls fail immediately with the reason instead of waiting for their
 * deadlines.
 */
export const graceMs = 2_000;

/** A period in which attempts to connect fail (RETRY-9). Calls wait for a connection only during its grace period. */
export class Outage {
  // The time at which the outage started. 0 if there is no outage.
  #since = 0;
  // After the grace period, calls fail immediately until this time. The next call after this time tries to connect.
  #until = 0;
  #reason = "";

  constructor(private readonly clock: Clock) {}

  /** Returns whether there is an outage now. */
  get isActive(): boolean {
    return this.#since !== 0;
  }

  /** Returns why the last attempt to connect failed. Empty if the last attempt succeeded. */
  get reason(): string {
    return this.#reason;
  }

  /** Returns whether the grace period has passed. If it has, calls no longer wait for the end of the outage. */
  get pastGrace(): boolean {
    return this.isActive && this.clock.now() - this.#since > graceMs;
  }

  /** Returns whether calls fail immediately, without an attempt to connect. */
  get failsFast(): boolean {
    return this.pastGrace && this.clock.now() < this.#until;
  }

  /**
   * Records a failed attempt to connect. The next attempt is due in `retryMs`.
   * @param lasting - Whether the failure is permanent. If it is, no call waits for a connection.
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
