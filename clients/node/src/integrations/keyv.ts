/**
 * A store for Keyv and cache-manager.
 *
 * @module larder-cache/keyv
 */

import { EventEmitter } from "node:events";
import { types } from "node:util";
import type { Cache } from "../client/cache.js";
import type { CacheClient } from "../client/client.js";
import { CacheError } from "../client/errors.js";
import { MaxTtlLimiter } from "../client/max-ttl-limiter.js";
import { orThrow } from "../client/or-throw.js";
import { KeyvGenerations } from "./keyv-generations.js";
import { KeyvNamespaces } from "./keyv-namespaces.js";

/** Options of a `KeyvLarder`. */
export interface KeyvLarderOptions<Version extends 5 | 6 = 5> {
  readonly client: CacheClient;
  /** Name of the cache for the entries. Without a namespace, `clear` removes all items of the cache. */
  readonly cacheName: string;
  /**
   * Time to live of entries that do not specify one, in milliseconds.
   * @defaultValue the server's maximum (`--max-ttl`), which is requested once
   */
  readonly defaultTtlMs?: number | undefined;
  /**
   * Version of Keyv's storage adapter interface. In version 5, `set` takes a time to live, and `deleteMany` returns
   * whether at least one of the keys existed. Keyv 6 also accepts such an adapter. In version 6, `set` takes an
   * absolute expiry, and `deleteMany` returns one result per key.
   * @defaultValue 5
   */
  readonly keyvVersion?: Version | undefined;
}

/** An entry of `setMany`. */
export interface KeyvEntry {
  readonly key: string;
  readonly value: unknown;
  /** Time to live in milliseconds. Used by Keyv 5. If it is undefined, `defaultTtlMs` applies. */
  readonly ttl?: number | undefined;
  /** Expiry in milliseconds since 1970. Used by Keyv 6. If it is undefined, `ttl` applies. */
  readonly expires?: number | undefined;
}

// Approximate number of keys per page of a scan, and number of values per read.
const pageKeys = 1_000;
const batchKeys = 100;

/**
 * A storage adapter for Keyv: `new Keyv({ store: new KeyvLarder({ client, cacheName }) })`. It stores the text that
 * Keyv serializes. If a call fails, the adapter rejects and Keyv emits `error`.
 *
 * Each namespace has a generation: a random id at the start of its stored keys. Clearing the namespace replaces the
 * generation, so that existing entries can no longer be found. Each call in a namespace reads the generation
 * concurrently with its work. If another process has cleared the namespace, the call repeats the work.
 *
 * Create a separate adapter for each Keyv instance that has a namespace, because a shared
 * adapter rejects calls that do not identify their namespace, for example `clear`.
 */
export class KeyvLarder<Version extends 5 | 6 = 5> extends EventEmitter {
  readonly opts: KeyvLarderOptions<Version> & { readonly dialect: string; readonly url: string };
  /** The capabilities that Keyv 6 reads. Undefined with the adapter interface of Keyv 5. */
  readonly capabilities: { readonly expires: true } | undefined;
  readonly #client: CacheClient;
  readonly #cache: Cache;
  readonly #defaultTtlMs: number | undefined;
  readonly #namespaces: KeyvNamespaces;
  readonly #generations: KeyvGenerations;
  readonly #maxTtl: MaxTtlLimiter;
  // Calls in progress, which `disconnect` waits for.
  readonly #running = new Set<Promise<unknown>>();

  constructor(options: KeyvLarderOptions<Version>) {
    super();
    const keyvVersion: unknown = options.keyvVersion === undefined ? 5 : options.keyvVersion;
    if (keyvVersion !== 5 && keyvVersion !== 6) throw new RangeError(`keyvVersion must be 5 or 6, not ${keyvVersion}`);
    this.#client = options.client;
    this.#cache = options.client.cache(options.cacheName);
    this.#defaultTtlMs = options.defaultTtlMs;
    this.#namespaces = new KeyvNamespaces(keyvVersion === 5);
    this.#maxTtl = new MaxTtlLimiter(options.client, options.cacheName);
    this.#generations = new KeyvGenerations(this.#cache, () => this.#maxTtl.get());
    this.capabilities = keyvVersion === 6 ? { expires: true } : undefined;
    this.opts = { ...options, dialect: "larder", url: `larder://${options.cacheName}` };
  }

