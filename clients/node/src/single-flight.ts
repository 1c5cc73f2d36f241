import { Buffer } from "node:buffer";
import { type AbortWatch, AbortWatches } from "./abort-watches.js";

/** Work that is under way for a key. */
interface Flight {
  readonly key: string;
  value: Promise<Buffer>;
  /** Ends the work when every caller has given up; null where one cannot. */
  controller: AbortController | null;
  callers: number;
  /** Whether more than one caller gets the value: each then has a copy. */
  shared: boolean;
}

/** One caller with a signal. */
interface Caller {
  readonly flight: Flight;
  readonly reject: (reason: unknown) => void;
  watch: AbortWatch<Caller> | null;
}

/** Lets callers of one key at one time share the work of the first. Bounded by the work that is under way. */
export class SingleFlight {
  readonly #flights = new Map<string, Flight>();
  readonly #aborts = new AbortWatches<Caller>((caller, signal) => this.#leave(caller, signal));

  /** Keys whose work is under way. */
  get size(): number {
    return this.#flights.size;
  }

  /**
   * The result of the work that is under way for `key`, or of `work`, begun now; no two callers get the same memory. A
   * caller whose signal aborts is rejected with its reason; when all have gone, `work`'s own signal aborts.
   */
  run(key: string, signal: AbortSignal | undefined, work: (signal?: AbortSignal) => Promise<Buffer>): Promise<Buffer> {
    if (signal?.aborted === true) return Promise.reject(signal.reason);
    const under = this.#flights.get(key);
    if (under === undefined) return this.#join(this.#begin(key, signal !== undefined, work), signal);
    under.shared = true;
    return this.#join(under, signal);
  }

  #begin(key: string, mayAbort: boolean, work: (signal?: AbortSignal) => Promise<Buffer>): Flight {
    const controller = mayAbort ? new AbortController() : null;
    const flight: Flight = { key, value: work(controller?.signal), controller, callers: 0, shared: false };
    this.#flights.set(key, flight);
    flight.value = flight.value.finally(() => this.#remove(flight));
    return flight;
  }

  #join(flight: Flight, signal: AbortSignal | undefined): Promise<Buffer> {
    flight.callers++;
    const own = flight.value.then((value) => (flight.shared ? Buffer.from(value) : value));
    if (signal === undefined) {
      flight.controller = null;
      return own;
    }
    return new Promise((resolve, reject) => {
      const caller: Caller = { flight, reject, watch: null };
      caller.watch = this.#aborts.add(signal, caller);
      own.then(resolve, reject).finally(() => caller.watch?.leave(caller));
    });
  }

  #leave(caller: Caller, signal: AbortSignal): void {
    const { flight } = caller;
    caller.watch?.leave(caller);
    caller.reject(signal.reason);
    if (--flight.callers > 0 || flight.controller === null) return;
    this.#remove(flight);
    flight.controller.abort(signal.reason);
  }

  #remove(flight: Flight): void {
    if (this.#flights.get(flight.key) === flight) this.#flights.delete(flight.key);
  }
}
