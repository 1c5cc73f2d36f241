import type { Buffer } from "node:buffer";
import type { CallOptions, GetOrSetOptions, SetOptions } from "../client/client-options.js";
import type { CacheError } from "../client/errors.js";
import { isError } from "../client/or-throw.js";
import {
  type BatchResponses,
  ErrorResponse,
  type Hit,
  type LookupResponse,
  type SuccessResponse,
} from "../client/responses.js";
import { checkTtl, itemsOf, maxBatchItems, tooManyItems } from "../client/validation.js";
import type { BatchCacheAside, BatchFactory } from "../leases/batch-cache-aside.js";
import type { CacheAside, Factory } from "../leases/cache-aside.js";
import type { ItemCalls } from "../leases/item-calls.js";
import type { Bytes } from "../operations/proto-writer.js";
import type { Codec } from "./codec.js";
import { TypedLoadDecoder } from "./typed-load-decoder.js";
import { type TypedCacheOptions, TypedValues } from "./typed-values.js";

/** A hit of a typed cache. The value is null if null was stored. */
export interface TypedHit<T> {
  readonly result: "hit";
  readonly value: T | null;
}

/**
 * Items of a typed batch: an object or a Map from keys to values, or an iterable of `[key, value]` or
 * `[key, value, ttlMs]`. An item without `ttlMs` gets the time to live of the call.
 */
export type TypedBatchItems<T> =
  | Iterable<readonly [key: Bytes, value: T | null, ttlMs?: number | undefined]>
  | Readonly<Record<string, T | null>>;

/** The objects that load missing values: one for single keys and one for batches of keys. */
export interface CacheLoaders {
  readonly single: CacheAside;
  readonly batch: BatchCacheAside;
}

let typedCaches = 0;

/**
 * A cache with values of one type, which a codec encodes (`protocol/spec/codecs.md`). It cannot read values that
 * untyped calls stored. For calls that this class does not have, use the cache handle with the same keys. Null can be
 * stored, but undefined cannot. If the codec cannot encode a value, the call rejects with the codec's exception and
 * nothing is stored.
 */
export class TypedCache<T> {
  readonly #values: TypedValues<T>;
  // Concurrent loads of a key are shared under a prefix. All typed caches with the same content type use the same
  // `#flight`. Only this typed cache uses `#ownFlight`.
  readonly #flight: string;
  readonly #ownFlight: string;

  /** @internal */
  constructor(
    private readonly cache: ItemCalls,
    codec: Codec<T>,
    options: TypedCacheOptions | undefined,
    private readonly asides: CacheLoaders,
  ) {
    this.#values = new TypedValues(codec, options);
    this.#flight = `\0typed ${this.#values.content}\0`;
    this.#ownFlight = `\0typed ${this.#values.content}, ${++typedCaches}\0`;
  }

  /** The cache's name. */
  get name(): string {
    return this.cache.name;
  }

