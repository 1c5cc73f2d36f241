import type { Clock, ScheduledTask } from "../../src/calls/clock.js";
import { ManualClock } from "../../src/testing/manual-clock.js";

/**
 * The manual clock of a process that can be suspended. While the process is suspended, time passes but due tasks do not
 * run.
 */
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

  /** Advances the time without running tasks. */
  stopFor(ms: number): void {
    this.#stoppedMs += ms;
  }

  /** Advances the time. Tasks that became due while the process was suspended run immediately. */
  advance(ms: number): void {
    const overdueMs = Math.min(
      this.#stoppedMs,
      Math.max(0, (this.#running.nextDueAt ?? Number.POSITIVE_INFINITY) - this.#running.now()),
    );
    this.#stoppedMs -= overdueMs;
    this.#running.advance(overdueMs + ms);
  }
}
