import type { Buffer } from "node:buffer";
import type { Failure } from "../client/errors.js";
import type { Configuration } from "../configuration/configuration.js";
import type { HeaderField } from "./header-encoder.js";

/** Settings for connecting and for keepalive. */
export type ConnectionSettings = Pick<Configuration, "connectTimeoutMs" | "keepaliveIntervalMs" | "keepaliveTimeoutMs">;

/** Receives the events of a connection. */
export interface ConnectionListener {
  /** Called when the server is ready and streams may start. */
  opened(): void;
  /** Called when another stream may be able to start, because a stream has ended or the server allows more streams. */
  capacityAvailable(): void;
  /**
   * Called when no more streams may start. Existing streams continue.
   * @param isByServer - Whether the server has sent GOAWAY. If false, this client stopped using the connection.
   */
  draining(isByServer: boolean): void;
  /** Called exactly once, when the connection has ended. It is called before the streams fail. */
  ended(failure: Failure): void;
}

/** The parameters of a stream for a call. */
export interface StreamRequest {
  readonly path: string;
  /** The metadata of the call. Calls with the same metadata pass the same object. */
  readonly metadata: readonly HeaderField[];
  readonly timeoutMs: number;
  /** The call's only message, as a gRPC frame. The message is copied before `start` returns. */
  readonly message: Buffer;
}
