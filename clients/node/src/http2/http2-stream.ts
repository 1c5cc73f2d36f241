import type { Buffer } from "node:buffer";
import type { Failure } from "../client/errors.js";
import type { ContentLengthCheck } from "../operations/content-length-check.js";
import type { HeaderFields } from "../transport/grpc-status.js";

/** A stream of a connection. The connection owns the fields; subclasses receive the events. */
export abstract class Http2Stream {
  /** The stream's id; 0 if it has not started. */
  id = 0;
  /** Flow-control credit for sending. */
  sendWindow = 0;
  /** Bytes of data received since the last window update. */
  taken = 0;
  /** The body length announced by the response headers; null if none. */
  contentLength: ContentLengthCheck | null = null;
  /** The number of the write that sends its headers. */
  sentWith = 0;

  /** Receives headers or trailers, which must not be modified. Returns the failure that ends the stream, or null. */
  abstract headersReceived(headers: HeaderFields, isLast: boolean): Failure | null;
  /** Receives data as a view. Returns the failure that ends the stream, or null. */
  abstract dataReceived(bytes: Buffer): Failure | null;
  /** The server has ended the stream successfully. No more events follow. */
  abstract completed(): void;
  /** The stream has failed. No more events follow. */
  abstract failed(failure: Failure): void;
}
