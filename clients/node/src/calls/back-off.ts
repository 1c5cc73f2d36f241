/**
 * Returns the delay before attempt `attempt` (from 1). The delay doubles with each attempt, up to `mostMs`. Its upper
 * half is random.
 */
export function backOffMs(attempt: number, firstMs: number, mostMs: number, random: () => number): number {
  const ceiling = Math.min(mostMs, firstMs * 2 ** Math.min(attempt - 1, 30));
  return ceiling / 2 + (ceiling / 2) * random();
}
