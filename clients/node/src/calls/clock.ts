import { clearTimeout, monotonicMs, startTimer } from "./system-timers.js";

/** A scheduled task that can be cancelled. */
export interface ScheduledTask {
  cancel(): void;
  /**
   * Makes the task keep the process alive until the task has run. This is the default. The method is undefined if the
   * task never keeps the process alive.
   */
  ref?(): void;
  /** Lets the process exit before the task has run. */
  unref?(): void;
}

/** The clock and the timers of the client. Tests pass their own clock. */
export interface Clock {
  /** Returns the time in milliseconds. The time never decreases. */
  now(): number;
  /** Runs `action` once, after at least `delayMs`. */
  schedule(action: () => void, delayMs: number): ScheduledTask;
}

/** The process's monotonic clock and timers. */
export const systemClock: Clock = {
  now: monotonicMs,
  schedule(action, delayMs) {
    return new TimerTask(startTimer(action, Math.ceil(delayMs)));
  },
};

class TimerTask implements ScheduledTask {
  constructor(private readonly timer: NodeJS.Timeout) {}

  cancel(): void {
    clearTimeout(this.timer);
  }

  ref(): void {
    this.timer.ref();
  }

  unref(): void {
    this.timer.unref();
  }
}

/** Schedules background work of the client that does not keep the process alive. */
export function scheduleInBackground(clock: Clock, action: () => void, delayMs: number): ScheduledTask {
  const task = clock.schedule(action, delayMs);
  task.unref?.();
  return task;
}
