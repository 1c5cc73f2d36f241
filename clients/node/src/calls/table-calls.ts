import type { CallOptions, IncrementOptions, SetOptions } from "../client/client-options.js";
import type {
  ConditionalResponse,
  HashHit,
  ItemType,
  LookupResponse,
  Miss,
  SuccessResponse,
} from "../client/responses.js";
import { checkedAmount, checkItem, checkKey, checkText, checkTtl, requireHash } from "../client/validation.js";
import * as op from "../operations/_generated/table-operations.js";
import type { Bytes } from "../operations/proto-writer.js";
import { ElementCalls } from "./element-calls.js";

/** Calls on one item, generated from the table of operations. */
export abstract class TableCalls extends ElementCalls {
  // operations: calls

  /** Deletes an item. Succeeds even if the item does not exist. */
  async delete(key: Bytes, options?: CallOptions): Promise<SuccessResponse> {
    return checkKey(key) ?? this.invalidName ?? this.calls.make(new op.DeleteOperation(this.name, key), options);
  }

  /**
   * Adds to an integer item, which is created with the value 0 if it does not exist. The client does not retry this
   * call if it may have run.
   * @returns `success` with `value` (the value after the increment) or `error`.
   */
  async increment(
    key: Bytes,
    amount: number | bigint = 1,
    options?: IncrementOptions,
  ): Promise<SuccessResponse<{ readonly value: bigint }>> {
    const ttlMs = this.calls.ttl(options);
    const bigAmount = checkedAmount(amount);
    const invalid = checkKey(key) ?? this.invalidName ?? checkTtl(ttlMs);
    if (invalid !== null) return invalid;
    return this.calls.make(
      new op.IncrementOperation(this.name, key, bigAmount, ttlMs, options?.keepTtl === true),
      options,
    );
  }

  /**
   * Gets the remaining TTL of an item.
   * @returns `hit` with `remainingTtlMs` (the time until the item expires, rounded down to milliseconds), `miss` or
   * `error`.
   */
  async itemGetTtl(key: Bytes, options?: CallOptions): Promise<LookupResponse<{ readonly remainingTtlMs: number }>> {
    return checkKey(key) ?? this.invalidName ?? this.calls.make(new op.ItemGetTtlOperation(this.name, key), options);
  }

  /**
   * Gets the type of an item.
   * @returns `hit` with `type` (the type of the item), `miss` or `error`.
   */
  async itemGetType(key: Bytes, options?: CallOptions): Promise<LookupResponse<{ readonly type: ItemType }>> {
    return checkKey(key) ?? this.invalidName ?? this.calls.make(new op.ItemGetTypeOperation(this.name, key), options);
  }

  /**
   * Gets an item's value and its hash, for a later conditional write that compares the hash.
   * @returns `hit`, `miss` or `error`.
   */
  async getWithHash(key: Bytes, options?: CallOptions): Promise<LookupResponse<HashHit>> {
    return checkKey(key) ?? this.invalidName ?? this.calls.make(new op.GetWithHashOperation(this.name, key), options);
  }

  /**
   * Replaces the TTL of an item.
   * @returns `stored`, `notStored`, `miss` or `error`.
   */
  async updateTtl(key: Bytes, ttlMs: number, options?: CallOptions): Promise<ConditionalResponse | Miss> {
    const invalid = checkKey(key) ?? this.invalidName ?? checkTtl(ttlMs);
    if (invalid !== null) return invalid;
    return this.calls.make(
      new op.UpdateTtlOperation(this.name, key, op.UpdateTtlChange.overwriteTo, Math.ceil(ttlMs)),
      options,
    );
  }

  /**
   * Replaces the TTL of an item if the new TTL is longer than the remaining TTL.
   * @returns `stored`, `notStored`, `miss` or `error`.
   */
  async increaseTtl(key: Bytes, ttlMs: number, options?: CallOptions): Promise<ConditionalResponse | Miss> {
    const invalid = checkKey(key) ?? this.invalidName ?? checkTtl(ttlMs);
    if (invalid !== null) return invalid;
    return this.calls.make(
      new op.UpdateTtlOperation(this.name, key, op.UpdateTtlChange.increaseTo, Math.ceil(ttlMs)),
      options,
    );
  }

