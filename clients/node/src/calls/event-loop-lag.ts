import { monitorEventLoopDelay } from "node:perf_hooks";

// The runtime's own sampler: its thread costs nothing while nobody asks.
const resolutionMs = 20;

/** How late the event loop runs: the largest lag of the time since the client was made, for error texts. */
export class EventLoopLag {
  readonly #histogram = monitorEventLoopDelay({ resolution: resolutionMs });

  constructor() {
    this.#histogram.enable();
  }

  /** The largest lag seen since the last call, in milliseconds; the sampling's own interval taken off. */
  takeLargestMs(): number {
    const largestMs = this.#histogram.max / 1e6 - resolutionMs;
    this.#histogram.reset();
    return Math.max(0, largestMs);
  }

  close(): void {
    this.#histogram.disable();
  }
}
