import type { BatchItems, CallOptions, SetOptions } from "../client/client-options.js";
import type { GetBatchResponse, GetResponse, SetBatchResponse, SetResponse } from "../client/responses.js";
import type { Bytes } from "../operations/proto-writer.js";

/** The client's calls that cache-aside needs. */
export interface ItemCalls {
  get(cacheName: string, key: Bytes, options?: CallOptions): Promise<GetResponse>;
  set(cacheName: string, key: Bytes, value: Bytes, options?: SetOptions): Promise<SetResponse>;
  getBatch(cacheName: string, keys: Iterable<Bytes>, options?: CallOptions): Promise<GetBatchResponse>;
  setBatch(cacheName: string, items: BatchItems, options?: SetOptions): Promise<SetBatchResponse>;
}
