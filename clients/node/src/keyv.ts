import { randomUUID } from "node:crypto";
import { EventEmitter } from "node:events";
import type { CacheClient } from "./client.js";
import { CacheError } from "./errors.js";
import { ErrorResponse } from "./responses.js";

/** Settings of a `KeyvLarder`. */
export interface KeyvLarderOptions {
  readonly client: CacheClient;
  /** Name of the cache that holds the entries. `clear` without a namespace empties it whole. */
  readonly cacheName: string;
  /** Time to live of entries that are set without one; default 24 hours, the longest there is. */
  readonly defaultTtlMs?: number;
}

/** An entry of `setMany`. */
export interface KeyvEntry {
  readonly key: string;
  readonly value: unknown;
  readonly ttl?: number | undefined;
}

const longestTtlMs = 86_400_000;

/**
 * A Keyv storage adapter over one cache of a Larder server: `new Keyv({ store: new KeyvLarder({ client, cacheName }) })`.
 * Keyv serialises values to text; they are stored as that text. A failure rejects, and Keyv then emits `error`.
 * `iterator` yields nothing: a cache server does not list its keys. For the same reason a namespace is cleared by
 * giving it another generation: each call in a namespace first reads the generation, which its keys begin with.
 */
export class KeyvLarder extends EventEmitter {
  readonly opts: KeyvLarderOptions & { readonly dialect: string; readonly url: string };
  /** Set by Keyv; keys arrive with it in front already. */
  namespace: string | undefined;
  readonly #client: CacheClient;
  readonly #cache: string;
  readonly #defaultTtlMs: number;

  constructor(options: KeyvLarderOptions) {
    super();
    this.#client = options.client;
    this.#cache = options.cacheName;
    this.#defaultTtlMs = options.defaultTtlMs ?? longestTtlMs;
    this.opts = { ...options, dialect: "larder", url: `larder://${options.cacheName}` };
  }

  get<Value>(key: string): Promise<Value | undefined> {
    return this.#reported(() => this.#get(key));
  }

  async #get<Value>(key: string): Promise<Value | undefined> {
    const [inGeneration] = await this.#keys([key]);
    const response = accepted(await this.#client.get(this.#cache, inGeneration!));
    return response.result === "hit" ? (response.value as Value) : undefined;
  }

  getMany<Value>(keys: readonly string[]): Promise<(Value | undefined)[]> {
    return this.#reported(() => this.#getMany(keys));
  }

  async #getMany<Value>(keys: readonly string[]): Promise<(Value | undefined)[]> {
    const { responses } = accepted(await this.#client.getBatch(this.#cache, await this.#keys(keys)));
    return responses.map((response) => (response.result === "hit" ? (response.value as Value) : undefined));
  }

  async set(key: string, value: unknown, ttlMs?: number): Promise<boolean> {
    const [set] = await this.setMany([{ key, value, ttl: ttlMs }]);
    return set === true;
  }

  async setMany(entries: readonly KeyvEntry[]): Promise<boolean[]> {
    const keys = await this.#keys(entries.map(({ key }) => key));
    const items = entries.map(({ value, ttl }, i) => [keys[i]!, textOf(value), this.#ttl(ttl)] as const);
    accepted(await this.#client.setBatch(this.#cache, items));
    return entries.map(() => true);
  }

  /** Whether the key was there. */
  async delete(key: string): Promise<boolean> {
    const [inGeneration] = await this.#keys([key]);
    const { exists } = accepted(await this.#client.keyExists(this.#cache, inGeneration!));
    accepted(await this.#client.delete(this.#cache, inGeneration!));
    return exists;
  }

  async deleteMany(keys: readonly string[]): Promise<boolean> {
    const deleted = await Promise.all(keys.map((key) => this.delete(key)));
    return deleted.some((each) => each);
  }

  async has(key: string): Promise<boolean> {
    const [exists] = await this.hasMany([key]);
    return exists === true;
  }

  async hasMany(keys: readonly string[]): Promise<boolean[]> {
    return [...accepted(await this.#client.keysExist(this.#cache, await this.#keys(keys))).exists];
  }

  async clear(): Promise<void> {
    if (this.namespace === undefined) accepted(await this.#client.flushCache(this.#cache));
    else accepted(await this.#client.set(this.#cache, this.#generationKey(), randomUUID(), { ttlMs: longestTtlMs }));
  }

  async *iterator(): AsyncGenerator<never> {}

  disconnect(): Promise<void> {
    return this.#client.close();
  }

  // Keyv turns a read that rejects into undefined without a word, so the error is emitted here too.
  async #reported<T>(read: () => Promise<T>): Promise<T> {
    try {
      return await read();
    } catch (error) {
      if (this.listenerCount("error") > 0) this.emit("error", error);
      throw error;
    }
  }

  // The keys as they are stored: outside a namespace as they are.
  async #keys(keys: readonly string[]): Promise<string[]> {
    if (this.namespace === undefined) return [...keys];
    const generation = await this.#generation();
    return keys.map((key) => `${generation}:${key}`);
  }

  // One that expired or was evicted is replaced by a new one: entries may be forgotten, never come back.
  async #generation(): Promise<string> {
    const key = this.#generationKey();
    const read = accepted(await this.#client.get(this.#cache, key));
    if (read.result === "hit") return read.value;
    const made = randomUUID();
    const { result } = accepted(await this.#client.setIfAbsent(this.#cache, key, made, { ttlMs: longestTtlMs }));
    return result === "stored" ? made : this.#generation();
  }

  #generationKey(): string {
    return `larder:keyv:generation:${this.namespace}`;
  }

  // A time past the longest is cut to it: a cache may forget sooner than it was asked to remember.
  #ttl(ttlMs: number | undefined): number {
    return Math.min(ttlMs === undefined || ttlMs <= 0 ? this.#defaultTtlMs : ttlMs, longestTtlMs);
  }
}

function accepted<R extends { readonly result: string }>(response: R | ErrorResponse): Exclude<R, ErrorResponse> {
  if (response instanceof ErrorResponse) throw response.error;
  return response as Exclude<R, ErrorResponse>;
}

function textOf(value: unknown): string | Uint8Array {
  if (typeof value === "string" || value instanceof Uint8Array) return value;
  throw new CacheError("InvalidArgument", `Keyv's serialised value is ${typeof value}, not text`);
}
