import type { CollectionTtl } from "../collections/collection-ttl.js";
import type { Configuration } from "../configuration/configuration.js";
import type { CredentialProvider } from "../configuration/credential-provider.js";
import type { Bytes } from "../operations/proto-writer.js";
import type { Logger } from "../telemetry/client-log.js";
import type { MetricsHooks } from "../telemetry/metrics.js";
import type { ItemType } from "./responses.js";

/** Options of a client. */
export interface CacheClientOptions {
  /** The server and the token: a provider, or a URL in the format of `CredentialProvider.fromString`. */
  readonly credentials: CredentialProvider | string;
  /** A configuration from `Configurations`, or a copy that `withSettings` returned. */
  readonly configuration: Configuration;
  /** Time to live of sets that specify none. Milliseconds, 1 … 31,536,000,000 (365 days), or the server's maximum. */
  readonly defaultTtlMs: number;
  /**
   * Receives each call's duration and result, and the client's events.
   * @defaultValue none
   */
  readonly metrics?: MetricsHooks | undefined;
  /**
   * Logs connections, retries and values that were loaded without the cache. Exceptions of the logger are ignored.
   * Without a logger, lasting errors and mistakes of the program become process warnings.
   * @defaultValue none
   */
  readonly logger?: Logger | undefined;
}

/** Options of one call. */
export interface CallOptions {
  /** Cancels the call, even while it waits in the queue or between retries. The error is `Cancelled`. */
  readonly signal?: AbortSignal | undefined;
  /**
   * The call's deadline, including its retries. Milliseconds, over 0 … 3,600,000.
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
 * Options of `getOrSet`. If any option below is set, one of all processes loads a missing value and the other processes
 * wait for the value. Otherwise one caller of each process loads it (`protocol/spec/get-or-set.md`).
 */
export interface GetOrSetOptions<V = Bytes> extends SetOptions {
  /**
   * How long no other process loads the value, even if the loading process dies. Set it longer than a load takes.
   * Milliseconds, over 0 … 600,000 (10 minutes).
   * @defaultValue 30,000
   */
  readonly leaseMs?: number | undefined;
  /**
   * How long before its expiry a value is refreshed. Callers get the value, and one of them loads a new value in the
   * background, so that values in use do not expire. Calls without this option miss the value that much earlier.
   * Milliseconds, 0 … half the time to live. 0: never.
   * @defaultValue 0
   */
  readonly refreshAheadForMs?: number | undefined;
  /**
   * How long after its expiry a stale value is returned immediately, while one caller loads a new value in the
   * background. Milliseconds, 0 … 31,536,000,000 (365 days), or the server's maximum time to live. 0: never.
   * @defaultValue 0
   */
  readonly revalidateForMs?: number | undefined;
  /**
   * How long after its expiry a stale value is returned if the factory throws. Milliseconds, 0 … 31,536,000,000 (365
   * days), or the server's maximum time to live. 0: never, so the caller gets the exception.
   * @defaultValue 0
   */
  readonly failSafeForMs?: number | undefined;
  /**
   * How long callers wait for the factory if there is a stale value that `failSafeForMs` allows. After this time they
   * get the stale value. The factory continues, and its value is stored. Milliseconds, over 0 … 600,000 (10 minutes).
   * @defaultValue unlimited
   */
  readonly softTimeoutMs?: number | undefined;
  /**
   * How long the factory may take. After this time its signal aborts, and the factory counts as rejected with a
   * `TimeoutError`. Milliseconds, over 0 … 600,000 (10 minutes).
   * @defaultValue unlimited
   */
  readonly hardTimeoutMs?: number | undefined;
  /**
   * The maximum share of the time to live that is subtracted at random, so that values that were stored at the same
   * time do not expire at the same time. 0 … 1.
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
   * the counter counts within a window of fixed length. If false, each increment sets `ttlMs`.
   * @defaultValue false
   */
  readonly keepTtl?: boolean | undefined;
}

/** Options of a call that stores in a collection. */
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
   * Returns only keys with this prefix.
   * @defaultValue all keys
   */
  readonly prefix?: Bytes | undefined;
  /**
   * Returns only items of this type.
   * @defaultValue all types
   */
  readonly type?: ItemType | undefined;
  /**
   * The cursor of the previous page.
   * @defaultValue the beginning
   */
  readonly cursor?: Uint8Array | undefined;
  /**
   * Approximate number of keys per page. The server's maximum is 4,096. 0: the server's default, which is 100.
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
   * Approximate number of fields or elements per page. The server's maximum is 4,096. 0: the server's default, which is
   * 100.
   * @defaultValue 0
   */
  readonly count?: number | undefined;
}

/**
 * Items of a batch: an object or a Map from keys to values, or `[key, value, ttlMs]` triples with a time to live for
 * each item.
 */
export type BatchItems =
  | Iterable<readonly [key: Bytes, value: Bytes, ttlMs?: number | undefined]>
  | Readonly<Record<string, Bytes>>;

/** Fields of a dictionary with their values: an object, a Map or an iterable of pairs. */
export type DictionaryItems = Iterable<readonly [field: Bytes, value: Bytes]> | Readonly<Record<string, Bytes>>;

/**
 * Elements of a sorted set with their scores: an object, a Map or an iterable of pairs. A score is a number, which may be
 * infinite but not `NaN`.
 */
export type SortedSetElements = Iterable<readonly [element: Bytes, score: number]> | Readonly<Record<string, number>>;

/** Adjacent elements of a list: the index of the first element and the number of elements, both 0 or more. */
export type ListRange = readonly [begin: number, count: number];

/**
 * The sorted sets of a union: their keys, or keys with weights, as an object, a Map or pairs. The scores of a sorted
 * set are multiplied by its weight, which is a 32-bit floating-point number and may be infinite. The default weight is
 * 1.
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
