import type { LeaseSettings } from "./lease-settings.js";

/** The stored TTL and the stale time of a loaded value, in whole milliseconds. */
export interface StoredTimes {
  readonly ttlMs: number;
  /** How long after the value's expiry a `getOrSet` may still return the value, if its options allow that. */
  readonly staleMs: number;
}

type AheadSettings = Pick<LeaseSettings, "refreshAheadForMs" | "revalidateForMs" | "failSafeForMs" | "jitter">;

/**
 * Computes how long a value with the TTL `ttlMs` is stored (GOC-7, GOC-12). The refresh-ahead time is at most half of
 * the TTL (GOC-14). It is subtracted from the stored TTL and added to the stale time.
 */
export function storedTimes(ttlMs: number, settings: AheadSettings, random: () => number): StoredTimes {
  const { refreshAheadForMs, revalidateForMs, failSafeForMs, jitter } = settings;
  const aheadMs = Math.floor(Math.min(refreshAheadForMs, ttlMs / 2));
  const staleMs = aheadMs + Math.ceil(Math.max(revalidateForMs, failSafeForMs));
  return { ttlMs: jitteredTtl(ttlMs - aheadMs, jitter, random), staleMs };
}

/** Subtracts the random jitter from a TTL. Returns whole milliseconds, at least 1. */
export function jitteredTtl(ttlMs: number, jitter: number, random: () => number): number {
  return Math.max(1, Math.floor(ttlMs * (1 - jitter * random())));
}

/** What to do with a value whose stored TTL has passed. */
export type StaleReading =
  /**
   * Return the value. `hit`: the TTL including the refresh-ahead time has not passed. `stale`: it has passed.
   * `refresh`: this caller also reloads the value in the background.
   */
  | { readonly answer: "hit" | "stale"; readonly refresh: boolean }
  /** Load a new value first. `fallback`: return the stale value if the factory throws. */
  | { readonly answer: "load"; readonly fallback: boolean }
  /** Wait for another caller's load. */
  | { readonly answer: "wait" };

/**
 * Decides what to do with a value that expired `expiredMs` ago (GOC-4, GOC-5, GOC-12).
 * @param leased - Whether the response also granted the lease of the key.
 */
export function staleReading(
  expiredMs: number,
  leased: boolean,
  settings: Omit<AheadSettings, "jitter">,
): StaleReading {
  const { refreshAheadForMs, revalidateForMs } = settings;
  if (expiredMs < refreshAheadForMs) return { answer: "hit", refresh: leased };
  if (expiredMs < refreshAheadForMs + revalidateForMs) return { answer: "stale", refresh: leased };
  return leased ? { answer: "load", fallback: isFallback(expiredMs, settings) } : { answer: "wait" };
}

/** Returns whether a value that expired `expiredMs` ago may be returned if a load fails or is slow (GOC-5, GOC-10). */
export function isFallback(
  expiredMs: number,
  { refreshAheadForMs, failSafeForMs }: Pick<AheadSettings, "refreshAheadForMs" | "failSafeForMs">,
): boolean {
  return expiredMs < refreshAheadForMs + failSafeForMs;
}
