import type { LeaseSettings } from "./lease-settings.js";

/** How long what was made is kept: whole milliseconds. */
export interface StoredTimes {
  readonly ttlMs: number;
  /** How long past that it may be answered by a `getOrSet` whose options allow it. */
  readonly staleMs: number;
}

type AheadSettings = Pick<LeaseSettings, "refreshAheadForMs" | "revalidateForMs" | "failSafeForMs" | "jitter">;

/**
 * How long a value whose whole time to live is `ttlMs` is stored (GOC-7, GOC-12): without the part in which it is made
 * anew ahead, which is at most half of it (GOC-14), and is the first of its stale time.
 */
export function storedTimes(ttlMs: number, settings: AheadSettings, random: () => number): StoredTimes {
  const { refreshAheadForMs, revalidateForMs, failSafeForMs, jitter } = settings;
  const aheadMs = Math.floor(Math.min(refreshAheadForMs, ttlMs / 2));
  const staleMs = aheadMs + Math.ceil(Math.max(revalidateForMs, failSafeForMs));
  return { ttlMs: jitteredTtl(ttlMs - aheadMs, jitter, random), staleMs };
}

/** A time to live without the part that is taken off at random, in whole milliseconds: 1 at least. */
export function jitteredTtl(ttlMs: number, jitter: number, random: () => number): number {
  return Math.max(1, Math.floor(ttlMs * (1 - jitter * random())));
}

/** What becomes of a value that is kept past the time to live that it was stored with. */
export type StaleReading =
  /** It is answered; `hit`: its whole time to live is not over. `refresh`: who asks makes it anew in the background. */
  | { readonly answer: "hit" | "stale"; readonly refresh: boolean }
  /** It is made before anything is answered; `fallback`: this value is answered where the factory throws. */
  | { readonly answer: "load"; readonly fallback: boolean }
  /** Somebody else makes it. */
  | { readonly answer: "wait" };

/** Reads a value that expired so long ago; `leased`: its lease came with it (GOC-4, GOC-5, GOC-12). */
export function staleReading(
  expiredMs: number,
  leased: boolean,
  settings: Omit<AheadSettings, "jitter">,
): StaleReading {
  const { refreshAheadForMs, revalidateForMs, failSafeForMs } = settings;
  if (expiredMs < refreshAheadForMs) return { answer: "hit", refresh: leased };
  if (expiredMs < refreshAheadForMs + revalidateForMs) return { answer: "stale", refresh: leased };
  return leased ? { answer: "load", fallback: expiredMs < refreshAheadForMs + failSafeForMs } : { answer: "wait" };
}
