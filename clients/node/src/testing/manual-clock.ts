import type { Clock, ScheduledTask } from "../calls/clock.js";

interface Task {
  readonly due: number;
  readonly action: () => void;
}

/** A clock whose time changes only when a test advances it. */
export class ManualClock implements Clock {
  #now = 0;
  #tasks: Task[] = [];

  now(): number {
    return this.#now;
  }

  schedule(action: () => void, delayMs: number): ScheduledTask {
    const task = { due: this.#now + delayMs, action };
    this.#tasks.push(task);
    return {
      cancel: () => {
        this.#tasks = this.#tasks.filter((each) => each !== task);
      },
    };
  }

  /** Returns the number of scheduled tasks that have not run. */
  get scheduled(): number {
    return this.#tasks.length;
  }

  /** Returns the time at which the next task is due, in milliseconds on this clock. Null if there is no task. */
  get nextDueAt(): number | null {
    return this.#next()?.due ?? null;
  }

  /** Advances the time and runs each task at its due time, in order. */
  advance(ms: number): void {
    const target = this.#now + ms;
    for (;;) {
      const next = this.#next();
      if (next === undefined || next.due > target) break;
      this.#tasks = this.#tasks.filter((task) => task !== next);
      this.#now = Math.max(this.#now, next.due);
      next.action();
    }
    this.#now = target;
  }

  #next(): Task | undefined {
    return this.#tasks.reduce<Task | undefined>(
      (earliest, task) => (earliest === undefined || task.due < earliest.due ? task : earliest),
      undefined,
    );
  }
}
