import type { Buffer } from "node:buffer";
import { BatchCalls } from "../calls/batch-calls.js";
import { CallMaker } from "../calls/call-maker.js";
import { systemClock } from "../calls/clock.js";
import { scanItemsOf, scanOf } from "../calls/scan-calls.js";
import { TableCalls } from "../calls/table-calls.js";
import type { Codec } from "../codecs/codec.js";
import { TypedCache } from "../codecs/typed-cache.js";
import type { TypedCacheOptions } from "../codecs/typed-values.js";
import { firstToken } from "../configuration/token-source.js";
import { BatchAside, type BatchFactory } from "../leases/batch-aside.js";
import { CacheAside, type Factory } from "../leases/cache-aside.js";
import { plainForm } from "../leases/made-value.js";
import { overdue } from "../near/near-cache.js";
import type { NearCacheStatistics } from "../near/near-statistics.js";
import { ListCachesOperation } from "../operations/control-operations.js";
import { SetWithTagsOperation } from "../operations/lease-operations.js";
import type { Bytes } from "../operations/proto-writer.js";
import { GetOperation, SetOperation } from "../operations/scalar-operations.js";
import { checkTags, tagsOf } from "../operations/tag-list.js";
import { RemoveByTagOperation } from "../operations/tag-operations.js";
import { CacheWarnings } from "../telemetry/cache-warnings.js";
import type { ClientFigures, ClientStatistics } from "../telemetry/metrics.js";
import { checkTopic, type SubscribeOptions } from "../topics/subscribe-options.js";
import { PublishOperation } from "../topics/topic-messages.js";
import type { TopicSubscription } from "../topics/topic-subscription.js";
import { BoundCache } from "./bound-cache.js";
import type {
  BatchItems,
  CacheClientOptions,
  CallOptions,
  GetOrSetOptions,
  ScanItemsOptions,
  ScanOptions,
  SetOptions,
} from "./client-options.js";
import { checkedOptions } from "./client-options-check.js";
import { type ClientParts, clientParts, statisticsOf } from "./client-parts.js";
import { CacheError } from "./errors.js";
import type * as r from "./responses.js";
import { checkCacheName, checkItem, checkKey, checkText } from "./validation.js";

const eagerConnectTimeoutMs = 30_000;
const holdMs = 30_000;

/**
 * A client of a Larder server. Make one, share it, close it: it caps its own requests in flight, so any number of
 * callers may use it at once. An open client does not keep the process running: only calls under way, a `connect` and open
 * subscriptions do. Calls answer a response whose `result` says what happened; they do not reject, but for
 * arguments of a wrong type (`TypeError`).
 */
export class CacheClient extends TableCalls implements AsyncDisposable {
  protected readonly parts: ClientParts;
  protected readonly calls: CallMaker;
  readonly #batches: BatchCalls;
  readonly #cacheAside: CacheAside;
  readonly #batchAside: BatchAside;
  readonly #figures: ClientFigures;
  #isClosed = false;

