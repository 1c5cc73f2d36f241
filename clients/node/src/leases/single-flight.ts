import { AsyncLocalStorage } from "node:async_hooks";
import { Buffer } from "node:buffer";
import { type AbortWatch, AbortWatches } from "../calls/abort-watches.js";

/** Work that is under way for a key. */
interface Flight {
  readonly key: string;
  value: Promise<Buffer>;
  /** Ends the work when every caller has given up; null where one cannot. */
  controller: AbortController | null;
  callers: number;
  /** Whether more than one caller gets the value: each then has a copy. */
  shared: boolean;
  /** Flights that its factory waits for: theirs must not wait for it. */
  readonly awaits: Flight[];
}

/** Runs a factory so that what it asks for is known to be asked by it. */
export type Within = <T>(factory: () => T) => Promise<Awaited<T>>;

/**
 * The work for a key; its signal aborts when nobody waits any more. `alone`: it is beside work for the key that waits
 * for it, and so must not wait for that.
 */
export type Work = (signal: AbortSignal | undefined, within: Within, alone: boolean) => Promise<Buffer>;

/** One caller with a signal. */
interface Caller {
  readonly flight: Flight;
  readonly reject: (reason: unknown) => void;
  watch: AbortWatch<Caller> | null;
}

// The flight whose factory the caller runs in, in all of the process's clients. Switched off while there is no factory:
// it costs time at each of the process's promises.
const inside = new AsyncLocalStorage<Flight>();
let factories = 0;

/**
 * Lets callers of one key at one time share the work of the first. Bounded by the work that is under way. A factory that
 * asks for a key whose work waits for it does not wait, as neither would ever end: it makes that key's value by itself.
 */
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
  run(key: string, signal: AbortSignal | undefined, work: Work): Promise<Buffer> {
    if (signal?.aborted === true) return Promise.reject(signal.reason);
    const asking = factories === 0 ? undefined : inside.getStore();
    const under = this.#flights.get(key);
    const joins = under !== undefined && !(asking !== undefined && waitsFor(under, asking));
    if (joins) under.shared = true;
    const flight = joins ? under : this.#begin(key, signal !== undefined, work);
    const value = this.#join(flight, signal);
    if (asking === undefined) return value;
    asking.awaits.push(flight);
    return value.finally(() => asking.awaits.splice(asking.awaits.indexOf(flight), 1));
  }

  #begin(key: string, mayAbort: boolean, work: Work): Flight {
    const controller = mayAbort ? new AbortController() : null;
    const flight: Flight = { key, value: none, controller, callers: 0, shared: false, awaits: [] };
    // One that could not be waited for stays, beside this.
    const alone = this.#flights.has(key);
    if (!alone) this.#flights.set(key, flight);
    const within: Within = (factory) => runIn(flight, factory);
    flight.value = work(controller?.signal, within, alone).finally(() => this.#remove(flight));
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

const none = Promise.resolve(Buffer.alloc(0));

async function runIn<T>(flight: Flight, factory: () => T): Promise<Awaited<T>> {
  factories++;
  try {
    return await inside.run(flight, factory);
  } finally {
    if (--factories === 0) inside.disable();
  }
}

/** Whether `flight` cannot end before `other`. */
function waitsFor(flight: Flight, other: Flight): boolean {
  const seen = new Set([flight]);
  for (const each of seen) for (const awaited of each.awaits) seen.add(awaited);
  return seen.has(other);
}
