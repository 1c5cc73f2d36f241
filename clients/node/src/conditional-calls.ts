import { ClientCore } from "./client-core.js";
import type { CallOptions, SetOptions } from "./client-options.js";
import {
  Condition,
  GetWithHashOperation,
  HashCondition,
  SetIfHashOperation,
  SetIfOperation,
} from "./conditional-operations.js";
import type { Bytes } from "./proto-writer.js";
import type { GetWithHashResponse, SetIfHashResponse, SetIfResponse } from "./responses.js";
import { checkItem, checkKey, checkText, requireBytes } from "./validation.js";

/** The calls of a client that store only where a condition is met, by value and by hash. */
export abstract class ConditionalCalls extends ClientCore {
  /** Stores where the key is missing. */
  setIfAbsent(cacheName: string, key: Bytes, value: Bytes, options?: SetOptions): Promise<SetIfResponse> {
    return this.#setIf(Condition.absent, cacheName, key, value, undefined, options);
  }

  /** Stores where the key is there. */
  setIfPresent(cacheName: string, key: Bytes, value: Bytes, options?: SetOptions): Promise<SetIfResponse> {
    return this.#setIf(Condition.present, cacheName, key, value, undefined, options);
  }

  /** Stores where the key holds `equal`. */
  setIfEqual(cacheName: string, key: Bytes, value: Bytes, equal: Bytes, options?: SetOptions): Promise<SetIfResponse> {
    return this.#setIf(Condition.equal, cacheName, key, value, equal, options);
  }

  /** Stores where the key is missing or holds something else than `notEqual`. */
  setIfNotEqual(
    cacheName: string,
    key: Bytes,
    value: Bytes,
    notEqual: Bytes,
    options?: SetOptions,
  ): Promise<SetIfResponse> {
    return this.#setIf(Condition.notEqual, cacheName, key, value, notEqual, options);
  }

  /** Stores where the key is there and holds something else than `notEqual`. */
  setIfPresentAndNotEqual(
    cacheName: string,
    key: Bytes,
    value: Bytes,
    notEqual: Bytes,
    options?: SetOptions,
  ): Promise<SetIfResponse> {
    return this.#setIf(Condition.presentAndNotEqual, cacheName, key, value, notEqual, options);
  }

  /** Stores where the key is missing or holds `equal`. */
  setIfAbsentOrEqual(
    cacheName: string,
    key: Bytes,
    value: Bytes,
    equal: Bytes,
    options?: SetOptions,
  ): Promise<SetIfResponse> {
    return this.#setIf(Condition.absentOrEqual, cacheName, key, value, equal, options);
  }

  /** The value under `key` with its hash, for the sets by hash. */
  async getWithHash(cacheName: string, key: Bytes, options?: CallOptions): Promise<GetWithHashResponse> {
    return checkKey(cacheName, key) ?? this.submit(new GetWithHashOperation(cacheName, key), options);
  }

  /** Stores whatever is there, and answers the hash of `value`. */
  setWithHash(cacheName: string, key: Bytes, value: Bytes, options?: SetOptions): Promise<SetIfHashResponse> {
    return this.setIfHash("unconditional", cacheName, key, value, undefined, options);
  }

  /** Stores where the hash of what is there meets the condition of that name with `hash`. */
  async setIfHash(
    condition: keyof typeof HashCondition,
    cacheName: string,
    key: Bytes,
    value: Bytes,
    hash: Uint8Array | undefined,
    options?: SetOptions,
  ): Promise<SetIfHashResponse> {
    if (!Object.hasOwn(HashCondition, condition))
      throw new TypeError(`the condition must be one of ${Object.keys(HashCondition).join(", ")}`);
    if (condition !== "unconditional" && !(hash instanceof Uint8Array))
      throw new TypeError("the hash must be a Uint8Array");
    const ttlMs = this.ttl(options);
    return (
      checkItem(cacheName, key, value, ttlMs) ??
      this.submit(
        new SetIfHashOperation(cacheName, key, value, Math.ceil(ttlMs), HashCondition[condition], hash),
        options,
      )
    );
  }

  async #setIf(
    condition: (typeof Condition)[keyof typeof Condition],
    cacheName: string,
    key: Bytes,
    value: Bytes,
    comparand: Bytes | undefined,
    options: SetOptions | undefined,
  ): Promise<SetIfResponse> {
    const ttlMs = this.ttl(options);
    if (comparand !== undefined) requireBytes("comparand", comparand);
    const invalid = comparand === undefined ? null : checkText("comparand", comparand);
    return (
      invalid ??
      checkItem(cacheName, key, value, ttlMs) ??
      this.submit(new SetIfOperation(cacheName, key, value, Math.ceil(ttlMs), condition, comparand), options)
    );
  }
}
