import { copyOf, equalsCopy, type Hit } from "../client/hit.js";
import { NearCopies } from "./near-copies.js";
import { type DecodedCopy, NearCopy } from "./near-copy.js";
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
 * Decides what a client copies and serves (NEAR-20 to NEAR-27). Its only inputs are the client's calls, the server's
 * messages and a clock. It contains no network code. Each event that may have changed a value has a sequence number.
 * When a near get is sent, it records the sequence number of the last event. If a later event concerns the get's key,
 * its ticket or all keys, the get is poisoned: its response must not be stored.
 */
export class NearState {
  readonly #copies: NearCopies;
  readonly #flights = new NearFlights();
  readonly #tickets = new NearTickets();
  // The number of the near stream. 0 if there is no near stream.
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

  /** The stored copies, including copies that may not be served now. Used by tests. */
  get held(): Iterable<NearCopy> {
    return this.#copies;
  }

  /** The number of near gets in flight, and the number of tickets that are remembered for them. Used by tests. */
  get pending(): { readonly gets: number; readonly tickets: number } {
    return { gets: this.#flights.count, tickets: this.#tickets.count };
  }

  /**
   * Called when a stream has become the near stream, after a `near_open` that was sent at `sentAt`. Removes the copies
   * of an earlier stream.
   */
  opened(stream: number, sentAt: number, leaseMs: number): void {
    this.#dropAll();
    this.#stream = stream;
    this.#leaseMs = Math.min(leaseMs, maxLeaseMs);
    this.#leaseEndsAt = sentAt + this.#leaseMs;
  }

  /** Called when a stream was lost, replaced, drained or ended. */
  lost(stream: number): void {
    if (!this.#isNear(stream)) return;
    this.#dropAll();
    this.#stream = 0;
    this.#leaseEndsAt = Number.NEGATIVE_INFINITY;
  }

  /** Extends the lease. Called when the server has acknowledged the `near_renew` that was sent at `sentAt`. */
  renewed(stream: number, sentAt: number): void {
    if (this.#isNear(stream)) this.#leaseEndsAt = Math.max(this.#leaseEndsAt, sentAt + this.#leaseMs);
  }

  /** Returns the copy of a key. Returns null if there is no copy that may be served now. */
  find(cacheName: string, key: string, now: number): NearCopy | null {
    const copy = this.heldOf(cacheName, key);
    return copy !== undefined && this.serve(copy, now) ? copy : null;
  }

  /**
   * Returns the copy of a key, even if it may not be served now. This is the first half of `find`. This half does not
   * need the current time.
   */
  heldOf(cacheName: string, key: string): NearCopy | undefined {
    return this.#copies.find(cacheName, key);
  }

  /** Returns whether a copy may be served now. If it may, marks the copy as used. This is the second half of `find`. */
  serve(copy: NearCopy, now: number): boolean {
    if (now >= this.#leaseEndsAt || now >= copy.endsAt) return false;
    copy.used = true;
    this.#hits++;
    return true;
  }

  /** Stores a decoded value with a copy, as `NearCopies.attach` does. */
  attach(copy: NearCopy, decoded: DecodedCopy, decodedBytes: number): void {
    this.#copies.attach(copy, decoded, decodedBytes);
  }

  /** Called when a near get is written to a stream. */
  begin(cacheName: string, key: string, stream: number, now: number): NearGet {
    // A stream that is not the near stream delivers no invalidations. If a get is sent on such a stream, its response
    // is therefore never stored, even if the stream becomes the near stream later.
    const near = this.#isNear(stream) ? stream : 0;
    return new NearGet(this.#flights.add(cacheName, key), near, this.#events, now);
  }

  /**
   * Called when a near get got its response. `hit` is null for a miss. `ticket` is the key's ticket + 1, or 0 if there
   * is no ticket.
   */
  answered(get: NearGet, hit: Hit | null, ticket: number, ttlLeftMs: number, now: number): void {
    if (!get.inFlight) return;
    const { cacheName, key } = get.flight;
    const endsAt = get.sentAt + Math.min(ttlLeftMs, this.maxAgeMs);
    const bytes = hit === null ? 0 : this.#bytesToKeep(get, hit, ticket, now < endsAt);
    const poisoned = bytes > 0 && this.#isPoisoned(get, ticket - 1);
    this.failed(get);
    if (poisoned) this.#poisoned++;
    // If the response equals the stored copy, keep the copy. Many callers may read one key concurrently: the first
    // response is stored and poisons the other gets. Without this check, their responses would remove the copy.
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

  /**
   * Called when a near get has ended without a response. Does not remove the copy of the key, because `ended` removes
   * it and is also called for this get.
   */
  failed(get: NearGet): void {
    if (!get.inFlight) return;
    get.inFlight = false;
    this.#flights.remove(get.flight);
    if (this.#flights.count === 0) this.#tickets.clear();
  }

  /**
   * Called when a call with this key has ended, with or without success, but before its caller gets the result. If a
   * near get got a response, `answered` is called instead.
   */
  ended(cacheName: string, key: string): void {
    this.#copies.drop(cacheName, key);
    this.#flights.poison(cacheName, key, ++this.#events);
  }

  /**
   * Called when a flush or deletion of a cache has ended, with or without success, but before its caller gets the
   * result.
   */
  flushed(cacheName: string): void {
    this.#copies.dropCache(cacheName);
    this.#flights.poisonCache(cacheName, ++this.#events);
  }

  /** Called when the server has sent the tickets of keys that have changed or may have changed. */
  invalidated(stream: number, tickets: readonly number[]): void {
    if (!this.#isNear(stream)) return;
    for (const ticket of tickets) {
      this.#invalidations += this.#copies.dropTicket(ticket);
      if (this.#flights.count > 0) this.#remember(ticket);
    }
  }

  /** Called when the server has reported that any key may have changed. */
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

  // Returns the size that a copy of the response would have, or 0 if the response must not be stored. Does not check
  // whether the get is poisoned.
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
