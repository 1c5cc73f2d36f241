import type { NearFlight } from "./near-flights.js";

/**
 * A near get that was sent. If a later event concerns its key, its ticket or all keys, the get is poisoned: its
 * response must not be stored.
 */
export class NearGet {
  inFlight = true;

  constructor(
    readonly flight: NearFlight,
    /** The `number` of the near stream on which the get was sent. 0 if the get was sent on another stream. */
    readonly stream: number,
    /** The sequence number of the last event before the get was sent. */
    readonly begunAt: number,
    readonly sentAt: number,
  ) {}
}
