/**
 * Returns the delay in milliseconds after attempt number `attempt` (from 1) has failed. The maximum delay is `firstMs`
 * after the first attempt. The maximum doubles with each further attempt, up to `mostMs`. The delay is random between
 * half of the maximum and the maximum.
 */
export function backOffMs(attempt: number, firstMs: number, mostMs: number, random: () => number): number {
  const ceiling = Math.min(mostMs, firstMs * 2 ** Math.min(attempt - 1, 30));
  return ceiling / 2 + (ceiling / 2) * random();
}
