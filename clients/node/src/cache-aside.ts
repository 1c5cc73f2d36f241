import { Buffer } from "node:buffer";
import type { CacheClient } from "./client.js";
import type { SetOptions } from "./client-options.js";
import type { CacheError, CacheErrorCode } from "./errors.js";
import type { Bytes } from "./proto-writer.js";
import { SingleFlight } from "./single-flight.js";
import { checkKey, checkTtl, requireBytes, requireKnownOptions, requireSignal, toBuffer } from "./validation.js";

/** Makes the value of a missing item. */
export type Factory = () => Bytes | Promise<Bytes>;

// What no retry will mend, and what is wrong with what was to be stored: told once for each cache.
const lasting: ReadonlySet<CacheErrorCode> = new Set([
  "NotFound",
  "PermissionDenied",
  "Unauthenticated",
  "FailedPrecondition",
  "InvalidArgument",
  "LimitExceeded",
]);
const mostTold = 1_000;

/** `getOrSet`: one factory call for all callers of a key at one time. */
export class CacheAside {
  readonly #flights = new SingleFlight();
  readonly #told = new Set<string>();

  constructor(private readonly client: CacheClient) {}

  /** Throws a TypeError for an argument of a wrong type. */
  getOrSet(cacheName: string, key: Bytes, factory: Factory, options: SetOptions | undefined): Promise<Buffer> {
    if (typeof factory !== "function") throw new TypeError("the factory must be a function");
    if (typeof cacheName !== "string") throw new TypeError("the cache name must be a string");
    requireBytes("key", key);
    if (options !== undefined) requireKnownOptions(options);
    const { signal, ...rest } = options ?? {};
    if (signal !== undefined) requireSignal(signal);
    const flight = `${cacheName}\0${typeof key === "string" ? `s${key}` : `b${toBuffer(key).toString("latin1")}`}`;
    return this.#flights.run(flight, signal, (all, within) =>
      this.#load(cacheName, key, () => within(factory), { ...rest, signal: all }),
    );
  }

  async #load(cacheName: string, key: Bytes, factory: Factory, options: SetOptions): Promise<Buffer> {
    const invalid = checkKey(cacheName, key) ?? (options.ttlMs === undefined ? null : checkTtl(options.ttlMs));
    if (invalid !== null) throw invalid.error;
    const found = await this.client.get(cacheName, key, options);
    if (found.result === "hit") return found.valueBytes;
    options.signal?.throwIfAborted();
    if (found.result === "error") {
      if (found.error.code === "InvalidArgument") throw found.error;
      this.#tell(cacheName, found.error);
    }
    const made = await factory();
    requireBytes("value", made);
    const value = Buffer.from(made as string);
    if (found.result === "error") return value;
    const set = await this.client.set(cacheName, key, value, options);
    if (set.result === "error") this.#tell(cacheName, set.error);
    return value;
  }

  // What would otherwise be a miss for ever.
  #tell(cacheName: string, { code, message }: CacheError): void {
    const what = `${code} ${cacheName}`;
    if (!lasting.has(code) || this.#told.has(what) || this.#told.size >= mostTold) return;
    this.#told.add(what);
    process.emitWarning(
      `cache '${cacheName}': ${code}: ${message}; values are made and not stored, which is told once`,
      "LarderWarning",
    );
  }
}
