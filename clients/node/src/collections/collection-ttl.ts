import { brand } from "../client/package-brand.js";
import type { ErrorResponse } from "../client/responses.js";
import { checkTtl, wholeTtl } from "../client/validation.js";

/** Brand of the times to live of collections. */
export const collectionTtlBrand = "CollectionTtl";

/**
 * How long a collection lives. The write that makes it always gives it `ttlMs`; a later one only where `refreshTtl` is
 * true, which it is by default.
 */
export class CollectionTtl {
  private constructor(
    /** The time to live in milliseconds: over 0 and at most 365 days, or what the server allows; null: the client's default. */
    readonly ttlMs: number | null,
    /** Whether a collection that is there gets the time to live too; else only one that the write makes. */
    readonly refreshTtl: boolean,
  ) {
    Object.freeze(this);
  }

  /** @internal */
  get [brand](): string {
    return collectionTtlBrand;
  }

  static readonly #default = new CollectionTtl(null, true);

  /** The client's default time to live, refreshed with each write. */
  static fromCacheTtl(): CollectionTtl {
    return CollectionTtl.#default;
  }

  /** A time to live in milliseconds, refreshed with each write; parts of a millisecond are rounded up. */
  static of(ttlMs: number): CollectionTtl {
    return new CollectionTtl(wholeTtl(ttlMs), true);
  }

  /** The same time to live, which a write gives to a collection that is there too. */
  withRefreshTtlOnUpdates(): CollectionTtl {
    return new CollectionTtl(this.ttlMs, true);
  }

  /** The same time to live, which a write gives only to a collection that it makes. */
  withNoRefreshTtlOnUpdates(): CollectionTtl {
    return new CollectionTtl(this.ttlMs, false);
  }
}

/** A collection's time to live as a request says it: 0 where the call keeps what there is. */
export interface WireTtl {
  readonly ttlMs: number;
  readonly refreshes: boolean;
}

/** A request's that leaves a collection's time to live alone. */
export const keptTtl: WireTtl = Object.freeze({ ttlMs: 0, refreshes: false });

/** What is wrong with a request's time to live, or null. */
export function checkWireTtl(ttl: WireTtl): ErrorResponse | null {
  return ttl === keptTtl ? null : checkTtl(ttl.ttlMs);
}
