import type { CallOptions, IncrementOptions, SetOptions } from "../client/client-options.js";
import type * as r from "../client/responses.js";
import {
  checkCacheName,
  checkedAmount,
  checkItem,
  checkKey,
  checkText,
  checkTtl,
  requireHash,
} from "../client/validation.js";
import * as op from "../operations/_generated/table-operations.js";
import type { Bytes } from "../operations/proto-writer.js";
import { ElementCalls } from "./element-calls.js";

/** Calls on one item and on caches, as the table of operations has them. */
export abstract class TableCalls extends ElementCalls {
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

  /** Gives an item a new time to live if its value begins with `prefix`; otherwise returns what the value begins with. */
  async updateTtlIfPrefix(
    cacheName: string,
    key: Bytes,
    prefix: Bytes,
    options?: SetOptions,
  ): Promise<r.UpdateTtlIfPrefixResponse> {
    const ttlMs = this.calls.ttl(options);
    const invalid = checkText("prefix", prefix) ?? checkKey(cacheName, key) ?? checkTtl(ttlMs);
    if (invalid !== null) return invalid;
    return this.calls.make(new op.UpdateTtlIfPrefixOperation(cacheName, key, prefix, ttlMs), options);
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
