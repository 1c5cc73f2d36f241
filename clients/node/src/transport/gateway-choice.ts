/**
 * Chooses the gateway for an attempt (GATEWAY-6, GATEWAY-7): of two random gateways the one with fewer calls in flight,
 * or the first one if they are equal.
 * @param draws - Two random numbers, 0 to below 1. They select two different gateways if there are at least two.
 */
export function chooseGateway(inFlight: readonly number[], draws: readonly [number, number]): number {
  const count = inFlight.length;
  const one = Math.floor(draws[0] * count);
  if (count === 1) return one;
  const drawn = Math.floor(draws[1] * (count - 1));
  const other = drawn < one ? drawn : drawn + 1;
  return inFlight[other]! < inFlight[one]! ? other : one;
}
