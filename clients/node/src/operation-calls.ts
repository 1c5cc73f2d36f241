// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
import { ClientCore } from "./client-core.js";
import type { CallOptions, IncrementOptions, SetOptions } from "./client-options.js";
import type { Bytes } from "./proto-writer.js";
import type {
  CreateCacheResponse,
  DeleteCacheResponse,
  DeleteResponse,
  FlushCacheResponse,
  GetWithHashResponse,
  IncrementResponse,
  ItemGetTtlResponse,
  ItemGetTypeResponse,
  PingResponse,
  SetIfHashResponse,
  SetIfResponse,
  UpdateTtlResponse,
} from "./responses.js";
import {
  CreateCacheOperation,
  DeleteCacheOperation,
  DeleteOperation,
  FlushCacheOperation,
  GetWithHashOperation,
  IncrementOperation,
  ItemGetTtlOperation,
  ItemGetTypeOperation,
  PingOperation,
  SetIfCondition,
  SetIfHashCondition,
  SetIfHashOperation,
  SetIfOperation,
  UpdateTtlChange,
  UpdateTtlOperation,
} from "./table-operations.js";
import {
  checkCacheName,
  checkedAmount,
  checkItem,
  checkKey,
  checkText,
  checkTtl,
  requireBytes,
  requireHash,
} from "./validation.js";

/** A client's calls, but those on many items and the hot ones; they reject for an argument of a wrong type alone. */
export abstract class OperationCalls extends ClientCore {
  /** Removes an item; it need not exist. */
  async delete(cacheName: string, key: Bytes, options?: CallOptions): Promise<DeleteResponse> {
    return checkKey(cacheName, key) ?? this.submit(new DeleteOperation(cacheName, key), options);
  }

  /** Adds to an integer item, which is made at 0 where it is missing. Never sent twice where it may have run. */
  async increment(
    cacheName: string,
    key: Bytes,
    amount: number | bigint = 1,
    options?: IncrementOptions,
  ): Promise<IncrementResponse> {
    const ttlMs = this.ttl(options);
    const bigAmount = checkedAmount(amount);
    return (
      checkKey(cacheName, key) ??
      checkTtl(ttlMs) ??
      this.submit(
        new IncrementOperation(cacheName, key, bigAmount, Math.ceil(ttlMs), options?.keepTtl === true),
        options,
      )
    );
  }

  /** Asks how long an item will live. */
  async itemGetTtl(cacheName: string, key: Bytes, options?: CallOptions): Promise<ItemGetTtlResponse> {
    return checkKey(cacheName, key) ?? this.submit(new ItemGetTtlOperation(cacheName, key), options);
  }

  /** Asks what an item holds. */
  async itemGetType(cacheName: string, key: Bytes, options?: CallOptions): Promise<ItemGetTypeResponse> {
    return checkKey(cacheName, key) ?? this.submit(new ItemGetTypeOperation(cacheName, key), options);
  }

  /** Gets an item's value and its hash, for a later set conditional on it. */
  async getWithHash(cacheName: string, key: Bytes, options?: CallOptions): Promise<GetWithHashResponse> {
    return checkKey(cacheName, key) ?? this.submit(new GetWithHashOperation(cacheName, key), options);
  }

  /** Gives an item a new time to live, whatever is left. */
  async updateTtl(cacheName: string, key: Bytes, ttlMs: number, options?: CallOptions): Promise<UpdateTtlResponse> {
    return (
      checkKey(cacheName, key) ??
      checkTtl(ttlMs) ??
      this.submit(new UpdateTtlOperation(cacheName, key, UpdateTtlChange.overwriteTo, Math.ceil(ttlMs)), options)
    );
  }

  /** Gives an item a new time to live where that is longer than what is left. */
  async increaseTtl(cacheName: string, key: Bytes, ttlMs: number, options?: CallOptions): Promise<UpdateTtlResponse> {
    return (
      checkKey(cacheName, key) ??
      checkTtl(ttlMs) ??
      this.submit(new UpdateTtlOperation(cacheName, key, UpdateTtlChange.increaseTo, Math.ceil(ttlMs)), options)
    );
  }

