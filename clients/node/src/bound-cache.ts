import type { Buffer } from "node:buffer";
import type { CacheClient } from "./client.js";
import type { BatchItems, CallOptions, IncrementOptions, SetOptions } from "./client-options.js";
import type { HashCondition } from "./conditional-operations.js";
import type { Bytes } from "./proto-writer.js";
import type {
  ControlResponse,
  DeleteResponse,
  GetBatchResponse,
  GetResponse,
  GetWithHashResponse,
  IncrementResponse,
  ItemGetTtlResponse,
  ItemGetTypeResponse,
  KeyExistsResponse,
  KeysExistResponse,
  SetBatchResponse,
  SetIfHashResponse,
  SetIfResponse,
  SetResponse,
  UpdateTtlResponse,
} from "./responses.js";

/** One cache of a client: its calls, without the cache's name in each. */
export class BoundCache {
  constructor(
    readonly client: CacheClient,
    readonly name: string,
  ) {}

  get(key: Bytes, options?: CallOptions): Promise<GetResponse> {
    return this.client.get(this.name, key, options);
  }
  set(key: Bytes, value: Bytes, options?: SetOptions): Promise<SetResponse> {
    return this.client.set(this.name, key, value, options);
  }
  delete(key: Bytes, options?: CallOptions): Promise<DeleteResponse> {
    return this.client.delete(this.name, key, options);
  }
  increment(key: Bytes, amount?: number | bigint, options?: IncrementOptions): Promise<IncrementResponse> {
    return this.client.increment(this.name, key, amount, options);
  }
  keyExists(key: Bytes, options?: CallOptions): Promise<KeyExistsResponse> {
    return this.client.keyExists(this.name, key, options);
  }
  keysExist(keys: Iterable<Bytes>, options?: CallOptions): Promise<KeysExistResponse> {
    return this.client.keysExist(this.name, keys, options);
  }
  itemGetTtl(key: Bytes, options?: CallOptions): Promise<ItemGetTtlResponse> {
    return this.client.itemGetTtl(this.name, key, options);
  }
  itemGetType(key: Bytes, options?: CallOptions): Promise<ItemGetTypeResponse> {
    return this.client.itemGetType(this.name, key, options);
  }
  updateTtl(key: Bytes, ttlMs: number, options?: CallOptions): Promise<UpdateTtlResponse> {
    return this.client.updateTtl(this.name, key, ttlMs, options);
  }
  increaseTtl(key: Bytes, ttlMs: number, options?: CallOptions): Promise<UpdateTtlResponse> {
    return this.client.increaseTtl(this.name, key, ttlMs, options);
  }
  decreaseTtl(key: Bytes, ttlMs: number, options?: CallOptions): Promise<UpdateTtlResponse> {
    return this.client.decreaseTtl(this.name, key, ttlMs, options);
  }
  getBatch(keys: Iterable<Bytes>, options?: CallOptions): Promise<GetBatchResponse> {
    return this.client.getBatch(this.name, keys, options);
  }
  setBatch(items: BatchItems, options?: SetOptions): Promise<SetBatchResponse> {
    return this.client.setBatch(this.name, items, options);
  }
  setIfAbsent(key: Bytes, value: Bytes, options?: SetOptions): Promise<SetIfResponse> {
    return this.client.setIfAbsent(this.name, key, value, options);
  }
  setIfPresent(key: Bytes, value: Bytes, options?: SetOptions): Promise<SetIfResponse> {
    return this.client.setIfPresent(this.name, key, value, options);
  }
  setIfEqual(key: Bytes, value: Bytes, equal: Bytes, options?: SetOptions): Promise<SetIfResponse> {
    return this.client.setIfEqual(this.name, key, value, equal, options);
  }
  setIfNotEqual(key: Bytes, value: Bytes, notEqual: Bytes, options?: SetOptions): Promise<SetIfResponse> {
    return this.client.setIfNotEqual(this.name, key, value, notEqual, options);
  }
  setIfPresentAndNotEqual(key: Bytes, value: Bytes, notEqual: Bytes, options?: SetOptions): Promise<SetIfResponse> {
    return this.client.setIfPresentAndNotEqual(this.name, key, value, notEqual, options);
  }
  setIfAbsentOrEqual(key: Bytes, value: Bytes, equal: Bytes, options?: SetOptions): Promise<SetIfResponse> {
    return this.client.setIfAbsentOrEqual(this.name, key, value, equal, options);
  }
  getWithHash(key: Bytes, options?: CallOptions): Promise<GetWithHashResponse> {
    return this.client.getWithHash(this.name, key, options);
  }
  setWithHash(key: Bytes, value: Bytes, options?: SetOptions): Promise<SetIfHashResponse> {
    return this.client.setWithHash(this.name, key, value, options);
  }
  setIfHash(
    condition: keyof typeof HashCondition,
    key: Bytes,
    value: Bytes,
    hash: Uint8Array | undefined,
    options?: SetOptions,
  ): Promise<SetIfHashResponse> {
    return this.client.setIfHash(condition, this.name, key, value, hash, options);
  }
  getOrSet(key: Bytes, factory: () => Bytes | Promise<Bytes>, options?: SetOptions): Promise<Buffer> {
    return this.client.getOrSet(this.name, key, factory, options);
  }
  flush(options?: CallOptions): Promise<ControlResponse> {
    return this.client.flushCache(this.name, options);
  }
}
