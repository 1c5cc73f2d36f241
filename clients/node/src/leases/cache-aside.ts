import type { Buffer } from "node:buffer";
import type { Clock } from "../calls/clock.js";
import { runWithTimeout } from "../calls/time-limit.js";
import type { GetOrSetOptions, SetOptions } from "../client/client-options.js";
import {
  checkKey,
  checkTtl,
  requireBytes,
  requireKnownOptions,
  requireSignal,
  toBuffer,
} from "../client/validation.js";
import { type Bytes, copyBytes } from "../operations/proto-writer.js";
import type { CacheWarnings } from "../telemetry/cache-warnings.js";
import { BackgroundLoads } from "./background-loads.js";
import { FactoryContext, type KnownStale } from "./factory-context.js";
import { type FactoryValue, factoryValue, type ValueForm } from "./factory-value.js";
import type { ItemCalls } from "./item-calls.js";
import { LeaseCalls } from "./lease-calls.js";
import { type LeaseSettings, leaseOptionNames, leaseSettingsOf } from "./lease-settings.js";
import { isFallback } from "./lease-times.js";
import { LeasedLoad } from "./leased-load.js";
import { SingleFlight, type SoftTimeout, type StaleOffer } from "./single-flight.js";

/**
 * Loads a missing value. `signal` aborts when no caller waits for the value any more, or when `hardTimeoutMs` has
 * passed. It may be undefined if the caller passed neither a signal nor `hardTimeoutMs`. `context` contains the stale
 * value and determines how the result is stored.
 */
export type Factory<V = Bytes, Stale extends V = V> = (
  signal: AbortSignal | undefined,
  context: FactoryContext<Stale>,
) => V | Promise<V>;

/** A request for the value of one key. */
interface LoadRequest {
  readonly cache: ItemCalls;
  readonly key: Bytes;
  /** Runs the factory. `stale` is the stale value for its context. */
  readonly make: (signal: AbortSignal | undefined, stale: KnownStale | null) => Promise<FactoryValue>;
  readonly usable: (bytes: Buffer) => boolean;
  readonly options: SetOptions;
  /** Settings for loading with a lease. Null if each process loads its own value. */
  readonly lease: LeaseSettings | null;
}

/** Implements `getOrSet`: concurrent callers for one key share one factory call. */
export class CacheAside {
  readonly #flights = new SingleFlight();
  readonly #background = new BackgroundLoads();

  constructor(
    private readonly clock: Clock,
    private readonly warnings: CacheWarnings,
  ) {}

