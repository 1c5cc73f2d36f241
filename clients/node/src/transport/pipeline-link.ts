import type { Http2Duplex } from "../http2/http2-duplex.js";
import type { PipelineSession } from "./pipeline-session.js";

/**
 * The state of a pipeline's connection. In the transport, each transition has one method: `#connect`, `#opened` or
 * `#ended`.
 */
export type LinkState = "idle" | "connecting" | "open" | "backingOff" | "unsupported" | "closed";

/** A connection of the pipeline, which is open or being opened, with the session that uses it. */
export interface Link {
  readonly duplex: Http2Duplex;
  readonly session: PipelineSession;
  draining: boolean;
  /** Whether a message has arrived on the stream. */
  hasReceived: boolean;
}

// Number of stream ids per permit (PIPE-16). If there is no cap on permits, there are as many ids as for a cap of
// 100,000.
const idsPerPermit = 4;
const idsWithoutCap = 400_000;

/** Returns the maximum number of ids that may be in use on a stream, including the ids of abandoned calls. */
export function maxIds(maxInFlight: number | "off"): number {
  return maxInFlight === "off" ? idsWithoutCap : maxInFlight * idsPerPermit;
}
