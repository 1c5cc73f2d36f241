import { Buffer } from "node:buffer";
import { GetBatchOperation, KeysExistOperation, SetBatchOperation } from "./batch-operations.js";
import { partsOf } from "./batch-parts.js";
import { BoundCache } from "./bound-cache.js";
import type { BatchItems, CacheClientOptions, CallOptions, SetOptions } from "./client-options.js";
import { ListCachesOperation } from "./control-operations.js";
import { OperationCalls } from "./operation-calls.js";
import type { Bytes } from "./proto-writer.js";
import type {
  ErrorResponse,
  GetBatchResponse,
  GetResponse,
  Hit,
  KeyExistsResponse,
  KeysExistResponse,
  ListCachesResponse,
  Miss,
  SetBatchResponse,
  SetResponse,
} from "./responses.js";
import { GetOperation, SetOperation } from "./scalar-operations.js";
import { SingleFlight } from "./single-flight.js";
import {
  checkCacheName,
  checkItem,
  checkKey,
  itemsOf,
  keysOf,
  maxBatchItems,
  requireBytes,
  requireKnownOptions,
  requireSignal,
  toBuffer,
  tooManyItems,
} from "./validation.js";

/**
 * A client of a Larder server. Make one, share it, close it: it caps its own requests in flight, so any number of
 * callers may use it at once. Calls answer a response whose `result` says what happened; they do not reject, but for
 * arguments of a wrong type (`TypeError`).
 */
export class CacheClient extends OperationCalls {
  readonly #flights = new SingleFlight();

  /** Makes a client and, where its configuration asks for it, connects before answering; rejects if it cannot. */
  static async create(options: CacheClientOptions): Promise<CacheClient> {
    const client = new CacheClient(options);
    try {
      if (options.configuration.eagerConnect) await client.connect();
    } catch (error) {
      await client.close();
      throw error;
    }
    return client;
  }

  /** The same calls with the cache's name bound. */
  cache(name: string): BoundCache {
    return new BoundCache(this, name);
  }

  // get and set, the hot calls, are no async functions: each would cost a second promise and three turns of its queue.

