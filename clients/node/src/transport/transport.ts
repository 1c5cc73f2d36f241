import type { Call } from "../calls/call.js";
import type { Failure } from "../client/errors.js";

/**
 * Sends calls to the server. For each attempt, it reports the response or the failure to the call's owner exactly once.
 */
export interface Transport {
  /**
   * Sends a call. The call is never completed or failed before this method returns.
   * @throws The exceptions of encoding. In that case the transport has not accepted the call.
   */
  send(call: Call): void;
  /** Abandons a sent call whose caller has cancelled or timed out. A later response is discarded. */
  abandon(call: Call): void;
  /** Connects immediately, instead of when the first call is sent. Rejects with the reason if connecting fails. */
  connect(timeoutMs: number): Promise<void>;
  /** Number of open connections. */
  readonly connections: number;
  /** Whether calls use the pipeline. Calls that the pipeline does not support are always unary. */
  readonly pipelined: boolean;
  /** Why the last attempt to connect failed. Null if there is a connection, or if no attempt has failed. */
  readonly refusal: string | null;
  /** Returns a description of the connection's state, for error messages. */
  describe(): string;
  /**
   * Adjusts the failure of an attempt before the retry policy handles it. With several servers, a retry may succeed on
   * another server.
   */
  adjustFailure?(call: Call, failure: Failure): Failure;
  /** Closes all connections. Before that, the caller must settle all pending calls. */
  close(): void;
}

/** The transport of one gateway in a gateway set. */
export interface GatewayTransport extends Transport {
  /** Whether a connection accepts new calls (GATEWAY-5). */
  readonly ready: boolean;
  /** Whether the transport's stream is the near stream. Gets on the near stream are near gets (NEAR-20). */
  readonly isNear: boolean;
  /** Number of calls on the transport's connections, including abandoned calls without a response (GATEWAY-6). */
  readonly inFlight: number;
  /** Why the server rejects streams although it is reachable. Null if the server accepts streams or is unreachable. */
  readonly streamRefusal: Failure | null;
}
