import { type DecodedCopy, NearCopy } from "./near-copy.js";

// A Map of V8 can contain at most 2^24 = 16,777,216 entries.
const maxCopies = 16_000_000;
// Maximum number of marks that one eviction clears. After that, the hand evicts its current copy. This limits the time
// of an eviction.
const maxSteps = 256;

/**
 * The copies, by key and by ticket. Their total size is limited. At the limit, the SIEVE algorithm evicts copies: a
 * hand moves from the oldest copy to the newest and evicts the first copy that was not used since the hand's last
 * visit. A hit only sets a mark on the copy.
 */
export class NearCopies {
  /** Number of copies that were evicted because the limit was reached. */
  evictions = 0;
  #count = 0;
  #bytes = 0;
  readonly #caches = new Map<string, Map<string, NearCopy>>();
  readonly #byTicket = new Map<number, NearCopy>();
  #oldest: NearCopy | null = null;
  #newest: NearCopy | null = null;
  #hand: NearCopy | null = null;

  constructor(private readonly maxBytes: number) {}

  get count(): number {
    return this.#count;
  }

  get bytes(): number {
    return this.#bytes;
  }

  find(cacheName: string, key: string): NearCopy | undefined {
    return this.#caches.get(cacheName)?.get(key);
  }

  /** Returns whether a copy of this size can be stored at all. */
  hasRoomFor(bytes: number): boolean {
    return bytes <= this.maxBytes;
  }

  /** Adds a copy for a key that has no copy. If there is no room, evicts other copies. */
  add(copy: NearCopy): void {
    while (this.#bytes + copy.bytes > this.maxBytes || this.#count >= maxCopies) this.#evict();
    let keys = this.#caches.get(copy.cacheName);
    if (keys === undefined) {
      keys = new Map();
      this.#caches.set(copy.cacheName, keys);
    }
    keys.set(copy.key, copy);
    this.#count++;
    this.#bytes += copy.bytes;
    copy.older = this.#newest;
    if (this.#newest === null) this.#oldest = copy;
    else this.#newest.newer = copy;
    this.#newest = copy;
    this.#linkTicket(copy);
  }

  /**
   * Stores a decoded value with a copy. If there is no room, evicts other copies. Does nothing if the copy was removed,
   * or if the copy and the decoded value together do not fit.
   */
  attach(copy: NearCopy, decoded: DecodedCopy, decodedBytes: number): void {
    const { cacheName, key, valueLengthBytes } = copy;
    const bytes = NearCopy.bytesOf(cacheName, key, valueLengthBytes) + decodedBytes;
    if (this.find(cacheName, key) !== copy || !this.hasRoomFor(bytes)) return;
    this.#bytes += bytes - copy.bytes;
    copy.bytes = bytes;
    copy.decoded = decoded;
    while (this.#bytes > this.maxBytes) this.#evict(copy);
  }

  drop(cacheName: string, key: string): void {
    const copy = this.find(cacheName, key);
    if (copy !== undefined) this.#remove(copy);
  }

  /** Removes all copies of a ticket. Returns the number of removed copies. */
  dropTicket(ticket: number): number {
    let dropped = 0;
    for (let copy = this.#byTicket.get(ticket) ?? null; copy !== null; dropped++) {
      const next = copy.nextOfTicket;
      this.#remove(copy);
      copy = next;
    }
    return dropped;
  }

  dropCache(cacheName: string): void {
    const keys = this.#caches.get(cacheName);
    if (keys === undefined) return;
    for (const copy of keys.values()) this.#remove(copy);
  }

  clear(): void {
    this.#caches.clear();
    this.#byTicket.clear();
    this.#oldest = null;
    this.#newest = null;
    this.#hand = null;
    this.#count = 0;
    this.#bytes = 0;
  }

  /** Iterates over all copies, from the oldest to the newest. Used by tests. */
  *[Symbol.iterator](): Generator<NearCopy> {
    for (let copy = this.#oldest; copy !== null; copy = copy.newer) yield copy;
  }

  // Evicts one copy, but never the copy `except`. There must be another copy.
  #evict(except: NearCopy | null = null): void {
    let copy = this.#hand ?? this.#oldest!;
    for (let steps = 0; copy.used && steps < maxSteps; steps++) {
      copy.used = false;
      copy = copy.newer ?? this.#oldest!;
    }
    if (copy === except) copy = copy.newer ?? this.#oldest!;
    this.#hand = copy;
    this.#remove(copy);
    this.evictions++;
  }

  #remove(copy: NearCopy): void {
    const { cacheName, newer, older } = copy;
    const keys = this.#caches.get(cacheName)!;
    keys.delete(copy.key);
    if (keys.size === 0) this.#caches.delete(cacheName);
    this.#count--;
    this.#bytes -= copy.bytes;
    if (this.#hand === copy) this.#hand = newer;
    if (older === null) this.#oldest = newer;
    else older.newer = newer;
    if (newer === null) this.#newest = older;
    else newer.older = older;
    this.#unlinkTicket(copy);
  }

  #linkTicket(copy: NearCopy): void {
    const first = this.#byTicket.get(copy.ticket) ?? null;
    copy.nextOfTicket = first;
    if (first !== null) first.previousOfTicket = copy;
    this.#byTicket.set(copy.ticket, copy);
  }

  #unlinkTicket({ ticket, nextOfTicket: next, previousOfTicket: previous }: NearCopy): void {
    if (next !== null) next.previousOfTicket = previous;
    if (previous !== null) previous.nextOfTicket = next;
    else if (next !== null) this.#byTicket.set(ticket, next);
    else this.#byTicket.delete(ticket);
  }
}
