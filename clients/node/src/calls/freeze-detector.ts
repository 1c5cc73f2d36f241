import { type Clock, type ScheduledTask, scheduleInBackground } from "./clock.js";

const tickMs = 2_500;
// The duration of two ticks. A tick that is late by more than its interval therefore counts as a freeze. A false alarm
// only causes a reconnect, which takes a few milliseconds and happens at most once in 5 s.
const frozenMs = 5_000;

/**
 * Detects that the process did not run for more than 5 s, for example because a serverless function was frozen, the
 * process was stopped, the machine slept, or the event loop was blocked. Meanwhile, the network may have dropped
 * connections without notice.
 */
export class FreezeDetector {
  #aliveAt = 0;
  #wallAt = 0;
  #frozen = false;
  #tick: ScheduledTask | null = null;
  #stopped = false;

  /**
   * Creates a detector. It does not watch until `start` is called.
   * @param wall - A clock that continues while the machine sleeps.
   */
  constructor(
    private readonly clock: Clock,
    private readonly wall: () => number = () => clock.now(),
  ) {}

  /** Starts watching for freezes. The detector watches until `stop` is called. */
  start(): void {
    if (this.#tick !== null || this.#stopped) return;
    this.#alive();
  }

  /**
   * Returns whether the process was frozen since the previous call of this method.
   * @param now - The time at which the current client call started.
   */
  noticed(now: number): boolean {
    if (this.#tick === null) this.start();
    else if (now - this.#aliveAt > frozenMs) {
      // Cancel the overdue tick. It may run after this call and would then report the same freeze again.
      this.#tick.cancel();
      this.#alive();
      return true;
    }
    const frozen = this.#frozen;
    this.#frozen = false;
    return frozen;
  }

  stop(): void {
    this.#stopped = true;
    this.#tick?.cancel();
    this.#tick = null;
  }

  #alive(): void {
    this.#aliveAt = this.clock.now();
    this.#wallAt = this.wall();
    this.#tick = scheduleInBackground(this.clock, () => this.#ticked(), tickMs);
  }

  #ticked(): void {
    const passedMs = Math.max(this.clock.now() - this.#aliveAt, this.wall() - this.#wallAt);
    if (passedMs > frozenMs) this.#frozen = true;
    this.#alive();
  }
}
