import { Buffer } from "node:buffer";
import { types } from "node:util";
import type { Bytes } from "../operations/proto-writer.js";
import { CacheError } from "./errors.js";
import { ErrorResponse } from "./responses.js";

/** The longest time to live that any server can be set to take: 365 days (TTL-15). The server's own is its to say. */
export const maxTtlMs = 31_536_000_000;
/** The longest deadline of a call: an hour (configuration.md). */
export const maxTimeoutMs = 3_600_000;
const maxCacheNameLength = 255;
// The name travels as metadata, which is printable ASCII.
const cacheNamePattern = /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/;

// Most programs use one cache: its name is checked once, however many handles it gets.
let lastValidName: string | null = null;

/** What is wrong with a key that could never succeed (ERR-4), or null. */
export function checkKey(key: Bytes): ErrorResponse | null {
  requireBytes("key", key);
  if (key.length === 0) return invalid("the key is empty");
  return isBroken(key) ? invalid("the key is no well-formed Unicode text") : null;
}

/** As `checkKey`, for a call that stores a value for a time. */
export function checkItem(key: Bytes, value: Bytes, ttlMs: number): ErrorResponse | null {
  return checkText("value", value) ?? checkKey(key) ?? checkTtl(ttlMs);
}

/** What is wrong with a value or a comparand, or null. A TypeError for what is none at all. */
export function checkText(what: string, bytes: Bytes): ErrorResponse | null {
  requireBytes(what, bytes);
  return isBroken(bytes) ? invalid(`the ${what} is no well-formed Unicode text`) : null;
}

// Half of a surrogate pair would be sent as U+FFFD, and two keys be one. In every Node since 20, not yet in its types.
function isBroken(bytes: Bytes): boolean {
  return typeof bytes === "string" && !(bytes as string & { isWellFormed(): boolean }).isWellFormed();
}

/** A time to live in whole milliseconds, rounded up. A TypeError for what is no number. */
export function wholeTtl(ttlMs: number): number {
  if (typeof ttlMs !== "number") throw new TypeError("the time to live must be a number of milliseconds");
  return Math.ceil(ttlMs);
}

/** What is wrong with a time to live, or null. A TypeError for what is no number. */
export function checkTtl(ttlMs: number): ErrorResponse | null {
  wholeTtl(ttlMs);
  if (ttlMs > 0 && ttlMs <= maxTtlMs) return null;
  return invalid(`the time to live must be from 1 to ${maxTtlMs} ms (or the server's --max-ttl), not ${ttlMs}`);
}

/** What is wrong with a call's own deadline, or null (DEADLINE-8). A TypeError for what is no number. */
export function checkTimeout(timeoutMs: number): ErrorResponse | null {
  if (typeof timeoutMs !== "number") throw new TypeError("timeoutMs must be a number of milliseconds");
  if (timeoutMs > 0 && timeoutMs <= maxTimeoutMs) return null;
  return invalid(`timeoutMs must be over 0 and at most ${maxTimeoutMs} (an hour), not ${timeoutMs}`);
}

/** A TypeError for what is no signal: its controller, most often. */
export function requireSignal(signal: AbortSignal): void {
  if (
    typeof signal === "object" &&
    signal !== null &&
    typeof signal.aborted === "boolean" &&
    typeof signal.addEventListener === "function"
  )
    return;
  throw new TypeError("signal must be an AbortSignal: an AbortController's is controller.signal");
}

/** What is wrong with a cache's name, or null. A TypeError if it is not a string. */
export function checkCacheName(name: string): ErrorResponse | null {
  if (name === lastValidName) return null;
  if (typeof name !== "string") throw new TypeError("the cache name must be a string");
  if (name.trim() === "") return invalid("the cache name is blank");
  if (name.length > maxCacheNameLength) return invalid(`the cache name has more than ${maxCacheNameLength} characters`);
  if (!cacheNamePattern.test(name)) return invalid("the cache name has characters that are not printable ASCII");
  lastValidName = name;
  return null;
}

