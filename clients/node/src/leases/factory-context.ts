import type { Buffer } from "node:buffer";
import type { Bytes } from "../operations/proto-writer.js";

/** A stale value for the context of a factory, in a buffer of its own. */
export interface KnownStale {
  readonly value: Buffer;
  readonly validator: Buffer;
}

/**
 * Gives a factory of `getOrSet` the stale value, and lets the factory decide how its result is stored. Each run of a
 * factory gets its own context. The client reads it when the factory has ended.
 */
export class FactoryContext<V = Buffer> {
  /**
   * The time to live of the result in milliseconds, more than 0 and at most 31,536,000,000 (365 days), rounded up. If
   * it is invalid, the load fails as if the factory had thrown.
   * @defaultValue undefined: `ttlOf` or the call's `ttlMs` applies
   */
  ttlMs: number | undefined = undefined;
  /**
   * Tags of the result, in addition to those of the call: at most 128 together, each of 1 to 1,024 bytes. If they are
   * invalid, the load fails as if the factory had thrown.
   * @defaultValue none
   */
  tags: Iterable<Bytes> = [];
  /**
   * Whether the result is only returned to the callers and not stored. An existing stale value remains.
   * @defaultValue false
   */
  doNotStore = false;
  /**
   * The ETag of the result. It identifies the version of the result at its source, for example by the ETag or
   * Last-Modified header of an HTTP response: at most 1,024 bytes in UTF-8. It is stored with the result. If the result
   * is kept after its expiry, a later context contains it as `staleEtag`. If it is invalid, the load fails as if the
   * factory had thrown.
   * @defaultValue undefined: an unmodified value keeps its ETag, and a new value has none
   */
  etag: string | undefined = undefined;

  readonly #stale: KnownStale | null;
  readonly #decode: (stale: Buffer) => V;
  #decoded: { readonly value: V } | null = null;
  #isNotModified = false;

  /** @internal */
  constructor(stale: KnownStale | null, decode: (stale: Buffer) => V) {
    this.#stale = stale;
    this.#decode = decode;
  }

  /**
   * Whether there is a stale value. The server keeps a value after its expiry if `revalidateForMs` or `failSafeForMs`
   * was set when it was stored. If `refreshAheadForMs` is set, the value that is being refreshed is also a stale value,
   * although it has not expired for the callers.
   */
  get hasStale(): boolean {
    return this.#stale !== null;
  }

  /**
   * The stale value. The factory may change it, because it is a copy.
   * @throws Error if there is no stale value.
   */
  get staleValue(): V {
    if (this.#stale === null) throw new Error("there is no stale value; check hasStale first");
    this.#decoded ??= { value: this.#decode(this.#stale.value) };
    return this.#decoded.value;
  }

  /** The ETag that was stored with the stale value. Undefined if there is none. */
  get staleEtag(): string | undefined {
    const validator = this.#stale?.validator;
    return validator === undefined || validator.length === 0 ? undefined : validator.toString();
  }

  /**
   * Declares that the stale value is still valid. The client returns the stale value to the callers and stores its
   * bytes again with a new time to live. The value that the factory returns is ignored, so that a factory can end with
   * `return context.notModified()`.
   * @returns The stale value.
   * @throws Error if there is no stale value.
   */
  notModified(): V {
    const value = this.staleValue;
    this.#isNotModified = true;
    return value;
  }

  /** Whether the factory has called `notModified`. */
  get isNotModified(): boolean {
    return this.#isNotModified;
  }
}