  /** The namespace, set by Keyv. Keyv 5 also prefixes keys with it. */
  get namespace(): string | undefined {
    return this.#namespaces.current;
  }

  set namespace(namespace: string | undefined) {
    this.#namespaces.use(namespace);
  }

  get<Value>(key: string): Promise<Value | undefined> {
    return this.#read(() => this.#get(key));
  }

  async #get<Value>(key: string): Promise<Value | undefined> {
    const [value] = await this.#stored([key], async ([stored]) => {
      const response = orThrow(await this.#cache.get(stored!));
      return [response.result === "hit" ? (response.value as Value) : undefined];
    });
    return value;
  }

  getMany<Value>(keys: readonly string[]): Promise<(Value | undefined)[]> {
    return this.#read(() => this.#stored(keys, (stored) => this.#values<Value>(stored)));
  }

  /**
   * Stores a value. With Keyv 5, `time` is the time to live in milliseconds. With Keyv 6, `time` is the expiry in
   * milliseconds since 1970. If `time` is undefined, `defaultTtlMs` applies.
   */
  async set(key: string, value: unknown, time?: number): Promise<boolean> {
    const [set] = await this.setMany([this.capabilities ? { key, value, expires: time } : { key, value, ttl: time }]);
    return set === true;
  }

  setMany(entries: readonly KeyvEntry[]): Promise<boolean[]> {
    return this.#tracked(this.#setMany(entries));
  }

  async #setMany(entries: readonly KeyvEntry[]): Promise<boolean[]> {
    const values = entries.map(({ value }) => textOf(value));
    const ttlsMs = await Promise.all(entries.map((entry) => this.#ttl(entry)));
    return this.#stored(
      entries.map(({ key }) => key),
      async (stored, places) => {
        const all = stored.map((key, i) => [key, values[places[i]!]!, ttlsMs[places[i]!]!] as const);
        const ended = all.filter(([, , ttlMs]) => ttlMs <= 0).map(([key]) => this.#cache.delete(key));
        for (const deleted of await Promise.all(ended)) orThrow(deleted);
        const live = all.filter(([, , ttlMs]) => ttlMs > 0);
        if (live.length > 0) {
          const askedMs = Math.max(...live.map(([, , ttlMs]) => ttlMs));
          const write = (mostMs: number) =>
            this.#cache.setBatch(live.map(([key, value, ttlMs]) => [key, value, Math.min(ttlMs, mostMs)] as const));
          orThrow(await this.#maxTtl.write(askedMs, write));
        }
        return stored.map(() => true);
      },
    );
  }

  /** Removes a key. Returns whether the key existed. */
  async delete(key: string): Promise<boolean> {
    const [existed] = await this.#tracked(this.#deleteMany([key]));
    return existed === true;
  }

  /**
   * Removes keys. With Keyv 5, returns whether at least one of the keys existed. With Keyv 6, returns for each key
   * whether it existed.
   */
  async deleteMany(keys: readonly string[]): Promise<Version extends 6 ? boolean[] : boolean> {
    const existed = await this.#tracked(this.#deleteMany(keys));
    return (this.capabilities ? existed : existed.includes(true)) as Version extends 6 ? boolean[] : boolean;
  }

  // Checks with one request which keys exist, and then deletes the keys concurrently.
  #deleteMany(keys: readonly string[]): Promise<boolean[]> {
    return this.#stored(keys, async (stored) => {
      const { exists } = orThrow(await this.#cache.keysExist(stored));
      const deletes = stored.filter((_, i) => exists[i]).map((key) => this.#cache.delete(key));
      for (const deleted of await Promise.all(deletes)) orThrow(deleted);
      return [...exists];
    });
  }

  async has(key: string): Promise<boolean> {
    const [exists] = await this.hasMany([key]);
    return exists === true;
  }

  hasMany(keys: readonly string[]): Promise<boolean[]> {
    const exist = async (stored: string[]) => [...orThrow(await this.#cache.keysExist(stored)).exists];
    return this.#tracked(this.#stored(keys, exist));
  }

  clear(): Promise<void> {
    return this.#tracked(this.#clear());
  }

  async #clear(): Promise<void> {
    const namespace = this.#namespaces.only("clear");
    if (namespace === undefined) orThrow(await this.#client.flushCache(this.#cache.name));
    else await this.#generations.clear(namespace);
  }

  /**
   * Iterates over the entries of a namespace, or of the whole cache if there is no namespace. Yields Keyv's keys and
   * the serialized values. The iterator scans the cache, so entries that are written during the scan may be missing. It
   * keeps all yielded keys in memory, so that it yields each key only once.
   */
  async *iterator(namespace?: string): AsyncGenerator<[key: string, value: string], void> {
    const within = namespace ?? this.#namespaces.only("iterator");
    const prefix = within === undefined ? "" : await this.#generations.prefix(within);
    const met = new Set<string>();
    let cursor: Uint8Array | undefined;
    do {
      const page = orThrow(await this.#cache.scanKeys({ prefix, type: "scalar", count: pageKeys, cursor }));
      const keys = page.keys.map(({ key }) => key.toString()).filter((key) => !met.has(key));
      for (let begin = 0; begin < keys.length; begin += batchKeys) {
        const batch = keys.slice(begin, begin + batchKeys);
        const values = await this.#values<string>(batch);
        for (const [i, key] of batch.entries()) {
          const value = values[i];
          // Skip a key without a value, because it has expired since the scan. Also skip generations, because they are
          // not entries.
          if (value === undefined || met.has(key) || KeyvGenerations.holds(key)) continue;
          met.add(key);
          yield [key.slice(prefix.length), value];
        }
      }
      cursor = page.cursor;
    } while (cursor.length > 0);
  }

  /**
   * Waits for the calls of this adapter that are in progress, and then closes the client. A framework may write in the
   * background, so the program cannot wait for every call itself. The deadlines of the calls limit the wait.
   */
  async disconnect(): Promise<void> {
    await Promise.allSettled(this.#running);
    await this.#client.close();
  }

  #tracked<T>(call: Promise<T>): Promise<T> {
    this.#running.add(call);
    const ended = () => this.#running.delete(call);
    call.then(ended, ended);
    return call;
  }

  async #values<Value>(stored: string[]): Promise<(Value | undefined)[]> {
    const { responses } = orThrow(await this.#cache.getBatch(stored));
    return responses.map((response) => {
      const answer = orThrow(response);
      return answer.result === "hit" ? (answer.value as Value) : undefined;
    });
  }

  // Runs a read. Emits the error if it rejects, because Keyv silently turns the rejection into undefined.
  #read<T>(read: () => Promise<T>): Promise<T> {
    const emitting = async () => {
      try {
        return await read();
      } catch (error) {
        if (this.listenerCount("error") > 0) this.emit("error", error);
        throw error;
      }
    };
    return this.#tracked(emitting());
  }

  // Runs `work` on the stored keys, once per namespace. `work` receives the keys and their positions among all keys,
  // and returns a result for each of its keys.
  async #stored<T>(
    keys: readonly string[],
    work: (stored: string[], places: readonly number[]) => Promise<T[]>,
  ): Promise<T[]> {
    const groups = new Map<string | undefined, number[]>();
    for (const [place, key] of keys.entries()) {
      if (typeof key !== "string") throw new TypeError("a key must be a string");
      const namespace = this.#namespaces.of(key);
      const group = groups.get(namespace);
      if (group === undefined) groups.set(namespace, [place]);
      else group.push(place);
    }
    const results: T[] = new Array(keys.length);
    const runs = [...groups].map(async ([namespace, places]) => {
      const of = (prefix: string) =>
        work(
          places.map((place) => prefix + keys[place]),
          places,
        );
      const all = namespace === undefined ? await of("") : await this.#generations.run(namespace, of);
      for (const [i, place] of places.entries()) results[place] = all[i]!;
    });
    await Promise.all(runs);
    return results;
  }

  // Returns the time to live in milliseconds. 0 or less if the entry has expired.
  #ttl({ ttl, expires }: KeyvEntry): number | Promise<number> {
    if (this.capabilities && expires !== undefined) return Math.ceil(expires - Date.now());
    return ttl !== undefined && ttl > 0 ? ttl : (this.#defaultTtlMs ?? this.#maxTtl.get());
  }
}

function textOf(value: unknown): string | Uint8Array {
  if (typeof value === "string" || types.isUint8Array(value)) return value;
  throw new CacheError("InvalidArgument", `the serialised value must be a string, not ${typeof value}`);
}
