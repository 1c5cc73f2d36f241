import type { Buffer } from "node:buffer";
import type { CallMaker } from "../calls/call-maker.js";
import { ScanCalls } from "../calls/scan-calls.js";
import type { Codec } from "../codecs/codec.js";
import { type CacheLoaders, TypedCache } from "../codecs/typed-cache.js";
import type { TypedCacheOptions } from "../codecs/typed-values.js";
import type { BatchFactory } from "../leases/batch-cache-aside.js";
import type { Factory } from "../leases/cache-aside.js";
import { plainForm } from "../leases/factory-value.js";
import { mustYield } from "../near/near-cache.js";
import type { DecodedCopy, NearCopy } from "../near/near-copy.js";
import { SetWithTagsOperation } from "../operations/lease-operations.js";
import type { Bytes } from "../operations/proto-writer.js";
import { GetOperation, SetOperation } from "../operations/scalar-operations.js";
import { checkTags, tagsOf } from "../operations/tag-list.js";
import { RemoveByTagOperation } from "../operations/tag-operations.js";
import { checkTopic, type SubscribeOptions } from "../topics/subscribe-options.js";
import { PublishOperation } from "../topics/topic-messages.js";
import type { TopicSubscription } from "../topics/topic-subscription.js";
import type { CallOptions, GetOrSetOptions, SetOptions } from "./client-options.js";
import type { ClientParts } from "./client-parts.js";
import type { Hit, LookupResponse, SuccessResponse } from "./responses.js";
import { checkItem, checkKey, checkText, checkTimeout } from "./validation.js";

/** The objects that all cache handles of one client share. */
export interface CacheParts extends Pick<ClientParts, "near" | "topics"> {
  readonly loaders: CacheLoaders;
}

/**
 * A handle for reading and writing the data of one cache: `client.cache("orders")`. A handle uses no resources on the
 * server, and any number of callers may use it concurrently. Calls return a response whose `result` is the outcome.
 * They reject only for arguments of a wrong type (`TypeError`). If the cache's name is invalid, each call returns the
 * error `InvalidArgument`.
 */
export class Cache extends ScanCalls {
  /** @internal */
  constructor(
    name: string,
    calls: CallMaker,
    private readonly parts: CacheParts,
  ) {
    super(name, calls);
  }

  /**
   * Returns a handle for the same cache with another default timeout for calls. A call's own `timeoutMs` takes
   * precedence. Subscriptions keep the timeout of the configuration.
   * @param timeoutMs - Milliseconds, more than 0 and at most 3,600,000 (one hour).
   * @throws TypeError if the timeout is not a number.
   * @throws RangeError if the timeout is out of range.
   */
  withTimeout(timeoutMs: number): Cache {
    const invalid = checkTimeout(timeoutMs);
    if (invalid !== null) throw new RangeError(invalid.error.message);
    return new Cache(this.name, this.calls.withTimeout(timeoutMs), this.parts);
  }

  /**
   * Returns a view of the cache for values of one type, which a codec encodes. The codec is `textCodec`, `bytesCodec`,
   * `jsonCodec()`, a codec of `larder-cache/messagepack`, or your own.
   * @throws TypeError or RangeError if the codec or an option is invalid.
   */
  typed<T>(codec: Codec<T>, options?: TypedCacheOptions): TypedCache<T> {
    return new TypedCache(this, codec, options, this.parts.loaders);
  }

  // `get` and `set` are called most often. They are not async functions, because an async function would cost a second
  // promise and three microtask turns per call.

