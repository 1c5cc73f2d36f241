/** The near gets of one key that are in flight: what poisons them is one number, however many they are. */
export interface NearFlight {
  readonly cacheName: string;
  readonly key: string;
  count: number;
  /** Those that began before this event are poisoned. */
  poisonedAt: number;
}

/** The near gets in flight, by their keys. Bounded by the calls in flight, which the cap or the stream's ids bound. */
export class NearFlights {
  #count = 0;
  readonly #caches = new Map<string, Map<string, NearFlight>>();

  /** Near gets in flight, of all keys. */
  get count(): number {
    return this.#count;
  }

  /** One more of a key. */
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

  /** One less of a key. */
  remove(flight: NearFlight): void {
    const { cacheName, key } = flight;
    this.#count--;
    if (--flight.count > 0) return;
    const keys = this.#caches.get(cacheName)!;
    keys.delete(key);
    if (keys.size === 0) this.#caches.delete(cacheName);
  }

  /** Poisons those of a key. */
  poison(cacheName: string, key: string, event: number): void {
    const flight = this.#caches.get(cacheName)?.get(key);
    if (flight !== undefined) flight.poisonedAt = event;
  }

  /** Poisons those of a cache. */
  poisonCache(cacheName: string, event: number): void {
    for (const flight of this.#caches.get(cacheName)?.values() ?? []) flight.poisonedAt = event;
  }
}
