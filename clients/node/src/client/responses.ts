import type { Buffer } from "node:buffer";
import { inspect } from "node:util";
import type {
  ElementsHit,
  FieldsHit,
  ItemsHit,
  PoppedHit,
  ScoredElementsHit,
  ValuesHit,
} from "../collections/collection-hits.js";
import type { DictionaryPage, ListPage, SetPage, SortedSetPage } from "../collections/collection-pages.js";
import type { CacheError } from "./errors.js";
import { Hit } from "./hit.js";

export { Hit };

/** The call failed; the only answer that is not a result. */
export class ErrorResponse {
  readonly result = "error";
  constructor(readonly error: CacheError) {}

  /** As `console.log` prints it: code and message, without the stack, which is the client's own. */
  [inspect.custom](): string {
    return `Error { ${this.error.code}: ${this.error.message} }`;
  }
}

/** There is nothing under the key; of a collection's element: or it has no such element. */
export class Miss {
  readonly result = "miss";

  [inspect.custom](): string {
    return "Miss {}";
  }
}

export interface Success {
  readonly result: "success";
}
export interface Stored {
  readonly result: "stored";
}
export interface NotStored {
  readonly result: "notStored";
}
/** The key does not exist. */
export interface Missing {
  readonly result: "missing";
}

/** Kinds of item that a cache may hold. */
export type ItemType = "scalar" | "dictionary" | "set" | "list" | "sortedSet";

/** A cache and its limits, as the server reports them. */
export interface CacheInfo {
  readonly name: string;
  /** Largest item, key and value together, in KiB. */
  readonly maxItemSizeKiB: number;
  readonly maxTtlSeconds: number;
}

/** A key that a scan has met, and what is under it. */
export interface ScannedKey {
  readonly key: Buffer;
  readonly type: ItemType;
  /** What the item has left to live. */
  readonly remainingTtlMs: number;
  /** Bytes of a scalar's value; of another item those of all that it holds. */
  readonly sizeBytes: number;
}

export type GetResponse = Hit | Miss | ErrorResponse;
export type SetResponse = Success | ErrorResponse;
export type PublishResponse = Success | ErrorResponse;
export type RemoveByTagResponse = Success | ErrorResponse;
export type KeyExistsResponse = { readonly result: "success"; readonly exists: boolean } | ErrorResponse;
/** `exists` has one entry for each key asked, in order. */
export type KeysExistResponse = { readonly result: "success"; readonly exists: readonly boolean[] } | ErrorResponse;
/** `responses` has one entry for each key asked, in order; an error where the batch was sent in parts and that one failed. */
export type GetBatchResponse =
  | { readonly result: "success"; readonly responses: readonly (Hit | Miss | ErrorResponse)[] }
  | ErrorResponse;
export type SetBatchResponse = Success | ErrorResponse;
export type ListCachesResponse = { readonly result: "success"; readonly caches: readonly CacheInfo[] } | ErrorResponse;
/**
 * `keys`: a page of them, in no order that means anything; there may be none though more follow. `cursor`: what the next
 * call is given; empty: this was the last page.
 */
export type ScanKeysResponse =
  | { readonly result: "success"; readonly keys: readonly ScannedKey[]; readonly cursor: Buffer }
  | ErrorResponse;
/**
 * A page of what the collection has, as its `type` says; there may be nothing on it though more follow. `cursor`: what the
 * next call is given; empty: this was the last page. A miss: there is no such key, or it went between two pages.
 */
export type ScanItemsResponse = DictionaryPage | SetPage | ListPage | SortedSetPage | Miss | ErrorResponse;
/** A miss: there is no such dictionary, or it has no such field. */
export type DictionaryGetFieldResponse = Hit | Miss | ErrorResponse;
/** `contains`: whether the set has the element. */
export type SetContainsElementResponse = { readonly result: "hit"; readonly contains: boolean } | Miss | ErrorResponse;
/** A miss: there is no such sorted set, or it has no such element. */
export type SortedSetGetElementScoreResponse =
  | { readonly result: "hit"; readonly score: number }
  | Miss
  | ErrorResponse;
// operations: responses (tools/operations writes them from operations.toml)
export type DeleteResponse = Success | ErrorResponse;
/** `value`: The value after the increment. */
export type IncrementResponse = { readonly result: "success"; readonly value: bigint } | ErrorResponse;
/** `remainingTtlMs`: Time until it expires, floored to the millisecond. */
export type ItemGetTtlResponse =
  | { readonly result: "found"; readonly remainingTtlMs: number }
  | Missing
  | ErrorResponse;
/** `type`: What the item holds. */
export type ItemGetTypeResponse = { readonly result: "found"; readonly type: ItemType } | Missing | ErrorResponse;
/** `value`: The value. `hash`: The value's hash as the server computes it: for the conditional sets by hash. */
export type GetWithHashResponse =
  | { readonly result: "found"; readonly value: Buffer; readonly hash: Buffer }
  | Missing
  | ErrorResponse;
