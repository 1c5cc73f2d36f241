import { randomUUID } from "node:crypto";
import { systemClock } from "../calls/clock.js";
import type { Cache } from "../client/cache.js";
import { orThrow } from "../client/or-throw.js";

// Minimum interval between two renewals of a generation's TTL. An entry may outlive its generation by at most this
// time.
const renewIntervalMs = 60_000;
const generationPrefix = "larder:keyv:generation:";

/** The generation that this process last read for a namespace. */
interface Generation {
  readonly name: string;
  /** The time at which the TTL of the generation was last renewed, on the process's clock. */
  renewedAtMs: number;
}

/**
 * The generations of namespaces. The stored keys of a namespace begin with its generation. Clearing the namespace
 * replaces the generation. A generation in use does not expire.
 */
export class KeyvGenerations {
  // The known generations. There is at most one entry per namespace of the store.
  readonly #known = new Map<string, Generation>();

  /**
   * Creates the manager of the generations in one cache.
   * @param longestMs - Returns the longest TTL that the server allows.
   */
  constructor(
    private readonly cache: Cache,
    private readonly longestMs: () => Promise<number>,
  ) {}

  /** Returns whether a stored key is the key of a generation. */
  static holds(key: string): boolean {
    return key.startsWith(generationPrefix);
  }

  /** Returns the current prefix of the stored keys of a namespace. */
  async prefix(namespace: string): Promise<string> {
    return `${(await this.#generation(namespace)).name}:`;
  }

  /**
   * Runs `work` with the last known key prefix of a namespace, and concurrently reads the namespace's generation. If
   * the generation has changed, runs the work again with the new prefix.
   */
  async run<T>(namespace: string, work: (prefix: string) => Promise<T>): Promise<T> {
    const known = this.#known.get(namespace);
    if (known !== undefined) {
      const [current, done] = await Promise.allSettled([this.#generation(namespace), work(`${known.name}:`)]);
      if (current.status === "rejected") throw current.reason;
      if (current.value.name === known.name) {
        if (done.status === "rejected") throw done.reason;
        return done.value;
      }
    }
    return work(await this.prefix(namespace));
  }

  /** Clears a namespace: replaces its generation, so that its existing entries can no longer be found. */
  async clear(namespace: string): Promise<void> {
    const ttlMs = await this.longestMs();
    orThrow(await this.cache.set(keyOf(namespace), randomUUID(), { ttlMs }));
  }

  // Returns the generation of a namespace. If the generation was evicted, creates a new one. In that case the entries
  // can no longer be found, but removed entries never reappear.
  async #generation(namespace: string): Promise<Generation> {
    const key = keyOf(namespace);
    const read = orThrow(await this.cache.get(key));
    if (read.result === "hit") {
      const known = this.#known.get(namespace);
      const same = known?.name === read.value;
      const generation = same ? known : { name: read.value, renewedAtMs: Number.NEGATIVE_INFINITY };
      this.#known.set(namespace, generation);
      await this.#renew(namespace, generation);
      return generation;
    }
    const name = randomUUID();
    const ttlMs = await this.longestMs();
    const { result } = orThrow(await this.cache.setIfAbsent(key, name, { ttlMs }));
    if (result !== "stored") return this.#generation(namespace);
    const generation = { name, renewedAtMs: systemClock.now() };
    this.#known.set(namespace, generation);
    return generation;
  }

  async #renew(namespace: string, generation: Generation): Promise<void> {
    const nowMs = systemClock.now();
    if (nowMs - generation.renewedAtMs < renewIntervalMs) return;
    generation.renewedAtMs = nowMs;
    orThrow(await this.cache.increaseTtl(keyOf(namespace), await this.longestMs()));
  }
}

function keyOf(namespace: string): string {
  return `${generationPrefix}${namespace}`;
}
