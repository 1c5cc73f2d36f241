import { monotonicMs } from "../calls/system-timers.js";
import type { CacheClient } from "./client.js";
import { isError, orThrow } from "./or-throw.js";
import type { ErrorResponse } from "./responses.js";
import { maxTtlMs } from "./validation.js";

// That of a server that does not list the cache; the cache is then missing, and the next call fails with that.
const defaultLongestMs = 86_400_000;
// A server may be restarted with a longer time: so long after it refused one, it is asked again.
const keptMs = 60_000;

/**
 * The longest time to live that a server allows (`--max-ttl`), for an adapter whose values may expire early: a longer time
 * is shortened, and the first one of an adapter is a process warning.
 */
export class LongestTtl {
  #asked: Promise<number> | null = null;
  // What the server refused more than, and when it did; null: nothing.
  #limit: { readonly ms: number; readonly at: number } | null = null;
  #warned = false;

  constructor(
    private readonly client: CacheClient,
    private readonly cacheName: string,
    private readonly now: () => number = monotonicMs,
  ) {}

  /** The longest time to live, in milliseconds; the server is asked once. Rejects if it cannot be asked. */
  get(): Promise<number> {
    this.#asked ??= this.#ask().catch((error: unknown) => {
      this.#asked = null;
      throw error;
    });
    return this.#asked;
  }

  /**
   * Makes a call that stores something for `askedMs`, with the time that it is to use; at most twice, as only a refusal
   * tells that the time is too long.
   */
  async within<R extends { readonly result: string }>(
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
    // The server may have been restarted with another limit.
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
      `cache '${this.cacheName}': a time to live was shortened to ${ttlMs} ms, the longest that the server allows; ` +
        "start the server with a larger --max-ttl to keep values longer. This warning is emitted once",
      "LarderWarning",
    );
  }
}
