import { Buffer } from "node:buffer";
import { types } from "node:util";
import type { ScanItemsOptions, ScanOptions } from "../client/client-options.js";
import type { ErrorResponse, KeysPage, LookupResponse, SuccessResponse } from "../client/responses.js";
import { checkKey, checkText } from "../client/validation.js";
import { checkCount } from "../collections/collection-arguments.js";
import type { ItemsPage } from "../collections/collection-pages.js";
import type { Bytes } from "../operations/proto-writer.js";
import { keyTypeOf, ScanItemsOperation, ScanKeysOperation } from "../operations/scan-operations.js";
import { BatchCalls } from "./batch-calls.js";

/** Calls that read the keys of a cache or the elements of a collection page by page. */
export abstract class ScanCalls extends BatchCalls {
  /**
   * Gets a page of the cache's keys. To get the next page, call this method again with this page's `cursor`. The cursor
   * is empty after the last page. Every key that exists during the whole scan is on at least one page. A page may be
   * empty.
   *
   * Start again without a cursor if the error is `InvalidArgument` (the cursor belongs to another cache, or the server
   * was restarted) or `FailedPrecondition` (the slots or masters of the Redis Cluster behind the servers changed). The
   * error is `Unknown` if the server does not support this call.
   */
  async scanKeys(options: ScanOptions = {}): Promise<SuccessResponse<KeysPage>> {
    requireOptions(options, "prefix, type, cursor, count");
    const { prefix = "", type, cursor = Buffer.alloc(0), count = 0, ...common } = options;
    const keyType = keyTypeOf(type);
    if (keyType < 0) throw new TypeError(`unknown item type '${type}'`);
    const invalid = checkPage(cursor, count) ?? checkText("prefix", prefix) ?? this.invalidName;
    return invalid ?? this.calls.make(new ScanKeysOperation(this.name, prefix, keyType, cursor, count), common);
  }

  /**
   * Gets a page of a collection. Use it for collections that are too large for one response. To get the next page, call
   * this method again with this page's `cursor`. The cursor is empty after the last page. Every element that exists
   * during the whole scan is on at least one page. A page may be empty. If the collection expires during the scan, the
   * result is a miss.
   *
   * Start again without a cursor if the error is `InvalidArgument` (the cursor belongs to another key, or the server
   * was restarted) or `FailedPrecondition` (the collection now has another type, or has moved to another node of the
   * Redis Cluster behind the servers). The error is also `FailedPrecondition` if the item is a scalar, and `Unknown` if
   * the server does not support this call.
   */
  async scanItems(name: Bytes, options: ScanItemsOptions = {}): Promise<LookupResponse<ItemsPage>> {
    requireOptions(options, "cursor, count");
    const { cursor = Buffer.alloc(0), count = 0, ...common } = options;
    const invalid = checkPage(cursor, count) ?? checkKey(name) ?? this.invalidName;
    return invalid ?? this.calls.make(new ScanItemsOperation(this.name, name, cursor, count), common);
  }
}

function requireOptions(given: object, own: string): void {
  if (typeof given !== "object" || given === null || Array.isArray(given))
    throw new TypeError(`the options must be an object; known options: ${own}, signal, timeoutMs`);
}

// Returns the error if the cursor or the count of a page is invalid, otherwise null.
function checkPage(cursor: Uint8Array, count: number): ErrorResponse | null {
  if (!types.isUint8Array(cursor)) throw new TypeError("the cursor must be a Uint8Array");
  return checkCount("page's count", count);
}
