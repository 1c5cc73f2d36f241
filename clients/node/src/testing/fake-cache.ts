import { Buffer } from "node:buffer";
import { randomBytes } from "node:crypto";
import type { Clock } from "../calls/clock.js";
import { failedPrecondition, invalid } from "./call-rejection.js";
import { FakeLeases } from "./fake-leases.js";
import type { FakeLimits } from "./fake-limits.js";
import { FakeTopics } from "./fake-topics.js";
import { type FakeValue, isEmpty, type Name, nameOf } from "./fake-values.js";
import type { Message } from "./message.js";

/** An item: its contents, its expiry, its tags and its stale time. */
export interface FakeItem {
  readonly value: FakeValue;
  /** The time at which the item expires, in milliseconds on the fake server's clock. */
  expiresAtMs: number;
  readonly tags: ReadonlySet<Name>;
  /** How long after its expiry the item may be returned as stale (STALE-1), in milliseconds. */
  readonly staleMs: number;
  /** The validator of the value (STALE-5). Empty if there is none. */
  readonly validator: Buffer;
}

/** The parts of an item that a write may omit. */
export type FakeExtras = Pick<FakeItem, "tags" | "staleMs" | "validator">;

const noExtras: FakeExtras = { tags: new Set(), staleMs: 0, validator: Buffer.alloc(0) };

/** The TTL of a write to a collection. */
export interface FakeTtl {
  readonly ttlMs: number;
  readonly refreshes: boolean;
}

/** The items of one cache. Items are never evicted. */
export class FakeCache {
  /**
   * Random id that is part of the checksum of each cursor. A cursor of this cache is therefore invalid in other caches,
   * even in a later cache with the same name.
   */
  readonly id: Buffer = randomBytes(8);
  readonly topics: FakeTopics;
  readonly leases: FakeLeases;
  readonly #items = new Map<Name, FakeItem>();

  constructor(
    private readonly clock: Clock,
    private readonly limits: FakeLimits,
  ) {
    this.topics = new FakeTopics(clock, limits);
    this.leases = new FakeLeases(clock);
  }

  /** Returns the item of a key. Undefined if the item does not exist or has expired. */
  find(key: Buffer): FakeItem | undefined {
    const name = nameOf(key);
    const item = this.#items.get(name);
    const now = this.clock.now();
    if (item === undefined || item.expiresAtMs > now) return item;
    if (item.expiresAtMs + item.staleMs <= now) this.#items.delete(name);
    return undefined;
  }

  /** Returns the expired item of a key if it may still be served as stale. Undefined if there is no such item. */
  findStale(key: Buffer): FakeItem | undefined {
    return this.find(key) === undefined ? this.#items.get(nameOf(key)) : undefined;
  }

  /**
   * Returns the contents of a key. Undefined if the item does not exist. Throws if the item has another type (COLL-1).
   */
  valueOfType<T extends FakeValue["type"]>(key: Buffer, type: T): Extract<FakeValue, { readonly type: T }> | undefined {
    const held = this.find(key)?.value;
    if (held === undefined) return undefined;
    if (held.type !== type) throw failedPrecondition(`the key holds a ${held.type}, not a ${type}`);
    return held as Extract<FakeValue, { readonly type: T }>;
  }

  /** Stores an item. If the key has an item, replaces it. */
  put(key: Buffer, held: FakeValue, ttlMs: number, extras = noExtras): void {
    this.leases.end(key);
    this.#items.set(nameOf(key), { value: held, expiresAtMs: this.clock.now() + ttlMs, ...extras });
  }

  /**
   * Called after a write to a collection. Stores a new collection. Refreshes the TTL of an existing collection if the
   * write requests it (CTTL). Removes an empty collection.
   */
  written(key: Buffer, held: FakeValue, { ttlMs, refreshes }: FakeTtl): void {
    const item = this.find(key);
    if (isEmpty(held)) this.remove(key);
    else if (item?.value !== held) this.put(key, held, ttlMs);
    else if (refreshes) this.extendTtl(item, ttlMs);
  }

  /**
   * Called after elements were removed from a collection. Keeps the collection's TTL, but removes an empty collection.
   */
  taken(key: Buffer, held: FakeValue): void {
    if (isEmpty(held)) this.remove(key);
  }

  extendTtl(item: FakeItem, ttlMs: number): void {
    item.expiresAtMs = this.clock.now() + ttlMs;
  }

  /** Returns the remaining TTL of an unexpired item in milliseconds. It is over 0. */
  remainingTtlMs(item: FakeItem): number {
    return item.expiresAtMs - this.clock.now();
  }

  /**
   * Returns the remaining TTL as calls report it, in whole milliseconds. Even directly after a TTL was set, the result
   * is less than that TTL (TTL-6).
   */
  reportedTtlMs(item: FakeItem): number {
    return Math.ceil(this.remainingTtlMs(item)) - 1;
  }

  remove(key: Buffer): void {
    this.leases.end(key);
    this.#items.delete(nameOf(key));
  }

  /** Removes every item that has any of the tags. */
  removeTagged(tags: ReadonlySet<Name>): void {
    this.leases.tagsRemoved(tags);
    for (const [name, item] of this.#items) if ([...item.tags].some((tag) => tags.has(tag))) this.#items.delete(name);
  }

  flush(): void {
    this.leases.endAll();
    this.#items.clear();
  }

  /** Iterates over all unexpired items with their keys. */
  *entries(): Generator<readonly [Name, FakeItem]> {
    const now = this.clock.now();
    for (const [name, item] of this.#items) if (item.expiresAtMs > now) yield [name, item];
  }

  /** Returns the TTL in a request, in milliseconds. Throws if the TTL is out of range (TTL-2). */
  ttlIn(request: Message, field: number): number {
    const ttlMs = request.unsigned(field);
    if (ttlMs > 0n && ttlMs <= BigInt(this.limits.maxTtlMs)) return Number(ttlMs);
    throw invalid(`the time to live must be from 1 to ${this.limits.maxTtlMs} ms, not ${ttlMs}`);
  }

  /**
   * Returns the stale time in a request: how long after its expiry the item may be served as stale. Throws if the time
   * is out of range (STALE-3).
   */
  staleMsIn(request: Message, field: number): number {
    const staleMs = request.unsigned(field);
    if (staleMs <= BigInt(this.limits.maxTtlMs)) return Number(staleMs);
    throw invalid(`the stale time must be from 0 to ${this.limits.maxTtlMs} ms, not ${staleMs}`);
  }

  /**
   * Returns the TTL of a write to a collection. `field` is the protobuf field number of the TTL. The field after it
   * specifies whether the write refreshes the TTL of an existing collection.
   */
  collectionTtlIn(request: Message, field: number): FakeTtl {
    return { ttlMs: this.ttlIn(request, field), refreshes: request.flag(field + 1) };
  }
}
