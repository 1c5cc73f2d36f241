/**
 * The near gets in flight for one key. If the value may have changed since a get was sent, the get is poisoned: its
 * response must not be stored.
 */
export interface NearFlight {
  readonly cacheName: string;
  readonly key: string;
  count: number;
  /**
   * The sequence number of the last event that poisoned gets for this key. Gets that were sent before this event are
   * poisoned.
   */
  poisonedAt: number;
}

/** The near gets in flight, by key. Their number is bounded by the calls in flight. */
export class NearFlights {
  #count = 0;
  readonly #caches = new Map<string, Map<string, NearFlight>>();

  /** Returns the number of near gets in flight. */
  get count(): number {
    return this.#count;
  }

  /** Adds a near get for a key. */
  add(cacheName: string, key: string): NearFlight {
    let keys = this.#caches.get(cacheName);
    if (keys === undefined) {
      keys = new Map();
      this.#caches.set(cacheName, keys);
    }
    let flight = keys.get(key);
    if (flight === undefined) {
      flight = { cacheName, key, count: 0, poisonedAt: 0 };
      keys.set(key, flight);
    }
    flight.count++;
    this.#count++;
    return flight;
  }

  /** Removes a near get for a key. */
  remove(flight: NearFlight): void {
    const { cacheName, key } = flight;
    this.#count--;
    if (--flight.count > 0) return;
    const keys = this.#caches.get(cacheName)!;
    keys.delete(key);
    if (keys.size === 0) this.#caches.delete(cacheName);
  }

  /** Poisons the near gets in flight for a key: their responses must not be stored. Later gets are not affected. */
  poison(cacheName: string, key: string, event: number): void {
    const flight = this.#caches.get(cacheName)?.get(key);
    if (flight !== undefined) flight.poisonedAt = event;
  }

  /**
   * Poisons the near gets in flight for all keys of a cache: their responses must not be stored. Later gets are not
   * affected.
   */
  poisonCache(cacheName: string, event: number): void {
    for (const flight of this.#caches.get(cacheName)?.values() ?? []) flight.poisonedAt = event;
  }
}
