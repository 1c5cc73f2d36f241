import type { Buffer } from "node:buffer";
import type { Failure } from "../client/errors.js";
import type { ContentLengthCheck } from "../operations/content-length-check.js";
import type { HeaderFields } from "../transport/grpc-status.js";

/** A stream of a connection. Only the connection changes the fields. Subclasses receive the events. */
export abstract class Http2Stream {
  /** The stream's id. 0 if the stream has not started. */
  id = 0;
  /** Flow-control credit for sending on this stream. */
  sendWindow = 0;
  /** Number of data bytes received since the last window update. */
  taken = 0;
  /** Checks the body length that the response headers announce. Null if they announce none. */
  contentLength: ContentLengthCheck | null = null;
  /**
   * The index of the write to the socket that sends the stream's headers. The connection's first write has the index 0.
   */
  sentWith = 0;

  /** Receives headers or trailers, which must not be modified. Returns the failure that ends the stream, or null. */
  abstract headersReceived(headers: HeaderFields, isLast: boolean): Failure | null;
  /** Receives data as a view of the connection's buffer. Returns the failure that ends the stream, or null. */
  abstract dataReceived(bytes: Buffer): Failure | null;
  /** Called when the server has ended the stream successfully. No more events follow. */
  abstract completed(): void;
  /** Called when the stream has failed. No more events follow. */
  abstract failed(failure: Failure): void;
}
