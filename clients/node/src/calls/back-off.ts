/** How long to wait before try number `attempt` (from 1): doubling, bounded, and jittered over its upper half. */
export function backOffMs(attempt: number, firstMs: number, mostMs: number, random: () => number): number {
  const ceiling = Math.min(mostMs, firstMs * 2 ** Math.min(attempt - 1, 30));
  return ceiling / 2 + (ceiling / 2) * random();
}
