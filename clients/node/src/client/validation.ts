import { Buffer } from "node:buffer";
import { types } from "node:util";
import type { Bytes } from "../operations/proto-writer.js";
import { CacheError } from "./errors.js";
import { ErrorResponse } from "./responses.js";

/** The longest TTL that any server can allow: 365 days (TTL-15). Each server enforces its own limit. */
export const maxTtlMs = 31_536_000_000;
/** The maximum timeout of a call: 1 hour (configuration.md). */
export const maxTimeoutMs = 3_600_000;
const maxCacheNameLength = 255;
// The name is sent as metadata, which must be printable ASCII.
const cacheNamePattern = /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/;

// Most programs use one cache, so the last valid name is stored and not validated again.
let lastValidName: string | null = null;

/** Returns the error for an invalid key (ERR-4), or null. */
export function checkKey(key: Bytes): ErrorResponse | null {
  requireBytes("key", key);
  if (key.length === 0) return invalid("the key must not be empty");
  return isBroken(key) ? invalid("the key is not well-formed Unicode") : null;
}

/** Returns the error for an item that no server can store (ERR-4), or null. */
export function checkItem(key: Bytes, value: Bytes, ttlMs: number): ErrorResponse | null {
  return checkText("value", value) ?? checkKey(key) ?? checkTtl(ttlMs);
}

/**
 * Returns the error for an argument, for example a value, that is not well-formed Unicode. Returns null if the argument
 * is valid.
 * @param what - The name of the argument, for the error message.
 * @throws TypeError if the argument is neither a string nor bytes.
 */
export function checkText(what: string, bytes: Bytes): ErrorResponse | null {
  requireBytes(what, bytes);
  return isBroken(bytes) ? invalid(`the ${what} is not well-formed Unicode`) : null;
}

// Returns whether a string contains half of a surrogate pair. It would be sent as U+FFFD, so two different keys could
// become equal. `isWellFormed` is available in every Node.js since version 20, but not yet declared in its types.
function isBroken(bytes: Bytes): boolean {
  return typeof bytes === "string" && !(bytes as string & { isWellFormed(): boolean }).isWellFormed();
}

/**
 * Returns a TTL in whole milliseconds, rounded up.
 * @throws TypeError if the TTL is not a number.
 */
export function wholeTtl(ttlMs: number): number {
  if (typeof ttlMs !== "number") throw new TypeError("the time to live must be a number of milliseconds");
  return Math.ceil(ttlMs);
}

/**
 * Returns the error for an invalid TTL, or null.
 * @throws TypeError if the TTL is not a number.
 */
export function checkTtl(ttlMs: number): ErrorResponse | null {
  wholeTtl(ttlMs);
  if (ttlMs > 0 && ttlMs <= maxTtlMs) return null;
  return invalid(
    `the time to live must be above 0 and at most ${maxTtlMs} ms, not ${ttlMs}; the server's --max-ttl may be lower`,
  );
}

/**
 * Returns the error for an invalid timeout of a call, or null (DEADLINE-8).
 * @throws TypeError if the timeout is not a number.
 */
export function checkTimeout(timeoutMs: number): ErrorResponse | null {
  if (typeof timeoutMs !== "number") throw new TypeError("timeoutMs must be a number of milliseconds");
  if (timeoutMs > 0 && timeoutMs <= maxTimeoutMs) return null;
  return invalid(`timeoutMs must be above 0 and at most ${maxTimeoutMs} (one hour), not ${timeoutMs}`);
}

/**
 * Checks that the argument is an AbortSignal. A common mistake is to pass the AbortController.
 * @throws TypeError if the argument is not a signal.
 */
export function requireSignal(signal: AbortSignal): void {
  if (
    typeof signal === "object" &&
    signal !== null &&
    typeof signal.aborted === "boolean" &&
    typeof signal.addEventListener === "function"
  )
    return;
  throw new TypeError("signal must be an AbortSignal; pass controller.signal, not the AbortController");
}

/**
 * Returns the error for an invalid cache name, or null.
 * @throws TypeError if the name is not a string.
 */
export function checkCacheName(name: string): ErrorResponse | null {
  if (name === lastValidName) return null;
  if (typeof name !== "string") throw new TypeError("the cache name must be a string");
  if (name.trim() === "") return invalid("the cache name must not be empty or blank");
  if (name.length > maxCacheNameLength)
    return invalid(`the cache name must have at most ${maxCacheNameLength} characters`);
  if (!cacheNamePattern.test(name))
    return invalid("the cache name must be printable ASCII without leading or trailing spaces");
  lastValidName = name;
  return null;
}

/**
 * Checks the type of a key or value (ERR-8).
 * @throws TypeError if `bytes` is neither a string nor bytes.
 */