  /** Gives an item a new time to live where that is shorter than what is left. */
  async decreaseTtl(cacheName: string, key: Bytes, ttlMs: number, options?: CallOptions): Promise<UpdateTtlResponse> {
    return (
      checkKey(cacheName, key) ??
      checkTtl(ttlMs) ??
      this.submit(new UpdateTtlOperation(cacheName, key, UpdateTtlChange.decreaseTo, Math.ceil(ttlMs)), options)
    );
  }

  /** Stores where the key is missing. */
  async setIfAbsent(cacheName: string, key: Bytes, value: Bytes, options?: SetOptions): Promise<SetIfResponse> {
    const ttlMs = this.ttl(options);
    return (
      checkItem(cacheName, key, value, ttlMs) ??
      this.submit(new SetIfOperation(cacheName, key, value, Math.ceil(ttlMs), SetIfCondition.absent), options)
    );
  }

  /** Stores where the key is there. */
  async setIfPresent(cacheName: string, key: Bytes, value: Bytes, options?: SetOptions): Promise<SetIfResponse> {
    const ttlMs = this.ttl(options);
    return (
      checkItem(cacheName, key, value, ttlMs) ??
      this.submit(new SetIfOperation(cacheName, key, value, Math.ceil(ttlMs), SetIfCondition.present), options)
    );
  }

  /** Stores where the key holds exactly `equal`. */
  async setIfEqual(
    cacheName: string,
    key: Bytes,
    value: Bytes,
    equal: Bytes,
    options?: SetOptions,
  ): Promise<SetIfResponse> {
    const ttlMs = this.ttl(options);
    requireBytes("equal", equal);
    return (
      checkText("equal", equal) ??
      checkItem(cacheName, key, value, ttlMs) ??
      this.submit(new SetIfOperation(cacheName, key, value, Math.ceil(ttlMs), SetIfCondition.equal, equal), options)
    );
  }

  /** Stores where the key does not hold exactly `equal`; a missing key stores. */
  async setIfNotEqual(
    cacheName: string,
    key: Bytes,
    value: Bytes,
    equal: Bytes,
    options?: SetOptions,
  ): Promise<SetIfResponse> {
    const ttlMs = this.ttl(options);
    requireBytes("equal", equal);
    return (
      checkText("equal", equal) ??
      checkItem(cacheName, key, value, ttlMs) ??
      this.submit(new SetIfOperation(cacheName, key, value, Math.ceil(ttlMs), SetIfCondition.notEqual, equal), options)
    );
  }

  /** Stores where the key is there and holds something else. */
  async setIfPresentAndNotEqual(
    cacheName: string,
    key: Bytes,
    value: Bytes,
    equal: Bytes,
    options?: SetOptions,
  ): Promise<SetIfResponse> {
    const ttlMs = this.ttl(options);
    requireBytes("equal", equal);
    return (
      checkText("equal", equal) ??
      checkItem(cacheName, key, value, ttlMs) ??
      this.submit(
        new SetIfOperation(cacheName, key, value, Math.ceil(ttlMs), SetIfCondition.presentAndNotEqual, equal),
        options,
      )
    );
  }

  /** Stores where the key is missing or holds exactly `equal`. */
  async setIfAbsentOrEqual(
    cacheName: string,
    key: Bytes,
    value: Bytes,
    equal: Bytes,
    options?: SetOptions,
  ): Promise<SetIfResponse> {
    const ttlMs = this.ttl(options);
    requireBytes("equal", equal);
    return (
      checkText("equal", equal) ??
      checkItem(cacheName, key, value, ttlMs) ??
      this.submit(
        new SetIfOperation(cacheName, key, value, Math.ceil(ttlMs), SetIfCondition.absentOrEqual, equal),
        options,
      )
    );
  }

