/** Something that was scheduled and may be called off. */
export interface ScheduledTask {
  cancel(): void;
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
  now: () => performance.now(),
  schedule(action, delayMs) {
    const timer = setTimeout(action, Math.ceil(delayMs));
    return { cancel: () => clearTimeout(timer) };
  },
};
