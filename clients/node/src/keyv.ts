import { randomUUID } from "node:crypto";
import { EventEmitter } from "node:events";
import { accepted } from "./accepted.js";
import type { CacheClient } from "./client.js";
import { systemClock } from "./clock.js";
import { CacheError } from "./errors.js";

/** Settings of a `KeyvLarder`. */
export interface KeyvLarderOptions {
  readonly client: CacheClient;
  /** Name of the cache that holds the entries. `clear` without a namespace empties it whole. */
  readonly cacheName: string;
  /** Time to live of entries that are set without one; default: the server's longest (`--max-ttl`), asked for once. */
  readonly defaultTtlMs?: number | undefined;
}

/** An entry of `setMany`. */
export interface KeyvEntry {
  readonly key: string;
  readonly value: unknown;
  readonly ttl?: number | undefined;
}

// What a server takes that does not list the cache; the cache is then missing, and the call says so.
const defaultLongestMs = 86_400_000;
// A generation is given its whole time again at most so often: an entry may outlive it by no more.
const renewIntervalMs = 60_000;

/** The generation of a namespace, as this process knows it. */
interface Generation {
  readonly namespace: string;
  readonly name: string;
  /** On the process's clock, when it was last given its whole time. */
  renewedAtMs: number;
}

/**
 * A Keyv storage adapter over one cache of a Larder server: `new Keyv({ store: new KeyvLarder({ client, cacheName }) })`.
 * Keyv serialises values to text; they are stored as that text. A failure rejects, and Keyv then emits `error`.
 * `iterator` yields nothing: a cache server does not list its keys. For the same reason a namespace is cleared by
 * giving it another generation, which its keys begin with: each call in a namespace reads the generation beside its own
 * work, and does that again where another process has cleared the namespace. A generation in use does not expire.
 */
export class KeyvLarder extends EventEmitter {
  readonly opts: KeyvLarderOptions & { readonly dialect: string; readonly url: string };
  /** Set by Keyv; keys arrive with it in front already. */
  namespace: string | undefined;
  readonly #client: CacheClient;
  readonly #cache: string;
  readonly #defaultTtlMs: number | undefined;
  #longestMs: Promise<number> | null = null;
  #known: Generation | null = null;

  constructor(options: KeyvLarderOptions) {
    super();
    this.#client = options.client;
    this.#cache = options.cacheName;
    this.#defaultTtlMs = options.defaultTtlMs;
    this.opts = { ...options, dialect: "larder", url: `larder://${options.cacheName}` };
  }

  get<Value>(key: string): Promise<Value | undefined> {
    return this.#reported(() => this.#get(key));
  }

