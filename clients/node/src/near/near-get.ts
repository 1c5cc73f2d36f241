import type { NearFlight } from "./near-flights.js";

/** A near get that was sent. It is poisoned if a later event concerns its key, its ticket or all keys. */
export class NearGet {
  inFlight = true;

  constructor(
    readonly flight: NearFlight,
    /** The number of the near stream on which the get was sent. 0 if its stream was not the near stream. */
    readonly stream: number,
    /** The number of the last event before the get was sent. */
    readonly begunAt: number,
    readonly sentAt: number,
  ) {}
}
