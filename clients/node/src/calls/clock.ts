import { clearTimeout, monotonicMs, startTimer } from "./system-timers.js";

/** Something that was scheduled and may be called off. */
export interface ScheduledTask {
  cancel(): void;
  /** Lets the process wait for it, as it does unless `unref` was called. Absent where a task keeps no process. */
  ref?(): void;
  /** Lets the process end without it. */
  unref?(): void;
}

/** The time that decisions are made by: the process's in use, a test's in tests. */
export interface Clock {
  /** Milliseconds on a clock that never goes back. */
  now(): number;
  /** Runs `action` once, not before `delayMs` have passed. */
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

/** Schedules work of the client's own that is no reason for a process to go on. */
export function scheduleInBackground(clock: Clock, action: () => void, delayMs: number): ScheduledTask {
  const task = clock.schedule(action, delayMs);
  task.unref?.();
  return task;
}
