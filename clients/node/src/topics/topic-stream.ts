import type { Buffer } from "node:buffer";
import { type ClientHttp2Stream, constants, type IncomingHttpHeaders, type IncomingHttpStatusHeader } from "node:http2";
import { clearTimeout, outsideRequestContext, startTimer } from "../calls/system-timers.js";
import { type Failure, Status } from "../client/errors.js";
import { GrpcMessageReader } from "../transport/grpc-message-reader.js";
import { notGrpc, readStatus } from "../transport/grpc-status.js";
import { unreadable } from "../transport/pipeline-session.js";
import type { TopicFeed, TopicStreamListener } from "./topic-link.js";

// Maximum size of a message. It is equal to the size limit of `EventBuffer`. A message from the server has at most 1
// MiB (TOP-6).
const maxMessageBytes = 4 << 20;
// Maximum time that `cancel` waits until the stream has closed.
const closeTimeoutMs = 1_000;

/** The part of a connection that its streams use. */
export interface TopicStreamConnection {
  readonly connected: boolean;
  readonly gone: boolean;
  /** The reason why the connection has ended. */
  readonly why: string;
  request(path: string, headers: Readonly<Record<string, string>>): ClientHttp2Stream;
  /** Called when data of a message has arrived. */
  received(): void;
  /** Called when the stream has closed. */
  left(): void;
}

/** One stream of a subscription, on a shared connection. Reading pauses while the listener accepts no messages. */
export class TopicStream implements TopicFeed {
  readonly #stream;
  readonly #reader = new GrpcMessageReader(maxMessageBytes);
  #status: Failure | null = null;
  #closed = false;
  #isEnded = false;
  // Whether the listener accepts no messages now.
  #isPaused = false;

  /**
   * Opens the stream. Throws if the connection has ended.
   * @param request - The stream's only message, as a gRPC frame.
   */
  constructor(
    private readonly connection: TopicStreamConnection,
    path: string,
    headers: Readonly<Record<string, string>>,
    request: Uint8Array,
    private readonly listener: TopicStreamListener,
  ) {
    const stream = outsideRequestContext(() => connection.request(path, headers));
    this.#stream = stream;
    stream.on("response", (answer) => this.#answered(answer));
    stream.on("trailers", (trailers) => {
      this.#status = readStatus(trailers) ?? this.#status;
    });
    stream.on("data", (chunk: Buffer) => {
      connection.received();
      this.#reader.push(chunk);
      this.#pump();
    });
    // Ignore errors here. They are reported on `close`, when the reason is known.
    stream.on("error", () => {});
    stream.on("close", () => {
      this.#closed = true;
      connection.left();
      this.#pump();
    });
    stream.end(request);
  }

  resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#pump();
    if (!this.#isPaused && !this.#isEnded) this.#stream.resume();
  }

  cancel(): Promise<void> {
    this.#isEnded = true;
    this.#stream.close(constants.NGHTTP2_CANCEL);
    // Read the remaining data, because unread data would keep the stream open.
    this.#stream.resume();
    if (this.#closed || !this.connection.connected) return Promise.resolve();
    return new Promise((resolve) => {
      const patience = startTimer(resolve, closeTimeoutMs);
      this.#stream.once("close", () => {
        clearTimeout(patience);
        resolve();
      });
    });
  }

  #pump(): void {
    while (!this.#isEnded && !this.#isPaused) {
      let more: boolean;
      try {
        const message = this.#reader.next();
        if (message === null) break;
        more = this.listener.message(message);
      } catch (error) {
        this.#end(unreadable(error));
        return;
      }
      if (more || this.#isEnded) continue;
      this.#isPaused = true;
      this.#stream.pause();
    }
    if (this.#closed && !this.#isPaused) this.#end(this.#status ?? this.#whyClosed());
  }

  #end(failure: Failure): void {
    if (this.#isEnded) return;
    void this.cancel();
    this.listener.ended(failure);
  }

  #answered(headers: IncomingHttpHeaders & IncomingHttpStatusHeader): void {
    this.#status = readStatus(headers) ?? this.#status;
    const strange = this.#status === null ? notGrpc(headers) : null;
    if (strange !== null) {
      this.#end(strange);
      return;
    }
    const position = headers["topic-position"];
    if (this.#status === null && !this.#isEnded) this.listener.opened(typeof position === "string" ? position : null);
  }

  #whyClosed(): Failure {
    const { rstCode } = this.#stream;
    if (this.connection.gone) return { status: Status.unavailable, message: this.connection.why, notExecuted: false };
    const how = rstCode ? `reset the stream (HTTP/2 error ${rstCode})` : "ended the stream without a status";
    return { status: Status.unavailable, message: `the server ${how}`, notExecuted: false };
  }
}
