import type { Clock, ScheduledTask } from "../../src/calls/clock.js";
import { ManualClock } from "../../src/testing/manual-clock.js";

/** A manual clock of a process that can be stopped: time passes, and what comes due runs later. */
export class StoppableClock implements Clock {
  readonly #running = new ManualClock();
  #stoppedMs = 0;

  now(): number {
    return this.#running.now() + this.#stoppedMs;
  }

  schedule(action: () => void, delayMs: number): ScheduledTask {
    return this.#running.schedule(action, delayMs);
  }

  get scheduled(): number {
    return this.#running.scheduled;
  }

  /** Lets time pass without running anything. */
  stopFor(ms: number): void {
    this.#stoppedMs += ms;
  }

  /** Moves the time on. What came due while the process was stopped runs at once. */
  advance(ms: number): void {
    const overdueMs = Math.min(
      this.#stoppedMs,
      Math.max(0, (this.#running.nextDueAt ?? Number.POSITIVE_INFINITY) - this.#running.now()),
    );
    this.#stoppedMs -= overdueMs;
    this.#running.advance(overdueMs + ms);
  }
}
