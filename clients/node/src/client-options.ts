import type { Configuration } from "./configuration.js";
import type { CredentialProvider } from "./credential-provider.js";
import type { MetricsHooks } from "./metrics.js";
import type { Bytes } from "./proto-writer.js";

/** What a client is made of. */
export interface CacheClientOptions {
  readonly credentials: CredentialProvider;
  /** One of `Configurations`, perhaps changed by `withSettings`. */
  readonly configuration: Configuration;
  /** Time to live of items that are set without one, 1 … 86,400,000 ms. */
  readonly defaultTtlMs: number;
  readonly metrics?: MetricsHooks;
  /** Metadata sent with every call besides the client's own. */
  readonly metadata?: Readonly<Record<string, string>>;
}

/** Settings of one call. */
export interface CallOptions {
  /** Ends the call with `Cancelled`, wherever it is: in the queue, on the wire, or between retries. */
  readonly signal?: AbortSignal;
  /** This call's deadline instead of the configuration's. Milliseconds, over 0 … 2^31 − 1. */
  readonly timeoutMs?: number;
}

/** Settings of a call that stores. */
export interface SetOptions extends CallOptions {
  /** Time to live instead of the client's default; parts of a millisecond are rounded up. */
  readonly ttlMs?: number;
}

/** What a batch stores: an object or a Map from keys to values, or triples where items have a time of their own. */
export type BatchItems =
  | Iterable<readonly [key: Bytes, value: Bytes, ttlMs?: number]>
  | Readonly<Record<string, Bytes>>;
