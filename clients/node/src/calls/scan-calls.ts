import { Buffer } from "node:buffer";
import { types } from "node:util";
import type { CallOptions, ScanItemsOptions, ScanOptions } from "../client/client-options.js";
import type { ErrorResponse } from "../client/responses.js";
import { checkCacheName, checkKey, checkText } from "../client/validation.js";
import { checkCount } from "../collections/collection-arguments.js";
import type { Bytes } from "../operations/proto-writer.js";
import { keyTypeOf, ScanItemsOperation, ScanKeysOperation } from "../operations/scan-operations.js";

/** A scan that is ready to be sent, or what refuses it. */
export type Scan<O> =
  | { readonly operation: O; readonly options: CallOptions }
  | { readonly operation: null; readonly refusal: ErrorResponse };

/** What a caller asks for as one operation. A TypeError for what is of a wrong type, or no option. */
export function scanOf(cacheName: string, given: ScanOptions): Scan<ScanKeysOperation> {
  requireOptions(given, "prefix, type, cursor, count");
  const { prefix = "", type, cursor = Buffer.alloc(0), count = 0, ...options } = given;
  const keyType = keyTypeOf(type);
  if (keyType < 0) throw new TypeError(`there is no type '${type}' of items`);
  const refusal = checkPage(cursor, count) ?? checkText("prefix", prefix) ?? checkCacheName(cacheName);
  if (refusal !== null) return { operation: null, refusal };
  return { operation: new ScanKeysOperation(cacheName, prefix, keyType, cursor, count), options };
}

/** As `scanOf`, of a collection. */
export function scanItemsOf(cacheName: string, name: Bytes, given: ScanItemsOptions): Scan<ScanItemsOperation> {
  requireOptions(given, "cursor, count");
  const { cursor = Buffer.alloc(0), count = 0, ...options } = given;
  const refusal = checkPage(cursor, count) ?? checkKey(cacheName, name);
  if (refusal !== null) return { operation: null, refusal };
  return { operation: new ScanItemsOperation(cacheName, name, cursor, count), options };
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
