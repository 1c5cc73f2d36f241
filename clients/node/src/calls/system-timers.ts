import { AsyncLocalStorage } from "node:async_hooks";
import { performance } from "node:perf_hooks";
import * as timers from "node:timers";

// The runtime's own timers, captured when the package is loaded. Fake timers that a test installs later do not affect a
// client, because its server runs in real time.
const { setTimeout, clearTimeout, setInterval, clearInterval, setImmediate } = timers;

/** Calls a function after the current operation and before any promise callback. */
export const nextTick: typeof process.nextTick = process.nextTick.bind(process);
export const microtask: typeof queueMicrotask = queueMicrotask;
/** Returns the milliseconds on the monotonic clock. */
export const monotonicMs: () => number = performance.now.bind(performance);
/** Returns the milliseconds since the epoch. The system's clock can be changed, so the value may decrease. */
export const wallMs: () => number = Date.now;
export { clearInterval, clearTimeout, setImmediate };

/**
 * Runs `work` in the asynchronous context in which the package was loaded. Connections and timers are created in this
 * context, because they outlive the request that first needed them. In the context of that request, they would keep its
 * `AsyncLocalStorage` values alive and expose these values to other requests.
 */
export const outsideRequestContext: <R>(work: () => R) => R = AsyncLocalStorage.snapshot();

/**
 * The age in milliseconds at which a scheduled flush is overdue. A flush normally runs at the end of the event-loop
 * turn. An overdue flush was scheduled with a fake `nextTick` and may never run.
 */
export const overdueFlushMs = 50;

/** Starts a timer outside the asynchronous context of the current request. */
export function startTimer(action: () => void, delayMs: number): NodeJS.Timeout {
  return outsideRequestContext(() => setTimeout(action, delayMs));
}

/** Starts a repeating timer outside the asynchronous context of the current request. */
export function startInterval(action: () => void, intervalMs: number): NodeJS.Timeout {
  return outsideRequestContext(() => setInterval(action, intervalMs));
}
