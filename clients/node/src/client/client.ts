import { CallMaker } from "../calls/call-maker.js";
import { systemClock } from "../calls/clock.js";
import { firstToken } from "../configuration/token-source.js";
import { BatchCacheAside } from "../leases/batch-cache-aside.js";
import { CacheAside } from "../leases/cache-aside.js";
import type { NearCacheStatistics } from "../near/near-statistics.js";
import * as op from "../operations/_generated/table-operations.js";
import { ListCachesOperation } from "../operations/control-operations.js";
import { CacheWarnings } from "../telemetry/cache-warnings.js";
import type { ClientFigures, ClientStatistics } from "../telemetry/metrics.js";
import { Cache, type CacheParts } from "./cache.js";
import type { CacheClientOptions, CallOptions } from "./client-options.js";
import { checkedOptions } from "./client-options-check.js";
import { type ClientParts, clientParts, statisticsOf } from "./client-parts.js";
import { CacheError } from "./errors.js";
import type { CacheInfo, SuccessResponse } from "./responses.js";
import { checkCacheName } from "./validation.js";

const eagerConnectTimeoutMs = 30_000;
const holdMs = 30_000;

/**
 * A client of a Larder server. Create one, share it and close it. It limits its requests in flight, so any number of
 * callers may use it concurrently. `cache(name)` returns a handle with the calls on a cache's data. The calls of
 * the client itself create, list, flush and delete caches. An open client does not keep the process alive, but calls in
 * flight, `connect` and open subscriptions do. Calls return a response whose `result` is the outcome. They reject only
 * for arguments of a wrong type (`TypeError`).
 */
export class CacheClient implements AsyncDisposable {
  /** @internal */
  protected readonly parts: ClientParts;
  /** @internal */
  protected readonly calls: CallMaker;
  readonly #cacheParts: CacheParts;
  readonly #figures: ClientFigures;
  #isClosed = false;

  constructor(options: CacheClientOptions) {
    const checked = checkedOptions(options);
    this.parts = clientParts(checked);
    const { configuration, defaultTtlMs } = checked;
    this.calls = new CallMaker(this.parts.runner, { timeoutMs: configuration.requestTimeoutMs, defaultTtlMs });
    this.#figures = { endpoint: this.parts.endpoint, statistics: () => this.statistics() };
    const { near, topics, clock, log } = this.parts;
    const warnings = new CacheWarnings(log);
    this.#cacheParts = {
      near,
      topics,
      loaders: { single: new CacheAside(clock, warnings), batch: new BatchCacheAside(warnings) },
    };
    this.parts.hooks.clientOpened(this.#figures);
  }

  /**
   * Creates a client. If `eagerConnect` of the configuration is true, the client is connected before it is returned.
   * @throws Error if the client cannot connect.
   */
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

  /**
   * Connects before the first call.
   * @param timeoutMs - Milliseconds. The default is 30,000.
   * @throws Error with the reason if the client cannot connect in time.
   */
  async connect(timeoutMs = eagerConnectTimeoutMs): Promise<void> {
    if (this.#isClosed) throw new CacheError("Cancelled", "connect failed: the client is closed");
    const endsAt = systemClock.now() + timeoutMs;
    const { tokens } = this.parts;
    // The transports' timers do not keep the process alive. This timer keeps the process alive until `connect` has
    // finished.
    const hold = systemClock.schedule(() => {}, timeoutMs + holdMs);
    try {
      if (tokens !== null) await firstToken(tokens, timeoutMs);
      await this.parts.transport.connect(Math.max(1, endsAt - systemClock.now()));
    } finally {
      hold.cancel();
    }
  }

  /**
   * Returns a handle for reading and writing the data of one cache. Does not contact the server. If the name is
   * invalid, every call on the handle returns the error `InvalidArgument`.
   * @throws TypeError if the name is not a string.
   */
  cache(name: string): Cache {
    return new Cache(name, this.calls, this.#cacheParts);
  }

  /**
   * Returns the client's current state and counters, for example the calls in flight, the connections and the limits.
   */
  statistics(): ClientStatistics {
    return statisticsOf(this.parts);
  }

  /** Returns the size and the counters of the near cache, or null if the configuration has no near cache. */
  get nearCache(): NearCacheStatistics | null {
    return this.parts.near?.statistics() ?? null;
  }

  /** Ends all calls with `Cancelled`, ends all subscriptions, and closes the connections. */
  async close(): Promise<void> {
    this.parts.topics.close();
    this.parts.near?.close();
    this.parts.tokens?.close();
    this.parts.runner.close();
    this.parts.transport.close();
    this.parts.gateways?.close();
    this.parts.lag.close();
    if (!this.#isClosed) this.parts.hooks.clientClosed(this.#figures);
    this.#isClosed = true;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Lists the caches and their limits. */
  async listCaches(options?: CallOptions): Promise<SuccessResponse<{ readonly caches: readonly CacheInfo[] }>> {
    return this.calls.make(new ListCachesOperation(), options);
  }

  // operations: calls

  /** Creates a cache. Fails with `AlreadyExists` if the cache already exists. */
  async createCache(name: string, options?: CallOptions): Promise<SuccessResponse> {
    return checkCacheName(name) ?? this.calls.make(new op.CreateCacheOperation(name), options);
  }

  /** Deletes a cache and its items. Fails with `NotFound` if the cache does not exist. */
  async deleteCache(name: string, options?: CallOptions): Promise<SuccessResponse> {
    return checkCacheName(name) ?? this.calls.make(new op.DeleteCacheOperation(name), options);
  }

  /** Deletes all items of a cache. Fails with `NotFound` if the cache does not exist. */
  async flushCache(name: string, options?: CallOptions): Promise<SuccessResponse> {
    return checkCacheName(name) ?? this.calls.make(new op.FlushCacheOperation(name), options);
  }

  /** Checks that the server responds. */
  async ping(options?: CallOptions): Promise<SuccessResponse> {
    return this.calls.make(new op.PingOperation(), options);
  }

  // operations: end
}
