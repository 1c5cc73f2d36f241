import type { Buffer } from "node:buffer";
import { BatchCalls } from "./batch-calls.js";
import { BoundCache } from "./bound-cache.js";
import { CacheAside, type Factory } from "./cache-aside.js";
import { CallMaker } from "./call-maker.js";
import type {
  BatchItems,
  CacheClientOptions,
  CallOptions,
  IncrementOptions,
  ScanItemsOptions,
  ScanOptions,
  SetOptions,
} from "./client-options.js";
import { checkedOptions } from "./client-options-check.js";
import { type ClientParts, clientParts, statisticsOf } from "./client-parts.js";
import { ListCachesOperation } from "./control-operations.js";
import { ElementCalls } from "./element-calls.js";
import type { ClientStatistics } from "./metrics.js";
import type { Bytes } from "./proto-writer.js";
import type * as r from "./responses.js";
import { GetOperation, SetOperation } from "./scalar-operations.js";
import { scanItemsOf, scanOf } from "./scan-calls.js";
import * as op from "./table-operations.js";
import { firstToken } from "./token-source.js";
import { checkCacheName, checkedAmount, checkItem, checkKey, checkText, checkTtl, requireHash } from "./validation.js";

const eagerConnectTimeoutMs = 30_000;

/**
 * A client of a Larder server. Make one, share it, close it: it caps its own requests in flight, so any number of
 * callers may use it at once. Calls answer a response whose `result` says what happened; they do not reject, but for
 * arguments of a wrong type (`TypeError`).
 */
export class CacheClient extends ElementCalls implements AsyncDisposable {
  protected readonly parts: ClientParts;
  protected readonly calls: CallMaker;
  readonly #batches: BatchCalls;
  readonly #cacheAside = new CacheAside(this);

  constructor(options: CacheClientOptions) {
    super();
    const checked = checkedOptions(options);
    this.parts = clientParts(checked);
    this.calls = new CallMaker(this.parts.runner, checked);
    this.#batches = new BatchCalls(this.calls);
  }

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

  /** Connects now instead of at the first call; rejects with the reason if that fails in `timeoutMs`. */
  async connect(timeoutMs = eagerConnectTimeoutMs): Promise<void> {
    const beganAt = performance.now();
    const { tokens } = this.parts;
    if (tokens !== null) await firstToken(tokens, timeoutMs);
    return this.parts.transport.connect(Math.max(1, timeoutMs - (performance.now() - beganAt)));
  }

  /** The same calls with the cache's name bound. */
  cache(name: string): BoundCache {
    return new BoundCache(this, name);
  }

  /** What the client holds now. */
  statistics(): ClientStatistics {
    return statisticsOf(this.parts);
  }

