import type { Buffer } from "node:buffer";
import { inspect } from "node:util";
import type { CacheError } from "./errors.js";
import { HashHit, Hit } from "./hit.js";

export { HashHit, Hit };

/** The response of a failed call. */
export class ErrorResponse {
  readonly result = "error";
  constructor(readonly error: CacheError) {}

  /** Returns the code and the message for `console.log`, without the stack, which is internal to the client. */
  [inspect.custom](): string {
    return `Error { ${this.error.code}: ${this.error.message} }`;
  }
}

/** The response if the key does not exist, or if the collection does not contain the element. */
export class Miss {
  readonly result = "miss";

  [inspect.custom](): string {
    return "Miss {}";
  }
}

/** The response of a successful call. */
export interface Success {
  readonly result: "success";
}

/** The response if the condition held and the call changed the item. */
export interface Stored {
  readonly result: "stored";
}

/** The response if the condition did not hold. Nothing changed. */
export interface NotStored {
  readonly result: "notStored";
}

// Every call returns one of three response types. If a `switch` over `result` covers all cases of the type, it compiles
// without a default case.

/** A response that is `success` with the properties of `V`, or `error`. */
export type SuccessResponse<V = unknown> = (Success & V) | ErrorResponse;

/** A response that is `hit` with the properties of `V`, `miss` or `error`. */
export type LookupResponse<V = unknown> = ({ readonly result: "hit" } & V) | Miss | ErrorResponse;

/** A response that is `stored` with the properties of `V`, `notStored` with the properties of `N`, or `error`. */
export type ConditionalResponse<V = unknown, N = unknown> = (Stored & V) | (NotStored & N) | ErrorResponse;

/** Type of an item. */
export type ItemType = "scalar" | "dictionary" | "set" | "list" | "sortedSet";

/** A cache and its limits, as the server reports them. */
export interface CacheInfo {
  readonly name: string;
  /** Maximum total size of an item's key and value, in KiB. */
  readonly maxItemSizeKiB: number;
  readonly maxTtlSeconds: number;
}

/** A key that a scan found, with the type and the size of its item. */
export interface ScannedKey {
  readonly key: Buffer;
  readonly type: ItemType;
  /** Remaining time to live in milliseconds. */
  readonly remainingTtlMs: number;
  /** Size in bytes: the size of a scalar's value, or of all contents of a collection. */
  readonly sizeBytes: number;
}

/** A page of a scan of keys, in no particular order. A page may be empty even if more pages follow. */
export interface KeysPage {
  readonly keys: readonly ScannedKey[];
  /** The cursor to pass to the next call. Empty after the last page. */
  readonly cursor: Buffer;
}

/** The responses of a batch: one response per key, in the order of the keys. */
export interface BatchResponses<H = Hit> {
  /** The responses. If the client sent the batch in parts, the response of each key in a failed part is an error. */
  readonly responses: readonly LookupResponse<H>[];
}

export const success: Success = Object.freeze({ result: "success" });
export const miss: Miss = Object.freeze(new Miss());
export const stored: Stored = Object.freeze({ result: "stored" });
export const notStored: NotStored = Object.freeze({ result: "notStored" });
