/**
 * Which gateway an attempt goes to (GATEWAY-6, GATEWAY-7): of two drawn the one with fewer calls in flight, the first of two
 * alike. `draws` are two numbers from 0 to below 1; the draws are of two different gateways, where there are two.
 */
export function chooseGateway(inFlight: readonly number[], draws: readonly [number, number]): number {
  const count = inFlight.length;
  const one = Math.floor(draws[0] * count);
  if (count === 1) return one;
  const drawn = Math.floor(draws[1] * (count - 1));
  const other = drawn < one ? drawn : drawn + 1;
  return inFlight[other]! < inFlight[one]! ? other : one;
}