  /** Ends every call that waits or is under way with `Cancelled`, and closes the connections. */
  async close(): Promise<void> {
    this.parts.tokens?.close();
    this.parts.runner.close();
    this.parts.transport.close();
    this.parts.fronts?.close();
    this.parts.lag.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  // get and set, the hot calls, are no async functions: each would cost a second promise and three turns of its queue.

  /** The value under `key`, or a miss. */
  get(cacheName: string, key: Bytes, options?: CallOptions): Promise<r.GetResponse> {
    try {
      const invalid = checkKey(cacheName, key);
      return invalid === null
        ? this.calls.make(new GetOperation(cacheName, key), options)
        : Promise.resolve<r.GetResponse>(invalid);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /** Stores `value` under `key`. */
  set(cacheName: string, key: Bytes, value: Bytes, options?: SetOptions): Promise<r.SetResponse> {
    try {
      const ttlMs = this.calls.ttl(options);
      const invalid = checkItem(cacheName, key, value, ttlMs);
      return invalid === null
        ? this.calls.make(new SetOperation(cacheName, key, value, ttlMs), options)
        : Promise.resolve<r.SetResponse>(invalid);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /** Whether an item is under `key`. */
  async keyExists(cacheName: string, key: Bytes, options?: CallOptions): Promise<r.KeyExistsResponse> {
    const response = await this.keysExist(cacheName, [key], options);
    return response.result === "error" ? response : { result: "success", exists: response.exists[0] === true };
  }

  /** Whether an item is under each of `keys`, in their order. */
  keysExist(cacheName: string, keys: Iterable<Bytes>, options?: CallOptions): Promise<r.KeysExistResponse> {
    return this.#batches.keysExist(cacheName, keys, options);
  }

  /**
   * The values under `keys`, in their order, in one call; one of over 11 MB is sent in parts (BATCH-9), and the keys of
   * a part that fails are answered by its error.
   */
  getBatch(cacheName: string, keys: Iterable<Bytes>, options?: CallOptions): Promise<r.GetBatchResponse> {
    return this.#batches.getBatch(cacheName, keys, options);
  }

  /**
   * Stores items in their order, in one call; each item may have a time to live of its own. One of over 11 MB is sent in
   * parts (BATCH-9): an error is then that of the first part that failed, and the others are stored.
   */
  setBatch(cacheName: string, items: BatchItems, options?: SetOptions): Promise<r.SetBatchResponse> {
    return this.#batches.setBatch(cacheName, items, options);
  }

  /**
   * The value under `key`, or that of `factory`, stored; the caller's own. Callers of one key at one time share one
   * factory call. A cache that fails does not fail the caller: the factory's value is answered, and not stored where the
   * get failed; where that will not mend by itself (no such cache, no right to it) a process warning tells it once.
   * A factory may ask for other keys; for one whose factory waits for it, or its own, it makes the value by itself.
   * Rejects with what the factory throws, with the signal's reason, and with a CacheError for what can never be a cache's
   * name, a key or an option's value; a factory nobody waits for is not run.
   */
  async getOrSet(cacheName: string, key: Bytes, factory: Factory, options?: SetOptions): Promise<Buffer> {
    return this.#cacheAside.getOrSet(cacheName, key, factory, options);
  }

  /** The server's caches, with what each allows. */
  async listCaches(options?: CallOptions): Promise<r.ListCachesResponse> {
    return this.calls.make(new ListCachesOperation(), options);
  }

  /**
   * A page of a cache's keys. Call it again with the page's `cursor` until that is empty: every key that is there from
   * the first page to the last is on one of them at least; a page may have fewer than asked for, or none.
   * `InvalidArgument` for a cursor that is not of this cache, or of the server before a restart, and
   * `FailedPrecondition` where a fleet's slots moved: begin again, without a cursor. `Unknown` from a server that has no
   * such call, as those of the public protocol alone.
   */
  async scanKeys(cacheName: string, options: ScanOptions = {}): Promise<r.ScanKeysResponse> {
    const scan = scanOf(cacheName, options);
    return scan.operation === null ? scan.refusal : this.calls.make(scan.operation, scan.options);
  }

  /**
   * A page of what a collection holds, which may be too large for one answer. Call it again with the page's `cursor` until
   * that is empty: every element that is there from the first page to the last is on one of them at least.
   * `FailedPrecondition` for a scalar, and where the collection's type has changed or a fleet's masters have;
   * `InvalidArgument` for a cursor that is not of this key, or of the server before a restart: begin again, without a
   * cursor. `Unknown` from a server that has no such call, as those of the public protocol alone.
   */
  async scanItems(cacheName: string, name: Bytes, options: ScanItemsOptions = {}): Promise<r.ScanItemsResponse> {
    const scan = scanItemsOf(cacheName, name, options);
    return scan.operation === null ? scan.refusal : this.calls.make(scan.operation, scan.options);
  }

  // operations: calls

  /** Removes an item; it need not exist. */
  async delete(cacheName: string, key: Bytes, options?: CallOptions): Promise<r.DeleteResponse> {
    return checkKey(cacheName, key) ?? this.calls.make(new op.DeleteOperation(cacheName, key), options);
  }

  /** Adds to an integer item, which is made at 0 where it is missing. Never sent twice where it may have run. */
  async increment(
    cacheName: string,
    key: Bytes,
    amount: number | bigint = 1,
    options?: IncrementOptions,
  ): Promise<r.IncrementResponse> {
    const ttlMs = this.calls.ttl(options);
    const bigAmount = checkedAmount(amount);
    const invalid = checkKey(cacheName, key) ?? checkTtl(ttlMs);
    if (invalid !== null) return invalid;
    return this.calls.make(
      new op.IncrementOperation(cacheName, key, bigAmount, ttlMs, options?.keepTtl === true),
      options,
    );
  }

  /** Asks how long an item will live. */
  async itemGetTtl(cacheName: string, key: Bytes, options?: CallOptions): Promise<r.ItemGetTtlResponse> {
    return checkKey(cacheName, key) ?? this.calls.make(new op.ItemGetTtlOperation(cacheName, key), options);
  }

  /** Asks what an item holds. */
  async itemGetType(cacheName: string, key: Bytes, options?: CallOptions): Promise<r.ItemGetTypeResponse> {
    return checkKey(cacheName, key) ?? this.calls.make(new op.ItemGetTypeOperation(cacheName, key), options);
  }

  /** Gets an item's value and its hash, for a later set conditional on it. */
  async getWithHash(cacheName: string, key: Bytes, options?: CallOptions): Promise<r.GetWithHashResponse> {
    return checkKey(cacheName, key) ?? this.calls.make(new op.GetWithHashOperation(cacheName, key), options);
  }

  /** Gives an item a new time to live, whatever is left. */
  async updateTtl(cacheName: string, key: Bytes, ttlMs: number, options?: CallOptions): Promise<r.UpdateTtlResponse> {
    const invalid = checkKey(cacheName, key) ?? checkTtl(ttlMs);
    if (invalid !== null) return invalid;
    return this.calls.make(
      new op.UpdateTtlOperation(cacheName, key, op.UpdateTtlChange.overwriteTo, Math.ceil(ttlMs)),
      options,
    );
  }

  /** Gives an item a new time to live where that is longer than what is left. */
  async increaseTtl(cacheName: string, key: Bytes, ttlMs: number, options?: CallOptions): Promise<r.UpdateTtlResponse> {
    const invalid = checkKey(cacheName, key) ?? checkTtl(ttlMs);
    if (invalid !== null) return invalid;
    return this.calls.make(
      new op.UpdateTtlOperation(cacheName, key, op.UpdateTtlChange.increaseTo, Math.ceil(ttlMs)),
      options,
    );
  }

  /** Gives an item a new time to live where that is shorter than what is left. */
  async decreaseTtl(cacheName: string, key: Bytes, ttlMs: number, options?: CallOptions): Promise<r.UpdateTtlResponse> {
    const invalid = checkKey(cacheName, key) ?? checkTtl(ttlMs);
    if (invalid !== null) return invalid;
    return this.calls.make(
      new op.UpdateTtlOperation(cacheName, key, op.UpdateTtlChange.decreaseTo, Math.ceil(ttlMs)),
      options,
    );
  }

  /** Stores where the key is missing. */
  async setIfAbsent(cacheName: string, key: Bytes, value: Bytes, options?: SetOptions): Promise<r.SetIfResponse> {
    const ttlMs = this.calls.ttl(options);
    const invalid = checkItem(cacheName, key, value, ttlMs);
    if (invalid !== null) return invalid;
    return this.calls.make(new op.SetIfOperation(cacheName, key, value, ttlMs, op.SetIfCondition.absent), options);
  }

  /** Stores where the key is there. */
  async setIfPresent(cacheName: string, key: Bytes, value: Bytes, options?: SetOptions): Promise<r.SetIfResponse> {
    const ttlMs = this.calls.ttl(options);
    const invalid = checkItem(cacheName, key, value, ttlMs);
    if (invalid !== null) return invalid;
    return this.calls.make(new op.SetIfOperation(cacheName, key, value, ttlMs, op.SetIfCondition.present), options);
  }

  /** Stores where the key holds exactly `equal`. */
  async setIfEqual(
    cacheName: string,
    key: Bytes,
    value: Bytes,
    equal: Bytes,
    options?: SetOptions,
  ): Promise<r.SetIfResponse> {
    const ttlMs = this.calls.ttl(options);
    const invalid = checkText("equal", equal) ?? checkItem(cacheName, key, value, ttlMs);
    if (invalid !== null) return invalid;
    return this.calls.make(
      new op.SetIfOperation(cacheName, key, value, ttlMs, op.SetIfCondition.equal, equal),
      options,
    );
  }

  /** Stores where the key does not hold exactly `equal`; a missing key stores. */
  async setIfNotEqual(
    cacheName: string,
    key: Bytes,
    value: Bytes,
    equal: Bytes,
    options?: SetOptions,
  ): Promise<r.SetIfResponse> {
    const ttlMs = this.calls.ttl(options);
    const invalid = checkText("equal", equal) ?? checkItem(cacheName, key, value, ttlMs);
    if (invalid !== null) return invalid;
    return this.calls.make(
      new op.SetIfOperation(cacheName, key, value, ttlMs, op.SetIfCondition.notEqual, equal),
      options,
    );
  }

  /** Stores where the key is there and holds something else. */
  async setIfPresentAndNotEqual(
    cacheName: string,
    key: Bytes,
    value: Bytes,
    equal: Bytes,
    options?: SetOptions,
  ): Promise<r.SetIfResponse> {
    const ttlMs = this.calls.ttl(options);
    const invalid = checkText("equal", equal) ?? checkItem(cacheName, key, value, ttlMs);
    if (invalid !== null) return invalid;
    return this.calls.make(
      new op.SetIfOperation(cacheName, key, value, ttlMs, op.SetIfCondition.presentAndNotEqual, equal),
      options,
    );
  }

  /** Stores where the key is missing or holds exactly `equal`. */
  async setIfAbsentOrEqual(
    cacheName: string,
    key: Bytes,
    value: Bytes,
    equal: Bytes,
    options?: SetOptions,
  ): Promise<r.SetIfResponse> {
    const ttlMs = this.calls.ttl(options);
    const invalid = checkText("equal", equal) ?? checkItem(cacheName, key, value, ttlMs);
    if (invalid !== null) return invalid;
    return this.calls.make(
      new op.SetIfOperation(cacheName, key, value, ttlMs, op.SetIfCondition.absentOrEqual, equal),
      options,
    );
  }

  /** Stores where the key's value has the hash. */
  async setIfPresentAndHashEqual(
    cacheName: string,
    key: Bytes,
    value: Bytes,
    hash: Uint8Array,
    options?: SetOptions,
  ): Promise<r.SetIfHashResponse> {
    const ttlMs = this.calls.ttl(options);
    requireHash(hash);
    const invalid = checkItem(cacheName, key, value, ttlMs);
    if (invalid !== null) return invalid;
    return this.calls.make(
      new op.SetIfHashOperation(cacheName, key, value, ttlMs, op.SetIfHashCondition.presentAndHashEqual, hash),
      options,
    );
  }

  /** Stores where the key is there and its value has another hash. */
  async setIfPresentAndNotHashEqual(
    cacheName: string,
    key: Bytes,
    value: Bytes,
    hash: Uint8Array,
    options?: SetOptions,
  ): Promise<r.SetIfHashResponse> {
    const ttlMs = this.calls.ttl(options);
    requireHash(hash);
    const invalid = checkItem(cacheName, key, value, ttlMs);
    if (invalid !== null) return invalid;
    return this.calls.make(
      new op.SetIfHashOperation(cacheName, key, value, ttlMs, op.SetIfHashCondition.presentAndNotHashEqual, hash),
      options,
    );
  }

  /** Stores where the key is missing or its value has the hash. */
  async setIfAbsentOrHashEqual(
    cacheName: string,
    key: Bytes,
    value: Bytes,
    hash: Uint8Array,
    options?: SetOptions,
  ): Promise<r.SetIfHashResponse> {
    const ttlMs = this.calls.ttl(options);
    requireHash(hash);
    const invalid = checkItem(cacheName, key, value, ttlMs);
    if (invalid !== null) return invalid;
    return this.calls.make(
      new op.SetIfHashOperation(cacheName, key, value, ttlMs, op.SetIfHashCondition.absentOrHashEqual, hash),
      options,
    );
  }

  /** Stores where the key is missing or its value has another hash. */
  async setIfAbsentOrNotHashEqual(
    cacheName: string,
    key: Bytes,
    value: Bytes,
    hash: Uint8Array,
    options?: SetOptions,
  ): Promise<r.SetIfHashResponse> {
    const ttlMs = this.calls.ttl(options);
    requireHash(hash);
    const invalid = checkItem(cacheName, key, value, ttlMs);
    if (invalid !== null) return invalid;
    return this.calls.make(
      new op.SetIfHashOperation(cacheName, key, value, ttlMs, op.SetIfHashCondition.absentOrNotHashEqual, hash),
      options,
    );
  }

  /** Stores whatever is there, and answers the value's hash. */
  async setWithHash(cacheName: string, key: Bytes, value: Bytes, options?: SetOptions): Promise<r.SetIfHashResponse> {
    const ttlMs = this.calls.ttl(options);
    const invalid = checkItem(cacheName, key, value, ttlMs);
    if (invalid !== null) return invalid;
    return this.calls.make(
      new op.SetIfHashOperation(cacheName, key, value, ttlMs, op.SetIfHashCondition.unconditional),
      options,
    );
  }

  /** Makes a cache. `AlreadyExists` where it is there. */
  async createCache(name: string, options?: CallOptions): Promise<r.CreateCacheResponse> {
    return checkCacheName(name) ?? this.calls.make(new op.CreateCacheOperation(name), options);
  }

  /** Drops a cache with its items. `NotFound` where it is not there. */
  async deleteCache(name: string, options?: CallOptions): Promise<r.DeleteCacheResponse> {
    return checkCacheName(name) ?? this.calls.make(new op.DeleteCacheOperation(name), options);
  }

  /** Empties a cache. `NotFound` where it is not there. */
  async flushCache(name: string, options?: CallOptions): Promise<r.FlushCacheResponse> {
    return checkCacheName(name) ?? this.calls.make(new op.FlushCacheOperation(name), options);
  }

  /** Asks the server for an answer, and nothing else. */
  async ping(options?: CallOptions): Promise<r.PingResponse> {
    return this.calls.make(new op.PingOperation(), options);
  }

  // operations: end
}
