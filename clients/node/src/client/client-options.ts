import type { CollectionTtl } from "../collections/collection-ttl.js";
import type { Configuration } from "../configuration/configuration.js";
import type { CredentialProvider } from "../configuration/credential-provider.js";
import type { Bytes } from "../operations/proto-writer.js";
import type { Logger } from "../telemetry/client-log.js";
import type { MetricsHooks } from "../telemetry/metrics.js";
import type { ItemType } from "./responses.js";

/** Options of a client. */
export interface CacheClientOptions {
  /** The server and the token: a provider, or a URL as `CredentialProvider.fromString` parses it. */
  readonly credentials: CredentialProvider | string;
  /** One of `Configurations`, or a copy changed by `withSettings`. */
  readonly configuration: Configuration;
  /** Time to live of sets that give none: 1 … 31,536,000,000 ms (365 days), or the server's maximum. */
  readonly defaultTtlMs: number;
  /** Receives each call's duration and result, and the client's events. Default: none. */
  readonly metrics?: MetricsHooks | undefined;
  /**
   * Logs connections, retries and values that were loaded without the cache. Its exceptions are ignored. Default: none;
   * lasting errors and mistakes of the program are process warnings then.
   */
  readonly logger?: Logger | undefined;
}

/** Options of one call. */
export interface CallOptions {
  /** Cancels the call, even while it waits in the queue or between retries. The error is `Cancelled`. */
  readonly signal?: AbortSignal | undefined;
  /** The call's deadline, retries included. Milliseconds, over 0 … 3,600,000. Default: the configuration's. */
  readonly timeoutMs?: number | undefined;
}

/** Options of a call that stores a value. */
export interface SetOptions extends CallOptions {
  /** Time to live in milliseconds, rounded up. Default: the client's. */
  readonly ttlMs?: number | undefined;
}

/**
 * Options of `getOrSet`. If any option below is set, one of all processes loads a missing value and the others wait for
 * it; otherwise one caller of each process loads it (`protocol/spec/get-or-set.md`).
 */
export interface GetOrSetOptions<V = Bytes> extends SetOptions {
  /**
   * How long no other process loads the value, even if the loading process dies. Set it longer than a load takes.
   * Milliseconds, over 0 … 600,000 (10 minutes). Default 30,000.
   */
  readonly leaseMs?: number | undefined;
  /**
   * How long before a value expires it is refreshed: callers get the value, and one of them loads a new one in the
   * background, so that requested values do not expire. Other calls miss it that much earlier. Milliseconds, 0 … half
   * the time to live. Default 0: never.
   */
  readonly refreshAheadForMs?: number | undefined;
  /**
   * How long after its expiry a stale value is returned at once, while one caller loads a new one in the background.
   * Milliseconds, 0 … 31,536,000,000 (365 days), or the server's maximum time to live. Default 0: never.
   */
  readonly revalidateForMs?: number | undefined;
  /**
   * How long after its expiry a stale value is returned if the factory throws. Milliseconds, 0 … 31,536,000,000 (365
   * days), or the server's maximum time to live. Default 0: never; the caller gets the exception.
   */
  readonly failSafeForMs?: number | undefined;
  /**
   * How long callers wait for the factory if there is a stale value that `failSafeForMs` allows. Then they get the
   * stale value; the factory continues, and its value is stored. Milliseconds, over 0 … 600,000 (10 minutes). Default:
   * unlimited.
   */
  readonly softTimeoutMs?: number | undefined;
  /**
   * How long the factory may take. Then its signal aborts, and it counts as rejected with a `TimeoutError`.
   * Milliseconds, over 0 … 600,000 (10 minutes). Default: unlimited.
   */
  readonly hardTimeoutMs?: number | undefined;
  /**
   * The maximum part of the time to live that is subtracted at random, so that values stored together do not expire
   * together: 0 … 1. Default 0.
   */
  readonly jitter?: number | undefined;
  /** Tags of the item for `removeByTag`: at most 128, each of 1 to 1,024 bytes. Default none. */
  readonly tags?: Iterable<Bytes> | undefined;
  /**
   * Computes the time to live in milliseconds from the factory's value; undefined: the call's `ttlMs`. Default: the
   * call's `ttlMs`.
   */
  readonly ttlOf?: ((value: V) => number | undefined) | undefined;
}

/** Options of an increment. */
export interface IncrementOptions extends SetOptions {
  /**
   * Whether an existing counter keeps its remaining time to live, so that `ttlMs` applies to a new counter only. This
   * makes a window of fixed length. Default false: each increment sets `ttlMs`.
   */
  readonly keepTtl?: boolean | undefined;
}

/** Options of a call that stores in a collection. */
export interface CollectionOptions extends CallOptions {
  /**
   * The collection's time to live, and whether a write to an existing collection sets it again. Default: the client's,
   * and yes.
   */
  readonly ttl?: CollectionTtl | undefined;
  /** Short for `ttl: CollectionTtl.of(ttlMs)`. Milliseconds, rounded up. */
  readonly ttlMs?: number | undefined;
}

/** Options of a scan of keys. */
export interface ScanOptions extends CallOptions {
  /** Returns only keys with this prefix. Default: all. */
  readonly prefix?: Bytes | undefined;
  /** Returns only items of this type. Default: all. */
  readonly type?: ItemType | undefined;
  /** The cursor of the previous page. Default: the beginning. */
  readonly cursor?: Uint8Array | undefined;
  /** Approximate number of keys per page; the server's maximum is 4,096. Default 0: the server's default, 100. */
  readonly count?: number | undefined;
}

/** Options of a scan of a collection. */
export interface ScanItemsOptions extends CallOptions {
  /** The cursor of the previous page. Default: the beginning. */
  readonly cursor?: Uint8Array | undefined;
  /**
   * Approximate number of fields or elements per page; the server's maximum is 4,096. Default 0: the server's default,
   * 100.
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

/** Fields of a dictionary with their values: an object or a Map, or pairs. */
export type DictionaryItems = Iterable<readonly [field: Bytes, value: Bytes]> | Readonly<Record<string, Bytes>>;

/** Elements of a sorted set with their scores, each a number or infinite: an object or a Map, or pairs. */
export type SortedSetElements = Iterable<readonly [element: Bytes, score: number]> | Readonly<Record<string, number>>;

/** Adjacent elements of a list: the index of the first and their number, both 0 or more. */
export type ListRange = readonly [begin: number, count: number];

/**
 * The sorted sets of a union: their keys, or keys with weights, as an object, a Map or pairs. The scores of a set are
 * multiplied by its weight: a 32-bit floating-point number, also infinite; default 1.
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