  /**
   * Replaces the TTL of an item if the new TTL is shorter than the remaining TTL.
   * @returns `stored`, `notStored`, `miss` or `error`.
   */
  async decreaseTtl(key: Bytes, ttlMs: number, options?: CallOptions): Promise<ConditionalResponse | Miss> {
    const invalid = checkKey(key) ?? this.invalidName ?? checkTtl(ttlMs);
    if (invalid !== null) return invalid;
    return this.calls.make(
      new op.UpdateTtlOperation(this.name, key, op.UpdateTtlChange.decreaseTo, Math.ceil(ttlMs)),
      options,
    );
  }

  /**
   * Replaces the TTL of an item if its value begins with `prefix`. If the value begins differently, the response
   * contains its first bytes.
   * @returns `stored`, `notStored` with `prefix` (the first 64 bytes of the value, or the whole value if it is
   * shorter), `miss` or `error`.
   */
  async updateTtlIfPrefix(
    key: Bytes,
    prefix: Bytes,
    options?: SetOptions,
  ): Promise<ConditionalResponse<unknown, { readonly prefix: Buffer }> | Miss> {
    const ttlMs = this.calls.ttl(options);
    const invalid = checkText("prefix", prefix) ?? checkKey(key) ?? this.invalidName ?? checkTtl(ttlMs);
    if (invalid !== null) return invalid;
    return this.calls.make(new op.UpdateTtlIfPrefixOperation(this.name, key, prefix, ttlMs), options);
  }

  /**
   * Stores the value if the key does not exist.
   * @returns `stored`, `notStored` or `error`.
   */
  async setIfAbsent(key: Bytes, value: Bytes, options?: SetOptions): Promise<ConditionalResponse> {
    const ttlMs = this.calls.ttl(options);
    const invalid = checkItem(key, value, ttlMs) ?? this.invalidName;
    if (invalid !== null) return invalid;
    return this.calls.make(new op.SetIfOperation(this.name, key, value, ttlMs, op.SetIfCondition.absent), options);
  }

  /**
   * Stores the value if the key exists.
   * @returns `stored`, `notStored` or `error`.
   */
  async setIfPresent(key: Bytes, value: Bytes, options?: SetOptions): Promise<ConditionalResponse> {
    const ttlMs = this.calls.ttl(options);
    const invalid = checkItem(key, value, ttlMs) ?? this.invalidName;
    if (invalid !== null) return invalid;
    return this.calls.make(new op.SetIfOperation(this.name, key, value, ttlMs, op.SetIfCondition.present), options);
  }

  /**
   * Stores the value if the current value is exactly `equal`.
   * @returns `stored`, `notStored` or `error`.
   */
  async setIfEqual(key: Bytes, value: Bytes, equal: Bytes, options?: SetOptions): Promise<ConditionalResponse> {
    const ttlMs = this.calls.ttl(options);
    const invalid = checkText("equal", equal) ?? checkItem(key, value, ttlMs) ?? this.invalidName;
    if (invalid !== null) return invalid;
    return this.calls.make(
      new op.SetIfOperation(this.name, key, value, ttlMs, op.SetIfCondition.equal, equal),
      options,
    );
  }

  /**
   * Stores the value if the key is missing or its value is not exactly `equal`.
   * @returns `stored`, `notStored` or `error`.
   */
  async setIfNotEqual(key: Bytes, value: Bytes, equal: Bytes, options?: SetOptions): Promise<ConditionalResponse> {
    const ttlMs = this.calls.ttl(options);
    const invalid = checkText("equal", equal) ?? checkItem(key, value, ttlMs) ?? this.invalidName;
    if (invalid !== null) return invalid;
    return this.calls.make(
      new op.SetIfOperation(this.name, key, value, ttlMs, op.SetIfCondition.notEqual, equal),
      options,
    );
  }

  /**
   * Stores the value if the key exists and its value is not exactly `equal`.
   * @returns `stored`, `notStored` or `error`.
   */
  async setIfPresentAndNotEqual(
    key: Bytes,
    value: Bytes,
    equal: Bytes,
    options?: SetOptions,
  ): Promise<ConditionalResponse> {
    const ttlMs = this.calls.ttl(options);
    const invalid = checkText("equal", equal) ?? checkItem(key, value, ttlMs) ?? this.invalidName;
    if (invalid !== null) return invalid;
    return this.calls.make(
      new op.SetIfOperation(this.name, key, value, ttlMs, op.SetIfCondition.presentAndNotEqual, equal),
      options,
    );
  }

