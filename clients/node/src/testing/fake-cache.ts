import type { Buffer } from "node:buffer";
import { randomBytes } from "node:crypto";
import type { Clock } from "../calls/clock.js";
import { FakeLeases } from "./fake-leases.js";
import type { FakeLimits } from "./fake-limits.js";
import { FakeTopics } from "./fake-topics.js";
import { type Held, isEmpty, type Name, nameOf } from "./held.js";
import type { Message } from "./message.js";
import { failedPrecondition, invalid } from "./refusal.js";

/** An item: what it holds, and until when. */
export interface FakeItem {
  readonly held: Held;
  /** On the fake's clock. */
  expiresAtMs: number;
  readonly tags: ReadonlySet<Name>;
  /** How long past its time it is there for who takes what is stale (STALE-1). */
  readonly staleMs: number;
}

/** What an item may have beside its value. */
export type FakeExtras = Pick<FakeItem, "tags" | "staleMs">;

const noExtras: FakeExtras = { tags: new Set(), staleMs: 0 };

/** What a write to a collection says of its time to live. */
export interface FakeTtl {
  readonly ttlMs: number;
  readonly refreshes: boolean;
}

/** The items of one cache. Nothing is evicted: it holds what a test puts there. */
export class FakeCache {
  /** What its cursors are sealed with: of another cache, or of one of the same name later, they are none. */
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

  /** The item under a key; undefined: there is none, or its time has passed. */
  find(key: Buffer): FakeItem | undefined {
    const name = nameOf(key);
    const item = this.#items.get(name);
    const now = this.clock.now();
    if (item === undefined || item.expiresAtMs > now) return item;
    if (item.expiresAtMs + item.staleMs <= now) this.#items.delete(name);
    return undefined;
  }

  /** The item under a key whose time has passed, but not the time in which it may be served as stale. */
  findStale(key: Buffer): FakeItem | undefined {
    return this.find(key) === undefined ? this.#items.get(nameOf(key)) : undefined;
  }

  /** What is under a key, where it is of a type (COLL-1). */
  holding<T extends Held["type"]>(key: Buffer, type: T): Extract<Held, { readonly type: T }> | undefined {
    const held = this.find(key)?.held;
    if (held === undefined) return undefined;
    if (held.type !== type) throw failedPrecondition(`the key holds a ${held.type}, not a ${type}`);
    return held as Extract<Held, { readonly type: T }>;
  }

  /** Puts something under a key, in the place of what is there, for a time. */
  put(key: Buffer, held: Held, ttlMs: number, extras = noExtras): void {
    this.leases.end(key);
    this.#items.set(nameOf(key), { held, expiresAtMs: this.clock.now() + ttlMs, ...extras });
  }

  /** A collection has been written to: it is kept, with the time to live that the write gives it (CTTL), unless it has ended. */
  written(key: Buffer, held: Held, { ttlMs, refreshes }: FakeTtl): void {
    const item = this.find(key);
    if (isEmpty(held)) this.remove(key);
    else if (item?.held !== held) this.put(key, held, ttlMs);
    else if (refreshes) this.prolong(item, ttlMs);
  }

  /** Something has been taken from a collection, which keeps its time, and ends with its last element. */
  taken(key: Buffer, held: Held): void {
    if (isEmpty(held)) this.remove(key);
  }

  prolong(item: FakeItem, ttlMs: number): void {
    item.expiresAtMs = this.clock.now() + ttlMs;
  }

  /** Milliseconds that an item has left, over 0. */
  leftMs(item: FakeItem): number {
    return item.expiresAtMs - this.clock.now();
  }

  /** As calls tell it: whole, and less than what was just set (TTL-6). */
  toldMs(item: FakeItem): number {
    return Math.ceil(this.leftMs(item)) - 1;
  }

  remove(key: Buffer): void {
    this.leases.end(key);
    this.#items.delete(nameOf(key));
  }

  /** Removes every item that has one of the tags. */
  removeTagged(tags: ReadonlySet<Name>): void {
    this.leases.tagsRemoved(tags);
    for (const [name, item] of this.#items) if ([...item.tags].some((tag) => tags.has(tag))) this.#items.delete(name);
  }

  flush(): void {
    this.leases.endAll();
    this.#items.clear();
  }

  /** Every item that is alive, by its key. */
  *entries(): Generator<readonly [Name, FakeItem]> {
    const now = this.clock.now();
    for (const [name, item] of this.#items) if (item.expiresAtMs > now) yield [name, item];
  }

  /** A request's time to live (TTL-2). */
  ttlIn(request: Message, field: number): number {
    const ttlMs = request.unsigned(field);
    if (ttlMs > 0n && ttlMs <= BigInt(this.limits.maxTtlMs)) return Number(ttlMs);
    throw invalid(`the time to live must be from 1 to ${this.limits.maxTtlMs} ms, not ${ttlMs}`);
  }

  /** How long past its time an item may be served as stale (STALE-3). */
  staleMsIn(request: Message, field: number): number {
    const staleMs = request.unsigned(field);
    if (staleMs <= BigInt(this.limits.maxTtlMs)) return Number(staleMs);
    throw invalid(`the stale time must be from 0 to ${this.limits.maxTtlMs} ms, not ${staleMs}`);
  }

  /** That of a write to a collection, with what it says of refreshing in the field behind it. */
  collectionTtlIn(request: Message, field: number): FakeTtl {
    return { ttlMs: this.ttlIn(request, field), refreshes: request.flag(field + 1) };
  }
}
