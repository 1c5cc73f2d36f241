import type { Buffer } from "node:buffer";
import { GetBatchOperation, KeysExistOperation, SetBatchOperation } from "./batch-operations.js";
import { BoundCache } from "./bound-cache.js";
import type { BatchItems, CacheClientOptions, CallOptions, SetOptions } from "./client-options.js";
import { ConditionalCalls } from "./conditional-calls.js";
import {
  CacheControlOperation,
  createCacheKind,
  deleteCacheKind,
  flushCacheKind,
  ListCachesOperation,
  PingOperation,
} from "./control-operations.js";
import type { Bytes } from "./proto-writer.js";
import type {
  ControlResponse,
  DeleteResponse,
  ErrorResponse,
  GetBatchResponse,
  GetResponse,
  IncrementResponse,
  ItemGetTtlResponse,
  ItemGetTypeResponse,
  KeyExistsResponse,
  KeysExistResponse,
  ListCachesResponse,
  SetBatchResponse,
  SetResponse,
  UpdateTtlResponse,
} from "./responses.js";
import {
  DeleteOperation,
  GetOperation,
  IncrementOperation,
  ItemGetTtlOperation,
  ItemGetTypeOperation,
  SetOperation,
  TtlChange,
  UpdateTtlOperation,
} from "./scalar-operations.js";
import { SingleFlight } from "./single-flight.js";
import { checkCacheName, checkItem, checkKey, checkTtl, itemsOf, requireBytes, toBuffer } from "./validation.js";

/**
 * A client of a Larder server. Make one, share it, close it: it caps its own requests in flight, so any number of
 * callers may use it at once. Calls answer a response whose `result` says what happened; they do not reject, but for
 * arguments of a wrong type (`TypeError`).
 */
export class CacheClient extends ConditionalCalls {
  readonly #flights = new SingleFlight<Buffer>();

  /** Makes a client and, where its configuration asks for it, connects before answering; rejects if it cannot. */
  static async create(options: CacheClientOptions): Promise<CacheClient> {
    const client = new CacheClient(options);
    try {
      if (options.configuration.eagerConnect) await client.connect();
    } catch (error) {
      await client.close();
      throw error;
    }
    return client;
  }

  /** The same calls with the cache's name bound. */
  cache(name: string): BoundCache {
    return new BoundCache(this, name);
  }

  // get and set, the hot calls, are no async functions: each would cost a second promise and three turns of its queue.

