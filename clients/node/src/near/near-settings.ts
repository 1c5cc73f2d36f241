import { types } from "node:util";
import { checkCacheName, checkKey, requireKnownNames } from "../client/validation.js";
import { type Bytes, copyBytes } from "../operations/proto-writer.js";

/** Settings of a near cache (protocol/spec/near-cache.md). */
export interface NearCacheSettings {
  /**
   * Maximum total size of the copies in bytes, 1,024 … 68,719,476,736 (64 GiB). The size of a copy is the size of its
   * key, its cache name and its value, plus 128 bytes.
   */
  readonly maxBytes: number;
  /**
   * Maximum age of a copy. Milliseconds, 1 … 31,536,000,000.
   * @defaultValue 60,000
   */
  readonly maxAgeMs?: number | undefined;
  /**
   * Names of the caches whose values are copied, 1 … 1,000 names.
   * @defaultValue all caches
   */
  readonly caches?: readonly string[] | undefined;
  /**
   * Prefixes of the keys whose values are copied, 1 … 1,000 prefixes. No prefix may be empty.
   * @defaultValue all keys
   */
  readonly keyPrefixes?: readonly Bytes[] | undefined;
}

/** Maximum age of a copy if no age is configured. */
export const defaultMaxAgeMs = 60_000;

const settingNames = ["maxBytes", "maxAgeMs", "caches", "keyPrefixes"];
const ranges = { maxBytes: [1_024, 68_719_476_736], maxAgeMs: [1, 31_536_000_000] } as const;
const maxNames = 1_000;

/**
 * Returns a frozen, validated copy of the settings.
 * @throws TypeError or RangeError that names the first invalid setting.
 */
export function checkedNearCache(given: unknown): NearCacheSettings | "off" {
  if (given === "off") return given;
  if (typeof given !== "object" || given === null || Array.isArray(given))
    throw new TypeError('nearCache must be an object, for example { maxBytes: 67_108_864 }, or "off"');
  requireKnownNames("setting of nearCache", given, settingNames);
  const { maxBytes, maxAgeMs, caches, keyPrefixes } = { ...(given as NearCacheSettings) };
  checkNumber("maxBytes", maxBytes);
  if (!Number.isInteger(maxBytes)) throw new RangeError(`nearCache.maxBytes must be an integer, not ${maxBytes}`);
  if (maxAgeMs !== undefined) checkNumber("maxAgeMs", maxAgeMs);
  return Object.freeze({
    maxBytes,
    ...(maxAgeMs === undefined ? {} : { maxAgeMs }),
    ...(caches === undefined ? {} : { caches: checkedList("caches", caches, checkedCache) }),
    ...(keyPrefixes === undefined ? {} : { keyPrefixes: checkedList("keyPrefixes", keyPrefixes, checkedPrefix) }),
  });
}

function checkNumber(name: keyof typeof ranges, value: unknown): void {
  const [least, most] = ranges[name];
  if (typeof value !== "number") throw new TypeError(`nearCache.${name} must be a number from ${least} to ${most}`);
  if (!(value >= least && value <= most))
    throw new RangeError(`nearCache.${name} must be a number from ${least} to ${most}, not ${value}`);
}

function checkedList<T>(name: string, list: unknown, checked: (item: unknown) => T): readonly T[] {
  if (!Array.isArray(list)) throw new TypeError(`nearCache.${name} must be an array`);
  if (list.length === 0 || list.length > maxNames)
    throw new RangeError(`nearCache.${name} must have 1 to ${maxNames} items; omit the setting to include all`);
  return Object.freeze(list.map(checked));
}

function checkedCache(name: unknown): string {
  if (typeof name !== "string") throw new TypeError("nearCache.caches must contain cache names as strings");
  const invalid = checkCacheName(name);
  if (invalid !== null) throw new RangeError(`nearCache.caches: ${invalid.error.message}`);
  return name;
}

function checkedPrefix(prefix: unknown): Bytes {
  if (typeof prefix !== "string" && !types.isUint8Array(prefix))
    throw new TypeError("nearCache.keyPrefixes must contain strings or Uint8Arrays");
  const invalid = checkKey(prefix);
  if (invalid !== null) throw new RangeError(`nearCache.keyPrefixes: ${invalid.error.message}`);
  return copyBytes(prefix);
}
