/**
 * A store for the cache interceptor of undici and `fetch`.
 *
 * @module larder-cache/undici
 */

import { Buffer } from "node:buffer";
import { createHash, randomUUID } from "node:crypto";
import { Writable } from "node:stream";
import type { cacheStores } from "undici";
import type { Cache } from "../client/cache.js";
import type { CacheClient } from "../client/client.js";
import { CacheError } from "../client/errors.js";
import { MaxTtlLimiter } from "../client/max-ttl-limiter.js";
import { orThrow } from "../client/or-throw.js";
import { parseLimitedJson, serializeLimitedJson } from "../codecs/json-limits.js";

type CacheStore = InstanceType<typeof cacheStores.MemoryCacheStore>;
type CacheKey = Parameters<CacheStore["get"]>[0];
type CacheValue = Parameters<CacheStore["createWriteStream"]>[1];
type GetResult = NonNullable<Awaited<ReturnType<CacheStore["get"]>>>;

/** Options of a `LarderCacheStore`. */
export interface LarderCacheStoreOptions {
  readonly client: CacheClient;
  /** Name of the cache for the responses. Other programs may share the cache if they use another prefix. */
  readonly cacheName: string;
  /**
   * Prefix of the keys. It must not be empty.
   * @defaultValue `http:`
   */
  readonly prefix?: string | undefined;
  /**
   * Maximum size of a stored body in bytes, 1 … 5,000,000. The key, the response's metadata and the body together are
   * limited to 5,000,192 bytes.
   * @defaultValue 5,000,000
   */
  readonly maxEntryBytes?: number | undefined;
  /**
   * Maximum time to live of a response, regardless of its headers. Milliseconds, more than 0 and at most the server's
   * maximum (`--max-ttl`). The default is a day, which is also the server's default maximum.
   * @defaultValue 86,400,000
   */
  readonly maxTtlMs?: number | undefined;
  /**
   * Called with the error of each failed call to the cache. The request continues without the cache.
   * @defaultValue errors are ignored
   */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/**
 * The item at a request's key: either a response, or the names of the headers by which the responses vary. Each varying
 * response has a key of its own.
 */
type Root = Varying | { readonly value: CacheValue };
interface Varying {
  readonly varies: readonly string[];
  /** Prefix of the keys of the varying responses. */
  readonly id: string;
}
interface Entry {
  readonly root: Root;
  readonly body: Buffer;
}

const dayMs = 86_400_000;
const maxAllowedEntryBytes = 5_000_000;
// LIM-1: maximum size of an item.
const maxItemBytes = 5_000_192;
const headBytes = 4;
// The methods whose responses may be stored by undici.
const methods = ["GET", "HEAD", "OPTIONS", "TRACE"];

/**
 * A store for undici's cache: `interceptors.cache({ store: new LarderCacheStore({ … }) })`. Programs that use the same
 * cache share the responses. A request takes one call to the cache, or two calls if its response varies. Cache errors
 * do not fail a request. If a stored response cannot be read, the request is sent to the origin. If a response cannot
 * be stored, it is still returned.
 */
export class LarderCacheStore implements CacheStore {
  readonly #cache: Cache;
  readonly #prefix: string;
  readonly #maxEntryBytes: number;
  readonly #maxTtlMs: number;
  readonly #onError: ((error: unknown) => void) | undefined;
  readonly #maxTtl: MaxTtlLimiter;

