import type { Http2Duplex } from "../http2/http2-duplex.js";
import type { PipelineSession } from "./pipeline-session.js";

/** Where a pipeline's connection stands; one transition function of the transport each: `#connect`, `#opened`, `#ended`. */
export type LinkState = "idle" | "connecting" | "open" | "backingOff" | "unsupported" | "closed";

/** The link that is open or being opened: a connection with its session. */
export interface Link {
  readonly duplex: Http2Duplex;
  readonly session: PipelineSession;
  draining: boolean;
}

// Ids on a stream for each permit (PIPE-16); without a cap, those of as many calls as a queue would hold.
const idsPerPermit = 4;
const idsWithoutCap = 400_000;

/** Ids in use on a stream at most, those of abandoned calls included. */
export function mostIds(maxInFlight: number | "off"): number {
  return maxInFlight === "off" ? idsWithoutCap : maxInFlight * idsPerPermit;
}
