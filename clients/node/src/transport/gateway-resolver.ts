import { lookup } from "node:dns/promises";
import { maxGateways } from "../configuration/credential-provider.js";

/** Resolves a host name to addresses. Rejects if it cannot be resolved. */
export type Resolve = (host: string) => Promise<readonly string[]>;

/** How host names are resolved (GATEWAY-11). */
export interface ResolverSettings {
  readonly resolve: Resolve;
  readonly everyMs: number;
  /** Minimum interval between two lookups. It does not depend on the number of failing gateways. */
  readonly pauseMs: number;
}

/** Resolves names every 30 s, with the operating system's resolver. */
export const systemResolver: ResolverSettings = {
  resolve: async (host) => (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address),
  everyMs: 30_000,
  pauseMs: 1_000,
};

/**
 * Selects the gateways from the addresses of a host name. Returns an empty list if there is only one address to use.
 * The name is then treated as a single gateway (GATEWAY-3).
 */
export function gatewayAddresses(resolved: readonly string[]): readonly string[] {
  const addresses = [...new Set(resolved)];
  const six = addresses.filter((address) => address.includes(":"));
  const four = addresses.filter((address) => !address.includes(":"));
  const gateways = six.length > four.length ? six : four;
  return gateways.length > 1 ? gateways.slice(0, maxGateways) : [];
}
