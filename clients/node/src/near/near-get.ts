import type { NearFlight } from "./near-flights.js";

/** One near get that was sent: it is poisoned where an event of its key, of its ticket or of all came after it. */
export class NearGet {
  inFlight = true;

  constructor(
    readonly flight: NearFlight,
    /** The near stream that it was sent on; 0: the stream was not that. */
    readonly stream: number,
    /** The number of the last event before it. */
    readonly begunAt: number,
    readonly sentAt: number,
  ) {}
}
