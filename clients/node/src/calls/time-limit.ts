import type { Clock } from "./clock.js";

/** The result of `withTimeout` if the work takes longer than the timeout. */
const timedOut = Symbol("timed out");

/** Returns the result of `work`, or `timedOut` if the work takes longer than `ms`. The work itself is not stopped. */
function withTimeout<T>(clock: Clock, work: Promise<T>, ms: number): Promise<T | typeof timedOut> {
  return new Promise((resolve, reject) => {
    const task = clock.schedule(() => resolve(timedOut), ms);
    work.then(resolve, reject).finally(() => task.cancel());
  });
}

/**
 * Runs `make` and returns its result. If `make` takes longer than `ms`, aborts the signal that was passed to `make` and
 * ignores a later result.
 * @throws TimeoutError if `make` takes longer than `ms`.
 */
export async function runWithTimeout<T>(
  clock: Clock,
  make: (signal: AbortSignal | undefined) => Promise<T>,
  ms: number,
  signal: AbortSignal | undefined,
): Promise<T> {
  if (ms === Number.POSITIVE_INFINITY) return make(signal);
  const given = new AbortController();
  const made = make(signal === undefined ? given.signal : AbortSignal.any([signal, given.signal]));
  const value = await withTimeout(clock, made, ms);
  if (value !== timedOut) return value;
  made.catch(() => {});
  const why = new DOMException(`the factory took longer than ${ms} ms`, "TimeoutError");
  given.abort(why);
  throw why;
}
