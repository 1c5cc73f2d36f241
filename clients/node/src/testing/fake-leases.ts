import type { Buffer } from "node:buffer";
import { randomBytes } from "node:crypto";
import type { Clock } from "../calls/clock.js";
import { type Name, nameOf } from "./fake-values.js";

/** A lease: the right of one caller to load the value of one key for a limited time. */
export interface FakeLease {
  readonly token: Buffer;
  readonly endsAtMs: number;
  /**
   * The tags whose items were removed after the lease was granted. If a loaded value has one of these tags, it may have
   * been read before the removal (TAG-3).
   */
  readonly removed: Set<Name>;
}

const tokenBytes = 16;
// LEASE-8: maximum number of leases per cache.
const maxLeases = 65_536;

/** The leases of one cache. */
export class FakeLeases {
  readonly #leases = new Map<Name, FakeLease>();

  constructor(private readonly clock: Clock) {}

  /**
   * Grants a lease and returns it. If another caller has the key's lease, returns "elsewhere" instead. If the maximum
   * number of leases is reached, returns "full" instead.
   */
  take(key: Buffer, leaseMs: number): FakeLease | "elsewhere" | "full" {
    if (this.#find(key) !== undefined) return "elsewhere";
    if (this.#leases.size >= maxLeases) this.#forget();
    if (this.#leases.size >= maxLeases) return "full";
    const endsAtMs = this.clock.now() + leaseMs;
    const lease: FakeLease = { token: randomBytes(tokenBytes), endsAtMs, removed: new Set() };
    this.#leases.set(nameOf(key), lease);
    return lease;
  }

  /**
   * Returns the lease with this token. Undefined if the lease has ended, for example because the key was written
   * (LEASE-4).
   */
  leaseWithToken(key: Buffer, token: Buffer): FakeLease | undefined {
    const lease = this.#find(key);
    return lease?.token.equals(token) === true ? lease : undefined;
  }

  /** Ends a key's lease, because the key was written or the lease was released. */
  end(key: Buffer): void {
    this.#leases.delete(nameOf(key));
  }

  endAll(): void {
    this.#leases.clear();
  }

  tagsRemoved(tags: ReadonlySet<Name>): void {
    this.#forget();
    for (const { removed } of this.#leases.values()) for (const tag of tags) removed.add(tag);
  }

  #find(key: Buffer): FakeLease | undefined {
    const lease = this.#leases.get(nameOf(key));
    return lease !== undefined && lease.endsAtMs > this.clock.now() ? lease : undefined;
  }

  #forget(): void {
    const now = this.clock.now();
    for (const [name, { endsAtMs }] of this.#leases) if (endsAtMs <= now) this.#leases.delete(name);
  }
}