  /**
   * Gets the value of a key. If the near cache has a copy of the value, no request is made.
   * @returns `hit`, `miss` or `error`.
   */
  get(key: Bytes, options?: CallOptions): Promise<LookupResponse<Hit>> {
    try {
      const invalid = checkKey(key) ?? this.invalidName;
      if (invalid !== null) return Promise.resolve<LookupResponse<Hit>>(invalid);
      const { near } = this.parts;
      if (near !== null && this.calls.mayAnswer(options)) {
        const copy = near.get(this.name, key);
        if (copy === mustYield) return near.turn().then(() => this.get(key, options));
        if (copy !== null) return Promise.resolve(copy.hit());
      }
      return this.calls.make(new GetOperation(this.name, key), options);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /**
   * Returns the near cache's copy of a value, without a request to the server. Returns undefined if there is no copy or
   * no near cache.
   * @throws TypeError if the key has a wrong type.
   */
  tryGetNear(key: Bytes): Hit | undefined {
    const { near } = this.parts;
    if (near === null || (checkKey(key) ?? this.invalidName) !== null) return undefined;
    return near.find(this.name, key) ?? undefined;
  }

  /** @internal */
  nearCopy(key: Bytes, options: CallOptions | undefined): NearCopy | Promise<void> | null {
    const { near } = this.parts;
    if (near === null || (checkKey(key) ?? this.invalidName) !== null || !this.calls.mayAnswer(options)) return null;
    const copy = near.get(this.name, key);
    return copy === mustYield ? near.turn() : copy;
  }

  /** @internal */
  keepDecoded(copy: NearCopy, decoded: DecodedCopy, decodedBytes: number): void {
    this.parts.near?.state.attach(copy, decoded, decodedBytes);
  }

  /**
   * Stores a value. The time to live is `ttlMs` of the options. The default is the client's `defaultTtlMs`.
   * @returns `success` or `error`.
   */
  set(key: Bytes, value: Bytes, options?: SetOptions): Promise<SuccessResponse> {
    try {
      const ttlMs = this.calls.ttl(options);
      const invalid = checkItem(key, value, ttlMs) ?? this.invalidName;
      return invalid === null
        ? this.calls.make(new SetOperation(this.name, key, value, ttlMs), options)
        : Promise.resolve<SuccessResponse>(invalid);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /**
   * Returns the value of `key`. On a miss, runs `factory`, stores its value and returns it. Each caller gets its own
   * copy. Concurrent callers for one key share one factory call, with the options of the first caller.
   *
   * If the cache fails, the caller still gets the factory's value. The value is not stored if the get failed. A
   * permanent error, for example a cache that does not exist, causes one process warning. A factory may request other
   * keys with `getOrSet`. If a factory requests its own key, or a key whose load is waiting for this factory, the
   * nested call does not wait for that load. The nested call runs its own factory instead.
   *
   * If any of the options `leaseMs`, `refreshAheadForMs`, `revalidateForMs`, `failSafeForMs`, `softTimeoutMs`,
   * `hardTimeoutMs`, `jitter`, `tags` or `ttlOf` is set, only one of the processes that miss the key runs its factory.
   * The others wait for its value until the lease ends or their signals abort. If factories of several clients request
   * each other's keys, the factories also wait until a lease ends. If the server does not support leases, the call
   * works without a lease, and a value with tags is not stored.
   *
   * The second argument of the factory is a {@link FactoryContext}. It contains the stale value, if there is one. With
   * it, the factory can declare that the stale value is still valid, and decide how its result is stored.
   *
   * Rejects with the factory's exception, with the signal's reason, or with a CacheError for an invalid cache name, key
   * or option. The factory is not run if no caller waits for its value.
   */
  async getOrSet(key: Bytes, factory: Factory<Bytes, Buffer>, options?: GetOrSetOptions): Promise<Buffer> {
    return this.parts.loaders.single.getOrSet(this, key, factory, options, plainForm);
  }

  /**
   * Returns the values of `keys`, in their order. If keys are missing, `factory` is called once with all missing keys,
   * without duplicates and in order. The factory must return one value per key, in the same order. `getOrSetBatch`
   * makes one get batch, and one set batch for the new values. It uses no lease and does not share loads with other
   * callers. If a key could not be read, its new value is returned but not stored. A value that could not be stored is
   * still returned. If `keys` is empty, no request is made.
   *
   * Rejects like `getOrSet`. Also rejects with a TypeError if the factory returns a wrong number of values; nothing is
   * stored in that case.
   */
  async getOrSetBatch(keys: Iterable<Bytes>, factory: BatchFactory, options?: SetOptions): Promise<Buffer[]> {
    return this.parts.loaders.batch.getOrSetBatch(this, keys, factory, options, plainForm);
  }

  /**
   * Stores a value with tags. `removeByTag` with any of these tags invalidates the value. If the server does not
   * support tags, nothing is stored and the error is `Unknown`.
   * @param tags - 1 to 128 tags, each of 1 to 1,024 bytes.
   */
  async setWithTags(key: Bytes, value: Bytes, tags: Iterable<Bytes>, options?: SetOptions): Promise<SuccessResponse> {
    const [ttlMs, given] = [this.calls.ttl(options), tagsOf(tags)];
    const invalid = checkItem(key, value, ttlMs) ?? this.invalidName ?? checkTags(given);
    return invalid ?? this.calls.make(new SetWithTagsOperation(this.name, key, value, ttlMs, given), options);
  }

  /**
   * Invalidates every item that has any of the tags, in one call. The cost of the call does not depend on the number of
   * items. All near copies of the cache's values are removed. If the server does not support tags, the error is
   * `Unknown`.
   * @param tags - 1 to 128 tags, each of 1 to 1,024 bytes.
   */
  async removeByTag(tags: Iterable<Bytes>, options?: CallOptions): Promise<SuccessResponse> {
    const given = tagsOf(tags);
    const invalid = this.invalidName ?? checkTags(given);
    return invalid ?? this.calls.make(new RemoveByTagOperation(this.name, given), options);
  }

  /**
   * Publishes a message to a topic. The message is text or bytes with at most 1 MiB. The call succeeds even if the
   * topic has no subscribers. The client does not retry the call if it may have run.
   */
  async publish(topic: string, value: Bytes, options?: CallOptions): Promise<SuccessResponse> {
    const invalid = checkText("value", value) ?? checkTopic(topic) ?? this.invalidName;
    return invalid ?? this.calls.make(new PublishOperation(this.name, topic, value), options);
  }

  /**
   * Subscribes to a topic. By default the subscription starts at the newest stored message. If the connection is lost,
   * the client resubscribes after the last message that it received, without a time limit once it has received a
   * message. If there are several servers, the client may use another server.
   *
   * A subscription that cannot continue ends with one `error` event. Its codes are:
   * - `InvalidArgument`: the topic, the cache name or the start is invalid.
   * - `NotFound`: the cache does not exist.
   * - `PermissionDenied`, `Unauthenticated`, `FailedPrecondition`: the server rejected the subscription.
   * - `LimitExceeded`: the server has the maximum number of subscribers.
   * - `Unknown`: the server does not support subscriptions.
   * - `Unavailable`, `Timeout`: no server accepted the subscription within `requestTimeoutMs`.
   * - `ClientOverloaded`: the client has the maximum number of subscriptions.
   * - `Cancelled`: the client was closed before the call. If the client is closed later, the subscription ends without
   *   an `error` event.
   * @param topic - Name of the topic, not empty.
   * @param options - Where the subscription starts, whether it reports heartbeats, and a signal that ends it.
   * @returns The events, to be read with `for await` by one reader. The iteration does not throw.
   * @throws TypeError if an argument has a wrong type, or if an option has an unknown name.
   */
  subscribe(topic: string, options: SubscribeOptions = {}): TopicSubscription {
    return this.parts.topics.subscribe(this.name, topic, options);
  }
}
