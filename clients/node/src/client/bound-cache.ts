import type { Buffer } from "node:buffer";
import type { Codec } from "../codecs/codec.js";
import type { TypedCache } from "../codecs/typed-cache.js";
import type { TypedCacheOptions } from "../codecs/typed-values.js";
import type { BatchFactory } from "../leases/batch-aside.js";
import type { Factory } from "../leases/cache-aside.js";
import type { Bytes } from "../operations/proto-writer.js";
import type { SubscribeOptions } from "../topics/subscribe-options.js";
import type { TopicSubscription } from "../topics/topic-subscription.js";
import { BoundElementCalls } from "./bound-element-calls.js";
import type {
  BatchItems,
  CallOptions,
  GetOrSetOptions,
  IncrementOptions,
  ScanItemsOptions,
  ScanOptions,
  SetOptions,
} from "./client-options.js";
import type * as r from "./responses.js";

/** One cache of a client: its calls, without the cache's name in each. */
export class BoundCache extends BoundElementCalls {
  typed<T>(codec: Codec<T>, options?: TypedCacheOptions): TypedCache<T> {
    return this.client.typed(this.name, codec, options);
  }
  get(key: Bytes, options?: CallOptions): Promise<r.GetResponse> {
    return this.client.get(this.name, key, options);
  }
  tryGetNear(key: Bytes): r.Hit | undefined {
    return this.client.tryGetNear(this.name, key);
  }
  set(key: Bytes, value: Bytes, options?: SetOptions): Promise<r.SetResponse> {
    return this.client.set(this.name, key, value, options);
  }
  keyExists(key: Bytes, options?: CallOptions): Promise<r.KeyExistsResponse> {
    return this.client.keyExists(this.name, key, options);
  }
  keysExist(keys: Iterable<Bytes>, options?: CallOptions): Promise<r.KeysExistResponse> {
    return this.client.keysExist(this.name, keys, options);
  }
  getBatch(keys: Iterable<Bytes>, options?: CallOptions): Promise<r.GetBatchResponse> {
    return this.client.getBatch(this.name, keys, options);
  }
  setBatch(items: BatchItems, options?: SetOptions): Promise<r.SetBatchResponse> {
    return this.client.setBatch(this.name, items, options);
  }
  getOrSet(key: Bytes, factory: Factory, options?: GetOrSetOptions): Promise<Buffer> {
    return this.client.getOrSet(this.name, key, factory, options);
  }
  getOrSetBatch(keys: Iterable<Bytes>, factory: BatchFactory, options?: SetOptions): Promise<Buffer[]> {
    return this.client.getOrSetBatch(this.name, keys, factory, options);
  }
  setWithTags(key: Bytes, value: Bytes, tags: Iterable<Bytes>, options?: SetOptions): Promise<r.SetResponse> {
    return this.client.setWithTags(this.name, key, value, tags, options);
  }
  removeByTag(tags: Iterable<Bytes>, options?: CallOptions): Promise<r.RemoveByTagResponse> {
    return this.client.removeByTag(this.name, tags, options);
  }
  scanKeys(options?: ScanOptions): Promise<r.ScanKeysResponse> {
    return this.client.scanKeys(this.name, options);
  }
  scanItems(name: Bytes, options?: ScanItemsOptions): Promise<r.ScanItemsResponse> {
    return this.client.scanItems(this.name, name, options);
  }
  publish(topic: string, value: Bytes, options?: CallOptions): Promise<r.PublishResponse> {
    return this.client.publish(this.name, topic, value, options);
  }
  subscribe(topic: string, options?: SubscribeOptions): TopicSubscription {
    return this.client.subscribe(this.name, topic, options);
  }
  flush(options?: CallOptions): Promise<r.FlushCacheResponse> {
    return this.client.flushCache(this.name, options);
  }

  // operations: calls

  /** Removes an item; it need not exist. */
  delete(key: Bytes, options?: CallOptions): Promise<r.DeleteResponse> {
    return this.client.delete(this.name, key, options);
  }

  /** Adds to an integer item, which is made at 0 where it is missing. Never sent twice where it may have run. */
  increment(key: Bytes, amount?: number | bigint, options?: IncrementOptions): Promise<r.IncrementResponse> {
    return this.client.increment(this.name, key, amount, options);
  }

  /** Asks how long an item will live. */
  itemGetTtl(key: Bytes, options?: CallOptions): Promise<r.ItemGetTtlResponse> {
    return this.client.itemGetTtl(this.name, key, options);
  }

  /** Asks what an item holds. */
  itemGetType(key: Bytes, options?: CallOptions): Promise<r.ItemGetTypeResponse> {
    return this.client.itemGetType(this.name, key, options);
  }

