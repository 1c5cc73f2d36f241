/**
 * The size of a near cache, and its counters since the client was created (NEAR-28). A copy is a value that the near
 * cache stores.
 */
export interface NearCacheStatistics {
  /** Counter `cache.client.near.hits`: gets that were served from the near cache. */
  readonly hits: number;
  /** Counter `cache.client.near.kept`: responses that were stored in the near cache. */
  readonly kept: number;
  /** Counter `cache.client.near.invalidations`: copies removed because the server reported a change of their key. */
  readonly invalidations: number;
  /**
   * Counter `cache.client.near.clears`: number of times that all copies were removed because any key may have changed.
   */
  readonly clears: number;
  /**
   * Counter `cache.client.near.poisoned`: responses that were not stored, because their key may have changed while the
   * get was in flight.
   */
  readonly poisoned: number;
  /** Counter `cache.client.near.evictions`: copies that were removed because `maxBytes` was reached. */
  readonly evictions: number;
  /** Gauge `cache.client.near.copies`: number of stored copies. */
  readonly copies: number;
  /** Gauge `cache.client.near.bytes`: size of the copies, as counted for `maxBytes`. */
  readonly bytes: number;
}
