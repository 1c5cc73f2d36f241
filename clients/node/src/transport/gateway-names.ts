import { lookup } from "node:dns/promises";
import { mostFronts } from "../configuration/credential-provider.js";

/** What a host name resolves to. Rejects where it does not. */
export type Resolve = (host: string) => Promise<readonly string[]>;

/** How names are looked up (FRONT-11). */
export interface Names {
  readonly resolve: Resolve;
  readonly everyMs: number;
  /** The shortest time between two look-ups, however many fronts fail. */
  readonly pauseMs: number;
}

/** Asks the system, every 30 s. */
export const systemNames: Names = {
  resolve: async (host) => (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address),
  everyMs: 30_000,
  pauseMs: 1_000,
};

/** The addresses of a name that are fronts; none where it is one front, reached by its name (FRONT-3). */
export function frontsOf(resolved: readonly string[]): readonly string[] {
  const addresses = [...new Set(resolved)];
  const six = addresses.filter((address) => address.includes(":"));
  const four = addresses.filter((address) => !address.includes(":"));
  const fronts = six.length > four.length ? six : four;
  return fronts.length > 1 ? fronts.slice(0, mostFronts) : [];
}