  constructor(options: CacheClientOptions) {
    super();
    const checked = checkedOptions(options);
    this.parts = clientParts(checked);
    this.calls = new CallMaker(this.parts.runner, checked);
    this.#batches = new BatchCalls(this.calls);
    this.#figures = { endpoint: this.parts.endpoint, statistics: () => this.statistics() };
    const warnings = new CacheWarnings(this.parts.log);
    this.#cacheAside = new CacheAside(this, this.calls, this.parts.clock, warnings);
    this.#batchAside = new BatchAside(this, this.calls, warnings);
    this.parts.hooks.clientOpened(this.#figures);
  }

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

  /** Connects now instead of at the first call; rejects with the reason if that fails in `timeoutMs`. */
  async connect(timeoutMs = eagerConnectTimeoutMs): Promise<void> {
    if (this.#isClosed) throw new CacheError("Cancelled", "connect failed: the client is closed");
    const endsAt = systemClock.now() + timeoutMs;
    const { tokens } = this.parts;
    // The transports' own timers do not keep the process; the caller of this does, until they have run.
    const hold = systemClock.schedule(() => {}, timeoutMs + holdMs);
    try {
      if (tokens !== null) await firstToken(tokens, timeoutMs);
      await this.parts.transport.connect(Math.max(1, endsAt - systemClock.now()));
    } finally {
      hold.cancel();
    }
  }

  /** The same calls with the cache's name bound. */
  cache(name: string): BoundCache {
    return new BoundCache(this, name);
  }

  /**
   * A cache whose values are of one type, stored by a codec: `textCodec`, `bytesCodec`, `jsonCodec()`, one of
   * `larder-cache/messagepack`, or your own. Throws a TypeError or a RangeError for what is no codec, or no settings.
   */
  typed<T>(cacheName: string, codec: Codec<T>, options?: TypedCacheOptions): TypedCache<T> {
    return new TypedCache(this, cacheName, codec, options, { one: this.#cacheAside, many: this.#batchAside });
  }

  /** What the client holds now. */
  statistics(): ClientStatistics {
    return statisticsOf(this.parts);
  }

  /** What the near cache holds, and what it has done since the client was made; null: there is none. */
  get nearCache(): NearCacheStatistics | null {
    return this.parts.near?.statistics() ?? null;
  }

  /** Ends every call that waits or is under way with `Cancelled`, and every subscription, and closes the connections. */
  async close(): Promise<void> {
    this.parts.topics.close();
    this.parts.near?.close();
    this.parts.tokens?.close();
    this.parts.runner.close();
    this.parts.transport.close();
    this.parts.fronts?.close();
    this.parts.lag.close();
    if (!this.#isClosed) this.parts.hooks.clientClosed(this.#figures);
    this.#isClosed = true;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  // get and set, the hot calls, are no async functions: each would cost a second promise and three turns of its queue.

  /** The value under `key`, or a miss; from a copy, where the near cache has one. */
  get(cacheName: string, key: Bytes, options?: CallOptions): Promise<r.GetResponse> {
    try {
      const invalid = checkKey(cacheName, key);
      if (invalid !== null) return Promise.resolve<r.GetResponse>(invalid);
      const { near } = this.parts;
      if (near !== null && this.calls.mayAnswer(options)) {
        const hit = near.get(cacheName, key);
        if (hit === overdue) return near.turn().then(() => this.get(cacheName, key, options));
        if (hit !== null) return Promise.resolve(hit);
      }
      return this.calls.make(new GetOperation(cacheName, key), options);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /**
   * The value under `key` where the near cache has a copy of it: at once, and without a call. Undefined where it has none
   * to serve, or there is no near cache. Throws a TypeError for a key or a name of a wrong type.
   */
  tryGetNear(cacheName: string, key: Bytes): r.Hit | undefined {
    const { near } = this.parts;
    if (near === null || checkKey(cacheName, key) !== null) return undefined;
    return near.find(cacheName, key) ?? undefined;
  }

  /** Stores `value` under `key`. */
  set(cacheName: string, key: Bytes, value: Bytes, options?: SetOptions): Promise<r.SetResponse> {
    try {
      const ttlMs = this.calls.ttl(options);
      const invalid = checkItem(cacheName, key, value, ttlMs);
      return invalid === null
        ? this.calls.make(new SetOperation(cacheName, key, value, ttlMs), options)
        : Promise.resolve<r.SetResponse>(invalid);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /** Whether an item is under `key`. */
  async keyExists(cacheName: string, key: Bytes, options?: CallOptions): Promise<r.KeyExistsResponse> {
    const response = await this.keysExist(cacheName, [key], options);
    return response.result === "error" ? response : { result: "success", exists: response.exists[0] === true };
  }

  /** Whether an item is under each of `keys`, in their order. */
  keysExist(cacheName: string, keys: Iterable<Bytes>, options?: CallOptions): Promise<r.KeysExistResponse> {
    return this.#batches.keysExist(cacheName, keys, options);
  }

  /**
   * The values under `keys`, in their order, in one call; one of over 11 MB is sent in parts (BATCH-9), and the keys of
   * a part that fails are answered by its error.
   */
  getBatch(cacheName: string, keys: Iterable<Bytes>, options?: CallOptions): Promise<r.GetBatchResponse> {
    return this.#batches.getBatch(cacheName, keys, options);
  }

  /**
   * Stores items in their order, in one call; each item may have a time to live of its own. One of over 11 MB is sent in
   * parts (BATCH-9): an error is then that of the first part that failed, and the others are stored.
   */
  setBatch(cacheName: string, items: BatchItems, options?: SetOptions): Promise<r.SetBatchResponse> {
    return this.#batches.setBatch(cacheName, items, options);
  }

  /**
   * The value under `key`, or that of `factory`, stored; the caller's own. Callers of one key at one time share one
   * factory call, with the options of the first. A cache that fails does not fail the caller: the factory's value is
   * answered, and not stored where the get failed; where that will not mend by itself (no such cache, no right to it) a
   * process warning tells it once. A factory may ask for other keys; for one whose factory waits for it, or its own, it
   * makes the value by itself.
   * With `leaseMs`, `refreshAheadForMs`, `revalidateForMs`, `failSafeForMs`, `jitter`, `tags` or `ttlOf` one of all processes that miss the key runs
   * its factory, and the others wait for what it stores, until its lease is over or their signals abort: factories of
   * several clients that ask for each other's keys wait for as long. A server without leases is used without, and what
   * is to have tags is then not stored.
   * Rejects with what the factory throws, with the signal's reason, and with a CacheError for what can never be a cache's
   * name, a key or an option's value; a factory nobody waits for is not run.
   */
  async getOrSet(cacheName: string, key: Bytes, factory: Factory, options?: GetOrSetOptions): Promise<Buffer> {
    return this.#cacheAside.getOrSet(cacheName, key, factory, options, plainForm);
  }

  /**
   * The values under `keys`, in their order, or what `factory` makes of those that are missing: called once with those,
   * each once and in their order, it gives a value for each, in that order. One get-batch, and one set-batch of what was
   * made; no lease, and no load shared with other callers. What could not be read is made and not stored, what could not
   * be stored is answered all the same. No keys: no call. Rejects as `getOrSet` does, and with a TypeError where the
   * factory gives another number of values; nothing is stored then.
   */
  async getOrSetBatch(
    cacheName: string,
    keys: Iterable<Bytes>,
    factory: BatchFactory,
    options?: SetOptions,
  ): Promise<Buffer[]> {
    return this.#batchAside.getOrSetBatch(cacheName, keys, factory, options, plainForm);
  }

  /**
   * Publishes a message to a topic; text travels as text, bytes as bytes, at most 1 MiB. Success once it has its
   * number, whether anybody subscribes or not. Never sent twice where it may have run.
   */
  async publish(cacheName: string, topic: string, value: Bytes, options?: CallOptions): Promise<r.PublishResponse> {
    const invalid = checkText("value", value) ?? checkTopic(cacheName, topic);
    return invalid ?? this.calls.make(new PublishOperation(cacheName, topic, value), options);
  }

  /**
   * Follows a topic: begins with the newest message that is kept, unless the options say otherwise, and goes on. A
   * stream that is lost is asked for again where it was, from another server where there is one. What fails for good is
   * one last `error` event: `NotFound` for a cache that is not there or no longer, `PermissionDenied`, `Unauthenticated`,
   * `LimitExceeded` of a server that is full, and `Unavailable` or `Timeout` where none was there within the
   * configuration's deadline. Throws a TypeError for what is of a wrong type, and what the signal throws.
   */
  subscribe(cacheName: string, topic: string, options: SubscribeOptions = {}): TopicSubscription {
    return this.parts.topics.subscribe(cacheName, topic, options);
  }

  /** The server's caches, with what each allows. */
  async listCaches(options?: CallOptions): Promise<r.ListCachesResponse> {
    return this.calls.make(new ListCachesOperation(), options);
  }

  /**
   * Stores a value with tags, whatever is there, by which `removeByTag` removes it. `tags`: 1 to 128, each of 1 to 1,024
   * bytes. `Unknown` from a server that has no tags; nothing is stored then.
   */
  async setWithTags(
    cacheName: string,
    key: Bytes,
    value: Bytes,
    tags: Iterable<Bytes>,
    options?: SetOptions,
  ): Promise<r.SetResponse> {
    const [ttlMs, given] = [this.calls.ttl(options), tagsOf(tags)];
    const refusal = checkItem(cacheName, key, value, ttlMs) ?? checkTags(given);
    return refusal ?? this.calls.make(new SetWithTagsOperation(cacheName, key, value, ttlMs, given), options);
  }

  /**
   * Makes a miss of every item that has one of the tags, however many there are, at the price of one call. `tags`: 1 to
   * 128, each of 1 to 1,024 bytes. Near copies of the cache are dropped. `Unknown` from a server that has no tags.
   */
  async removeByTag(cacheName: string, tags: Iterable<Bytes>, options?: CallOptions): Promise<r.RemoveByTagResponse> {
    const given = tagsOf(tags);
    const refusal = checkCacheName(cacheName) ?? checkTags(given);
    return refusal ?? this.calls.make(new RemoveByTagOperation(cacheName, given), options);
  }

  /**
   * A page of a cache's keys. Call it again with the page's `cursor` until that is empty: every key that is there from
   * the first page to the last is on one of them at least; a page may have fewer than asked for, or none.
   * `InvalidArgument` for a cursor that is not of this cache, or of the server before a restart, and
   * `FailedPrecondition` where a fleet's slots moved: begin again, without a cursor. `Unknown` from a server that has no
   * such call, as those of the public protocol alone.
   */
  async scanKeys(cacheName: string, options: ScanOptions = {}): Promise<r.ScanKeysResponse> {
    const scan = scanOf(cacheName, options);
    return scan.operation === null ? scan.refusal : this.calls.make(scan.operation, scan.options);
  }

  /**
   * A page of what a collection holds, which may be too large for one answer. Call it again with the page's `cursor` until
   * that is empty: every element that is there from the first page to the last is on one of them at least.
   * `FailedPrecondition` for a scalar, and where the collection's type has changed or a fleet's masters have;
   * `InvalidArgument` for a cursor that is not of this key, or of the server before a restart: begin again, without a
   * cursor. `Unknown` from a server that has no such call, as those of the public protocol alone.
   */
  async scanItems(cacheName: string, name: Bytes, options: ScanItemsOptions = {}): Promise<r.ScanItemsResponse> {
    const scan = scanItemsOf(cacheName, name, options);
    return scan.operation === null ? scan.refusal : this.calls.make(scan.operation, scan.options);
  }
}