  /** Stores where the key's value has the hash. */
  async setIfPresentAndHashEqual(
    cacheName: string,
    key: Bytes,
    value: Bytes,
    hash: Uint8Array,
    options?: SetOptions,
  ): Promise<SetIfHashResponse> {
    const ttlMs = this.ttl(options);
    requireHash(hash);
    return (
      checkItem(cacheName, key, value, ttlMs) ??
      this.submit(
        new SetIfHashOperation(cacheName, key, value, Math.ceil(ttlMs), SetIfHashCondition.presentAndHashEqual, hash),
        options,
      )
    );
  }

  /** Stores where the key is there and its value has another hash. */
  async setIfPresentAndNotHashEqual(
    cacheName: string,
    key: Bytes,
    value: Bytes,
    hash: Uint8Array,
    options?: SetOptions,
  ): Promise<SetIfHashResponse> {
    const ttlMs = this.ttl(options);
    requireHash(hash);
    return (
      checkItem(cacheName, key, value, ttlMs) ??
      this.submit(
        new SetIfHashOperation(
          cacheName,
          key,
          value,
          Math.ceil(ttlMs),
          SetIfHashCondition.presentAndNotHashEqual,
          hash,
        ),
        options,
      )
    );
  }

  /** Stores where the key is missing or its value has the hash. */
  async setIfAbsentOrHashEqual(
    cacheName: string,
    key: Bytes,
    value: Bytes,
    hash: Uint8Array,
    options?: SetOptions,
  ): Promise<SetIfHashResponse> {
    const ttlMs = this.ttl(options);
    requireHash(hash);
    return (
      checkItem(cacheName, key, value, ttlMs) ??
      this.submit(
        new SetIfHashOperation(cacheName, key, value, Math.ceil(ttlMs), SetIfHashCondition.absentOrHashEqual, hash),
        options,
      )
    );
  }

  /** Stores where the key is missing or its value has another hash. */
  async setIfAbsentOrNotHashEqual(
    cacheName: string,
    key: Bytes,
    value: Bytes,
    hash: Uint8Array,
    options?: SetOptions,
  ): Promise<SetIfHashResponse> {
    const ttlMs = this.ttl(options);
    requireHash(hash);
    return (
      checkItem(cacheName, key, value, ttlMs) ??
      this.submit(
        new SetIfHashOperation(cacheName, key, value, Math.ceil(ttlMs), SetIfHashCondition.absentOrNotHashEqual, hash),
        options,
      )
    );
  }

  /** Stores whatever is there, and answers the value's hash. */
  async setWithHash(cacheName: string, key: Bytes, value: Bytes, options?: SetOptions): Promise<SetIfHashResponse> {
    const ttlMs = this.ttl(options);
    return (
      checkItem(cacheName, key, value, ttlMs) ??
      this.submit(
        new SetIfHashOperation(cacheName, key, value, Math.ceil(ttlMs), SetIfHashCondition.unconditional),
        options,
      )
    );
  }

  /** Makes a cache. `AlreadyExists` where it is there. */
  async createCache(name: string, options?: CallOptions): Promise<CreateCacheResponse> {
    return checkCacheName(name) ?? this.submit(new CreateCacheOperation(name), options);
  }

  /** Drops a cache with its items. `NotFound` where it is not there. */
  async deleteCache(name: string, options?: CallOptions): Promise<DeleteCacheResponse> {
    return checkCacheName(name) ?? this.submit(new DeleteCacheOperation(name), options);
  }

  /** Empties a cache. `NotFound` where it is not there. */
  async flushCache(name: string, options?: CallOptions): Promise<FlushCacheResponse> {
    return checkCacheName(name) ?? this.submit(new FlushCacheOperation(name), options);
  }

  /** Asks the server for an answer, and nothing else. */
  async ping(options?: CallOptions): Promise<PingResponse> {
    return this.submit(new PingOperation(), options);
  }
}
