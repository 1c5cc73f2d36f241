import type { Buffer } from "node:buffer";
import { randomBytes } from "node:crypto";
import type { Clock } from "../calls/clock.js";
import { failedPrecondition, invalid } from "./call-rejection.js";
import { FakeLeases } from "./fake-leases.js";
import type { FakeLimits } from "./fake-limits.js";
import { FakeTopics } from "./fake-topics.js";
import { type FakeValue, isEmpty, type Name, nameOf } from "./fake-values.js";
import type { Message } from "./message.js";

/** An item: its contents and its expiry. */
export interface FakeItem {
  readonly value: FakeValue;
  /** In milliseconds on the fake's clock. */
  expiresAtMs: number;
  readonly tags: ReadonlySet<Name>;
  /** How long after its expiry the item may be returned as stale (STALE-1). */
  readonly staleMs: number;
}

/** The optional parts of an item. */
export type FakeExtras = Pick<FakeItem, "tags" | "staleMs">;

const noExtras: FakeExtras = { tags: new Set(), staleMs: 0 };

/** The TTL of a write to a collection. */
export interface FakeTtl {
  readonly ttlMs: number;
  readonly refreshes: boolean;
}

/** The items of one cache. Nothing is evicted. */
export class FakeCache {
  /** Seals the cache's cursors, so that they are invalid for other caches, even for a later one with the same name. */
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

  /** Returns the item of a key; undefined if it is missing or has expired. */
  find(key: Buffer): FakeItem | undefined {
    const name = nameOf(key);
    const item = this.#items.get(name);
    const now = this.clock.now();
    if (item === undefined || item.expiresAtMs > now) return item;
    if (item.expiresAtMs + item.staleMs <= now) this.#items.delete(name);
    return undefined;
  }

  /** Returns the expired item of a key that may still be served as stale; undefined if there is none. */
  findStale(key: Buffer): FakeItem | undefined {
    return this.find(key) === undefined ? this.#items.get(nameOf(key)) : undefined;
  }

  /** Returns the contents of a key; undefined if it is missing. Throws if it has another type (COLL-1). */
  valueOfType<T extends FakeValue["type"]>(key: Buffer, type: T): Extract<FakeValue, { readonly type: T }> | undefined {
    const held = this.find(key)?.value;
    if (held === undefined) return undefined;
    if (held.type !== type) throw failedPrecondition(`the key holds a ${held.type}, not a ${type}`);
    return held as Extract<FakeValue, { readonly type: T }>;
  }

  /** Stores an item, and replaces an existing one. */
  put(key: Buffer, held: FakeValue, ttlMs: number, extras = noExtras): void {
    this.leases.end(key);
    this.#items.set(nameOf(key), { value: held, expiresAtMs: this.clock.now() + ttlMs, ...extras });
  }

  /**
   * Called after a write to a collection. Stores a new collection, refreshes the TTL of an existing one if the write
   * asks for it (CTTL), and removes an empty one.
   */
  written(key: Buffer, held: FakeValue, { ttlMs, refreshes }: FakeTtl): void {
    const item = this.find(key);
    if (isEmpty(held)) this.remove(key);
    else if (item?.value !== held) this.put(key, held, ttlMs);
    else if (refreshes) this.extendTtl(item, ttlMs);
  }

  /** Called after a removal from a collection. Keeps its TTL, and removes an empty collection. */
  taken(key: Buffer, held: FakeValue): void {
    if (isEmpty(held)) this.remove(key);
  }

  extendTtl(item: FakeItem, ttlMs: number): void {
    item.expiresAtMs = this.clock.now() + ttlMs;
  }

  /** Returns the remaining TTL of an item in milliseconds, over 0. */
  remainingTtlMs(item: FakeItem): number {
    return item.expiresAtMs - this.clock.now();
  }

  /** Returns the remaining TTL as calls report it: whole milliseconds, less than the TTL that was just set (TTL-6). */
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

  /** Returns a request's TTL (TTL-2). */
  ttlIn(request: Message, field: number): number {
    const ttlMs = request.unsigned(field);
    if (ttlMs > 0n && ttlMs <= BigInt(this.limits.maxTtlMs)) return Number(ttlMs);
    throw invalid(`the time to live must be from 1 to ${this.limits.maxTtlMs} ms, not ${ttlMs}`);
  }

  /** Returns how long after its expiry an item may be served as stale (STALE-3). */
  staleMsIn(request: Message, field: number): number {
    const staleMs = request.unsigned(field);
    if (staleMs <= BigInt(this.limits.maxTtlMs)) return Number(staleMs);
    throw invalid(`the stale time must be from 0 to ${this.limits.maxTtlMs} ms, not ${staleMs}`);
  }

  /** Returns the TTL of a write to a collection. The following field says whether it refreshes the TTL. */
  collectionTtlIn(request: Message, field: number): FakeTtl {
    return { ttlMs: this.ttlIn(request, field), refreshes: request.flag(field + 1) };
  }
}
