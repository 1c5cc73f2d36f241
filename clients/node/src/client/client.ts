import { CallMaker } from "../calls/call-maker.js";
import { systemClock } from "../calls/clock.js";
import { firstToken } from "../configuration/token-source.js";
import { BatchAside } from "../leases/batch-aside.js";
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
 * A client of a Larder server. Make one, share it, close it: it caps its own requests in flight, so any number of
 * callers may use it at once. `cache(name)` returns a handle, which has the calls on a cache's data; the client's own
 * calls administer caches. An open client does not keep the process running: only calls under way, a `connect` and open
 * subscriptions do. Calls answer a response whose `result` says what happened; they do not reject, but for
 * arguments of a wrong type (`TypeError`).
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
      asides: { one: new CacheAside(clock, warnings), many: new BatchAside(warnings) },
    };
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

  /**
   * Returns a handle of one cache, which has all calls on its data. Makes no call. Throws a TypeError if the name is not
   * a string; for another invalid name each of the handle's calls answers `InvalidArgument`.
   */
  cache(name: string): Cache {
    return new Cache(name, this.calls, this.#cacheParts);
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

  /** The server's caches, with what each allows. */
  async listCaches(options?: CallOptions): Promise<SuccessResponse<{ readonly caches: readonly CacheInfo[] }>> {
    return this.calls.make(new ListCachesOperation(), options);
  }

  // operations: calls

  /** Makes a cache. `AlreadyExists` where it is there. */
  async createCache(name: string, options?: CallOptions): Promise<SuccessResponse> {
    return checkCacheName(name) ?? this.calls.make(new op.CreateCacheOperation(name), options);
  }

  /** Drops a cache with its items. `NotFound` where it is not there. */
  async deleteCache(name: string, options?: CallOptions): Promise<SuccessResponse> {
    return checkCacheName(name) ?? this.calls.make(new op.DeleteCacheOperation(name), options);
  }

  /** Empties a cache. `NotFound` where it is not there. */
  async flushCache(name: string, options?: CallOptions): Promise<SuccessResponse> {
    return checkCacheName(name) ?? this.calls.make(new op.FlushCacheOperation(name), options);
  }

  /** Asks the server for an answer, and nothing else. */
  async ping(options?: CallOptions): Promise<SuccessResponse> {
    return this.calls.make(new op.PingOperation(), options);
  }

  // operations: end
}