export type UpdateTtlResponse = { readonly result: "set" } | { readonly result: "notSet" } | Missing | ErrorResponse;
/** `prefix`: The value's first 64 bytes, or all of a shorter value. */
export type UpdateTtlIfPrefixResponse =
  | { readonly result: "set" }
  | { readonly result: "different"; readonly prefix: Buffer }
  | Missing
  | ErrorResponse;
export type SetIfResponse = Stored | NotStored | ErrorResponse;
/** `hash`: The hash of the value now stored. */
export type SetIfHashResponse = { readonly result: "stored"; readonly hash: Buffer } | NotStored | ErrorResponse;
export type DictionaryGetResponse = FieldsHit | Miss | ErrorResponse;
export type DictionaryFetchResponse = ItemsHit | Miss | ErrorResponse;
export type DictionarySetResponse = Success | ErrorResponse;
/** `value`: The field's value after the increment. */
export type DictionaryIncrementResponse = { readonly result: "success"; readonly value: bigint } | ErrorResponse;
export type DictionaryDeleteResponse = Success | ErrorResponse;
/** `length`: Elements. */
export type DictionaryLengthResponse = { readonly result: "hit"; readonly length: number } | Miss | ErrorResponse;
export type SetFetchResponse = ElementsHit | Miss | ErrorResponse;
export type SetSampleResponse = ElementsHit | Miss | ErrorResponse;
export type SetUnionResponse = Success | ErrorResponse;
export type SetDifferenceResponse = { readonly result: "hit" } | Miss | ErrorResponse;
/** `contains`: For each element, in the order asked, whether the set has it. */
export type SetContainsResponse =
  | { readonly result: "hit"; readonly contains: readonly boolean[] }
  | Miss
  | ErrorResponse;
/** `length`: Elements. */
export type SetLengthResponse = { readonly result: "hit"; readonly length: number } | Miss | ErrorResponse;
export type SetPopResponse = ElementsHit | Miss | ErrorResponse;
/** `length`: Elements afterwards. */
export type ListPushFrontResponse = { readonly result: "success"; readonly length: number } | ErrorResponse;
/** `length`: Elements afterwards. */
export type ListPushBackResponse = { readonly result: "success"; readonly length: number } | ErrorResponse;
/** `length`: Elements afterwards. */
export type ListConcatenateFrontResponse = { readonly result: "success"; readonly length: number } | ErrorResponse;
/** `length`: Elements afterwards. */
export type ListConcatenateBackResponse = { readonly result: "success"; readonly length: number } | ErrorResponse;
export type ListPopFrontResponse = PoppedHit | Miss | ErrorResponse;
export type ListPopBackResponse = PoppedHit | Miss | ErrorResponse;
export type ListFetchResponse = ValuesHit | Miss | ErrorResponse;
/** `length`: Elements. */
export type ListRetainResponse = { readonly result: "hit"; readonly length: number } | Miss | ErrorResponse;
/** `length`: Elements. */
export type ListRemoveResponse = { readonly result: "hit"; readonly length: number } | Miss | ErrorResponse;
/** `length`: Elements. */
export type ListEraseResponse = { readonly result: "hit"; readonly length: number } | Miss | ErrorResponse;
/** `length`: Elements. */
export type ListLengthResponse = { readonly result: "hit"; readonly length: number } | Miss | ErrorResponse;
export type SortedSetPutResponse = Success | ErrorResponse;
export type SortedSetFetchResponse = ScoredElementsHit | Miss | ErrorResponse;
/** `scores`: One for each element that was asked for, in that order. */
export type SortedSetGetScoreResponse =
  | { readonly result: "hit"; readonly scores: readonly (number | null)[] }
  | Miss
  | ErrorResponse;
/** `rank`: How many elements stand before it. */
export type SortedSetGetRankResponse = { readonly result: "hit"; readonly rank: number } | Miss | ErrorResponse;
/** `score`: The score after the increment. */
export type SortedSetIncrementResponse = { readonly result: "success"; readonly score: number } | ErrorResponse;
export type SortedSetRemoveResponse = Success | ErrorResponse;
/** `length`: Elements. */
export type SortedSetLengthResponse = { readonly result: "hit"; readonly length: number } | Miss | ErrorResponse;
/** `length`: Elements. */
export type SortedSetLengthByScoreResponse = { readonly result: "hit"; readonly length: number } | Miss | ErrorResponse;
/** `length`: Its elements; 0: there is none, and no such sorted set either. */
export type SortedSetUnionStoreResponse = { readonly result: "success"; readonly length: number } | ErrorResponse;
export type CreateCacheResponse = Success | ErrorResponse;
export type DeleteCacheResponse = Success | ErrorResponse;
export type FlushCacheResponse = Success | ErrorResponse;
export type PingResponse = Success | ErrorResponse;
// operations: end

export const success: Success = Object.freeze({ result: "success" });
export const miss: Miss = Object.freeze(new Miss());
export const stored: Stored = Object.freeze({ result: "stored" });
export const notStored: NotStored = Object.freeze({ result: "notStored" });
export const missing: Missing = Object.freeze({ result: "missing" });
