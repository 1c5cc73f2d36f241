import type { Call } from "../calls/call.js";
import type { Failure } from "../client/errors.js";

/** A way for calls to travel. It tells a call's owner of the answer or the failure of each attempt, once. */
export interface Transport {
  /** Sends a call; never answers or fails it before it returns. Throws what its encoding throws, and has then taken nothing. */
  send(call: Call): void;
  /** The caller gave up on a call that was sent: its answer, if one comes, is thrown away. */
  abandon(call: Call): void;
  /** Connects now instead of at the first call; rejects with the reason if that fails. */
  connect(timeoutMs: number): Promise<void>;
  /** Connections that are open. */
  readonly connections: number;
  /** Whether calls travel by the pipeline; the calls that it does not carry are unary all the same. */
  readonly pipelined: boolean;
  /** Why no connection can be made at the moment: the last try's refusal; null where there is one, or none was refused. */
  readonly refusal: string | null;
  /** The state of the connection in words, for error texts. */
  describe(): string;
  /** An attempt failed: the failure as the retry rule is to see it. Where there are several servers another may do better. */
  judged?(call: Call, failure: Failure): Failure;
  /** Closes every connection. Calls that were sent are the caller's to settle, before. */
  close(): void;
}

/** A transport as a set of gateways sees it, which has one for each gateway. */
export interface GatewayTransport extends Transport {
  /** Whether a connection takes new calls (GATEWAY-5). */
  readonly ready: boolean;
  /** Whether its stream is the near stream, on which gets are near (NEAR-20). */
  readonly isNear: boolean;
  /** Calls on its connections, those included that were abandoned and are not answered (GATEWAY-6). */
  readonly inFlight: number;
  /** Why the server, which is there, takes no stream; null: it does, or is not there. */
  readonly streamRefusal: Failure | null;
}
