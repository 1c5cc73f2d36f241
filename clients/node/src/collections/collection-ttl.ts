import { brand } from "../client/package-brand.js";
import type { ErrorResponse } from "../client/responses.js";
import { checkTtl, wholeTtl } from "../client/validation.js";

/** The brand of `CollectionTtl` objects. */
export const collectionTtlBrand = "CollectionTtl";

/**
 * The time to live of a collection. The write that creates the collection sets it. A later write sets it again only if
 * `refreshTtl` is true, which is the default.
 */
export class CollectionTtl {
  private constructor(
    /**
     * Time to live in milliseconds. It is more than 0, and at most 365 days or the server's maximum if that is lower.
     * Null means the client's default.
     */
    readonly ttlMs: number | null,
    /** Whether a write to an existing collection sets the time to live again. */
    readonly refreshTtl: boolean,
  ) {
    Object.freeze(this);
  }

  /** @internal */
  get [brand](): string {
    return collectionTtlBrand;
  }

  static readonly #default = new CollectionTtl(null, true);

  /** Returns the client's default time to live. Each write to the collection sets it again. */
  static fromCacheTtl(): CollectionTtl {
    return CollectionTtl.#default;
  }

  /**
   * Returns a time to live. Each write to the collection sets it again.
   * @param ttlMs - Milliseconds, rounded up.
   */
  static of(ttlMs: number): CollectionTtl {
    return new CollectionTtl(wholeTtl(ttlMs), true);
  }

  /** Returns a copy of this time to live with `refreshTtl` set to true. */
  withRefreshTtlOnUpdates(): CollectionTtl {
    return new CollectionTtl(this.ttlMs, true);
  }

  /**
   * Returns a copy of this time to live that applies only when the collection is created. Later writes do not set the
   * time to live again.
   */
  withNoRefreshTtlOnUpdates(): CollectionTtl {
    return new CollectionTtl(this.ttlMs, false);
  }
}

/** The TTL of a collection in a request. `ttlMs` is 0 if the call keeps the current TTL. */
export interface WireTtl {
  readonly ttlMs: number;
  readonly refreshes: boolean;
}

/** The TTL of a request that keeps the collection's current TTL. */
export const unchangedTtl: WireTtl = Object.freeze({ ttlMs: 0, refreshes: false });

/** Returns the error for an invalid TTL of a request, or null. */
export function checkWireTtl(ttl: WireTtl): ErrorResponse | null {
  return ttl === unchangedTtl ? null : checkTtl(ttl.ttlMs);
}
