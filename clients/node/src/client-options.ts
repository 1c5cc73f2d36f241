import type { Configuration } from "./configuration.js";
import type { CredentialProvider } from "./credential-provider.js";
import type { MetricsHooks } from "./metrics.js";
import type { Bytes } from "./proto-writer.js";

/** What a client is made of. */
export interface CacheClientOptions {
  readonly credentials: CredentialProvider;
  /** One of `Configurations`, perhaps changed by `withSettings`. */
  readonly configuration: Configuration;
  /** Time to live of items that are set without one, 1 … 31,536,000,000 ms (365 days), or what the server allows. */
  readonly defaultTtlMs: number;
  readonly metrics?: MetricsHooks | undefined;
}

/** Settings of one call. */
export interface CallOptions {
  /** Ends the call with `Cancelled`, wherever it is: in the queue, on the wire, or between retries. */
  readonly signal?: AbortSignal | undefined;
  /** This call's deadline instead of the configuration's. Milliseconds, over 0 … 3,600,000. */
  readonly timeoutMs?: number | undefined;
}

/** Settings of a call that stores. */
export interface SetOptions extends CallOptions {
  /** Time to live instead of the client's default; parts of a millisecond are rounded up. */
  readonly ttlMs?: number | undefined;
}

/** Settings of an increment. */
export interface IncrementOptions extends SetOptions {
  /**
   * Whether a counter that is there keeps the time it has left, and `ttlMs` is for a new one alone: a window of fixed
   * length. Default false: each increment refreshes it.
   */
  readonly keepTtl?: boolean | undefined;
}

/** What a batch stores: an object or a Map from keys to values, or triples where items have a time of their own. */
export type BatchItems =
  | Iterable<readonly [key: Bytes, value: Bytes, ttlMs?: number | undefined]>
  | Readonly<Record<string, Bytes>>;