/** A TypeError for what is no key or value at all (ERR-8). */
export function requireBytes(what: string, bytes: unknown): void {
  if (typeof bytes === "string" || bytes instanceof Uint8Array || types.isUint8Array(bytes)) return;
  const missing = bytes === undefined ? `the ${what} is missing` : null;
  throw new TypeError(missing ?? `the ${what} must be a string or a Uint8Array, not ${nameOf(bytes)}`);
}

function nameOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "an array" : `a value of type ${typeof value}`;
}

/** A TypeError for what is no hash. */
export function requireHash(hash: unknown): void {
  if (!types.isUint8Array(hash)) throw new TypeError("the hash must be a Uint8Array");
}

/**
 * A TypeError for a call's option that there is none of: one of a wrong name (`timeout`) would be ignored without a word.
 * `own`: those that this call has beside the ones of all.
 */
export function requireKnownOptions(options: object, own: readonly string[] = []): void {
  // Calls of the published SDK name the cache first: the last argument is then where the options are.
  if (typeof options === "string" || types.isUint8Array(options))
    throw new TypeError("a call's options must be an object; a handle's calls do not name the cache: cache.get(key)");
  if (typeof options !== "object" || options === null || Array.isArray(options))
    throw new TypeError("a call's options must be an object: { signal, timeoutMs, ttlMs }");
  for (const name in options)
    if (name !== "ttlMs" && name !== "timeoutMs" && name !== "signal" && name !== "keepTtl" && !own.includes(name))
      throw new TypeError(
        `there is no option '${name}'; there are signal, timeoutMs, for what stores ttlMs, and for ` +
          (own.length === 0 ? "increment keepTtl" : `this call ${own.join(", ")}`),
      );
}

/** A TypeError where `given` is no object, or has a name that is none of `names`. */
export function requireKnownNames(what: string, given: object, names: readonly string[]): void {
  if (typeof given !== "object" || given === null) throw new TypeError(`the ${what}s must be an object`);
  for (const name in given)
    if (!names.includes(name)) throw new TypeError(`there is no ${what} '${name}'; there are ${names.join(", ")}`);
}

/** Most keys or items of one batch. */
export const maxBatchItems = 1_000_000;

/** What an increment adds. A TypeError for what is no whole number, a RangeError past 64 bits. */
export function checkedAmount(amount: number | bigint): bigint {
  if (typeof amount !== "bigint" && !Number.isSafeInteger(amount))
    throw new TypeError("the amount must be a bigint, or a whole number up to 2^53 - 1");
  const big = BigInt(amount);
  if (BigInt.asIntN(64, big) !== big) throw new RangeError("the amount must fit in 64 bits");
  return big;
}

/** A batch's keys in an array; null past the most. A TypeError for what is no list of keys, text among it. */
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

/** The refusal of a batch past the most items. */
export function tooManyItems(): ErrorResponse {
  return invalid(`a batch has at most ${maxBatchItems} items`);
}

/** A batch's items, whatever they came in. */
export function itemsOf<V = Bytes>(
  items: Iterable<readonly [key: Bytes, value: V, ttlMs?: number | undefined]> | Readonly<Record<string, V>>,
): Iterable<readonly [key: Bytes, value: V, ttlMs?: number | undefined]> {
  if (typeof items !== "object" || items === null)
    throw new TypeError("the items must be an object, a Map, or an iterable of [key, value] or [key, value, ttlMs]");
  return Symbol.iterator in items
    ? (items as Iterable<readonly [key: Bytes, value: V, ttlMs?: number | undefined]>)
    : Object.entries(items);
}

/** What answers a call that could never succeed. */
export function refusal(message: string): ErrorResponse {
  return invalid(message);
}

function invalid(message: string): ErrorResponse {
  return new ErrorResponse(new CacheError("InvalidArgument", message));
}

/** A value as bytes, for callers that asked for bytes. */
export function toBuffer(bytes: Bytes): Buffer {
  return typeof bytes === "string" ? Buffer.from(bytes) : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}