  /**
   * Gets the value of a key. If the codec cannot decode the stored bytes, the error is `DecodingFailed`.
   * @returns `hit`, `miss` or `error`.
   */
  get(key: Bytes, options?: CallOptions): Promise<LookupResponse<TypedHit<T>>> {
    try {
      const kept = this.#findKept(key, options);
      if (kept instanceof Promise) return kept.then(() => this.get(key, options));
      return kept === null
        ? this.cache.get(key, options).then((got) => this.#read(got))
        : Promise.resolve<LookupResponse<TypedHit<T>>>(kept);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /** Stores a value. If the encoded value is larger than `maxDecodedBytes`, the error is `InvalidArgument`. */
  async set(key: Bytes, value: T | null, options?: SetOptions): Promise<SuccessResponse> {
    const bytes = this.#values.encode(value);
    return isError(bytes) ? bytes : this.cache.set(key, bytes, options);
  }

  /**
   * Returns the stored value or loads it, as the handle's `getOrSet` does, and encodes loaded values with the codec.
   * Each caller gets its own object, unless `keepObjects` is set. A stored value that cannot be decoded counts as a
   * miss and is replaced. Rejects like the handle's `getOrSet`, and also in these cases:
   *
   * - If the codec throws while it encodes the new value, rejects with that exception.
   * - If the encoded new value is larger than `maxDecodedBytes`, rejects with a CacheError, `InvalidArgument`.
   * - If the codec cannot decode the bytes that it encoded, rejects with a CacheError, `DecodingFailed`.
   */
  async getOrSet(key: Bytes, factory: Factory<T | null>, options?: GetOrSetOptions<T | null>): Promise<T | null> {
    if (typeof factory !== "function") throw new TypeError("the factory must be a function");
    const kept = await this.#findKeptForLoad(key, options);
    if (kept !== null) return kept.value;
    let made = false;
    const counted: Factory<T | null> = (signal, context) => {
      made = true;
      return factory(signal, context);
    };
    const reading = new TypedLoadDecoder(this.#values);
    const load = async (flight: string) =>
      reading.decode(await this.asides.single.getOrSet(this.cache, key, counted, options, reading.form(flight)));
    try {
      return await load(this.#flight);
    } catch (error) {
      // Another typed cache started the load. Its codec can decode the value, but the codec of this typed cache cannot.
      if (reading.hasFailed && !made) return load(this.#ownFlight);
      throw error;
    }
  }

  /**
   * Returns the stored values and loads the missing ones, as the handle's `getOrSetBatch` does. A stored value that
   * cannot be decoded counts as a miss and is replaced.
   */
  async getOrSetBatch(
    keys: Iterable<Bytes>,
    factory: BatchFactory<T | null>,
    options?: SetOptions,
  ): Promise<(T | null)[]> {
    const reading = new TypedLoadDecoder(this.#values);
    const form = reading.form(this.#flight);
    const all = await this.asides.batch.getOrSetBatch(this.cache, keys, factory, options, form);
    return all.map((bytes) => reading.decode(bytes));
  }

  /**
   * Gets the values of many keys. The responses are in the order of the keys. If a value cannot be decoded, its
   * response is an error.
   */
  async getBatch(keys: Iterable<Bytes>, options?: CallOptions): Promise<SuccessResponse<BatchResponses<TypedHit<T>>>> {
    const got = await this.cache.getBatch(keys, options);
    return got.result === "error"
      ? got
      : { result: "success", responses: got.responses.map((each) => this.#read(each)) };
  }

  /** Stores many items in one call, in the given order. If a value cannot be encoded, no item is stored. */
  async setBatch(items: TypedBatchItems<T>, options?: SetOptions): Promise<SuccessResponse> {
    const encoded: [Bytes, Buffer, (number | undefined)?][] = [];
    for (const item of itemsOf<T | null>(items)) {
      if (!Array.isArray(item) || item.length < 2 || item.length > 3)
        throw new TypeError("an item must be [key, value] or [key, value, ttlMs]");
      if (encoded.length === maxBatchItems) return tooManyItems();
      const [key, value, ttlMs] = item as [Bytes, T | null, (number | undefined)?];
      const bytes = this.#values.encode(value);
      if (isError(bytes)) return bytes;
      encoded.push([key, bytes, ttlMs]);
    }
    return this.cache.setBatch(encoded as Iterable<readonly [Bytes, Bytes, number?]>, options);
  }

  // Returns the hit whose value is kept with the near copy. Decodes and keeps the value if this is the first read of the
  // copy. Returns a promise if the event loop must run first, and null if there is no copy that can be decoded.
  #findKept(key: Bytes, options: CallOptions | undefined): TypedHit<T> | Promise<void> | null {
    if (!this.#values.mayKeep) return null;
    const copy = this.cache.nearCopy(key, options);
    if (copy === null || copy instanceof Promise) return copy;
    const { decoded, valueLengthBytes } = copy;
    if (decoded !== null && this.#values.decodesLike(decoded.decoder)) return decoded.hit as TypedHit<T>;
    const read = this.#read(copy.hit());
    if (read.result !== "hit") return null;
    if (this.#values.keeps(read.value)) {
      const hit = Object.freeze(read);
      const bytes = this.#values.objectBytes(read.value, valueLengthBytes);
      this.cache.keepDecoded(copy, { decoder: this.#values, hit }, bytes);
    }
    return read;
  }

  async #findKeptForLoad(key: Bytes, options: GetOrSetOptions<T | null> | undefined): Promise<TypedHit<T> | null> {
    const { signal, timeoutMs, ttlMs } = options ?? {};
    if (options !== undefined) {
      this.asides.single.check(this.cache, options);
      if (ttlMs !== undefined && checkTtl(ttlMs) !== null) return null;
    }
    let kept = this.#findKept(key, { signal, timeoutMs });
    while (kept instanceof Promise) {
      await kept;
      kept = this.#findKept(key, { signal, timeoutMs });
    }
    return kept;
  }

  #read(got: LookupResponse<Hit>): LookupResponse<TypedHit<T>> {
    if (got.result !== "hit") return got;
    try {
      return { result: "hit", value: this.#values.decode(got.valueBytes) };
    } catch (error) {
      return new ErrorResponse(error as CacheError);
    }
  }
}