  async #get<Value>(key: string): Promise<Value | undefined> {
    const response = await this.#inGeneration(async ([stored]) =>
      accepted(await this.#client.get(this.#cache, stored!)),
    )([key]);
    return response.result === "hit" ? (response.value as Value) : undefined;
  }

  getMany<Value>(keys: readonly string[]): Promise<(Value | undefined)[]> {
    return this.#reported(() => this.#getMany(keys));
  }

  async #getMany<Value>(keys: readonly string[]): Promise<(Value | undefined)[]> {
    const { responses } = await this.#inGeneration(async (stored) =>
      accepted(await this.#client.getBatch(this.#cache, stored)),
    )(keys);
    return responses.map((response) => {
      const answer = accepted(response);
      return answer.result === "hit" ? (answer.value as Value) : undefined;
    });
  }

  async set(key: string, value: unknown, ttlMs?: number): Promise<boolean> {
    const [set] = await this.setMany([{ key, value, ttl: ttlMs }]);
    return set === true;
  }

  async setMany(entries: readonly KeyvEntry[]): Promise<boolean[]> {
    const values = entries.map(({ value }) => textOf(value));
    const ttlsMs = await Promise.all(entries.map(({ ttl }) => this.#ttl(ttl)));
    await this.#inGeneration(async (stored) => {
      const response = await this.#client.setBatch(
        this.#cache,
        stored.map((key, i) => [key, values[i]!, ttlsMs[i]] as const),
      );
      // The server may have been started anew with a shorter time.
      if (response.result === "error") this.#longestMs = null;
      return accepted(response);
    })(entries.map(({ key }) => key));
    return entries.map(() => true);
  }

  /** Whether the key was there. */
  delete(key: string): Promise<boolean> {
    return this.deleteMany([key]);
  }

  /** Whether one of the keys was there. One question for all, then the deletes, together. */
  async deleteMany(keys: readonly string[]): Promise<boolean> {
    return this.#inGeneration(async (stored) => {
      const { exists } = accepted(await this.#client.keysExist(this.#cache, stored));
      const deletes = stored.filter((_, i) => exists[i]).map((key) => this.#client.delete(this.#cache, key));
      for (const deleted of await Promise.all(deletes)) accepted(deleted);
      return deletes.length > 0;
    })(keys);
  }

  async has(key: string): Promise<boolean> {
    const [exists] = await this.hasMany([key]);
    return exists === true;
  }

  async hasMany(keys: readonly string[]): Promise<boolean[]> {
    const { exists } = await this.#inGeneration(async (stored) =>
      accepted(await this.#client.keysExist(this.#cache, stored)),
    )(keys);
    return [...exists];
  }

  async clear(): Promise<void> {
    if (this.namespace === undefined) accepted(await this.#client.flushCache(this.#cache));
    else {
      const ttlMs = await this.#longest();
      accepted(await this.#client.set(this.#cache, generationKey(this.namespace), randomUUID(), { ttlMs }));
    }
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

  // Work on keys as they are stored: outside a namespace as they are. Beside it the generation is read: where that has
  // changed, the work is done again.
  #inGeneration<T>(work: (stored: string[]) => Promise<T>): (keys: readonly string[]) => Promise<T> {
    return async (keys) => {
      const { namespace } = this;
      if (namespace === undefined) return work([...keys]);
      const within = ({ name }: Generation) => work(keys.map((key) => `${name}:${key}`));
      const known = this.#known;
      if (known?.namespace === namespace) {
        const [current, done] = await Promise.allSettled([this.#generation(namespace), within(known)]);
        if (current.status === "rejected") throw current.reason;
        if (current.value.name === known.name) {
          if (done.status === "rejected") throw done.reason;
          return done.value;
        }
      }
      return within(await this.#generation(namespace));
    };
  }

  // One that was evicted is replaced by a new one: entries may be forgotten, never come back.
  async #generation(namespace: string): Promise<Generation> {
    const key = generationKey(namespace);
    const read = accepted(await this.#client.get(this.#cache, key));
    if (read.result === "hit") {
      const known = this.#known;
      const same = known?.namespace === namespace && known.name === read.value;
      const generation = same ? known : { namespace, name: read.value, renewedAtMs: Number.NEGATIVE_INFINITY };
      this.#known = generation;
      await this.#renew(generation);
      return generation;
    }
    const name = randomUUID();
    const ttlMs = await this.#longest();
    const { result } = accepted(await this.#client.setIfAbsent(this.#cache, key, name, { ttlMs }));
    if (result !== "stored") return this.#generation(namespace);
    this.#known = { namespace, name, renewedAtMs: systemClock.now() };
    return this.#known;
  }

  async #renew(generation: Generation): Promise<void> {
    const nowMs = systemClock.now();
    if (nowMs - generation.renewedAtMs < renewIntervalMs) return;
    generation.renewedAtMs = nowMs;
    const ttlMs = await this.#longest();
    accepted(await this.#client.increaseTtl(this.#cache, generationKey(generation.namespace), ttlMs));
  }

  // Only where no time is given: one that was asked for is the server's to refuse.
  #ttl(ttlMs: number | undefined): number | Promise<number> {
    return ttlMs !== undefined && ttlMs > 0 ? ttlMs : (this.#defaultTtlMs ?? this.#longest());
  }

  #longest(): Promise<number> {
    this.#longestMs ??= this.#askLongest().catch((error: unknown) => {
      this.#longestMs = null;
      throw error;
    });
    return this.#longestMs;
  }

  async #askLongest(): Promise<number> {
    const { caches } = accepted(await this.#client.listCaches());
    const cache = caches.find(({ name }) => name === this.#cache);
    return cache === undefined ? defaultLongestMs : cache.maxTtlSeconds * 1_000;
  }
}

function generationKey(namespace: string): string {
  return `larder:keyv:generation:${namespace}`;
}

function textOf(value: unknown): string | Uint8Array {
  if (typeof value === "string" || value instanceof Uint8Array) return value;
  throw new CacheError("InvalidArgument", `Keyv's serialised value is ${typeof value}, not text`);
}
