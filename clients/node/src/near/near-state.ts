import { copyOf, equalsCopy, type Hit } from "../client/hit.js";
import { NearCopies } from "./near-copies.js";
import { NearCopy } from "./near-copy.js";
import { NearFlights } from "./near-flights.js";
import { NearGet } from "./near-get.js";
import { ownKeyOf } from "./near-key.js";
import type { NearCacheStatistics } from "./near-statistics.js";
import { NearTickets } from "./near-tickets.js";

// NEAR-24.
const mostValueBytes = 65_536;
// NEAR-21.
const longestLeaseMs = 10_000;

/**
 * What a client keeps and serves of what it reads (NEAR-20 to NEAR-27): a function of its calls' ends, the server's
 * messages and a clock, without a network. Events that poison have numbers, and so has the beginning of each near get: it
 * is poisoned where an event of its key, of its ticket or of all has a higher one.
 */
export class NearState {
  readonly #copies: NearCopies;
  readonly #flights = new NearFlights();
  readonly #tickets = new NearTickets();
  // 0: there is none.
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

  /** The copies that are held, served or not; for tests. */
  get held(): Iterable<NearCopy> {
    return this.#copies;
  }

  /** Near gets in flight, and tickets that are remembered for them; for tests. */
  get pending(): { readonly gets: number; readonly tickets: number } {
    return { gets: this.#flights.count, tickets: this.#tickets.count };
  }

  /** A stream became the near stream, by a `near_open` that was sent then. What belonged to another goes. */
  opened(stream: number, sentAt: number, leaseMs: number): void {
    this.#dropAll();
    this.#stream = stream;
    this.#leaseMs = Math.min(leaseMs, longestLeaseMs);
    this.#leaseEndsAt = sentAt + this.#leaseMs;
  }

  /** A stream is lost, replaced, draining or at its end. */
  lost(stream: number): void {
    if (!this.#isNear(stream)) return;
    this.#dropAll();
    this.#stream = 0;
    this.#leaseEndsAt = Number.NEGATIVE_INFINITY;
  }

  /** A `near_renew` that was sent then was answered. */
  renewed(stream: number, sentAt: number): void {
    if (this.#isNear(stream)) this.#leaseEndsAt = Math.max(this.#leaseEndsAt, sentAt + this.#leaseMs);
  }

  /** The copy of a key that may be served now. */
  find(cacheName: string, key: string, now: number): NearCopy | null {
    const copy = this.heldOf(cacheName, key);
    return copy !== undefined && this.serve(copy, now) ? copy : null;
  }

  /** The first half of `find`, which needs no time: the copy of a key, whether it may be served or not. */
  heldOf(cacheName: string, key: string): NearCopy | undefined {
    return this.#copies.find(cacheName, key);
  }

  /** The other half: whether a copy may be served now; it then is. */
  serve(copy: NearCopy, now: number): boolean {
    if (now >= this.#leaseEndsAt || now >= copy.endsAt) return false;
    copy.used = true;
    this.#hits++;
    return true;
  }

  /** A near get is written into a stream. */
  begin(cacheName: string, key: string, stream: number, now: number): NearGet {
    // What changes on a stream before it is the near stream is not heard: what was asked there then is never kept.
    const near = this.#isNear(stream) ? stream : 0;
    return new NearGet(this.#flights.add(cacheName, key), near, this.#events, now);
  }

  /** A near get was answered: `ticket` is the key's and 1, 0 for none; null is a miss. */
  answered(get: NearGet, hit: Hit | null, ticket: number, ttlLeftMs: number, now: number): void {
    if (!get.inFlight) return;
    const { cacheName, key } = get.flight;
    const endsAt = get.sentAt + Math.min(ttlLeftMs, this.maxAgeMs);
    const bytes = hit === null ? 0 : this.#bytesToKeep(get, hit, ticket, now < endsAt);
    const poisoned = bytes > 0 && this.#isPoisoned(get, ticket - 1);
    this.failed(get);
    if (poisoned) this.#poisoned++;
    // What says the same as the copy is no reason to drop it: of many that read one key at once the first keeps it for
    // all, where the others, which it poisons, would drop it again.
    if (poisoned && this.#holdsSame(cacheName, key, hit!)) {
      this.#flights.poison(cacheName, key, ++this.#events);
      return;
    }
    this.ended(cacheName, key);
    if (hit === null || bytes === 0 || poisoned) return;
    const value = copyOf(hit);
    this.#copies.add(new NearCopy(cacheName, ownKeyOf(key), value, hit.valueLengthBytes, ticket - 1, endsAt, bytes));
    this.#kept++;
  }

  /** A near get ended without an answer. What its caller is told then is another matter: `ended`. */
  failed(get: NearGet): void {
    if (!get.inFlight) return;
    get.inFlight = false;
    this.#flights.remove(get.flight);
    if (this.#flights.count === 0) this.#tickets.forget();
  }

  /** Any other call that names the key has ended, whatever its end; its caller has not seen it yet. */
  ended(cacheName: string, key: string): void {
    this.#copies.drop(cacheName, key);
    this.#flights.poison(cacheName, key, ++this.#events);
  }

  /** A flush or deletion of a cache has ended, whatever its end; its caller has not seen it yet. */
  flushed(cacheName: string): void {
    this.#copies.dropCache(cacheName);
    this.#flights.poisonCache(cacheName, ++this.#events);
  }

  /** Tickets came: what they stand for has changed, or may have. */
  invalidated(stream: number, tickets: readonly number[]): void {
    if (!this.#isNear(stream)) return;
    for (const ticket of tickets) {
      this.#invalidations += this.#copies.dropTicket(ticket);
      if (this.#flights.count > 0) this.#remember(ticket);
    }
  }

  /** The server told that everything may have changed. */
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

  // What a copy of the answer would cost, whatever came meanwhile; 0: none is to be kept.
  #bytesToKeep(get: NearGet, hit: Hit, ticket: number, hasTimeLeft: boolean): number {
    if (ticket === 0 || !hasTimeLeft || !this.#isNear(get.stream) || hit.valueLengthBytes > mostValueBytes) return 0;
    const bytes = NearCopy.bytesOf(get.flight.cacheName, get.flight.key, hit.valueLengthBytes);
    return this.#copies.hasRoomFor(bytes) ? bytes : 0;
  }

  #holdsSame(cacheName: string, key: string, hit: Hit): boolean {
    const copy = this.#copies.find(cacheName, key);
    return copy !== undefined && equalsCopy(hit, copy.value);
  }

  #isPoisoned(get: NearGet, ticket: number): boolean {
    const poisonedAt = Math.max(this.#allPoisonedAt, get.flight.poisonedAt);
    return poisonedAt > get.begunAt || this.#tickets.cameAfter(ticket, get.begunAt);
  }

  #remember(ticket: number): void {
    if (this.#tickets.remember(ticket, ++this.#events)) return;
    this.#allPoisonedAt = ++this.#events;
    this.#tickets.forget();
  }
}