  /** Gets an item's value and its hash, for a later set conditional on it. */
  getWithHash(key: Bytes, options?: CallOptions): Promise<r.GetWithHashResponse> {
    return this.client.getWithHash(this.name, key, options);
  }

  /** Gives an item a new time to live, whatever is left. */
  updateTtl(key: Bytes, ttlMs: number, options?: CallOptions): Promise<r.UpdateTtlResponse> {
    return this.client.updateTtl(this.name, key, ttlMs, options);
  }

  /** Gives an item a new time to live where that is longer than what is left. */
  increaseTtl(key: Bytes, ttlMs: number, options?: CallOptions): Promise<r.UpdateTtlResponse> {
    return this.client.increaseTtl(this.name, key, ttlMs, options);
  }

  /** Gives an item a new time to live where that is shorter than what is left. */
  decreaseTtl(key: Bytes, ttlMs: number, options?: CallOptions): Promise<r.UpdateTtlResponse> {
    return this.client.decreaseTtl(this.name, key, ttlMs, options);
  }

  /** Gives an item a new time to live if its value begins with `prefix`; otherwise returns what the value begins with. */
  updateTtlIfPrefix(key: Bytes, prefix: Bytes, options?: SetOptions): Promise<r.UpdateTtlIfPrefixResponse> {
    return this.client.updateTtlIfPrefix(this.name, key, prefix, options);
  }

  /** Stores where the key is missing. */
  setIfAbsent(key: Bytes, value: Bytes, options?: SetOptions): Promise<r.SetIfResponse> {
    return this.client.setIfAbsent(this.name, key, value, options);
  }

  /** Stores where the key is there. */
  setIfPresent(key: Bytes, value: Bytes, options?: SetOptions): Promise<r.SetIfResponse> {
    return this.client.setIfPresent(this.name, key, value, options);
  }

  /** Stores where the key holds exactly `equal`. */
  setIfEqual(key: Bytes, value: Bytes, equal: Bytes, options?: SetOptions): Promise<r.SetIfResponse> {
    return this.client.setIfEqual(this.name, key, value, equal, options);
  }

  /** Stores where the key does not hold exactly `equal`; a missing key stores. */
  setIfNotEqual(key: Bytes, value: Bytes, equal: Bytes, options?: SetOptions): Promise<r.SetIfResponse> {
    return this.client.setIfNotEqual(this.name, key, value, equal, options);
  }

  /** Stores where the key is there and holds something else. */
  setIfPresentAndNotEqual(key: Bytes, value: Bytes, equal: Bytes, options?: SetOptions): Promise<r.SetIfResponse> {
    return this.client.setIfPresentAndNotEqual(this.name, key, value, equal, options);
  }

  /** Stores where the key is missing or holds exactly `equal`. */
  setIfAbsentOrEqual(key: Bytes, value: Bytes, equal: Bytes, options?: SetOptions): Promise<r.SetIfResponse> {
    return this.client.setIfAbsentOrEqual(this.name, key, value, equal, options);
  }

  /** Stores where the key's value has the hash. */
  setIfPresentAndHashEqual(
    key: Bytes,
    value: Bytes,
    hash: Uint8Array,
    options?: SetOptions,
  ): Promise<r.SetIfHashResponse> {
    return this.client.setIfPresentAndHashEqual(this.name, key, value, hash, options);
  }

  /** Stores where the key is there and its value has another hash. */
  setIfPresentAndNotHashEqual(
    key: Bytes,
    value: Bytes,
    hash: Uint8Array,
    options?: SetOptions,
  ): Promise<r.SetIfHashResponse> {
    return this.client.setIfPresentAndNotHashEqual(this.name, key, value, hash, options);
  }

  /** Stores where the key is missing or its value has the hash. */
  setIfAbsentOrHashEqual(
    key: Bytes,
    value: Bytes,
    hash: Uint8Array,
    options?: SetOptions,
  ): Promise<r.SetIfHashResponse> {
    return this.client.setIfAbsentOrHashEqual(this.name, key, value, hash, options);
  }

  /** Stores where the key is missing or its value has another hash. */
  setIfAbsentOrNotHashEqual(
    key: Bytes,
    value: Bytes,
    hash: Uint8Array,
    options?: SetOptions,
  ): Promise<r.SetIfHashResponse> {
    return this.client.setIfAbsentOrNotHashEqual(this.name, key, value, hash, options);
  }

  /** Stores whatever is there, and answers the value's hash. */
  setWithHash(key: Bytes, value: Bytes, options?: SetOptions): Promise<r.SetIfHashResponse> {
    return this.client.setWithHash(this.name, key, value, options);
  }

  // operations: end
}