  /**
   * Stores the value if the key is missing or its value is exactly `equal`.
   * @returns `stored`, `notStored` or `error`.
   */
  async setIfAbsentOrEqual(key: Bytes, value: Bytes, equal: Bytes, options?: SetOptions): Promise<ConditionalResponse> {
    const ttlMs = this.calls.ttl(options);
    const invalid = checkText("equal", equal) ?? checkItem(key, value, ttlMs) ?? this.invalidName;
    if (invalid !== null) return invalid;
    return this.calls.make(
      new op.SetIfOperation(this.name, key, value, ttlMs, op.SetIfCondition.absentOrEqual, equal),
      options,
    );
  }

  /**
   * Stores the value if the current value has the given hash.
   * @returns `stored` with `hash` (the hash of the value now stored), `notStored` or `error`.
   */
  async setIfPresentAndHashEqual(
    key: Bytes,
    value: Bytes,
    hash: Uint8Array,
    options?: SetOptions,
  ): Promise<ConditionalResponse<{ readonly hash: Buffer }>> {
    const ttlMs = this.calls.ttl(options);
    requireHash(hash);
    const invalid = checkItem(key, value, ttlMs) ?? this.invalidName;
    if (invalid !== null) return invalid;
    return this.calls.make(
      new op.SetIfHashOperation(this.name, key, value, ttlMs, op.SetIfHashCondition.presentAndHashEqual, hash),
      options,
    );
  }

  /**
   * Stores the value if the key exists and its value does not have the given hash.
   * @returns `stored` with `hash` (the hash of the value now stored), `notStored` or `error`.
   */
  async setIfPresentAndNotHashEqual(
    key: Bytes,
    value: Bytes,
    hash: Uint8Array,
    options?: SetOptions,
  ): Promise<ConditionalResponse<{ readonly hash: Buffer }>> {
    const ttlMs = this.calls.ttl(options);
    requireHash(hash);
    const invalid = checkItem(key, value, ttlMs) ?? this.invalidName;
    if (invalid !== null) return invalid;
    return this.calls.make(
      new op.SetIfHashOperation(this.name, key, value, ttlMs, op.SetIfHashCondition.presentAndNotHashEqual, hash),
      options,
    );
  }

  /**
   * Stores the value if the key is missing or its value has the given hash.
   * @returns `stored` with `hash` (the hash of the value now stored), `notStored` or `error`.
   */
  async setIfAbsentOrHashEqual(
    key: Bytes,
    value: Bytes,
    hash: Uint8Array,
    options?: SetOptions,
  ): Promise<ConditionalResponse<{ readonly hash: Buffer }>> {
    const ttlMs = this.calls.ttl(options);
    requireHash(hash);
    const invalid = checkItem(key, value, ttlMs) ?? this.invalidName;
    if (invalid !== null) return invalid;
    return this.calls.make(
      new op.SetIfHashOperation(this.name, key, value, ttlMs, op.SetIfHashCondition.absentOrHashEqual, hash),
      options,
    );
  }

  /**
   * Stores the value if the key is missing or its value does not have the given hash.
   * @returns `stored` with `hash` (the hash of the value now stored), `notStored` or `error`.
   */
  async setIfAbsentOrNotHashEqual(
    key: Bytes,
    value: Bytes,
    hash: Uint8Array,
    options?: SetOptions,
  ): Promise<ConditionalResponse<{ readonly hash: Buffer }>> {
    const ttlMs = this.calls.ttl(options);
    requireHash(hash);
    const invalid = checkItem(key, value, ttlMs) ?? this.invalidName;
    if (invalid !== null) return invalid;
    return this.calls.make(
      new op.SetIfHashOperation(this.name, key, value, ttlMs, op.SetIfHashCondition.absentOrNotHashEqual, hash),
      options,
    );
  }

  /**
   * Stores the value unconditionally and returns the hash of the value. A correct server never reports that the value
   * was not stored.
   * @returns `stored` with `hash` (the hash of the value now stored), `notStored` or `error`.
   */
  async setWithHash(
    key: Bytes,
    value: Bytes,
    options?: SetOptions,
  ): Promise<ConditionalResponse<{ readonly hash: Buffer }>> {
    const ttlMs = this.calls.ttl(options);
    const invalid = checkItem(key, value, ttlMs) ?? this.invalidName;
    if (invalid !== null) return invalid;
    return this.calls.make(
      new op.SetIfHashOperation(this.name, key, value, ttlMs, op.SetIfHashCondition.unconditional),
      options,
    );
  }

  // operations: end
}
