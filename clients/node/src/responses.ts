import { Buffer } from "node:buffer";
import { type InspectOptionsStylized, inspect } from "node:util";
import type { CacheError } from "./errors.js";

// Of a value that is printed, so that a log does not fill with it: that many bytes are looked at.
const printedBytes = 200;

/** The call failed; the only answer that is not a result. */
export class ErrorResponse {
  readonly result = "error";
  constructor(readonly error: CacheError) {}

  /** As `console.log` prints it: code and message, without the stack, which is the client's own. */
  [inspect.custom](): string {
    return `Error { ${this.error.code}: ${this.error.message} }`;
  }
}

/**
 * A get found the item. Its bytes are copied out of the connection's buffer when they are first asked for, so that a
 * copy or a comparison of the whole object (`structuredClone`, `deepStrictEqual`) has its length but not its value:
 * clone or compare `value` or `valueBytes` (ADR-0055).
 */
export class Hit {
  readonly result = "hit";
  /** The value's size in bytes. */
  readonly valueLengthBytes: number;
  #source: Buffer;
  #start: number;
  #end: number;

  constructor(source: Buffer, start: number, end: number) {
    this.valueLengthBytes = end - start;
    this.#source = source;
    this.#start = start;
    this.#end = end;
  }

  /** The value's bytes; the caller's own. */
  get valueBytes(): Buffer {
    if (this.#start !== 0 || this.#end !== this.#source.length) {
      this.#source = Buffer.from(this.#source.subarray(this.#start, this.#end));
      this.#start = 0;
      this.#end = this.#source.length;
    }
    return this.#source;
  }

  /** The value as UTF-8 text; bytes that are not are replaced by U+FFFD. */
  get value(): string {
    return this.#source.toString("utf8", this.#start, this.#end);
  }

  /** As `JSON.stringify` writes it: at most the value's first 200 bytes, as text or else in base64, and its length. */
  toJSON(): { result: "hit"; valueLengthBytes: number; value?: string; valueBase64?: string } {
    const { bytes, cut } = this.#printed();
    const text = textOf(bytes, cut);
    const value = text === null ? { valueBase64: bytes.toString("base64") } : { value: text };
    return { result: "hit", valueLengthBytes: this.valueLengthBytes, ...value };
  }

  #printed(): { readonly bytes: Buffer; readonly cut: boolean } {
    const bytes = this.#source.subarray(this.#start, Math.min(this.#end, this.#start + printedBytes));
    return { bytes, cut: this.valueLengthBytes > printedBytes };
  }

  /** As `console.log` prints it: its text, or its bytes where they are none; a long value is cut. */
  [inspect.custom](_depth: number, options: InspectOptionsStylized): string {
    const { bytes, cut } = this.#printed();
    const value = inspect(textOf(bytes, cut) ?? bytes, { ...options, breakLength: Infinity });
    return `Hit { value: ${value}${cut ? ` … of ${this.valueLengthBytes} bytes` : ""} }`;
  }
}

/** Bytes as text, null where they are none. What is cut may end within a character, which is then left out. */
function textOf(bytes: Buffer, cut: boolean): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes, { stream: cut });
  } catch {
    return null;
  }
}

/** A get found nothing under the key. */
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

export type GetResponse = Hit | Miss | ErrorResponse;
export type SetResponse = Success | ErrorResponse;
export type KeyExistsResponse = { readonly result: "success"; readonly exists: boolean } | ErrorResponse;
/** `exists` has one entry for each key asked, in order. */
export type KeysExistResponse = { readonly result: "success"; readonly exists: readonly boolean[] } | ErrorResponse;
/** `responses` has one entry for each key asked, in order; an error where the batch was sent in parts and that one failed. */
export type GetBatchResponse =
  | { readonly result: "success"; readonly responses: readonly (Hit | Miss | ErrorResponse)[] }
  | ErrorResponse;
export type SetBatchResponse = Success | ErrorResponse;
export type ListCachesResponse = { readonly result: "success"; readonly caches: readonly CacheInfo[] } | ErrorResponse;
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
export type SetIfResponse = Stored | NotStored | ErrorResponse;
/** `hash`: The hash of the value now stored. */
export type SetIfHashResponse = { readonly result: "stored"; readonly hash: Buffer } | NotStored | ErrorResponse;
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
