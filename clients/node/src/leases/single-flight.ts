import { AsyncLocalStorage } from "node:async_hooks";
import { Buffer } from "node:buffer";
import { type AbortWatch, AbortWatches } from "../calls/abort-watches.js";
import type { Clock, ScheduledTask } from "../calls/clock.js";

/** A stale value that callers may get while the load of a new value takes long. */
export interface StaleOffer {
  readonly value: Buffer;
  /** How long ago the value's stored TTL passed, when the server returned the value. */
  readonly expiredMs: number;
  /** The time at which the server returned the value. */
  readonly atMs: number;
  /** Called when the last waiting caller has got the stale value. The work ends, or continues in the background. */
  abandoned(): void;
}

/** A caller's soft timeout (GOC-10). */
export interface SoftTimeout {
  readonly clock: Clock;
  readonly softTimeoutMs: number;
  /** Returns whether the caller may get a value whose stored TTL passed this long ago. */
  allows(expiredMs: number): boolean;
  /** Called when the caller gets the stale value. */
  exceeded(): void;
}

/** A load in progress for a key, with its callers. */
interface Flight {
  readonly key: string;
  value: Promise<Buffer>;
  /**
   * Aborts the work when all callers have left. Null if a caller without a signal waits, because that caller cannot
   * leave.
   */
  controller: AbortController | null;
  callers: number;
  /** Whether several callers get the value. If so, each caller needs a copy. */
  shared: boolean;
  /** The stale value that callers may get now. Null if no stale value exists. */
  offer: StaleOffer | null;
  /** Ends the work, or lets it continue in the background. Null before the first stale value. */
  abandoned: (() => void) | null;
  /** Whether a caller has left with the stale value. If so, the work does not end when the other callers abort. */
  overdue: boolean;
  /** The callers with a soft timeout. They are called when the stale value changes. */
  readonly patient: Set<() => void>;
  /** The flights that the factory of this flight waits for. They must not wait for this flight. */
  readonly awaits: Flight[];
}

/**
 * Runs a factory and records which flight it belongs to, so that loads that the factory itself requests can be
 * attributed to this flight.
 */
export type Within = <T>(factory: () => T) => Promise<Awaited<T>>;

/**
 * The work that loads the value of a key. Its signal aborts when no caller is waiting for it.
 *
 * If `alone` is true, other work for the same key waits for this work, so this work must not wait for that other work.
 *
 * The work calls `offer` when it learns whether there is a stale value that callers may get after their soft timeouts.
 */
export type Work = (
  signal: AbortSignal | undefined,
  within: Within,
  alone: boolean,
  offer: (stale: StaleOffer | null) => void,
) => Promise<Buffer>;

/** A caller that has a signal. */
interface Caller {
  readonly flight: Flight;
  readonly reject: (reason: unknown) => void;
  watch: AbortWatch<Caller> | null;
  /** Ends the caller's soft timeout. Null if the caller has none. */
  timeout: { cancel(): void } | null;
}

// The flight whose factory is running in the current asynchronous context. All clients of the process share this
// storage. It is disabled while no factory runs, because it slows down every promise of the process.
const inside = new AsyncLocalStorage<Flight>();
let factories = 0;

/**
 * Shares one load between concurrent callers for the same key. A flight is removed when its load has ended or when all
 * its callers have left. If a factory requests a key whose load waits for that factory, waiting would be a deadlock. In
 * that case the request starts its own load of the key.
 */
export class SingleFlight {
  readonly #flights = new Map<string, Flight>();
  readonly #aborts = new AbortWatches<Caller>((caller, signal) => this.#leave(caller, signal));

  /** Returns the number of keys whose load is in progress. */
  get size(): number {
    return this.#flights.size;
  }

  /**
   * Returns the result of the work in progress for `key`. If there is none, starts `work` and returns its result. Each
   * caller gets its own buffer. If a caller's signal aborts, that caller's promise rejects with the signal's reason.
   * When all callers have left, the signal of `work` aborts.
   * @param softTimeout - The caller's soft timeout. It starts when the caller waits and the work has offered a stale value.
   * Null if the caller waits for the result in any case.
   */
  run(
    key: string,
    signal: AbortSignal | undefined,
    work: Work,
    softTimeout: SoftTimeout | null = null,
  ): Promise<Buffer> {
    if (signal?.aborted === true) return Promise.reject(signal.reason);
    const asking = factories === 0 ? undefined : inside.getStore();
    const under = this.#flights.get(key);
    const joins = under !== undefined && !(asking !== undefined && waitsFor(under, asking));
    if (joins) under.shared = true;
    const flight = joins ? under : this.#begin(key, signal !== undefined, work);
    const value = this.#join(flight, signal, softTimeout);
    if (asking === undefined) return value;
    asking.awaits.push(flight);
    return value.finally(() => asking.awaits.splice(asking.awaits.indexOf(flight), 1));
  }

