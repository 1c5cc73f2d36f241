import type { TokenSource } from "../configuration/token-source.js";
import type { HeaderField } from "../http2/header-encoder.js";

// An application normally uses few caches. If there are more names, the oldest name is removed.
const maxNames = 100;

/** The metadata of unary calls. It is created once per cache name and shared by all calls on that cache. */
export class MetadataCache {
  readonly #byCache = new Map<string, readonly HeaderField[]>();

  #version = 0;

  constructor(
    private readonly headers: Readonly<Record<string, string>>,
    private readonly tokens: TokenSource | null = null,
  ) {}

  /** Returns the number of cache names whose metadata is stored. */
  get size(): number {
    return this.#byCache.size;
  }

  /** Returns the metadata of a call on a cache. For calls without a cache, the name is empty. */
  for(cacheName: string): readonly HeaderField[] {
    if (this.tokens !== null && this.tokens.version !== this.#version) {
      this.#version = this.tokens.version;
      this.#byCache.clear();
    }
    let metadata = this.#byCache.get(cacheName);
    if (metadata !== undefined) return metadata;
    const token = this.tokens?.token;
    metadata = Object.entries({
      ...this.headers,
      ...(token === undefined ? {} : { authorization: token }),
      ...(cacheName === "" ? {} : { cache: cacheName }),
    });
    if (this.#byCache.size >= maxNames) this.#byCache.delete(this.#byCache.keys().next().value as string);
    this.#byCache.set(cacheName, metadata);
    return metadata;
  }
}
