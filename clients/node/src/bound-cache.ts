import type { Buffer } from "node:buffer";
import { BoundCalls } from "./bound-calls.js";
import type { BatchItems, CallOptions, SetOptions } from "./client-options.js";
import type { Bytes } from "./proto-writer.js";
import type {
  FlushCacheResponse,
  GetBatchResponse,
  GetResponse,
  KeyExistsResponse,
  KeysExistResponse,
  SetBatchResponse,
  SetResponse,
} from "./responses.js";

/** One cache of a client: its calls, without the cache's name in each. */
export class BoundCache extends BoundCalls {
  get(key: Bytes, options?: CallOptions): Promise<GetResponse> {
    return this.client.get(this.name, key, options);
  }
  set(key: Bytes, value: Bytes, options?: SetOptions): Promise<SetResponse> {
    return this.client.set(this.name, key, value, options);
  }
  keyExists(key: Bytes, options?: CallOptions): Promise<KeyExistsResponse> {
    return this.client.keyExists(this.name, key, options);
  }
  keysExist(keys: Iterable<Bytes>, options?: CallOptions): Promise<KeysExistResponse> {
    return this.client.keysExist(this.name, keys, options);
  }
  getBatch(keys: Iterable<Bytes>, options?: CallOptions): Promise<GetBatchResponse> {
    return this.client.getBatch(this.name, keys, options);
  }
  setBatch(items: BatchItems, options?: SetOptions): Promise<SetBatchResponse> {
    return this.client.setBatch(this.name, items, options);
  }
  getOrSet(key: Bytes, factory: () => Bytes | Promise<Bytes>, options?: SetOptions): Promise<Buffer> {
    return this.client.getOrSet(this.name, key, factory, options);
  }
  flush(options?: CallOptions): Promise<FlushCacheResponse> {
    return this.client.flushCache(this.name, options);
  }
}
