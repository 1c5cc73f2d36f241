import type { CallMaker } from "../calls/call-maker.js";
import type { BatchItems, CallOptions, SetOptions } from "../client/client-options.js";
import type { BatchResponses, ErrorResponse, Hit, LookupResponse, SuccessResponse } from "../client/responses.js";
import type { DecodedCopy, NearCopy } from "../near/near-copy.js";
import type { Bytes } from "../operations/proto-writer.js";

/** The part of a cache handle that get-or-set and typed caches use. */
export interface ItemCalls {
  readonly name: string;
  /** The error that every call returns if the cache's name is invalid. Null if the name is valid. */
  readonly invalidName: ErrorResponse | null;
  readonly calls: CallMaker;
  get(key: Bytes, options?: CallOptions): Promise<LookupResponse<Hit>>;
  /**
   * Returns the near copy that may be served for a call now. Null if there is no copy or the call is invalid. If the
   * event loop must run first, returns a promise. The caller then calls this method again when the promise resolves.
   */
  nearCopy(key: Bytes, options: CallOptions | undefined): NearCopy | Promise<void> | null;
  /** Stores a decoded value with a near copy. */
  keepDecoded(copy: NearCopy, decoded: DecodedCopy, decodedBytes: number): void;
  set(key: Bytes, value: Bytes, options?: SetOptions): Promise<SuccessResponse>;
  getBatch(keys: Iterable<Bytes>, options?: CallOptions): Promise<SuccessResponse<BatchResponses>>;
  setBatch(items: BatchItems, options?: SetOptions): Promise<SuccessResponse>;
}
