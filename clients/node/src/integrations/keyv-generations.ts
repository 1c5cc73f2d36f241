import { randomUUID } from "node:crypto";
import { systemClock } from "../calls/clock.js";
import type { Cache } from "../client/cache.js";
import { orThrow } from "../client/or-throw.js";

// A generation is given its whole time again at most so often: an entry may outlive it by no more.
const renewIntervalMs = 60_000;
const generationPrefix = "larder:keyv:generation:";

/** The generation of a namespace, as this process knows it. */
interface Generation {
  readonly name: string;
  /** On the process's clock, when it was last given its whole time. */
  renewedAtMs: number;
}

/**
 * The generations of namespaces: the entries of a namespace are stored under keys that begin with its generation, and the
 * namespace is cleared by giving it another one. A generation in use does not expire.
 */
export class KeyvGenerations {
  // At most one for each namespace of the store.
  readonly #known = new Map<string, Generation>();

  /** `longestMs`: the longest time to live that the server allows. */
  constructor(
    private readonly cache: Cache,
    private readonly longestMs: () => Promise<number>,
  ) {}

  /** Whether a stored key holds a generation. */
  static holds(key: string): boolean {
    return key.startsWith(generationPrefix);
  }

  /** What the stored keys of a namespace begin with now. */
  async prefix(namespace: string): Promise<string> {
    return `${(await this.#generation(namespace)).name}:`;
  }

  /**
   * Runs `work` with what the stored keys of a namespace begin with. The generation is read at the same time as the work
   * runs; if it has changed, the work runs again.
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

  /** Gives a namespace another generation, so that its entries are not found any more. */
  async clear(namespace: string): Promise<void> {
    const ttlMs = await this.longestMs();
    orThrow(await this.cache.set(keyOf(namespace), randomUUID(), { ttlMs }));
  }

  // One that was evicted is replaced by a new one: entries may be forgotten, never come back.
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