export function requireBytes(what: string, bytes: unknown): void {
  if (typeof bytes === "string" || bytes instanceof Uint8Array || types.isUint8Array(bytes)) return;
  const missing = bytes === undefined ? `the ${what} is missing` : null;
  throw new TypeError(missing ?? `the ${what} must be a string or a Uint8Array, not ${nameOf(bytes)}`);
}

function nameOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "an array" : `a value of type ${typeof value}`;
}

/**
 * Checks the type of a hash.
 * @throws TypeError if it is not a Uint8Array.
 */
export function requireHash(hash: unknown): void {
  if (!types.isUint8Array(hash)) throw new TypeError("the hash must be a Uint8Array");
}

/**
 * Checks that a call has no unknown options. Otherwise a misspelled option, for example `timeout`, would be ignored.
 * @param own - The options that this call has in addition to the common options.
 * @throws TypeError for an unknown option.
 */
export function requireKnownOptions(options: object, own: readonly string[] = []): void {
  // In the published Momento SDK, the cache's name is the first argument. If a caller passes it here too, the last
  // argument takes the position of the options.
  if (typeof options === "string" || types.isUint8Array(options))
    throw new TypeError(
      "the options must be an object. If the first argument is the cache name, remove it, because " +
        "the methods of a cache handle do not take the cache name",
    );
  if (typeof options !== "object" || options === null || Array.isArray(options))
    throw new TypeError("the options must be an object, for example { timeoutMs: 500 }");
  for (const name in options)
    if (name !== "ttlMs" && name !== "timeoutMs" && name !== "signal" && name !== "keepTtl" && !own.includes(name))
      throw new TypeError(
        `unknown option '${name}'; known options: signal, timeoutMs, ttlMs (only for writes), ` +
          (own.length === 0 ? "keepTtl (only for increment)" : own.join(", ")),
      );
}

/**
 * Checks that `given` is an object that has only properties listed in `names`.
 * @param what - The singular noun for a property, for example "option", for the error message.
 * @throws TypeError if `given` is not an object or has another property.
 */
export function requireKnownNames(what: string, given: object, names: readonly string[]): void {
  if (typeof given !== "object" || given === null) throw new TypeError(`the ${what}s must be an object`);
  for (const name in given)
    if (!names.includes(name)) throw new TypeError(`unknown ${what} '${name}'; known ${what}s: ${names.join(", ")}`);
}

/** Maximum number of keys or items in one batch. */
export const maxBatchItems = 1_000_000;

/**
 * Returns the amount of an increment as a bigint.
 * @throws TypeError if the amount is neither a bigint nor a safe integer.
 * @throws RangeError if the amount exceeds 64 bits.
 */
export function checkedAmount(amount: number | bigint): bigint {
  if (typeof amount !== "bigint" && !Number.isSafeInteger(amount))
    throw new TypeError("the amount must be a bigint, or an integer up to 2^53 - 1");
  const big = BigInt(amount);
  if (BigInt.asIntN(64, big) !== big) throw new RangeError("the amount must fit in 64 bits");
  return big;
}

/**
 * Returns a batch's keys as an array, or null if there are too many keys.
 * @throws TypeError if the argument is not an iterable of keys. A string is rejected, although it is iterable.
 */
export function keysOf(keys: Iterable<Bytes>): Bytes[] | null {
  if (typeof keys !== "object" || keys === null || types.isUint8Array(keys) || !(Symbol.iterator in keys))
    throw new TypeError("the keys must be an iterable of strings or Uint8Arrays");
  const all: Bytes[] = [];
  for (const key of keys) {
    if (all.length === maxBatchItems) return null;
    all.push(key);
  }
  return all;
}

/** Returns the error for a batch with too many items. */
export function tooManyItems(): ErrorResponse {
  return invalid(`a batch can have at most ${maxBatchItems} items; split it`);
}

/** Returns an iterable of a batch's items, which may be given as an object, as a Map or as an iterable. */
export function itemsOf<V = Bytes>(
  items: Iterable<readonly [key: Bytes, value: V, ttlMs?: number | undefined]> | Readonly<Record<string, V>>,
): Iterable<readonly [key: Bytes, value: V, ttlMs?: number | undefined]> {
  if (typeof items !== "object" || items === null)
    throw new TypeError("the items must be an object, a Map, or an iterable of [key, value] or [key, value, ttlMs]");
  return Symbol.iterator in items
    ? (items as Iterable<readonly [key: Bytes, value: V, ttlMs?: number | undefined]>)
    : Object.entries(items);
}

/** Returns the `InvalidArgument` error for a call with invalid arguments. */
export function refusal(message: string): ErrorResponse {
  return invalid(message);
}

function invalid(message: string): ErrorResponse {
  return new ErrorResponse(new CacheError("InvalidArgument", message));
}

/** Returns a value as a Buffer. */
export function toBuffer(bytes: Bytes): Buffer {
  return typeof bytes === "string" ? Buffer.from(bytes) : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}
