import type { Buffer } from "node:buffer";
import type { Failure } from "../client/errors.js";
import type { BodyLength } from "../operations/body-length.js";
import type { HeaderFields } from "../transport/grpc-status.js";

/** A stream of a connection: the numbers are the connection's own, what comes is told to whoever extends it. */
export abstract class Http2Stream {
  /** 0: it has not begun. */
  id = 0;
  /** Bytes that the server still takes of it. */
  credit = 0;
  /** Bytes of data that came since credit was last given. */
  taken = 0;
  /** What its answer's headers told of the body; null: nothing. */
  body: BodyLength | null = null;
  /** The number of the write that its headers leave with. */
  sentWith = 0;

  /** Headers or trailers came, not to be changed; answers why the stream is to be ended, or null. */
  abstract headersCame(headers: HeaderFields, isLast: boolean): Failure | null;
  /** Data came, a view; answers why the stream is to be ended, or null. */
  abstract dataCame(bytes: Buffer): Failure | null;
  /** The server has ended it. Nothing more is told. */
  abstract whole(): void;
  /** It has failed. Nothing more is told. */
  abstract failed(failure: Failure): void;
}
