import { monotonicMs } from "../calls/system-timers.js";
import type { CacheClient } from "./client.js";
import { isError, orThrow } from "./or-throw.js";
import type { ErrorResponse } from "./responses.js";
import { maxTtlMs } from "./validation.js";

// Used if the server does not list the cache. In that case the cache does not exist, and the next call fails with
// `NotFound`.
const defaultLongestMs = 86_400_000;
// The server may be restarted with a higher limit. After this time the client tries the longer TTL again.
const keptMs = 60_000;

/**
 * Tracks the longest TTL that a server allows (`--max-ttl`). It is used by adapters whose values may expire early. A
 * TTL above the limit is shortened. The first shortened TTL of an adapter causes a process warning.
 */
export class MaxTtlLimiter {
  #asked: Promise<number> | null = null;
  // The limit that the server last enforced, and the time of the rejection. Null if the server has not rejected a TTL
  // recently.
  #limit: { readonly ms: number; readonly at: number } | null = null;
  #warned = false;

  constructor(
    private readonly client: CacheClient,
    private readonly cacheName: string,
    private readonly now: () => number = monotonicMs,
  ) {}

  /**
   * Returns the longest TTL that the server allows for the cache, in milliseconds. The server is asked once, and the
   * result is cached. Rejects if the request fails.
   */
  get(): Promise<number> {
    this.#asked ??= this.#ask().catch((error: unknown) => {
      this.#asked = null;
      throw error;
    });
    return this.#asked;
  }

  /**
   * Runs a write with the TTL `askedMs`, or with the known limit if that is shorter. If the server rejects the TTL,
   * runs the write again with the server's limit. The TTL is not checked before the first write, because only the
   * server's error shows that it is too long.
   */
  async write<R extends { readonly result: string }>(
    askedMs: number,
    write: (ttlMs: number) => Promise<R | ErrorResponse>,
  ): Promise<R | ErrorResponse> {
    if (this.#limit !== null && this.now() - this.#limit.at >= keptMs) this.#limit = null;
    const triedMs = Math.min(askedMs, this.#limit?.ms ?? maxTtlMs);
    const response = await write(triedMs);
    if (!isError(response)) {
      if (triedMs < askedMs) this.#warn(triedMs);
      return response;
    }
    // Discard the cached limit, because the server may have been restarted with another one.
    this.#asked = null;
    if (response.error.code !== "InvalidArgument") return response;
    const longestMs = await this.get().catch(() => triedMs);
    if (!(longestMs < triedMs)) return response;
    this.#limit = { ms: longestMs, at: this.now() };
    const second = await write(longestMs);
    if (!isError(second)) this.#warn(longestMs);
    return second;
  }

  async #ask(): Promise<number> {
    const { caches } = orThrow(await this.client.listCaches());
    const cache = caches.find(({ name }) => name === this.cacheName);
    return cache === undefined ? defaultLongestMs : cache.maxTtlSeconds * 1_000;
  }

  #warn(ttlMs: number): void {
    if (this.#warned) return;
    this.#warned = true;
    process.emitWarning(
      `cache '${this.cacheName}': a time to live was shortened to ${ttlMs} ms, the server's limit; ` +
        "start the server with a larger --max-ttl to keep values longer. This warning is emitted once",
      "LarderWarning",
    );
  }
}