  constructor(options: LarderCacheStoreOptions) {
    const {
      client,
      cacheName,
      prefix = "http:",
      maxEntryBytes = maxAllowedEntryBytes,
      maxTtlMs = dayMs,
      onError,
    } = options;
    if (typeof prefix !== "string" || prefix === "") throw new TypeError("the prefix must be a non-empty string");
    if (!(Number.isInteger(maxEntryBytes) && maxEntryBytes > 0 && maxEntryBytes <= maxAllowedEntryBytes))
      throw new RangeError(`maxEntryBytes must be an integer from 1 to ${maxAllowedEntryBytes}, not ${maxEntryBytes}`);
    if (!(typeof maxTtlMs === "number" && maxTtlMs > 0))
      throw new RangeError(`maxTtlMs must be above 0, not ${maxTtlMs}`);
    if (onError !== undefined && typeof onError !== "function") throw new TypeError("onError must be a function");
    this.#cache = client.cache(cacheName);
    this.#prefix = prefix;
    this.#maxEntryBytes = maxEntryBytes;
    this.#maxTtlMs = maxTtlMs;
    this.#onError = onError;
    this.#maxTtl = new MaxTtlLimiter(client, cacheName);
  }

  /** Returns the stored response to a request. Undefined if there is none or if the cache fails. */
  async get(key: CacheKey): Promise<GetResult | undefined> {
    requireKey(key);
    try {
      const first = await this.#read(this.#rootKey(key, key.method));
      if (first === undefined) return undefined;
      const entry = "varies" in first.root ? await this.#read(variantKey(first.root, key, {})) : first;
      return entry === undefined || "varies" in entry.root ? undefined : resultOf(entry.root.value, entry.body);
    } catch (error) {
      this.#tell(error);
      return undefined;
    }
  }

  /**
   * Returns a stream for the body of a response. When the body is complete, the response is stored. If the body has
   * more than `maxEntryBytes`, the stream is destroyed and the response is not stored.
   */
  createWriteStream(key: CacheKey, value: CacheValue): Writable | undefined {
    requireKey(key);
    requireValue(value);
    const chunks: Buffer[] = [];
    let bytes = 0;
    const store = this;
    return new Writable({
      write(chunk: Buffer | string, encoding, callback) {
        const part = typeof chunk === "string" ? Buffer.from(chunk, encoding) : Buffer.from(chunk);
        bytes += part.length;
        if (bytes > store.#maxEntryBytes) this.destroy();
        else chunks.push(part);
        callback();
      },
      final(callback) {
        store.#keep(key, value, Buffer.concat(chunks)).then(
          () => callback(),
          (error: unknown) => {
            store.#tell(error);
            callback();
          },
        );
      },
    });
  }

