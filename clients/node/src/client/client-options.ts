import type { CollectionTtl } from "../collections/collection-ttl.js";
import type { Configuration } from "../configuration/configuration.js";
import type { CredentialProvider } from "../configuration/credential-provider.js";
import type { Bytes } from "../operations/proto-writer.js";
import type { Logger } from "../telemetry/client-log.js";
import type { MetricsHooks } from "../telemetry/metrics.js";
import type { ItemType } from "./responses.js";

/** Options of a client. */
export interface CacheClientOptions {
  /** The server's address and the token. A string is a URL in the format of `CredentialProvider.fromString`. */
  readonly credentials: CredentialProvider | string;
  /** A configuration from `Configurations`, or a copy that `withSettings` returned. */
  readonly configuration: Configuration;
  /**
   * Time to live for writes that do not specify one. Milliseconds, 1 … 31,536,000,000 (365 days). The server may have
   * a lower maximum.
   */
  readonly defaultTtlMs: number;
  /**
   * Receives each call's duration and result, and the client's events.
   * @defaultValue none
   */
  readonly metrics?: MetricsHooks | undefined;
  /**
   * Logs connections, retries and values that were loaded without the cache. Exceptions of the logger are ignored.
   * Without a logger, permanent errors and mistakes in the program cause process warnings.
   * @defaultValue none
   */
  readonly logger?: Logger | undefined;
}

/** Options of one call. */
export interface CallOptions {
  /** Cancels the call, even while it waits in the queue or between retries. The error is `Cancelled`. */
  readonly signal?: AbortSignal | undefined;
  /**
   * The time limit of the call, including its retries. Milliseconds, more than 0 and at most 3,600,000.
   * @defaultValue the configuration's `requestTimeoutMs`
   */
  readonly timeoutMs?: number | undefined;
}

/** Options of a call that stores a value. */
export interface SetOptions extends CallOptions {
  /**
   * Time to live in milliseconds, rounded up.
   * @defaultValue the client's `defaultTtlMs`
   */
  readonly ttlMs?: number | undefined;
}

/**
 * Options of `getOrSet`. If any option that this interface adds to `SetOptions` is set, only one process loads a
 * missing value, and all other processes wait for the value. If none is set, one caller in each process loads the value
 * (`protocol/spec/get-or-set.md`).
 */
export interface GetOrSetOptions<V = Bytes> extends SetOptions {
  /**
   * The duration of a lease. During a lease, no other process loads the value, even if the process that has the lease
   * has crashed. Choose a duration that is longer than a load. Milliseconds, more than 0 and at most 600,000 (10
   * minutes).
   * @defaultValue 30,000
   */
  readonly leaseMs?: number | undefined;
  /**
   * The period before the expiry of a value in which the value is refreshed. Callers still get the value, and one of
   * them loads a new value in the background, so that values in use do not expire. For calls without this option, the
   * value expires at the start of this period. Milliseconds, 0 … half the time to live. If 0, values are not refreshed
   * before they expire.
   * @defaultValue 0
   */
  readonly refreshAheadForMs?: number | undefined;
  /**
   * The period after the expiry of a value in which callers still get the value immediately. Meanwhile one caller loads
   * a new value in the background. Milliseconds, 0 … 31,536,000,000 (365 days), and at most the server's maximum time
   * to live. If 0, callers wait for the new value.
   * @defaultValue 0
   */
  readonly revalidateForMs?: number | undefined;
  /**
   * The period after the expiry of a value in which callers get the value if the factory throws. Milliseconds, 0 …
   * 31,536,000,000 (365 days), and at most the server's maximum time to live. If 0, callers get the exception.
   * @defaultValue 0
   */
  readonly failSafeForMs?: number | undefined;
  /**
   * The maximum time that a caller waits for a load, its own or that of another caller or process, if there is a stale
   * value that `failSafeForMs` allows. After this time, the caller gets the stale value. The factory continues, and its
   * value is stored. If 32 loads already run in the background, the factory's signal aborts instead. Milliseconds, more
   * than 0 and at most 600,000 (10 minutes).
   * @defaultValue unlimited
   */
  readonly softTimeoutMs?: number | undefined;
  /**
   * The maximum time that the factory may take. After this time, the factory's signal aborts, and the load fails with a
   * `TimeoutError`. Milliseconds, more than 0 and at most 600,000 (10 minutes).
   * @defaultValue unlimited
   */
  readonly hardTimeoutMs?: number | undefined;
  /**
   * The maximum fraction, 0 … 1, by which a time to live is randomly shortened. This prevents values that were stored
   * at the same time from expiring at the same time.
   * @defaultValue 0
   */
  readonly jitter?: number | undefined;
  /**
   * Tags of the item for `removeByTag`: at most 128, each of 1 to 1,024 bytes.
   * @defaultValue none
   */
  readonly tags?: Iterable<Bytes> | undefined;
  /**
   * Computes the time to live in milliseconds from the factory's value. If it returns undefined, the time to live is
   * the call's `ttlMs`.
   * @defaultValue the call's `ttlMs`
   */
  readonly ttlOf?: ((value: V) => number | undefined) | undefined;
}

