import type { CollectionTtl } from "../collections/collection-ttl.js";
import type { Configuration } from "../configuration/configuration.js";
import type { CredentialProvider } from "../configuration/credential-provider.js";
import type { Bytes } from "../operations/proto-writer.js";
import type { Logger } from "../telemetry/client-log.js";
import type { MetricsHooks } from "../telemetry/metrics.js";
import type { ItemType } from "./responses.js";

/** What a client is made of. */
export interface CacheClientOptions {
  /** The server and the token: a provider, or a URL as `CredentialProvider.fromString` takes it. */
  readonly credentials: CredentialProvider | string;
  /** One of `Configurations`, perhaps changed by `withSettings`. */
  readonly configuration: Configuration;
  /** Time to live of items that are set without one, 1 … 31,536,000,000 ms (365 days), or what the server allows. */
  readonly defaultTtlMs: number;
  readonly metrics?: MetricsHooks | undefined;
  /**
   * Is told what happens on the way: connections, retries, values made without the cache. What it throws ends nothing.
   * Default: none; what lasts, or is a fault of the program's, is a process warning then.
   */
  readonly logger?: Logger | undefined;
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

/**
 * Settings of a `getOrSet`. With any of those below one of all processes makes a missing value, and the others wait for
 * it; without, one caller of each process does (`protocol/spec/get-or-set.md`).
 */
export interface GetOrSetOptions<V = Bytes> extends SetOptions {
  /**
   * For so long nobody else makes the value, also where the one that does has died: longer than making it takes.
   * Milliseconds, over 0 … 600,000 (10 minutes). Default 30,000.
   */
  readonly leaseMs?: number | undefined;
  /**
   * For so long before the end of its time to live a value is answered, while one caller of all makes it anew in the
   * background: one that is asked for never runs out. To other calls it is gone that much earlier. Milliseconds, 0 … half
   * the time to live. Default 0: never.
   */
  readonly refreshAheadForMs?: number | undefined;
  /**
   * For so long past its time to live a value is answered at once, while one caller of all makes it anew in the
   * background. Milliseconds, 0 … 31,536,000,000 (365 days), or the server's longest time to live. Default 0: never.
   */
  readonly revalidateForMs?: number | undefined;
  /**
   * For so long past its time to live a value is answered where its factory throws. Milliseconds, 0 … 31,536,000,000
   * (365 days), or the server's longest time to live. Default 0: never, the exception is the caller's.
   */
  readonly failSafeForMs?: number | undefined;
  /**
   * Where a value is there that `failSafeForMs` allows, and its factory takes longer than this, the value is answered;
   * the factory goes on, and what it makes is stored. Milliseconds, over 0 … 600,000 (10 minutes). Default: not.
   */
  readonly softTimeoutMs?: number | undefined;
  /**
   * A factory that takes longer than this is given up: the signal that it is given aborts, and it counts as if it had
   * rejected with a `TimeoutError`. Milliseconds, over 0 … 600,000 (10 minutes). Default: it takes as long as it likes.
   */
  readonly hardTimeoutMs?: number | undefined;
  /**
   * The part of the time to live that is taken off at random, at most, so that what was made together does not expire
   * together: 0 … 1. Default 0.
   */
  readonly jitter?: number | undefined;
  /** Tags by which the item is removed (`removeByTag`): at most 128, each of 1 to 1,024 bytes. Default none. */
  readonly tags?: Iterable<Bytes> | undefined;
  /**
   * Says the time to live from the value, as the factory gave it, in milliseconds as `ttlMs`; undefined: that of the call.
   * Default: that of the call, always.
   */
  readonly ttlOf?: ((value: V) => number | undefined) | undefined;
}

/** Settings of an increment. */
export interface IncrementOptions extends SetOptions {
  /**
   * Whether a counter that is there keeps the time it has left, and `ttlMs` is for a new one alone: a window of fixed
   * length. Default false: each increment refreshes it.
   */
  readonly keepTtl?: boolean | undefined;
}

/** Settings of a call that stores in a collection. */
export interface CollectionOptions extends CallOptions {
  /** The collection's time to live, and whether one that is there gets it too. Default: the client's, and it does. */
  readonly ttl?: CollectionTtl | undefined;
  /** Short for `ttl: CollectionTtl.of(ttlMs)`: milliseconds; parts of one are rounded up. */
  readonly ttlMs?: number | undefined;
}

/** Settings of a scan. */
export interface ScanOptions extends CallOptions {
  /** What the keys begin with; default: any. */
  readonly prefix?: Bytes | undefined;
  /** What the items hold; default: anything. */
  readonly type?: ItemType | undefined;
  /** The cursor of the page before; default: the beginning. */
  readonly cursor?: Uint8Array | undefined;
  /** Keys of a page, about. Default 0: the server's, 100; a server has a most of its own, 4,096. */
  readonly count?: number | undefined;
}

/** Settings of a scan of a collection. */
export interface ScanItemsOptions extends CallOptions {
  /** The cursor of the page before; default: the beginning. */
  readonly cursor?: Uint8Array | undefined;
  /** Fields or elements of a page, about. Default 0: the server's, 100; a server has a most of its own, 4,096. */
  readonly count?: number | undefined;
}

/** What a batch stores: an object or a Map from keys to values, or triples where items have a time of their own. */
export type BatchItems =
  | Iterable<readonly [key: Bytes, value: Bytes, ttlMs?: number | undefined]>
  | Readonly<Record<string, Bytes>>;

/** Fields of a dictionary with their values: an object or a Map, or pairs. */
export type DictionaryItems = Iterable<readonly [field: Bytes, value: Bytes]> | Readonly<Record<string, Bytes>>;

/** Elements of a sorted set with their scores, each a number or infinite: an object or a Map, or pairs. */
export type SortedSetElements = Iterable<readonly [element: Bytes, score: number]> | Readonly<Record<string, number>>;

/** Elements of a list that stand side by side: the first one's index and how many, both 0 or more. */
export type ListRange = readonly [begin: number, count: number];

/**
 * Sorted sets of a union: the keys, or with their weights pairs, an object or a Map. A weight is what scores are multiplied
 * with, of 32 bits or infinite; 1 by default.
 */
export type SortedSetSources =
  | Iterable<Bytes | readonly [name: Bytes, weight?: number | undefined]>
  | Readonly<Record<string, number>>;

/** The order of a sorted set's elements: of the lowest score first, or the highest; those of one score by their bytes. */
export type SortedSetOrder = "ascending" | "descending";

/** What a union does with the weighted scores of an element that several of its sorted sets have. */
export type SortedSetAggregate = "sum" | "min" | "max";