  /**
   * Returns the bytes of a value in a buffer that belongs to the caller. Concurrent callers share one load if
   * they use the same key and the same encoding of values.
   * @throws TypeError for an argument of a wrong type.
   * @throws CacheError for a lease option that is out of range.
   */
  getOrSet<V, S extends V>(
    cache: ItemCalls,
    key: Bytes,
    factory: Factory<V, S>,
    options: GetOrSetOptions<V> | undefined,
    form: ValueForm<V, S>,
  ): Promise<Buffer> {
    if (typeof factory !== "function") throw new TypeError("the factory must be a function");
    requireBytes("key", key);
    const { signal, ttlMs, timeoutMs, ttlOf = null } = options ?? {};
    const lease = this.check(cache, options);
    const name = typeof key === "string" ? `s${key}` : `b${toBuffer(key).toString("latin1")}`;
    return this.#flights.run(
      `${form.flight}${cache.name}\0${name}`,
      signal,
      (all, within, alone, offer) => {
        const tags = lease?.tags ?? [];
        const madeWith = async (given: AbortSignal | undefined, stale: KnownStale | null) => {
          const context = new FactoryContext(stale, form.decode);
          const value = (await within(() => factory(given, context))) as V;
          return factoryValue(value, { form, context, stale, ttlOf, tags });
        };
        const limitMs = lease?.hardTimeoutMs ?? Number.POSITIVE_INFINITY;
        const asked = {
          cache,
          key: lease === null ? key : copyBytes(key),
          make: (given: AbortSignal | undefined, stale: KnownStale | null) =>
            runWithTimeout(this.clock, (signal) => madeWith(signal, stale), limitMs, given),
          usable: form.usable,
          options: { ttlMs, timeoutMs, signal: all },
          lease,
        };
        return this.#load(asked, alone, offer);
      },
      this.#softTimeout(cache.name, lease),
    );
  }

  // Returns the soft timeout of a call, or null if the call has no soft timeout or accepts no stale value.
  #softTimeout(cacheName: string, lease: LeaseSettings | null): SoftTimeout | null {
    if (lease === null || lease.softTimeoutMs === Number.POSITIVE_INFINITY || lease.failSafeForMs === 0) return null;
    return {
      clock: this.clock,
      softTimeoutMs: lease.softTimeoutMs,
      allows: (expiredMs) => isFallback(expiredMs, lease),
      exceeded: () => this.warnings.softTimeoutExceeded(cacheName),
    };
  }

  /**
   * Validates the options of a call and returns its lease settings.
   * @throws TypeError for an option of a wrong type.
   * @throws CacheError for a lease option that is out of range.
   */
  check(cache: ItemCalls, options: GetOrSetOptions<never> | undefined): LeaseSettings | null {
    if (options !== undefined) requireKnownOptions(options, leaseOptionNames);
    if (options?.signal !== undefined) requireSignal(options.signal);
    return leaseSettingsOf(options ?? {}, cache.calls.ttl(options));
  }

  // Loads a value. The load begins with a plain get, even if it uses a lease, because a get is cheaper than a lease
  // request and may find the value in the near cache.
  async #load(asked: LoadRequest, alone: boolean, offer: (stale: StaleOffer | null) => void): Promise<Buffer> {
    const { cache, key, make, usable, options, lease } = asked;
    const badTtl = options.ttlMs === undefined ? null : checkTtl(options.ttlMs);
    const invalid = checkKey(key) ?? cache.invalidName ?? badTtl;
    if (invalid !== null) throw invalid.error;
    const found = await cache.get(key, options);
    if (found.result === "hit" && usable(found.valueBytes)) return found.valueBytes;
    options.signal?.throwIfAborted();
    if (found.result === "error") {
      if (found.error.code === "InvalidArgument") throw found.error;
      this.warnings.notStored(cache.name, found.error);
      return (await make(options.signal, null)).bytes;
    }
    if (lease !== null) return alone ? (await make(options.signal, null)).bytes : this.#leased(asked, lease, offer);
    const made = await make(options.signal, null);
    if (made.isStored) await this.#store(asked, made);
    return made.bytes;
  }

  // Stores a loaded value without a lease.
  async #store({ cache, key, options }: LoadRequest, { bytes, ttlMs, tags, validator }: FactoryValue): Promise<void> {
    if (tags.length === 0) {
      const set = await cache.set(key, bytes, ttlMs === null ? options : { ...options, ttlMs });
      if (set.result === "error") this.warnings.notStored(cache.name, set.error);
      return;
    }
    const item = { value: bytes, ttlMs: ttlMs ?? cache.calls.ttl(options), staleMs: 0, token: null, tags, validator };
    const failure = await new LeaseCalls(cache.calls, cache.name, key, options.timeoutMs).store(item, options.signal);
    if (failure !== null) this.warnings.notStored(cache.name, failure);
  }

  // Loads a value with a lease. Must not be used if `alone` is true. In that case another load of the same key waits
  // for this load. If that other load has the lease, this load would never get it. The value of this load is not
  // stored, because the other load stores its own value.
  #leased(
    { cache, key, make, usable, options }: LoadRequest,
    settings: LeaseSettings,
    offer: (stale: StaleOffer | null) => void,
  ): Promise<Buffer> {
    const load = new LeasedLoad({
      calls: new LeaseCalls(cache.calls, cache.name, key, options.timeoutMs),
      load: make,
      isDecodable: usable,
      settings,
      ttlMs: cache.calls.ttl(options),
      clock: this.clock,
      random: Math.random,
      background: this.#background,
      warnings: this.warnings,
      offer,
    });
    return load.run(options.signal);
  }
}
