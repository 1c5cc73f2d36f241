import { copyOf, equalsCopy, type Hit } from "../client/hit.js";
import { NearCopies } from "./near-copies.js";
import { NearCopy } from "./near-copy.js";
import { NearFlights } from "./near-flights.js";
import { NearGet } from "./near-get.js";
import { copyKey } from "./near-key.js";
import type { NearCacheStatistics } from "./near-statistics.js";
import { NearTickets } from "./near-tickets.js";

// NEAR-24: maximum size of a value that is copied.
const maxValueBytes = 65_536;
// NEAR-21: maximum lease of a near stream.
const maxLeaseMs = 10_000;

/**
 * Decides what a client copies and serves (NEAR-20 to NEAR-27), based on the ends of its calls, the server's messages
 * and a clock. It has no network code. Events that poison have increasing numbers. Each near get records the last
 * number at its start; it is poisoned if an event for its key, its ticket or all keys has a higher number.
 */
export class NearState {
  readonly #copies: NearCopies;
  readonly #flights = new NearFlights();
  readonly #tickets = new NearTickets();
  // The number of the near stream; 0 if there is none.
  #stream = 0;
  #leaseMs = 0;
  #leaseEndsAt = Number.NEGATIVE_INFINITY;
  #events = 0;
  #allPoisonedAt = 0;
  #hits = 0;
  #kept = 0;
  #invalidations = 0;
  #clears = 0;
  #poisoned = 0;

  constructor(
    maxBytes: number,
    private readonly maxAgeMs: number,
  ) {
    this.#copies = new NearCopies(maxBytes);
  }

  statistics(): NearCacheStatistics {
    return {
      hits: this.#hits,
      kept: this.#kept,
      invalidations: this.#invalidations,
      clears: this.#clears,
      poisoned: this.#poisoned,
      evictions: this.#copies.evictions,
      copies: this.#copies.count,
      bytes: this.#copies.bytes,
    };
  }

  /** The stored copies, whether they may be served or not. For tests. */
  get held(): Iterable<NearCopy> {
    return this.#copies;
  }

