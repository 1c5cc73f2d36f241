/** What a client's near cache holds, and what it has done since the client was made (NEAR-28). */
export interface NearCacheStatistics {
  /** Counter `cache.client.near.hits`: gets that were answered from a copy. */
  readonly hits: number;
  /** Counter `cache.client.near.kept`: answers that became copies. */
  readonly kept: number;
  /** Counter `cache.client.near.invalidations`: copies that went because the server told that their key may have changed. */
  readonly invalidations: number;
  /** Counter `cache.client.near.clears`: how often the server told that anything may have changed. */
  readonly clears: number;
  /** Counter `cache.client.near.poisoned`: answers not kept because of what happened while they were on their way. */
  readonly poisoned: number;
  /** Counter `cache.client.near.evictions`: copies that went because the bound was reached. */
  readonly evictions: number;
  /** Gauge `cache.client.near.copies`. */
  readonly copies: number;
  /** Gauge `cache.client.near.bytes`: what the copies cost, of the setting's `maxBytes`. */
  readonly bytes: number;
}
