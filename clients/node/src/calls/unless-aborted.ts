/**
 * Returns the result of `work`. If the signal aborts first, rejects with the signal's reason. In that case the work
 * continues, but its result is ignored.
 */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort);
    const left = () => signal.removeEventListener("abort", abort);
    work.then(resolve, reject).finally(left);
  });
}
