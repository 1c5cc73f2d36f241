import type { NearFlight } from "./near-flights.js";

/** A near get that was sent. It is poisoned if an event for its key, its ticket or all keys came after it. */
export class NearGet {
  inFlight = true;

  constructor(
    readonly flight: NearFlight,
    /** The near stream on which it was sent; 0 if that was not the near stream. */
    readonly stream: number,
    /** The number of the last event before it. */
    readonly begunAt: number,
    readonly sentAt: number,
  ) {}
}