  /** The number of near gets in flight, and of tickets remembered for them. For tests. */
  get pending(): { readonly gets: number; readonly tickets: number } {
    return { gets: this.#flights.count, tickets: this.#tickets.count };
  }

  /** A stream became the near stream, after a `near_open` sent at `sentAt`. Drops the copies of any earlier stream. */
  opened(stream: number, sentAt: number, leaseMs: number): void {
    this.#dropAll();
    this.#stream = stream;
    this.#leaseMs = Math.min(leaseMs, maxLeaseMs);
    this.#leaseEndsAt = sentAt + this.#leaseMs;
  }

  /** A stream was lost, replaced, drained or ended. */
  lost(stream: number): void {
    if (!this.#isNear(stream)) return;
    this.#dropAll();
    this.#stream = 0;
    this.#leaseEndsAt = Number.NEGATIVE_INFINITY;
  }

  /** Extends the lease after a `near_renew` sent at `sentAt` was acknowledged. */
  renewed(stream: number, sentAt: number): void {
    if (this.#isNear(stream)) this.#leaseEndsAt = Math.max(this.#leaseEndsAt, sentAt + this.#leaseMs);
  }

  /** Returns the copy of a key if it may be served now, or null. */
  find(cacheName: string, key: string, now: number): NearCopy | null {
    const copy = this.heldOf(cacheName, key);
    return copy !== undefined && this.serve(copy, now) ? copy : null;
  }

  /** First half of `find`, which does not need the time: returns the copy of a key, whether it may be served or not. */
  heldOf(cacheName: string, key: string): NearCopy | undefined {
    return this.#copies.find(cacheName, key);
  }

  /** Second half of `find`: returns whether a copy may be served now, and marks it as used if so. */
  serve(copy: NearCopy, now: number): boolean {
    if (now >= this.#leaseEndsAt || now >= copy.endsAt) return false;
    copy.used = true;
    this.#hits++;
    return true;
  }

  /** A near get is written to a stream. */
  begin(cacheName: string, key: string, stream: number, now: number): NearGet {
    // Invalidations on a stream that is not yet the near stream are not received, so responses to its earlier gets are
    // never stored.
    const near = this.#isNear(stream) ? stream : 0;
    return new NearGet(this.#flights.add(cacheName, key), near, this.#events, now);
  }

  /** A near get got its response. `hit` is null for a miss; `ticket` is the key's ticket + 1, or 0 for none. */
  answered(get: NearGet, hit: Hit | null, ticket: number, ttlLeftMs: number, now: number): void {
    if (!get.inFlight) return;
    const { cacheName, key } = get.flight;
    const endsAt = get.sentAt + Math.min(ttlLeftMs, this.maxAgeMs);
    const bytes = hit === null ? 0 : this.#bytesToKeep(get, hit, ticket, now < endsAt);
    const poisoned = bytes > 0 && this.#isPoisoned(get, ticket - 1);
    this.failed(get);
    if (poisoned) this.#poisoned++;
    // A response equal to the copy is no reason to drop the copy. If many callers read one key concurrently, the first
    // response is stored and poisons the others, which would otherwise drop the copy again.
    if (poisoned && this.#holdsSame(cacheName, key, hit!)) {
      this.#flights.poison(cacheName, key, ++this.#events);
      return;
    }
    this.ended(cacheName, key);
    if (hit === null || bytes === 0 || poisoned) return;
    const value = copyOf(hit);
    this.#copies.add(new NearCopy(cacheName, copyKey(key), value, hit.valueLengthBytes, ticket - 1, endsAt, bytes));
    this.#kept++;
  }

  /** A near get ended without a response. Its effect on copies is reported separately, by `ended`. */
  failed(get: NearGet): void {
    if (!get.inFlight) return;
    get.inFlight = false;
    this.#flights.remove(get.flight);
    if (this.#flights.count === 0) this.#tickets.clear();
  }

  /** Another call with this key has ended, with or without success. Its caller has not seen the result yet. */
  ended(cacheName: string, key: string): void {
    this.#copies.drop(cacheName, key);
    this.#flights.poison(cacheName, key, ++this.#events);
  }

  /** A flush or deletion of a cache has ended, with or without success. Its caller has not seen the result yet. */
  flushed(cacheName: string): void {
    this.#copies.dropCache(cacheName);
    this.#flights.poisonCache(cacheName, ++this.#events);
  }

  /** Tickets were received: their keys have changed, or may have. */
  invalidated(stream: number, tickets: readonly number[]): void {
    if (!this.#isNear(stream)) return;
    for (const ticket of tickets) {
      this.#invalidations += this.#copies.dropTicket(ticket);
      if (this.#flights.count > 0) this.#remember(ticket);
    }
  }

  /** The server reported that any key may have changed. */
  cleared(stream: number): void {
    if (!this.#isNear(stream)) return;
    this.#clears++;
    this.#dropAll();
  }

  #isNear(stream: number): boolean {
    return stream !== 0 && stream === this.#stream;
  }

  #dropAll(): void {
    this.#copies.clear();
    this.#allPoisonedAt = ++this.#events;
  }

  // Returns the size of a copy of the response, regardless of later events; 0 if it must not be stored.
  #bytesToKeep(get: NearGet, hit: Hit, ticket: number, hasTimeLeft: boolean): number {
    if (ticket === 0 || !hasTimeLeft || !this.#isNear(get.stream) || hit.valueLengthBytes > maxValueBytes) return 0;
    const bytes = NearCopy.bytesOf(get.flight.cacheName, get.flight.key, hit.valueLengthBytes);
    return this.#copies.hasRoomFor(bytes) ? bytes : 0;
  }

  #holdsSame(cacheName: string, key: string, hit: Hit): boolean {
    const copy = this.#copies.find(cacheName, key);
    return copy !== undefined && equalsCopy(hit, copy.value);
  }

  #isPoisoned(get: NearGet, ticket: number): boolean {
    const poisonedAt = Math.max(this.#allPoisonedAt, get.flight.poisonedAt);
    return poisonedAt > get.begunAt || this.#tickets.wasReceivedAfter(ticket, get.begunAt);
  }

  #remember(ticket: number): void {
    if (this.#tickets.remember(ticket, ++this.#events)) return;
    this.#allPoisonedAt = ++this.#events;
    this.#tickets.clear();
  }
}
