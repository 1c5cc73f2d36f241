import type { Clock } from "./clock.js";

/** What `within` answers in place of a value. */
export const late = Symbol("late");

/** What `work` comes to, or that it takes longer than `ms`; the work itself goes on. */
export function within<T>(clock: Clock, work: Promise<T>, ms: number): Promise<T | typeof late> {
  if (ms === Number.POSITIVE_INFINITY) return work;
  return new Promise((resolve, reject) => {
    const task = clock.schedule(() => resolve(late), ms);
    work.then(resolve, reject).finally(() => task.cancel());
  });
}

/**
 * What `make` makes. Rejects with a TimeoutError where that takes longer than `ms`: the signal that it was given aborts,
 * and what it still makes is nobody's.
 */
export async function inTime<T>(
  clock: Clock,
  make: (signal: AbortSignal | undefined) => Promise<T>,
  ms: number,
  signal: AbortSignal | undefined,
): Promise<T> {
  if (ms === Number.POSITIVE_INFINITY) return make(signal);
  const given = new AbortController();
  const made = make(signal === undefined ? given.signal : AbortSignal.any([signal, given.signal]));
  const value = await within(clock, made, ms);
  if (value !== late) return value;
  made.catch(() => {});
  const why = new DOMException(`the factory took longer than ${ms} ms`, "TimeoutError");
  given.abort(why);
  throw why;
}
