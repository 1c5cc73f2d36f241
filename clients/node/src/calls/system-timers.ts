import { AsyncLocalStorage } from "node:async_hooks";
import { performance } from "node:perf_hooks";
import * as timers from "node:timers";

// The runtime's own, taken when the package is loaded: fake timers that a test installs later do not stop a client, whose
// server keeps real time.
const { setTimeout, clearTimeout, setInterval, clearInterval, setImmediate } = timers;

/** Calls `work` after the current operation and the promises that it settles. */
export const nextTick: typeof process.nextTick = process.nextTick.bind(process);
export const microtask: typeof queueMicrotask = queueMicrotask;
/** Milliseconds on the monotonic clock. */
export const monotonicMs: () => number = performance.now.bind(performance);
/** Milliseconds since the epoch, on a clock that may be set. */
export const wallMs: () => number = Date.now;
export { clearInterval, clearTimeout, setImmediate };

/**
 * Runs `work` in the asynchronous context in which the package was loaded: for connections and timers, which outlive the
 * request that needed them first. They would keep its `AsyncLocalStorage` values alive, and show them to what serves other
 * requests.
 */
export const outsideRequests: <R>(work: () => R) => R = AsyncLocalStorage.snapshot();

/** A flush that was due in this turn of the event loop and has not run for so long was scheduled with a fake `nextTick`. */
export const lostFlushMs = 50;

/** A timer outside the request's asynchronous context. */
export function startTimer(action: () => void, delayMs: number): NodeJS.Timeout {
  return outsideRequests(() => setTimeout(action, delayMs));
}

/** A repeating timer outside the request's asynchronous context. */
export function startInterval(action: () => void, intervalMs: number): NodeJS.Timeout {
  return outsideRequests(() => setInterval(action, intervalMs));
}
