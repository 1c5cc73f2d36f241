import type { Buffer } from "node:buffer";
import type { CallMaker } from "../calls/call-maker.js";
import { ScanCalls } from "../calls/scan-calls.js";
import type { Codec } from "../codecs/codec.js";
import { type Asides, TypedCache } from "../codecs/typed-cache.js";
import type { TypedCacheOptions } from "../codecs/typed-values.js";
import type { BatchFactory } from "../leases/batch-aside.js";
import type { Factory } from "../leases/cache-aside.js";
import { plainForm } from "../leases/factory-value.js";
import { overdue } from "../near/near-cache.js";
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

/** Parts that the handles of one client share. */
export interface CacheParts extends Pick<ClientParts, "near" | "topics"> {
  readonly asides: Asides;
}

/**
 * A handle of one cache, which has all calls on its data: `client.cache("orders")`. It costs nothing on the server, and
 * any number of callers may use it at once. Calls return a response whose `result` says what happened; only arguments of a
 * wrong type reject (`TypeError`). If the cache's name is invalid, each call returns the error `InvalidArgument`.
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
   * Returns a handle of the same cache whose calls have another timeout than the configuration's. A call's own
   * `timeoutMs` takes precedence. Subscriptions keep the configuration's timeout.
   * @param timeoutMs Milliseconds, over 0 … 3,600,000 (an hour). Anything else throws a TypeError or a RangeError.
   */
  withTimeout(timeoutMs: number): Cache {
    const invalid = checkTimeout(timeoutMs);
    if (invalid !== null) throw new RangeError(invalid.error.message);
    return new Cache(this.name, this.calls.withTimeout(timeoutMs), this.parts);
  }

  /**
   * Returns the cache with values of one type, stored by a codec: `textCodec`, `bytesCodec`, `jsonCodec()`, one of
   * `larder-cache/messagepack`, or your own.
   * @throws TypeError or RangeError if the codec or an option is invalid.
   */
  typed<T>(codec: Codec<T>, options?: TypedCacheOptions): TypedCache<T> {
    return new TypedCache(this, codec, options, this.parts.asides);
  }

  // get and set, the hot calls, are no async functions: each would cost a second promise and three turns of its queue.

  /**
   * Gets the value of a key, from the near cache if that has a copy.
   * @returns `hit`, `miss` or `error`.
   */
  get(key: Bytes, options?: CallOptions): Promise<LookupResponse<Hit>> {
    try {
      const invalid = checkKey(key) ?? this.invalidName;
      if (invalid !== null) return Promise.resolve<LookupResponse<Hit>>(invalid);
      const { near } = this.parts;
      if (near !== null && this.calls.mayAnswer(options)) {
        const hit = near.get(this.name, key);
        if (hit === overdue) return near.turn().then(() => this.get(key, options));
        if (hit !== null) return Promise.resolve(hit);
      }
      return this.calls.make(new GetOperation(this.name, key), options);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /**
   * Returns the near cache's copy of a value, without a call; undefined if it has none or there is no near cache.
   * @throws TypeError if the key has a wrong type.
   */
  tryGetNear(key: Bytes): Hit | undefined {
    const { near } = this.parts;
    if (near === null || (checkKey(key) ?? this.invalidName) !== null) return undefined;
    return near.find(this.name, key) ?? undefined;
  }

  /** Stores a value. */
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
   * Returns the value under `key`; on a miss runs `factory`, stores its value and returns it. Each caller gets a copy of
   * its own. Callers that request one key at the same time share one factory call, with the options of the first.
   *
   * If the cache fails, the factory's value is returned all the same; it is not stored if the get failed. For an error
   * that no retry can solve (the cache does not exist, no permission) one process warning is emitted. A factory may
   * request other keys. If it requests its own key, or one whose factory waits for this one, it runs that factory itself.
   *
   * With `leaseMs`, `refreshAheadForMs`, `revalidateForMs`, `failSafeForMs`, `jitter`, `tags` or `ttlOf` only one of all
   * processes that miss the key runs its factory. The others wait for its value until the lease ends or their signals
   * abort; factories of several clients that request each other's keys wait that long. If the server has no leases, the
   * call works without them, and a value that was to have tags is not stored.
   *
   * Rejects with what the factory throws, with the signal's reason, or with a CacheError for an invalid cache name, key
   * or option. A factory that no caller waits for is not run.
   */
  async getOrSet(key: Bytes, factory: Factory, options?: GetOrSetOptions): Promise<Buffer> {
    return this.parts.asides.one.getOrSet(this, key, factory, options, plainForm);
  }

  /**
   * Returns the values under `keys`, in their order. `factory` is called once with the missing keys (each once, in their
   * order) and returns a value for each, in that order. This takes one get batch, and one set batch for the new values;
   * there is no lease, and loads are not shared with other callers. If a key could not be read, its new value is returned
   * and not stored; a value that could not be stored is returned all the same. Without keys no call is made. Rejects as
   * `getOrSet` does, and with a TypeError if the factory returns another number of values; nothing is stored then.
   */
  async getOrSetBatch(keys: Iterable<Bytes>, factory: BatchFactory, options?: SetOptions): Promise<Buffer[]> {
    return this.parts.asides.many.getOrSetBatch(this, keys, factory, options, plainForm);
  }

  /**
   * Stores a value with tags, by which `removeByTag` invalidates it. If the server has no tags, nothing is stored and the
   * error is `Unknown`.
   * @param tags 1 to 128 tags, each of 1 to 1,024 bytes.
   */
  async setWithTags(key: Bytes, value: Bytes, tags: Iterable<Bytes>, options?: SetOptions): Promise<SuccessResponse> {
    const [ttlMs, given] = [this.calls.ttl(options), tagsOf(tags)];
    const invalid = checkItem(key, value, ttlMs) ?? this.invalidName ?? checkTags(given);
    return invalid ?? this.calls.make(new SetWithTagsOperation(this.name, key, value, ttlMs, given), options);
  }

  /**
   * Invalidates every item that has any of the tags, in one call whose cost does not depend on the number of items. Near
   * copies of the cache are dropped. If the server has no tags, the error is `Unknown`.
   * @param tags 1 to 128 tags, each of 1 to 1,024 bytes.
   */
  async removeByTag(tags: Iterable<Bytes>, options?: CallOptions): Promise<SuccessResponse> {
    const given = tagsOf(tags);
    const invalid = this.invalidName ?? checkTags(given);
    return invalid ?? this.calls.make(new RemoveByTagOperation(this.name, given), options);
  }

  /**
   * Publishes a message to a topic: text or bytes, at most 1 MiB. It succeeds without subscribers, too. It is not retried
   * if it may have run.
   */
  async publish(topic: string, value: Bytes, options?: CallOptions): Promise<SuccessResponse> {
    const invalid = checkText("value", value) ?? checkTopic(topic) ?? this.invalidName;
    return invalid ?? this.calls.make(new PublishOperation(this.name, topic, value), options);
  }

  /**
   * Subscribes to a topic, by default from the newest stored message on. If the stream is lost, the client subscribes
   * again after the last message that it received, at another server if there is one. A subscription that cannot
   * continue ends with one `error` event: `NotFound` (the cache does not exist), `PermissionDenied`, `Unauthenticated`,
   * `LimitExceeded` (the server is full), or `Unavailable` or `Timeout` (no server answered within the configuration's
   * timeout). Throws a TypeError for arguments of a wrong type, and the signal's reason if it is aborted.
   */
  subscribe(topic: string, options: SubscribeOptions = {}): TopicSubscription {
    return this.parts.topics.subscribe(this.name, topic, options);
  }
}