/** Options of an increment. */
export interface IncrementOptions extends SetOptions {
  /**
   * Whether an existing counter keeps its remaining time to live. If true, `ttlMs` applies only to a new counter, so
   * the counter counts events in a window of fixed length. If false, each increment sets `ttlMs`.
   * @defaultValue false
   */
  readonly keepTtl?: boolean | undefined;
}

/** Options for a call that writes to a collection. */
export interface CollectionOptions extends CallOptions {
  /**
   * The collection's time to live, and whether a write to an existing collection sets the time to live again.
   * @defaultValue the client's `defaultTtlMs`, which each write sets again
   */
  readonly ttl?: CollectionTtl | undefined;
  /** The same as `ttl: CollectionTtl.of(ttlMs)`. Milliseconds, rounded up. */
  readonly ttlMs?: number | undefined;
}

/** Options of a scan of keys. */
export interface ScanOptions extends CallOptions {
  /**
   * The prefix of the keys to return.
   * @defaultValue all keys
   */
  readonly prefix?: Bytes | undefined;
  /**
   * The type of the items to return.
   * @defaultValue all types
   */
  readonly type?: ItemType | undefined;
  /**
   * The cursor of the previous page.
   * @defaultValue the beginning
   */
  readonly cursor?: Uint8Array | undefined;
  /**
   * Approximate number of keys per page. The server's maximum is 4,096. If 0, the server uses its default of 100.
   * @defaultValue 0
   */
  readonly count?: number | undefined;
}

/** Options of a scan of a collection. */
export interface ScanItemsOptions extends CallOptions {
  /**
   * The cursor of the previous page.
   * @defaultValue the beginning
   */
  readonly cursor?: Uint8Array | undefined;
  /**
   * Approximate number of fields or elements per page. The server's maximum is 4,096. If 0, the server uses its default
   * of 100.
   * @defaultValue 0
   */
  readonly count?: number | undefined;
}

/**
 * Items of a batch: an object or a Map from keys to values, or an iterable of `[key, value]` or `[key, value, ttlMs]`.
 * An item without `ttlMs` gets the time to live of the call.
 */
export type BatchItems =
  | Iterable<readonly [key: Bytes, value: Bytes, ttlMs?: number | undefined]>
  | Readonly<Record<string, Bytes>>;

/** Fields of a dictionary with their values: an object, a Map or an iterable of pairs. */
export type DictionaryItems = Iterable<readonly [field: Bytes, value: Bytes]> | Readonly<Record<string, Bytes>>;

/**
 * Elements of a sorted set with their scores: an object, a Map or an iterable of pairs. A score is a number, which may
 * be infinite but not `NaN`.
 */
export type SortedSetElements = Iterable<readonly [element: Bytes, score: number]> | Readonly<Record<string, number>>;

/**
 * A range of adjacent elements of a list. `begin` is the index of the first element, and `count` is the number of
 * elements. Both are 0 or more.
 */
export type ListRange = readonly [begin: number, count: number];

/**
 * The source sets of a union of sorted sets. Pass an iterable of keys, an iterable of `[key, weight]` pairs, or an
 * object or a Map from keys to weights. The scores of a source set are multiplied by its weight. A weight is a 32-bit
 * floating-point number and may be infinite. The default is 1.
 */
export type SortedSetSources =
  | Iterable<Bytes | readonly [name: Bytes, weight?: number | undefined]>
  | Readonly<Record<string, number>>;

/**
 * The order of a sorted set's elements: lowest or highest score first. Elements with equal scores are ordered by their
 * bytes.
 */
export type SortedSetOrder = "ascending" | "descending";

/** How a union combines the weighted scores of an element that is in several sorted sets. */
export type SortedSetAggregate = "sum" | "min" | "max";
