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

/** Calls that read a cache's keys or a collection's elements page by page. */
export abstract class ScanCalls extends BatchCalls {
  /**
   * Gets a page of the cache's keys. Call it again with the page's `cursor` until that is empty. Every key that exists
   * during the whole scan is on at least one page; a page may be empty. Start again without a cursor if the error is
   * `InvalidArgument` (the cursor is of another cache, or from before a restart) or `FailedPrecondition` (a fleet's
   * slots moved). The error is `Unknown` if the server does not have this call.
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
   * Gets a page of a collection, for collections that are too large for one response. Call it again with the page's
   * `cursor` until that is empty. Every element that exists during the whole scan is on at least one page; a page may
   * be empty. Start again without a cursor if the error is `InvalidArgument` (the cursor is of another key, or from
   * before a restart) or `FailedPrecondition` (the collection's type or a fleet's masters changed; also for a scalar).
   * The error is `Unknown` if the server does not have this call. A miss can also come between two pages, if the
   * collection expires.
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
    throw new TypeError(`the options must be an object with ${own}, signal, timeoutMs`);
}

// Returns the error if a page's count is invalid, or null.
function checkPage(cursor: Uint8Array, count: number): ErrorResponse | null {
  if (!types.isUint8Array(cursor)) throw new TypeError("the cursor must be a Uint8Array");
  return checkCount("page's count", count);
}
