import { backOffMs } from "../calls/back-off.js";
import { type ScheduledTask, scheduleInBackground } from "../calls/clock.js";
import { graceMs } from "../calls/outage.js";
import { isPermanent } from "./connection-loss.js";
import type { PipelineParts } from "./pipeline-parts.js";

// RETRY-7: reconnect after 50, 100, 200 … ms with jitter, at most maxBackOffMs.
const firstReconnectMs = 50;
/**
 * How long calls wait for the current attempt to connect if the grace period has passed. A refusal arrives within a
 * millisecond, but without a response the attempt may take much longer.
 */
export const attemptWaitMs = 250;

/**
 * Tracks the time without a pipeline, from the first attempt to connect until the stream is open. Decides whether calls
 * still wait for a connection, and when the next attempt is due.
 */
export class PipelineOutage {
  #failedAttempts = 0;
  // Number of consecutive streams on which no message arrived. The delay before the next attempt depends on it, because a
  // server may accept each stream and end it at once (RETRY-7).
  #silentStreams = 0;
  // Whether the last attempt to connect failed in a way that a retry would repeat.
  #isPermanentFailure = false;
  // The time at which the outage started. 0 if there is no outage.
  #downSince = 0;
  // Runs if the grace period has passed and calls wait for the current attempt to connect. When the timer has run,
  // `#isAttemptLate` becomes true, and calls no longer wait for the attempt.
  #attemptTimer: ScheduledTask | null = null;
  #isAttemptLate = false;

  constructor(private readonly parts: Pick<PipelineParts, "clock" | "configuration" | "random">) {}

  /** Returns whether an attempt to connect has failed since the last connection. */
  get hasFailedAttempts(): boolean {
    return this.#failedAttempts > 0;
  }

  /**
   * Returns whether calls no longer wait for another attempt to connect, because the grace period has passed or because
   * a retry would fail in the same way.
   */
  get pastGrace(): boolean {
    return this.#downSince !== 0 && (this.#isPermanentFailure || this.parts.clock.now() - this.#downSince > graceMs);
  }

  /** Returns whether calls no longer wait for the current attempt to connect. */
  get isAttemptLate(): boolean {
    return this.#isAttemptLate;
  }

  /** Returns how long to wait before the next attempt to connect. Part of the time is random. */
  nextDelayMs(): number {
    const { configuration, random } = this.parts;
    return backOffMs(Math.max(1, this.#silentStreams), firstReconnectMs, configuration.maxBackOffMs, random);
  }

  /** Records the start of an attempt to connect. `late` is called if calls no longer wait for this attempt. */
  attemptStarted(late: () => void): void {
    const { clock } = this.parts;
    if (this.#downSince === 0) this.#downSince = clock.now();
    if (!this.hasFailedAttempts || !this.pastGrace) return;
    this.#attemptTimer = scheduleInBackground(
      clock,
      () => {
        this.#isAttemptLate = true;
        late();
      },
      attemptWaitMs,
    );
  }

  /** Records the end of an attempt to connect, whether or not it succeeded. */
  attemptEnded(): void {
    this.#attemptTimer?.cancel();
    this.#attemptTimer = null;
    this.#isAttemptLate = false;
  }

  /**
   * Records that an attempt to connect has failed or, if `wasOpen`, that the stream was lost.
   * @param hasReceived - Whether a message had arrived on the stream.
   */
  lost(wasOpen: boolean, hasReceived: boolean, cause: unknown): void {
    this.#silentStreams = hasReceived ? 0 : this.#silentStreams + 1;
    this.#isPermanentFailure = !wasOpen && isPermanent(cause);
    if (wasOpen) this.#downSince = this.parts.clock.now();
    else this.#failedAttempts++;
  }

  /** Ends the outage. The current attempt to connect, if there is one, ends too. */
  end(): void {
    this.attemptEnded();
    this.#failedAttempts = 0;
    this.#downSince = 0;
  }

  /** Ends the outage, and connects without a delay. Used if a rejected token was replaced. */
  restart(): void {
    this.end();
    this.#silentStreams = 0;
  }
}
