import { monotonicMs } from "../calls/system-timers.js";

// What two readings of one moment may differ by: the wall clock tells whole milliseconds, and time passes between them.
const toleranceMs = 10;

/**
 * A clock that goes on while the machine sleeps: the monotonic one, and what the wall clock was ahead of it since it was
 * last looked at. Where the wall clock is set back, only the monotonic one counts; where it is set ahead, that too is
 * taken for sleep, and leases end early.
 */
export class NearClock {
  #asleepMs = 0;
  // The wall clock's time less the monotonic one's, when it was last looked at.
  #apartMs: number;

  constructor(
    private readonly monotonic: () => number = monotonicMs,
    private readonly wall: () => number = () => Date.now(),
  ) {
    this.#apartMs = wall() - monotonic();
  }

  /** Milliseconds, never less than before. */
  now(): number {
    const monotonic = this.monotonic();
    const aheadMs = this.wall() - monotonic - this.#apartMs;
    if (aheadMs > toleranceMs || aheadMs < -toleranceMs) this.#moved(aheadMs);
    return monotonic + this.#asleepMs;
  }

  #moved(aheadMs: number): void {
    // Rather too long than too short: a part of it may have been taken for the tolerance before.
    if (aheadMs > 0) this.#asleepMs += aheadMs + toleranceMs;
    this.#apartMs += aheadMs;
  }
}
