import { monitorEventLoopDelay } from "node:perf_hooks";

// The runtime samples on a thread of its own, which costs almost nothing.
const resolutionMs = 20;

/** Measures the event loop's largest lag, for error messages. */
export class EventLoopLag {
  readonly #histogram = monitorEventLoopDelay({ resolution: resolutionMs });

  constructor() {
    this.#histogram.enable();
  }

  /** Returns the largest lag since the previous call, in milliseconds, without the sampling interval itself. */
  takeLargestMs(): number {
    const largestMs = this.#histogram.max / 1e6 - resolutionMs;
    this.#histogram.reset();
    return Math.max(0, largestMs);
  }

  close(): void {
    this.#histogram.disable();
  }
}
