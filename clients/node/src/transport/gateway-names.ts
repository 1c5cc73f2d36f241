import { lookup } from "node:dns/promises";
import { mostGateways } from "../configuration/credential-provider.js";

/** What a host name resolves to. Rejects where it does not. */
export type Resolve = (host: string) => Promise<readonly string[]>;

/** How names are looked up (GATEWAY-11). */
export interface Names {
  readonly resolve: Resolve;
  readonly everyMs: number;
  /** The shortest time between two look-ups, however many gateways fail. */
  readonly pauseMs: number;
}

/** Asks the system, every 30 s. */
export const systemNames: Names = {
  resolve: async (host) => (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address),
  everyMs: 30_000,
  pauseMs: 1_000,
};

/** The addresses of a name that are gateways; none where it is one gateway, reached by its name (GATEWAY-3). */
export function gatewaysOf(resolved: readonly string[]): readonly string[] {
  const addresses = [...new Set(resolved)];
  const six = addresses.filter((address) => address.includes(":"));
  const four = addresses.filter((address) => !address.includes(":"));
  const gateways = six.length > four.length ? six : four;
  return gateways.length > 1 ? gateways.slice(0, mostGateways) : [];
}
