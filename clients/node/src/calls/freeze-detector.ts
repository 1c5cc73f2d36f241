import { type Clock, type ScheduledTask, scheduleInBackground } from "./clock.js";

const tickMs = 2_500;
// Two ticks: one that is late by its own length. A reconnection costs a few milliseconds, and happens at most once in this time.
const frozenMs = 5_000;

/**
 * Notices that the process did not run for more than 5 s: a frozen function, a stopped process, a machine that slept, or a
 * blocked event loop. Whatever lies between client and server may have dropped connections meanwhile, without a word.
 */
export class FreezeDetector {
  #aliveAt = 0;
  #wallAt = 0;
  #frozen = false;
  #tick: ScheduledTask | null = null;
  #stopped = false;

  /** `wall`: a clock that continues while the machine sleeps. */
  constructor(
    private readonly clock: Clock,
    private readonly wall: () => number = () => clock.now(),
  ) {}

  /** Watches from now on, until `stop`. */
  start(): void {
    if (this.#tick !== null || this.#stopped) return;
    this.#alive();
  }

  /** Whether the process was frozen since this was last asked; `now`: when the call was made that asks. */
  noticed(now: number): boolean {
    if (this.#tick === null) this.start();
    else if (now - this.#aliveAt > frozenMs) {
      // The overdue tick, which may come after this call, is not to notice the same freeze.
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
