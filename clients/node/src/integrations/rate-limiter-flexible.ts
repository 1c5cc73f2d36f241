/**
 * A store for rate-limiter-flexible.
 *
 * @module larder-cache/rate-limiter-flexible
 */

import { type IRateLimiterStoreOptions, RateLimiterRes, type RateLimiterStoreAbstract } from "rate-limiter-flexible";
// @ts-expect-error: the package has no types for this class. The package's own stores extend it.
import UntypedStoreAbstract from "rate-limiter-flexible/lib/RateLimiterStoreAbstract.js";
import { monotonicMs } from "../calls/system-timers.js";
import type { Cache } from "../client/cache.js";
import type { CacheClient } from "../client/client.js";
import { CacheError } from "../client/errors.js";
import { orThrow } from "../client/or-throw.js";

const StoreAbstract = UntypedStoreAbstract as typeof RateLimiterStoreAbstract;

/** Options of a `RateLimiterLarder`: the options of rate-limiter-flexible's stores, the client and the cache. */
export interface RateLimiterLarderOptions extends IRateLimiterStoreOptions {
  readonly storeClient: CacheClient;
  /**
   * Name of the cache for the counters. Other programs may share the cache, because keys begin with `keyPrefix`
   * (`rlflx` by default).
   */
  readonly cacheName: string;
}

/** The state of a counter on the server. */
interface Counter {
  readonly points: number;
  /** Remaining time of the counter in milliseconds. 0 if the counter has just expired. */
  readonly msLeft: number;
}

/**
 * A store for rate-limiter-flexible. The server counts points atomically, so all processes together never exceed
 * `points` in a window.
 *
 * - A window starts with the first point and is never extended.
 * - Points are integers.
 * - If an increment fails but the server may have executed it, it is not retried. The limiter then uses the
 *   `insuranceLimiter`, or rejects if none is configured.
 * - Every counter expires, so a duration of 0 is invalid, both as the option `duration` and in a call.
 */
export class RateLimiterLarder extends StoreAbstract {
  readonly #cache: Cache;

  constructor(options: RateLimiterLarderOptions) {
    super(options);
    if (options.storeClient === undefined) throw new TypeError("storeClient is not set; pass a CacheClient");
    if (options.duration === 0) throw unlimitedError();
    this.#cache = options.storeClient.cache(options.cacheName);
  }

  protected async _upsert(key: string, points: number, msDuration: number, forceExpire = false): Promise<Counter> {
    const whole = wholePoints(points);
    if (!(msDuration > 0)) throw unlimitedError();
    return forceExpire ? this.#replace(key, whole, msDuration) : this.#add(key, whole, msDuration);
  }

  protected async _get(key: string): Promise<Counter | null> {
    const [got, msLeft] = await Promise.all([this.#cache.get(`${key}`), this.#msLeft(key)]);
    const answer = orThrow(got);
    return answer.result === "hit" ? { points: pointsOf(answer.value), msLeft: msLeft ?? 0 } : null;
  }

  protected async _delete(key: string): Promise<boolean> {
    const { exists } = orThrow(await this.#cache.keyExists(`${key}`));
    if (exists) orThrow(await this.#cache.delete(`${key}`));
    return exists;
  }

  protected _getRateLimiterRes(_key: string, changedPoints: number, { points, msLeft }: Counter): RateLimiterRes {
    // Convert the points to a number, because the caller may have passed a string.
    const changed = Number(changedPoints);
    const isFirst = changed !== 0 && points === changed;
    return new RateLimiterRes(Math.max(this.points - points, 0), msLeft, points, isFirst);
  }

  async #replace(key: string, points: number, ttlMs: number): Promise<Counter> {
    orThrow(await this.#cache.set(`${key}`, `${points}`, { ttlMs }));
    return { points, msLeft: ttlMs };
  }

  // Increments a counter. The remaining time is requested concurrently with the increment, so that both take only one
  // round trip. The server may read the time before it increments, so the time may belong to the situation before the
  // increment:
  // - The time is missing, because the counter did not exist. If this increment created the counter, the remaining time
  //   is the whole window. If another increment created it, the time is requested again.
  // - The time belongs to a window that ended before the increment. Such a time is shorter than a window can be that
  //   started during this call, and is requested again.
  async #add(key: string, points: number, ttlMs: number): Promise<Counter> {
    const startedAt = monotonicMs();
    const [added, msLeft] = await Promise.all([
      this.#cache.increment(`${key}`, points, { ttlMs, keepTtl: true }),
      this.#msLeft(key),
    ]);
    const value = Number(orThrow(added).value);
    const isFirst = value === points;
    // Subtract 1 ms, because the server's time is in whole milliseconds.
    const leastMs = isFirst ? ttlMs - (monotonicMs() - startedAt) - 1 : 0;
    if (msLeft !== null && msLeft >= leastMs) return { points: value, msLeft };
    if (msLeft === null && isFirst) return { points: value, msLeft: ttlMs };
    return { points: value, msLeft: (await this.#msLeft(key)) ?? 0 };
  }

  async #msLeft(key: string): Promise<number | null> {
    const answer = orThrow(await this.#cache.itemGetTtl(`${key}`));
    return answer.result === "hit" ? answer.remainingTtlMs : null;
  }
}

function unlimitedError(): CacheError {
  return new CacheError("InvalidArgument", "the duration must be above 0, because a cache cannot store points forever");
}

// Accepts numeric strings, for example from a query or a header, as the package's own stores do.
function wholePoints(points: unknown): number {
  const number = typeof points === "string" && /^[+-]?\d+$/.test(points) ? Number(points) : points;
  if (Number.isSafeInteger(number)) return number as number;
  throw new CacheError("InvalidArgument", `points must be an integer, not ${String(points)}`);
}

function pointsOf(text: string): number {
  const points = Number(text);
  if (text !== "" && Number.isSafeInteger(points)) return points;
  throw new CacheError("FailedPrecondition", "the stored value is not a counter");
}
