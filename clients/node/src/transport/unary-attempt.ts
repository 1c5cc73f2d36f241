import type { Buffer } from "node:buffer";
import type { Call } from "../calls/call.js";
import { type Failure, Status } from "../client/errors.js";
import type { Http2Connection } from "../http2/http2-connection.js";
import { Http2Stream } from "../http2/http2-stream.js";
import type { BatchOperation } from "../operations/batch-operations.js";
import { broken, ResponseMessages } from "../operations/response-messages.js";
import type { PooledChannel } from "./channel-pool.js";
import { type HeaderFields, notGrpc, readStatus } from "./grpc-status.js";
import type { UnaryChannel } from "./unary-channel.js";

/**
 * Called once, at the end of an attempt. If a response was received, the failure is null, and `answer` returns the
 * response.
 */
export type AttemptEnd = (attempt: UnaryAttempt, failure: Failure | null) => void;

/** One attempt of a call on a channel. It is the call's `handle`. */
export class UnaryAttempt extends Http2Stream {
  /** The connection of the attempt. Null while the attempt waits for a connection. */
  connection: Http2Connection | null = null;
  /** The version of the provider's token with which the attempt was sent. Undefined if there is no provider. */
  tokenVersion: number | undefined;
  #hasHead = false;
  #status: Failure | null = null;
  #encoding: unknown;
  #messages: ResponseMessages | null = null;

  constructor(
    readonly pooled: PooledChannel<UnaryChannel<UnaryAttempt>>,
    readonly call: Call,
    private readonly end: AttemptEnd,
  ) {
    super();
  }

  /** Returns the decoded response. Rethrows the exceptions of decoding. */
  answer(): unknown {
    const { operation } = this.call;
    const messages = this.#messages?.all ?? [];
    return operation.kind.serverStream
      ? (operation as BatchOperation<unknown>).decodeMessages(messages)
      : operation.decode(messages[0]!);
  }

  headersReceived(headers: HeaderFields, isLast: boolean): Failure | null {
    if (this.#hasHead) {
      if (!isLast) return broken("HTTP/2 protocol error from the server: headers in the middle of a response");
      this.#status = readStatus(headers) ?? this.#status;
      return null;
    }
    const http = headers[":status"];
    if (typeof http !== "string") return broken("HTTP/2 protocol error from the server: a response without a status");
    if (http.startsWith("1") && !isLast) return null;
    this.#hasHead = true;
    this.#encoding = headers["grpc-encoding"];
    this.#status = readStatus(headers);
    return this.#status === null ? notGrpc(headers) : null;
  }

  dataReceived(bytes: Buffer): Failure | null {
    if (!this.#hasHead) return broken("HTTP/2 protocol error from the server: data before headers");
    if (this.#messages === null) {
      const { kind, batchSize } = this.call.operation;
      this.#messages = new ResponseMessages(kind.serverStream ? batchSize : 1, this.#encoding);
    }
    return this.#messages.push(bytes);
  }

  completed(): void {
    this.end(this, this.#outcome());
  }

  failed(failure: Failure): void {
    this.end(this, failure);
  }

  #outcome(): Failure | null {
    const status = this.#status;
    if (status === null) return broken("the server ended the stream without a status");
    if (status.status !== Status.ok) return { ...status, notExecuted: status.cause === "not_executed" };
    const failure = this.#messages?.end() ?? null;
    if (failure !== null) return failure;
    const isEmpty = (this.#messages?.all.length ?? 0) === 0;
    return isEmpty && !this.call.operation.kind.serverStream ? broken("the response contains no gRPC message") : null;
  }
}
