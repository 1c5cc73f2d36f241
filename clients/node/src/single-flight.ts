/** Lets callers of one key at one time share the work of the first. Bounded by the work that is under way. */
export class SingleFlight<T> {
  readonly #flights = new Map<string, Promise<T>>();

  /** The result of the work that is under way for `key`, or of `work`, begun now. */
  run(key: string, work: () => Promise<T>): Promise<T> {
    const under = this.#flights.get(key);
    if (under !== undefined) return under;
    const flight = work().finally(() => this.#flights.delete(key));
    this.#flights.set(key, flight);
    return flight;
  }
}