  /** The value under `key`, or a miss. */
  get(cacheName: string, key: Bytes, options?: CallOptions): Promise<GetResponse> {
    try {
      const invalid = checkKey(cacheName, key);
      return invalid === null
        ? this.submit(new GetOperation(cacheName, key), options)
        : Promise.resolve<GetResponse>(invalid);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /** Stores `value` under `key`. */
  set(cacheName: string, key: Bytes, value: Bytes, options?: SetOptions): Promise<SetResponse> {
    try {
      const ttlMs = this.ttl(options);
      const invalid = checkItem(cacheName, key, value, ttlMs);
      return invalid === null
        ? this.submit(new SetOperation(cacheName, key, value, Math.ceil(ttlMs)), options)
        : Promise.resolve<SetResponse>(invalid);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /** Whether an item is under `key`. */
  async keyExists(cacheName: string, key: Bytes, options?: CallOptions): Promise<KeyExistsResponse> {
    const response = await this.keysExist(cacheName, [key], options);
    return response.result === "error" ? response : { result: "success", exists: response.exists[0] === true };
  }

  /** Whether an item is under each of `keys`, in their order. */
  async keysExist(cacheName: string, keys: Iterable<Bytes>, options?: CallOptions): Promise<KeysExistResponse> {
    const all = keysOf(keys);
    if (all === null) return tooManyItems();
    const invalid = checkKeys(cacheName, all);
    if (invalid !== null) return invalid;
    const parts = partsOf(all, KeysExistOperation.lengthOf);
    const answers = await this.submitParts(parts, (part) => new KeysExistOperation(cacheName, part), options);
    const exists: boolean[] = [];
    for (const answer of answers) {
      if (answer.result === "error") return answer;
      exists.push(...answer.exists);
    }
    return { result: "success", exists };
  }

  /**
   * The values under `keys`, in their order, in one call; one of over 11 MB is sent in parts (BATCH-9), and the keys of
   * a part that fails are answered by its error.
   */
  async getBatch(cacheName: string, keys: Iterable<Bytes>, options?: CallOptions): Promise<GetBatchResponse> {
    const all = keysOf(keys);
    if (all === null) return tooManyItems();
    const invalid = checkKeys(cacheName, all);
    if (invalid !== null) return invalid;
    const parts = partsOf(all, GetBatchOperation.lengthOf);
    const answers = await this.submitParts(parts, (part) => new GetBatchOperation(cacheName, part), options);
    if (answers.every((answer) => answer.result === "error")) return answers[0] as ErrorResponse;
    const responses = answers.flatMap((answer, i): readonly (Hit | Miss | ErrorResponse)[] =>
      answer.result === "error" ? parts[i]!.map(() => answer) : answer.responses,
    );
    return { result: "success", responses };
  }

  /**
   * Stores items in their order, in one call; each item may have a time to live of its own. One of over 11 MB is sent in
   * parts (BATCH-9): an error is then that of the first part that failed, and the others are stored.
   */
  async setBatch(cacheName: string, items: BatchItems, options?: SetOptions): Promise<SetBatchResponse> {
    const sets: SetOperation[] = [];
    for (const [key, value, itemTtlMs] of itemsOf(items)) {
      if (sets.length === maxBatchItems) return tooManyItems();
      const ttlMs = itemTtlMs ?? this.ttl(options);
      const invalid = checkItem(cacheName, key, value, ttlMs);
      if (invalid !== null) return invalid;
      sets.push(new SetOperation(cacheName, key, value, Math.ceil(ttlMs)));
    }
    const invalid = checkCacheName(cacheName);
    if (invalid !== null) return invalid;
    const parts = partsOf(sets, SetBatchOperation.lengthOf);
    const answers = await this.submitParts(parts, (part) => new SetBatchOperation(cacheName, part), options);
    return answers.find((answer) => answer.result === "error") ?? answers[0]!;
  }

  /**
   * The value under `key`, or that of `factory`, stored; the caller's own. Callers of one key at one time share one
   * factory call. A cache that fails does not fail the caller: the factory's value is answered, and not stored where the
   * get failed. Rejects with what the factory throws, and with the signal's reason; a factory nobody waits for is not run.
   */
  getOrSet(
    cacheName: string,
    key: Bytes,
    factory: () => Bytes | Promise<Bytes>,
    options?: SetOptions,
  ): Promise<Buffer> {
    try {
      if (typeof factory !== "function") throw new TypeError("the factory must be a function");
      if (typeof cacheName !== "string") throw new TypeError("the cache name must be a string");
      requireBytes("key", key);
      if (options !== undefined) requireKnownOptions(options);
      const { signal, ...rest } = options ?? {};
      if (signal !== undefined) requireSignal(signal);
      const flight = `${cacheName}\0${typeof key === "string" ? `s${key}` : `b${toBuffer(key).toString("latin1")}`}`;
      return this.#flights.run(flight, signal, (all) => this.#load(cacheName, key, factory, { ...rest, signal: all }));
    } catch (error) {
      return Promise.reject(error);
    }
  }

  async #load(
    cacheName: string,
    key: Bytes,
    factory: () => Bytes | Promise<Bytes>,
    options: SetOptions,
  ): Promise<Buffer> {
    const found = await this.get(cacheName, key, options);
    if (found.result === "hit") return found.valueBytes;
    options.signal?.throwIfAborted();
    const made = await factory();
    requireBytes("value", made);
    const value = Buffer.from(made as string);
    if (found.result === "miss") await this.set(cacheName, key, value, options);
    return value;
  }

  async listCaches(options?: CallOptions): Promise<ListCachesResponse> {
    return this.submit(new ListCachesOperation(), options);
  }
}

function checkKeys(cacheName: string, keys: readonly Bytes[]): ErrorResponse | null {
  for (const key of keys) {
    const invalid = checkKey(cacheName, key);
    if (invalid !== null) return invalid;
  }
  return checkCacheName(cacheName);
}
