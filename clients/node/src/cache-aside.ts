import { Buffer } from "node:buffer";
import type { CacheClient } from "./client.js";
import type { SetOptions } from "./client-options.js";
import type { Bytes } from "./proto-writer.js";
import { SingleFlight } from "./single-flight.js";
import { requireBytes, requireKnownOptions, requireSignal, toBuffer } from "./validation.js";

/** Makes the value of a missing item. */
export type Factory = () => Bytes | Promise<Bytes>;

/** `getOrSet`: one factory call for all callers of a key at one time. */
export class CacheAside {
  readonly #flights = new SingleFlight();

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
    return this.#flights.run(flight, signal, (all) => this.#load(cacheName, key, factory, { ...rest, signal: all }));
  }

  async #load(cacheName: string, key: Bytes, factory: Factory, options: SetOptions): Promise<Buffer> {
    const found = await this.client.get(cacheName, key, options);
    if (found.result === "hit") return found.valueBytes;
    options.signal?.throwIfAborted();
    const made = await factory();
    requireBytes("value", made);
    const value = Buffer.from(made as string);
    if (found.result === "miss") await this.client.set(cacheName, key, value, options);
    return value;
  }
}
