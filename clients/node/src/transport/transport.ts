import type { Call } from "../calls/call.js";
import type { Failure } from "../client/errors.js";

/** Sends calls to the server. It reports the response or the failure of each attempt to the call's owner, once. */
export interface Transport {
  /**
   * Sends a call. It never completes or fails the call before it returns.
   * @throws What encoding throws; nothing was taken in that case.
   */
  send(call: Call): void;
  /** Abandons a sent call whose caller gave up. A later response is discarded. */
  abandon(call: Call): void;
  /** Connects now instead of with the first call. Rejects with the reason if that fails. */
  connect(timeoutMs: number): Promise<void>;
  /** Number of open connections. */
  readonly connections: number;
  /** Whether calls use the pipeline. Calls that the pipeline does not support are unary anyway. */
  readonly pipelined: boolean;
  /**
   * Why connecting currently fails, from the last attempt; null if there is a connection, or if no attempt has failed.
   */
  readonly refusal: string | null;
  /** Returns a description of the connection's state, for error messages. */
  describe(): string;
  /**
   * Adjusts the failure of an attempt before the retry policy sees it. With several servers, a retry may succeed on
   * another one.
   */
  adjustFailure?(call: Call, failure: Failure): Failure;
  /** Closes all connections. The caller must settle pending calls before. */
  close(): void;
}

/** The transport of one gateway in a set of gateways. */
export interface GatewayTransport extends Transport {
  /** Whether a connection accepts new calls (GATEWAY-5). */
  readonly ready: boolean;
  /** Whether its stream is the near stream, so that gets on it are near gets (NEAR-20). */
  readonly isNear: boolean;
  /** Number of calls on its connections, including abandoned calls without a response (GATEWAY-6). */
  readonly inFlight: number;
  /** Why the server, although reachable, rejects streams; null if it accepts them or is unreachable. */
  readonly streamRefusal: Failure | null;
}
