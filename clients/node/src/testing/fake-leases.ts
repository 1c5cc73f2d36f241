import type { Buffer } from "node:buffer";
import { randomBytes } from "node:crypto";
import type { Clock } from "../calls/clock.js";
import { type Name, nameOf } from "./held.js";

/** The right of one caller to make the value of one key, for a while. */
export interface FakeLease {
  readonly token: Buffer;
  readonly endsAtMs: number;
  /** Tags that were removed since it was given: what has one of them may have been read before (TAG-3). */
  readonly removed: Set<Name>;
}

const tokenBytes = 16;
// LEASE-8, of one cache.
const maxLeases = 65_536;

/** The leases of one cache. */
export class FakeLeases {
  readonly #leases = new Map<Name, FakeLease>();

  constructor(private readonly clock: Clock) {}

  /** A lease for the asker; "elsewhere": somebody else has it, "full": there are the most. */
  take(key: Buffer, leaseMs: number): FakeLease | "elsewhere" | "full" {
    if (this.#find(key) !== undefined) return "elsewhere";
    if (this.#leases.size >= maxLeases) this.#forget();
    if (this.#leases.size >= maxLeases) return "full";
    const endsAtMs = this.clock.now() + leaseMs;
    const lease: FakeLease = { token: randomBytes(tokenBytes), endsAtMs, removed: new Set() };
    this.#leases.set(nameOf(key), lease);
    return lease;
  }

  /** The lease that the token is of, where its time is not over and nothing was written since (LEASE-4). */
  shownBy(key: Buffer, token: Buffer): FakeLease | undefined {
    const lease = this.#find(key);
    return lease?.token.equals(token) === true ? lease : undefined;
  }

  /** Something is written under the key, or its lease is given back. */
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
