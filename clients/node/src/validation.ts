import { Buffer } from "node:buffer";
import type { BatchItems, CallOptions } from "./client-options.js";
import { CacheError } from "./errors.js";
import type { Bytes } from "./proto-writer.js";
import { ErrorResponse } from "./responses.js";

/** Longest time to live: 24 hours (TTL-3). */
export const maxTtlMs = 86_400_000;
const maxCacheNameLength = 255;
// The name travels as metadata, which is printable ASCII.
const cacheNamePattern = /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/;

// Most programs use one cache: its name is looked at once.
let lastValidName = "";

/** What is wrong with arguments that could never succeed (ERR-4), or null. */
export function checkKey(cacheName: string, key: Bytes): ErrorResponse | null {
  requireBytes("key", key);
  if (key.length === 0) return invalid("the key is empty");
  return checkCacheName(cacheName);
}

/** As `checkKey`, for a call that stores a value for a time. */
export function checkItem(cacheName: string, key: Bytes, value: Bytes, ttlMs: number): ErrorResponse | null {
  requireBytes("value", value);
  return checkKey(cacheName, key) ?? checkTtl(ttlMs);
}

export function checkTtl(ttlMs: number): ErrorResponse | null {
  if (ttlMs > 0 && ttlMs <= maxTtlMs) return null;
  return invalid(`the time to live must be from 1 to ${maxTtlMs} ms, not ${ttlMs}`);
}

export function checkTimeout(timeoutMs: number): ErrorResponse | null {
  if (timeoutMs > 0 && timeoutMs < 2 ** 31) return null;
  return invalid(`timeoutMs must be over 0 and below 2^31, not ${timeoutMs}`);
}

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
  if (typeof bytes === "string" || bytes instanceof Uint8Array) return;
  throw new TypeError(`the ${what} must be a string or a Uint8Array`);
}

/** A TypeError for an option that there is none of: one of a wrong name (`ttl`) would be ignored without a word. */
export function requireKnownOptions(options: CallOptions): void {
  for (const name in options)
    if (name !== "ttlMs" && name !== "timeoutMs" && name !== "signal")
      throw new TypeError(`there is no option '${name}'; there are signal, timeoutMs and, for what stores, ttlMs`);
}

/** A batch's items, whatever they came in. */
export function itemsOf(items: BatchItems): Iterable<readonly [key: Bytes, value: Bytes, ttlMs?: number]> {
  if (typeof items !== "object" || items === null)
    throw new TypeError("the items must be an object, a Map, or an iterable of [key, value] or [key, value, ttlMs]");
  return Symbol.iterator in items
    ? (items as Exclude<BatchItems, Readonly<Record<string, Bytes>>>)
    : Object.entries(items);
}

function invalid(message: string): ErrorResponse {
  return new ErrorResponse(new CacheError("InvalidArgument", message));
}

/** A value as bytes, for callers that asked for bytes. */
export function toBuffer(bytes: Bytes): Buffer {
  return typeof bytes === "string" ? Buffer.from(bytes) : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}