  /** Removes all responses to requests for an origin and path. Rejects if that fails; undici ignores the rejection. */
  async delete(key: CacheKey): Promise<void> {
    requireKey(key);
    try {
      const deletes = methods.map((method) => this.#cache.delete(this.#rootKey(key, method)));
      for (const deleted of await Promise.all(deletes)) orThrow(deleted);
    } catch (error) {
      this.#tell(error);
      throw error;
    }
  }

  async #keep(key: CacheKey, value: CacheValue, body: Buffer): Promise<void> {
    const ttlMs = Math.min(value.deleteAt - Date.now(), this.#maxTtlMs);
    if (!(ttlMs > 0)) return;
    const rootKey = this.#rootKey(key, key.method);
    const varies = Object.keys(value.vary ?? {});
    if (varies.length === 0) {
      await this.#write(rootKey, { value }, body, ttlMs);
      return;
    }
    const known = await this.#knownRoot(rootKey);
    const isNew = known === null || !varies.every((name) => known.varies.includes(name));
    // Responses to the same request may vary by different headers. The root contains the names of all these headers.
    const root = isNew ? newRoot(this.#prefix, [...(known?.varies ?? []), ...varies]) : known;
    await this.#write(variantKey(root, key, value.vary ?? {}), { value }, body, ttlMs);
    // Write the root after the response, because readers find the response through the root. The root's TTL must be at
    // least as long as the TTL of each of these responses. If the root was deleted after it was read, it is not created
    // again.
    if (isNew) await this.#write(rootKey, root, Buffer.alloc(0), this.#maxTtlMs);
    else {
      const increase = (ttlMs: number) => this.#cache.increaseTtl(rootKey, ttlMs);
      orThrow(await this.#maxTtl.write(this.#maxTtlMs, increase));
    }
  }

  async #knownRoot(rootKey: string): Promise<Varying | null> {
    const there = await this.#read(rootKey).catch(() => undefined); // An unreadable item is replaced.
    return there !== undefined && "varies" in there.root ? there.root : null;
  }

  async #read(key: string): Promise<Entry | undefined> {
    const got = orThrow(await this.#cache.get(key));
    return got.result === "hit" ? entryOf(got.valueBytes) : undefined;
  }

  async #write(key: string, root: Root, body: Buffer, ttlMs: number): Promise<void> {
    const head = serializeLimitedJson(root);
    const length = Buffer.alloc(headBytes);
    length.writeUInt32LE(head.length);
    const item = Buffer.concat([length, head, body]);
    if (key.length + item.length > maxItemBytes)
      throw new CacheError(
        "LimitExceeded",
        `the key and response have ${key.length + item.length} bytes; at most ${maxItemBytes} are allowed`,
      );
    orThrow(await this.#maxTtl.write(ttlMs, (ttlMs) => this.#cache.set(key, item, { ttlMs })));
  }

  #rootKey({ origin, path }: CacheKey, method: string): string {
    return this.#prefix + digest([origin, path, method]);
  }

  #tell(error: unknown): void {
    try {
      this.#onError?.(error);
    } catch (thrown) {
      process.emitWarning(thrown instanceof Error ? thrown : String(thrown));
    }
  }
}

function newRoot(prefix: string, varies: readonly string[]): Varying {
  return { varies: [...new Set(varies)].sort(), id: `${prefix}${randomUUID()}` };
}

// Returns the key of a varying response. The key depends on the request headers by which responses vary. If a header is
// in `own`, its value is taken from `own`, otherwise from the request. `own` contains the headers in the response's
// `vary`.
function variantKey(
  { id, varies }: Varying,
  { headers = {} }: CacheKey,
  own: Readonly<Record<string, unknown>>,
): string {
  return `${id}:${digest(varies.map((name) => own[name] ?? headers[name] ?? null))}`;
}

function digest(parts: readonly unknown[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("base64url");
}

function resultOf(value: CacheValue, body: Buffer): GetResult | undefined {
  if (value.deleteAt <= Date.now()) return undefined;
  return { ...value, cacheControlDirectives: value.cacheControlDirectives ?? {}, body: [body] };
}

function entryOf(bytes: Buffer): Entry {
  const end = bytes.length < headBytes ? Infinity : headBytes + bytes.readUInt32LE(0);
  const root = end > bytes.length ? undefined : jsonOf(bytes.subarray(headBytes, end));
  if (isRoot(root)) return { root, body: bytes.subarray(end) };
  throw new CacheError("FailedPrecondition", "the stored value is not a response");
}

function jsonOf(bytes: Buffer): unknown {
  try {
    return parseLimitedJson(bytes);
  } catch {
    return undefined; // Not a response. The caller throws.
  }
}

function isRoot(root: unknown): root is Root {
  if (!isObject(root)) return false;
  if ("varies" in root)
    return typeof root.id === "string" && root.id !== "" && Array.isArray(root.varies) && root.varies.every(isText);
  return isObject(root.value) && isValue(root.value);
}

function isValue(value: Readonly<Record<string, unknown>>): boolean {
  const numbers = [value.statusCode, value.cachedAt, value.staleAt, value.deleteAt];
  return numbers.every(Number.isFinite) && isText(value.statusMessage) && isObject(value.headers);
}

function requireKey(key: CacheKey): void {
  if (!isObject(key) || ![key.origin, key.method, key.path].every(isText))
    throw new TypeError("the key of a request must have an origin, a method and a path");
}

function requireValue(value: CacheValue): void {
  if (!isObject(value) || !isValue(value as unknown as Readonly<Record<string, unknown>>))
    throw new TypeError("a response must have a status, headers, and the times cachedAt, staleAt and deleteAt");
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}
