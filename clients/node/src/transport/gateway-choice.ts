/**
 * Chooses the gateway for an attempt (GATEWAY-6, GATEWAY-7). Returns the index of one of two random gateways: the one
 * with fewer calls in flight, or the first one if both have the same number.
 * @param inFlight - The number of calls in flight of each gateway. There is at least one gateway.
 * @param draws - Two random numbers, each at least 0 and below 1. If there are at least two gateways, they select two
 * different gateways.
 */
export function chooseGateway(inFlight: readonly number[], draws: readonly [number, number]): number {
  const count = inFlight.length;
  const one = Math.floor(draws[0] * count);
  if (count === 1) return one;
  const drawn = Math.floor(draws[1] * (count - 1));
  const other = drawn < one ? drawn : drawn + 1;
  return inFlight[other]! < inFlight[one]! ? other : one;
}
