import type { Http2Duplex } from "../http2/http2-duplex.js";
import type { PipelineSession } from "./pipeline-session.js";

/**
 * The state of a pipeline's connection. Each transition has one function in the transport: `#connect`, `#opened`,
 * `#ended`.
 */
export type LinkState = "idle" | "connecting" | "open" | "backingOff" | "unsupported" | "closed";

/** The current link, open or being opened: a connection with its session. */
export interface Link {
  readonly duplex: Http2Duplex;
  readonly session: PipelineSession;
  draining: boolean;
}

// Stream ids per permit (PIPE-16). Without a cap, as many as for a full queue.
const idsPerPermit = 4;
const idsWithoutCap = 400_000;

/** Returns the maximum number of ids in use on a stream, including those of abandoned calls. */
export function maxIds(maxInFlight: number | "off"): number {
  return maxInFlight === "off" ? idsWithoutCap : maxInFlight * idsPerPermit;
}
