import { monitorEventLoopDelay } from "node:perf_hooks";

// The runtime samples the lag on a separate thread, which costs almost nothing.
const resolutionMs = 20;

/** Measures the event loop's largest lag, for error messages. */
export class EventLoopLag {
  readonly #histogram = monitorEventLoopDelay({ resolution: resolutionMs });

  constructor() {
    this.#histogram.enable();
  }

  /**
   * Returns the largest lag since the previous call of this method, in milliseconds. The sampling interval is
   * subtracted.
   */
  takeLargestMs(): number {
    const largestMs = this.#histogram.max / 1e6 - resolutionMs;
    this.#histogram.reset();
    return Math.max(0, largestMs);
  }

  close(): void {
    this.#histogram.disable();
  }
}