  #begin(key: string, mayAbort: boolean, work: Work): Flight {
    const controller = mayAbort ? new AbortController() : null;
    const flight: Flight = {
      key,
      value: none,
      controller,
      callers: 0,
      shared: false,
      offer: null,
      abandoned: null,
      overdue: false,
      patient: new Set(),
      awaits: [],
    };
    // If another flight for this key exists, but waiting for it would be a deadlock, that flight stays registered.
    const alone = this.#flights.has(key);
    if (!alone) this.#flights.set(key, flight);
    const within: Within = (factory) => runIn(flight, factory);
    const offer = (stale: StaleOffer | null) => {
      flight.offer = stale;
      // The work may learn later that there is no stale value any more, and must nevertheless end when all callers have
      // left.
      if (stale !== null) flight.abandoned = () => stale.abandoned();
      for (const offered of flight.patient) offered();
    };
    flight.value = work(controller?.signal, within, alone, offer).finally(() => this.#remove(flight));
    return flight;
  }

  #join(flight: Flight, signal: AbortSignal | undefined, softTimeout: SoftTimeout | null): Promise<Buffer> {
    flight.callers++;
    const own = flight.value.then((value) => (flight.shared ? Buffer.from(value) : value));
    if (signal === undefined && softTimeout === null) {
      flight.controller = null;
      return own;
    }
    return new Promise((resolve, reject) => {
      const caller: Caller = { flight, reject, watch: null, timeout: null };
      if (signal === undefined) flight.controller = null;
      else caller.watch = this.#aborts.add(signal, caller);
      if (softTimeout !== null) this.#waitWithSoftTimeout(caller, softTimeout, resolve);
      own.then(resolve, reject).finally(() => stopWaiting(caller));
    });
  }

  // Passes the stale value to a caller when its soft timeout has passed.
  #waitWithSoftTimeout(caller: Caller, softTimeout: SoftTimeout, resolve: (value: Buffer) => void): void {
    const { flight } = caller;
    const { clock } = softTimeout;
    const joinedAtMs = clock.now();
    let hasPassed = false;
    const offered = () => {
      const { offer } = flight;
      if (offer === null) return;
      if (!hasPassed) {
        task ??= clock.schedule(passed, softTimeout.softTimeoutMs);
        return;
      }
      if (!softTimeout.allows(offer.expiredMs + Math.max(0, joinedAtMs - offer.atMs))) return;
      stopWaiting(caller);
      flight.overdue = true;
      softTimeout.exceeded();
      resolve(flight.shared ? Buffer.from(offer.value) : offer.value);
      this.#left(flight, undefined);
    };
    const passed = () => {
      hasPassed = true;
      offered();
    };
    let task: ScheduledTask | null = null;
    caller.timeout = {
      cancel: () => {
        task?.cancel();
        flight.patient.delete(offered);
      },
    };
    flight.patient.add(offered);
    offered();
  }

  #leave(caller: Caller, signal: AbortSignal): void {
    const { flight } = caller;
    stopWaiting(caller);
    caller.reject(signal.reason);
    this.#left(flight, signal.reason);
  }

  // Handles that a caller no longer waits.
  #left(flight: Flight, reason: unknown): void {
    if (--flight.callers > 0) return;
    if (flight.overdue) {
      this.#remove(flight);
      flight.abandoned?.();
    } else if (flight.controller !== null) {
      this.#remove(flight);
      flight.controller.abort(reason);
    }
  }

  #remove(flight: Flight): void {
    if (this.#flights.get(flight.key) === flight) this.#flights.delete(flight.key);
  }
}

function stopWaiting(caller: Caller): void {
  caller.watch?.remove(caller);
  caller.timeout?.cancel();
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

/** Returns whether `flight` cannot end before `other` has ended. */
function waitsFor(flight: Flight, other: Flight): boolean {
  const seen = new Set([flight]);
  for (const each of seen) for (const awaited of each.awaits) seen.add(awaited);
  return seen.has(other);
}
