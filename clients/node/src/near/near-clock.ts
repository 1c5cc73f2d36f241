import { monotonicMs } from "../calls/system-timers.js";

// Maximum difference between two readings of the same moment: the wall clock has a resolution of 1 ms, and time passes
// between the readings.
const toleranceMs = 10;

/**
 * A clock that continues while the machine sleeps: the monotonic clock plus the time by which the wall clock has moved
 * ahead of it. If the wall clock is set back, only the monotonic clock counts. If it is set forward, that counts as
 * sleep, and leases end early.
 */
export class NearClock {
  #asleepMs = 0;
  // The wall clock's time minus the monotonic clock's, at the last reading.
  #apartMs: number;

  constructor(
    private readonly monotonic: () => number = monotonicMs,
    private readonly wall: () => number = () => Date.now(),
  ) {
    this.#apartMs = wall() - monotonic();
  }

  /** Returns milliseconds. Never decreases. */
  now(): number {
    const monotonic = this.monotonic();
    const aheadMs = this.wall() - monotonic - this.#apartMs;
    if (aheadMs > toleranceMs || aheadMs < -toleranceMs) this.#moved(aheadMs);
    return monotonic + this.#asleepMs;
  }

  #moved(aheadMs: number): void {
    // Rather too long than too short: earlier movements may have been hidden by the tolerance.
    if (aheadMs > 0) this.#asleepMs += aheadMs + toleranceMs;
    this.#apartMs += aheadMs;
  }
}
