/**
 * Cache handlers for Next.js.
 *
 * @module larder-cache/next
 */

import { Buffer } from "node:buffer";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { types } from "node:util";
import type { CacheClient } from "../client/client.js";
import { CacheError, isUnsupported } from "../client/errors.js";
import { MaxTtlLimiter } from "../client/max-ttl-limiter.js";
import { orThrow } from "../client/or-throw.js";
import { parseLimitedJson, serializeLimitedJson } from "../codecs/json-limits.js";
import { maxTagBytes, maxTags } from "../operations/tag-list.js";

/** Options of a Next.js cache handler. */
export interface NextCacheHandlerOptions {
  readonly client: CacheClient;
  /** Name of the cache for the entries. Other programs may share the cache if they use another prefix. */
  readonly cacheName: string;
  /**
   * Prefix of the keys. It must not be empty.
   * @defaultValue `next:`
   */
  readonly prefix?: string | undefined;
  /**
   * Maximum time to live of an entry. Milliseconds, more than 0 and at most the server's maximum (`--max-ttl`). The
   * default is a day, which is also the server's default maximum. Next.js decides when a page is revalidated.
   * @defaultValue 86,400,000
   */
  readonly maxTtlMs?: number | undefined;
  /**
   * Called with the error of each failed call to the cache. The request continues without the cache.
   * @defaultValue errors are ignored
   */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** The part of a handler's context that the handler uses. */
export interface NextHandlerContext {
  readonly serverDistDir?: string | undefined;
  readonly revalidatedTags?: readonly string[] | undefined;
}

/** The part of a call's context that the handler uses. */
export interface NextCallContext {
  readonly tags?: readonly string[] | undefined;
  readonly softTags?: readonly string[] | undefined;
  readonly cacheControl?: { readonly expire?: number | undefined } | undefined;
}

/** The value of an entry: a page, a route, an image or the response of a fetch. */
interface NextValue {
  readonly kind: string;
  readonly headers?: Readonly<Record<string, unknown>> | undefined;
  readonly tags?: readonly string[] | undefined;
}

interface NextEntry {
  /** Milliseconds since 1970. */
  readonly lastModified: number;
  readonly value: NextValue;
}

/** A cache handler of Next.js. */
export interface NextCacheHandler {
  get(key: string, context?: NextCallContext): Promise<NextEntry | null>;
  set(key: string, value: unknown, context?: NextCallContext): Promise<void>;
  revalidateTag(tags: string | readonly string[]): Promise<void>;
  resetRequestCache(): void;
}

const dayMs = 86_400_000;
const headBytes = 4;
const tagsHeader = "x-next-cache-tags";

/** A stored entry. */
interface KeptEntry {
  readonly entry: NextEntry;
  /**
   * Whether the entry was stored with server tags. If it was, the server invalidates the entry when one of the tags is
   * revalidated.
   */
  readonly isTagged: boolean;
}

/**
 * Returns the class of a Next.js cache handler. Export it from the file that `cacheHandler` in `next.config` names:
 * `export default nextCacheHandler({ client, cacheName })`. Processes that use the same cache share the responses
 * of fetches. Processes of the same build also share pages, routes and images. If one process revalidates a tag, the
 * revalidation applies to all processes. A cache error does not fail a request: only `revalidateTag` rejects if the
 * cache fails.
 */
export function nextCacheHandler(
  options: NextCacheHandlerOptions,
): new (
  context?: NextHandlerContext,
) => NextCacheHandler {
  const { client, cacheName, prefix = "next:", maxTtlMs = dayMs, onError } = options;
  if (typeof prefix !== "string" || prefix === "") throw new TypeError("the prefix must be a non-empty string");
  if (!(typeof maxTtlMs === "number" && maxTtlMs > 0))
    throw new RangeError(`maxTtlMs must be above 0, not ${maxTtlMs}`);
  if (onError !== undefined && typeof onError !== "function") throw new TypeError("onError must be a function");
  const cache = client.cache(cacheName);
  const longest = new MaxTtlLimiter(client, cacheName);
  const builds = new Map<string, string>();
  // Whether the server supports tags. Null if this is not known yet.
  let hasTags: boolean | null = null;

  const tell = (error: unknown) => {
    try {
      onError?.(error);
    } catch (thrown) {
      process.emitWarning(thrown instanceof Error ? thrown : String(thrown));
    }
  };
  const tagKey = (tag: string) => `${prefix}tag:${tag}`;
  // The key prefix is also added to tags, because other programs may share the cache.
  const tagOf = (tag: string) => `${prefix}${tag}`;
  const fits = (tag: string) => tag !== "" && Buffer.byteLength(tagOf(tag)) <= maxTagBytes;

  return class LarderHandler implements NextCacheHandler {
    readonly #build: string;
    readonly #revalidated: readonly string[];

    constructor({ serverDistDir = "", revalidatedTags = [] }: NextHandlerContext = {}) {
      let build = builds.get(serverDistDir);
      if (build === undefined) {
        build = buildOf(serverDistDir);
        if (build !== "") builds.set(serverDistDir, build);
      }
      this.#build = build;
      this.#revalidated = revalidatedTags;
    }

    /**
     * Gets an entry. Returns null if the entry does not exist, if one of its tags was revalidated, or if the cache
     * fails.
     */
    async get(key: string, context: NextCallContext = {}): Promise<NextEntry | null> {
      try {
        const [own, fetched] = this.#keys(key);
        const { responses } = orThrow(await cache.getBatch([own, fetched]));
        const found = responses.map(orThrow).find((response) => response.result === "hit");
        if (found === undefined || found.result !== "hit") return null;
        const kept = keptEntryOf(found.valueBytes);
        return (await this.#isStale(kept, context)) ? null : kept.entry;
      } catch (error) {
        tell(error);
        return null;
      }
    }

    /** Stores an entry. If the value is null, removes the entry. */
    async set(key: string, value: unknown, context: NextCallContext = {}): Promise<void> {
      try {
        const [own, fetched] = this.#keys(key);
        if (value === null) {
          for (const deleted of await Promise.all([own, fetched].map((each) => cache.delete(each)))) orThrow(deleted);
          return;
        }
        if (!isValue(value)) throw new CacheError("InvalidArgument", "the value from Next.js is not a cache entry");
        const expireMs = (context.cacheControl?.expire ?? Infinity) * 1_000;
        const ttlMs = Math.min(maxTtlMs, expireMs > 0 ? expireMs : maxTtlMs);
        const [tags, now] = [context.tags ?? [], Date.now()];
        if (value.kind !== "FETCH" && (await this.#keepTagged(own, value, tags, now, ttlMs))) return;
        const bytes = bytesOf(value, tags, now, false);
        const place = value.kind === "FETCH" ? fetched : own;
        orThrow(await longest.write(ttlMs, (ttlMs) => cache.set(place, bytes, { ttlMs })));
      } catch (error) {
        tell(error);
      }
    }

    /** Revalidates all entries that have any of the tags, for all processes. Rejects if that fails. */
    async revalidateTag(tags: string | readonly string[]): Promise<void> {
      const all = typeof tags === "string" ? [tags] : tags;
      if (all.length === 0) return;
      const now = `${Date.now()}`;
      // Store the timestamps for the maximum TTL, so that they outlive every entry that they invalidate.
      const stamps = all.map((tag) => [tagKey(tag), now] as const);
      orThrow(await longest.write(maxTtlMs, (ttlMs) => cache.setBatch(stamps, { ttlMs })));
      const removed = [...new Set(all.filter(fits).map(tagOf))];
      for (let i = 0; i < removed.length; i += maxTags) await this.#removeTagged(removed.slice(i, i + maxTags));
    }

    // Stores an entry with server tags, so that reading the entry takes no second call. Returns false if the server
    // does not support tags, or if the entry has no tags, too many tags or a tag that is too long. Fetches are not
    // stored in this way, because Next.js passes soft tags only when it reads a fetch.
    async #keepTagged(
      key: string,
      value: NextValue,
      given: readonly string[],
      now: number,
      ttlMs: number,
    ): Promise<boolean> {
      const tags = [...new Set([...ownTagsOf(value), ...given])].filter((tag) => tag !== "");
      if (hasTags === false || tags.length === 0 || tags.length > maxTags || !tags.every(fits)) return false;
      const bytes = bytesOf(value, given, now, true);
      const kept = await longest.write(ttlMs, (ttlMs) => cache.setWithTags(key, bytes, tags.map(tagOf), { ttlMs }));
      if (kept.result === "error" && isUnsupported(kept.error) && hasTags === null) {
        hasTags = false;
        return false;
      }
      orThrow(kept);
      hasTags = true;
      return true;
    }

    async #removeTagged(tags: readonly string[]): Promise<void> {
      const removed = await cache.removeByTag(tags);
      // Ignore the error, because a server that does not support tags has no entries that were stored with tags.
      if (removed.result === "error" && isUnsupported(removed.error) && hasTags !== true) return;
      orThrow(removed);
    }

    /** Does nothing: the handler keeps no per-request state. */
    resetRequestCache(): void {}

    // Returns the two keys at which an entry may be stored. The first key is for pages, routes and images, and contains
    // the id of the build. The second key is for fetches, which do not belong to a build.
    #keys(key: string): readonly [own: string, fetched: string] {
      return [`${prefix}page:${this.#build}:${key}`, `${prefix}fetch:${key}`];
    }

    async #isStale(
      { entry: { lastModified, value }, isTagged }: KeptEntry,
      { tags = [], softTags = [] }: NextCallContext,
    ): Promise<boolean> {
      const own = ownTagsOf(value);
      const asked = [...tags, ...softTags];
      const unkept = isTagged ? asked.filter((tag) => !own.includes(tag)) : [...own, ...asked];
      const all = [...new Set(unkept)].filter((tag) => tag !== "");
      if (all.length === 0) return false;
      if (value.kind === "FETCH" && all.some((tag) => this.#revalidated.includes(tag))) return true;
      const { responses } = orThrow(await cache.getBatch(all.map(tagKey)));
      return responses.map(orThrow).some((stamp) => stamp.result === "hit" && !(Number(stamp.value) < lastModified));
    }
  };
}

// Returns the id of the build from the file that Next.js wrote. Empty if the file does not exist yet.
function buildOf(serverDistDir: string): string {
  try {
    return readFileSync(join(serverDistDir, "..", "BUILD_ID"), "utf8").trim();
  } catch {
    return ""; // During a build, and in development.
  }
}

/** Returns the tags of an entry. If the entry is a page, its tags are in the page's headers. */
function ownTagsOf({ headers, tags = [] }: NextValue): readonly string[] {
  const header = headers?.[tagsHeader];
  return typeof header === "string" ? [...header.split(","), ...tags] : tags;
}

/** The header of a stored entry: its JSON fields, and the lengths of its binary parts. */
interface Head {
  readonly lastModified: number;
  readonly value: NextValue;
  readonly isTagged?: boolean | undefined;
  /** The binary parts in order: the field's name, the key (if the field is a map) and the length. */
  readonly bytes: readonly (readonly [field: string, key: string | null, length: number])[];
}

function bytesOf(value: NextValue, tags: readonly string[], lastModified: number, isTagged: boolean): Buffer {
  const plain: Record<string, unknown> = {};
  const places: [string, string | null, number][] = [];
  const parts: Uint8Array[] = [];
  const add = (field: string, key: string | null, bytes: Uint8Array) => {
    places.push([field, key, bytes.length]);
    parts.push(bytes);
  };
  for (const [field, content] of Object.entries(value)) {
    if (types.isUint8Array(content)) add(field, null, content);
    else if (types.isMap(content)) {
      plain[field] = null;
      for (const [key, bytes] of content as Map<string, Uint8Array>) add(field, key, bytes);
    } else plain[field] = content;
  }
  const ownTags = [...new Set([...(value.tags ?? []), ...tags])];
  if (ownTags.length > 0) plain.tags = ownTags;
  const maps = Object.entries(value).flatMap(([field, content]) => (types.isMap(content) ? [field] : []));
  const head = serializeLimitedJson({
    lastModified,
    value: plain,
    bytes: places,
    maps,
    ...(isTagged ? { isTagged } : {}),
  });
  const length = Buffer.alloc(headBytes);
  length.writeUInt32LE(head.length);
  return Buffer.concat([length, head, ...parts]);
}

function keptEntryOf(item: Buffer): KeptEntry {
  const end = item.length < headBytes ? Infinity : headBytes + item.readUInt32LE(0);
  const head = end > item.length ? undefined : jsonOf(item.subarray(headBytes, end));
  if (!isHead(head)) throw noEntry();
  const value: Record<string, unknown> = { ...head.value };
  for (const field of head.maps) value[field] = new Map();
  let at = end;
  for (const [field, key, length] of head.bytes) {
    const bytes = Buffer.from(item.subarray(at, at + length));
    if (bytes.length !== length) throw noEntry();
    at += length;
    if (key === null) value[field] = bytes;
    else (value[field] as Map<string, Buffer>).set(key, bytes);
  }
  const entry = { lastModified: head.lastModified, value: value as unknown as NextValue };
  return { entry, isTagged: head.isTagged === true };
}

function noEntry(): CacheError {
  return new CacheError("FailedPrecondition", "the stored value is not a cache entry");
}

function jsonOf(bytes: Buffer): unknown {
  try {
    return parseLimitedJson(bytes);
  } catch {
    return undefined; // Not an entry. The caller throws.
  }
}

function isHead(head: unknown): head is Head & { readonly maps: readonly string[] } {
  if (!isObject(head) || !Number.isFinite(head.lastModified) || !isValue(head.value)) return false;
  const { maps, bytes } = head;
  if (!Array.isArray(maps) || !maps.every(isText) || !Array.isArray(bytes)) return false;
  return bytes.every((place: unknown) => {
    if (!Array.isArray(place)) return false;
    const [field, key, length] = place as unknown[];
    const isPlace = isText(field) && (key === null || (isText(key) && maps.includes(field)));
    return isPlace && Number.isInteger(length) && (length as number) >= 0;
  });
}

function isValue(value: unknown): value is NextValue {
  if (!isObject(value) || !isText(value.kind)) return false;
  const { tags, headers } = value;
  return (
    (tags === undefined || (Array.isArray(tags) && tags.every(isText))) && (headers === undefined || isObject(headers))
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}
