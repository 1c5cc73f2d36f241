import { monotonicMs } from "../calls/system-timers.js";

// Maximum difference between the two clocks if they are read one after the other: the wall clock has a resolution of 1
// ms, and some time passes between the two readings.
const toleranceMs = 10;

/**
 * A clock that continues while the machine sleeps. Its time is the monotonic clock's time plus the time by which the
 * wall clock has moved ahead of the monotonic clock. If the wall clock is set back, the movement is ignored. If the
 * wall clock is set forward, the movement counts as sleep, and leases end early.
 */
export class NearClock {
  #asleepMs = 0;
  // The time of the wall clock minus the time of the monotonic clock, when they were last compared.
  #apartMs: number;

  constructor(
    private readonly monotonic: () => number = monotonicMs,
    private readonly wall: () => number = () => Date.now(),
  ) {
    this.#apartMs = wall() - monotonic();
  }

  /** Returns the time in milliseconds. It never decreases. */
  now(): number {
    const monotonic = this.monotonic();
    const aheadMs = this.wall() - monotonic - this.#apartMs;
    if (aheadMs > toleranceMs || aheadMs < -toleranceMs) this.#moved(aheadMs);
    return monotonic + this.#asleepMs;
  }

  #moved(aheadMs: number): void {
    // Add the tolerance, because `aheadMs` may be too small by up to that amount. If the added time is too long, leases
    // end early, which is safe.
    if (aheadMs > 0) this.#asleepMs += aheadMs + toleranceMs;
    this.#apartMs += aheadMs;
  }
}
