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

/** Calls that read a cache's keys, or what a collection holds, page by page. */
export abstract class ScanCalls extends BatchCalls {
  /**
   * A page of a cache's keys. Call it again with the page's `cursor` until that is empty: every key that is there from
   * the first page to the last is on one of them at least; a page may have fewer than asked for, or none.
   * `InvalidArgument` for a cursor that is not of this cache, or of the server before a restart, and
   * `FailedPrecondition` where a fleet's slots moved: begin again, without a cursor. `Unknown` from a server that has no
   * such call, as those of the public protocol alone.
   */
  async scanKeys(options: ScanOptions = {}): Promise<SuccessResponse<KeysPage>> {
    requireOptions(options, "prefix, type, cursor, count");
    const { prefix = "", type, cursor = Buffer.alloc(0), count = 0, ...common } = options;
    const keyType = keyTypeOf(type);
    if (keyType < 0) throw new TypeError(`there is no type '${type}' of items`);
    const invalid = checkPage(cursor, count) ?? checkText("prefix", prefix) ?? this.invalidName;
    return invalid ?? this.calls.make(new ScanKeysOperation(this.name, prefix, keyType, cursor, count), common);
  }

  /**
   * A page of what a collection holds, which may be too large for one answer. Call it again with the page's `cursor` until
   * that is empty: every element that is there from the first page to the last is on one of them at least.
   * `FailedPrecondition` for a scalar, and where the collection's type has changed or a fleet's masters have;
   * `InvalidArgument` for a cursor that is not of this key, or of the server before a restart: begin again, without a
   * cursor. `Unknown` from a server that has no such call, as those of the public protocol alone.
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
    throw new TypeError(`a scan's options must be an object: { ${own}, signal, timeoutMs }`);
}

// What is wrong with a page's count, or null.
function checkPage(cursor: Uint8Array, count: number): ErrorResponse | null {
  if (!types.isUint8Array(cursor)) throw new TypeError("the cursor must be a Uint8Array");
  return checkCount("page's count", count);
}