  /** The value under `key`, or a miss. */
  get(cacheName: string, key: Bytes, options?: CallOptions): Promise<GetResponse> {
    try {
      const invalid = checkKey(cacheName, key);
      return invalid === null
        ? this.submit(new GetOperation(cacheName, key), options)
        : Promise.resolve<GetResponse>(invalid);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /** Stores `value` under `key`. */
  set(cacheName: string, key: Bytes, value: Bytes, options?: SetOptions): Promise<SetResponse> {
    try {
      const ttlMs = this.ttl(options);
      const invalid = checkItem(cacheName, key, value, ttlMs);
      return invalid === null
        ? this.submit(new SetOperation(cacheName, key, value, Math.ceil(ttlMs)), options)
        : Promise.resolve<SetResponse>(invalid);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /** Removes the item under `key`; the same answer whether or not it was there. */
  async delete(cacheName: string, key: Bytes, options?: CallOptions): Promise<DeleteResponse> {
    return checkKey(cacheName, key) ?? this.submit(new DeleteOperation(cacheName, key), options);
  }

  /** Adds `amount` (64 bits, signed) to the counter under `key`, made as 0 where it is missing. Default 1. */
  async increment(
    cacheName: string,
    key: Bytes,
    amount: number | bigint = 1,
    options?: SetOptions,
  ): Promise<IncrementResponse> {
    const ttlMs = this.ttl(options);
    const big = BigInt(amount);
    if (BigInt.asIntN(64, big) !== big) throw new RangeError("the amount must fit in 64 bits");
    return (
      checkKey(cacheName, key) ??
      checkTtl(ttlMs) ??
      this.submit(new IncrementOperation(cacheName, key, big, Math.ceil(ttlMs)), options)
    );
  }

  /** Whether an item is under `key`. */
  async keyExists(cacheName: string, key: Bytes, options?: CallOptions): Promise<KeyExistsResponse> {
    const response = await this.keysExist(cacheName, [key], options);
    return response.result === "error" ? response : { result: "success", exists: response.exists[0] === true };
  }

  /** Whether an item is under each of `keys`, in their order. */
  async keysExist(cacheName: string, keys: Iterable<Bytes>, options?: CallOptions): Promise<KeysExistResponse> {
    const all = [...keys];
    return checkKeys(cacheName, all) ?? this.submit(new KeysExistOperation(cacheName, all), options);
  }

  /** The time an item has left. */
  async itemGetTtl(cacheName: string, key: Bytes, options?: CallOptions): Promise<ItemGetTtlResponse> {
    return checkKey(cacheName, key) ?? this.submit(new ItemGetTtlOperation(cacheName, key), options);
  }

  /** What kind of item is under `key`. */
  async itemGetType(cacheName: string, key: Bytes, options?: CallOptions): Promise<ItemGetTypeResponse> {
    return checkKey(cacheName, key) ?? this.submit(new ItemGetTypeOperation(cacheName, key), options);
  }

  /** Gives an item the time to live `ttlMs`, whatever it has left. */
  updateTtl(cacheName: string, key: Bytes, ttlMs: number, options?: CallOptions): Promise<UpdateTtlResponse> {
    return this.#updateTtl(TtlChange.overwrite, cacheName, key, ttlMs, options);
  }

  /** Gives an item the time to live `ttlMs` where that is longer than what it has left. */
  increaseTtl(cacheName: string, key: Bytes, ttlMs: number, options?: CallOptions): Promise<UpdateTtlResponse> {
    return this.#updateTtl(TtlChange.increase, cacheName, key, ttlMs, options);
  }

  /** Gives an item the time to live `ttlMs` where that is shorter than what it has left. */
  decreaseTtl(cacheName: string, key: Bytes, ttlMs: number, options?: CallOptions): Promise<UpdateTtlResponse> {
    return this.#updateTtl(TtlChange.decrease, cacheName, key, ttlMs, options);
  }

  /** The values under `keys`, in their order, in one call. */
  async getBatch(cacheName: string, keys: Iterable<Bytes>, options?: CallOptions): Promise<GetBatchResponse> {
    const all = [...keys];
    return checkKeys(cacheName, all) ?? this.submit(new GetBatchOperation(cacheName, all), options);
  }

  /** Stores items in their order, in one call; each item may have a time to live of its own. */
  async setBatch(cacheName: string, items: BatchItems, options?: SetOptions): Promise<SetBatchResponse> {
    const sets: SetOperation[] = [];
    for (const [key, value, itemTtlMs] of itemsOf(items)) {
      const ttlMs = itemTtlMs ?? this.ttl(options);
      const invalid = checkItem(cacheName, key, value, ttlMs);
      if (invalid !== null) return invalid;
      sets.push(new SetOperation(cacheName, key, value, Math.ceil(ttlMs)));
    }
    return checkCacheName(cacheName) ?? this.submit(new SetBatchOperation(cacheName, sets), options);
  }

  /**
   * The value under `key`, or that of `factory`, stored. Callers of one key at one time share one factory call. A cache
   * that fails does not fail the caller: the factory's value is answered. Rejects with what the factory throws.
   */
  getOrSet(
    cacheName: string,
    key: Bytes,
    factory: () => Bytes | Promise<Bytes>,
    options?: SetOptions,
  ): Promise<Buffer> {
    const flight = `${cacheName}\0${typeof key === "string" ? `s${key}` : `b${toBuffer(key).toString("latin1")}`}`;
    return this.#flights.run(flight, async () => {
      const found = await this.get(cacheName, key, options);
      if (found.result === "hit") return found.valueBytes;
      const value = await factory();
      requireBytes("value", value);
      await this.set(cacheName, key, value, options);
      return toBuffer(value);
    });
  }

  async createCache(name: string, options?: CallOptions): Promise<ControlResponse> {
    return checkCacheName(name) ?? this.submit(new CacheControlOperation(createCacheKind, name), options);
  }

  /** Drops a cache with its items. */
  async deleteCache(name: string, options?: CallOptions): Promise<ControlResponse> {
    return checkCacheName(name) ?? this.submit(new CacheControlOperation(deleteCacheKind, name), options);
  }

  /** Empties a cache and leaves it there. */
  async flushCache(name: string, options?: CallOptions): Promise<ControlResponse> {
    return checkCacheName(name) ?? this.submit(new CacheControlOperation(flushCacheKind, name), options);
  }

  async listCaches(options?: CallOptions): Promise<ListCachesResponse> {
    return this.submit(new ListCachesOperation(), options);
  }

  /** Asks the server for a sign of life. */
  async ping(options?: CallOptions): Promise<ControlResponse> {
    return this.submit(new PingOperation(), options);
  }

  async #updateTtl(
    change: TtlChange,
    cacheName: string,
    key: Bytes,
    ttlMs: number,
    options: CallOptions | undefined,
  ): Promise<UpdateTtlResponse> {
    return (
      checkKey(cacheName, key) ??
      checkTtl(ttlMs) ??
      this.submit(new UpdateTtlOperation(cacheName, key, change, Math.ceil(ttlMs)), options)
    );
  }
}

function checkKeys(cacheName: string, keys: readonly Bytes[]): ErrorResponse | null {
  for (const key of keys) {
    const invalid = checkKey(cacheName, key);
    if (invalid !== null) return invalid;
  }
  return checkCacheName(cacheName);
}
