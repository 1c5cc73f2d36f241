import { Buffer } from "node:buffer";
import type { Socket } from "node:net";
import { SilenceDetector } from "../calls/silence-detector.js";
import { clearTimeout, startTimer } from "../calls/system-timers.js";
import { type Failure, Status } from "../client/errors.js";
import type { CredentialProvider } from "../configuration/credential-provider.js";
import { ContentLengthCheck, contentLengthMismatch } from "../operations/content-length-check.js";
import { connectSocket } from "../transport/connect-socket.js";
import { connectionLossMessage, wrongProtocol } from "../transport/connection-loss.js";
import { readStatus } from "../transport/grpc-status.js";
import { Keepalive } from "../transport/keepalive.js";
import { requestFields } from "../transport/request-fields.js";
import { type ControlListener, readControlFrame } from "./control-frames.js";
import { HeaderBlock } from "./header-block.js";
import { encodeHeaders, HeaderDecoder } from "./hpack.js";
import type { ConnectionSettings } from "./http2-connection-types.js";
import { Http2Code } from "./http2-errors.js";
import { Http2Error, Http2FrameReader } from "./http2-frame-reader.js";
import {
  connectionOpening,
  defaultFrameBytes,
  defaultWindowBytes,
  FrameFlag,
  FrameType,
  frameHeaderBytes,
  frameOf,
  headerFrames,
  ownMaxFrameBytes,
  ownWindowBytes,
  Setting,
  streamId,
  windowUpdateFrame,
  writeFrameHeader,
} from "./http2-frames.js";
import { maxWindow, readSettings } from "./http2-settings.js";

/** Receives the events of a duplex stream. `ended` is the last event and is called exactly once. */
export interface DuplexListener {
  /** Called when the server has accepted the stream. */
  opened(): void;
  data(chunk: Buffer): void;
  ended(failure: Failure): void;
}

/**
 * Bytes that are not sent yet, because there is not enough flow-control credit or because earlier bytes must be sent
 * first.
 */
interface Unsent {
  readonly bytes: Uint8Array;
  position: number;
  readonly written: () => void;
}

// Maximum size in bytes of the unsent acknowledgements of pings and settings, in case the server does not read them.
const maxControlBytes = 1 << 20;
// A message up to this size is copied into the frame's buffer. That is cheaper than a second buffer in the write.
const copiedBytes = 4_096;

/**
 * One bidirectional gRPC stream on its own HTTP/2 connection, implemented directly on the socket. It transports raw
 * bytes in both directions. Node's own HTTP/2 implementation takes 5 µs more per round trip of a message (ADR-0056).
 */
export class Http2Duplex {
  readonly silence = new SilenceDetector();
  readonly #socket: Socket;
  readonly #reader: Http2FrameReader;
  readonly #headers = new HeaderDecoder();
  readonly #unsent: Unsent[] = [];
  #ended = false;
  #connected = false;
  #hasHeard = false;
  #opened = false;
  readonly #keepalive: Keepalive;
  #openTimeout: NodeJS.Timeout | null;
  #lastError: Error | null = null;
  #status: Failure | null = null;
  // The flow-control credit of the connection and of the stream, and the maximum frame size.
  #sendWindow = defaultWindowBytes;
  #streamSendWindow = defaultWindowBytes;
  #initialWindow = defaultWindowBytes;
  #maxFrame = defaultFrameBytes;
  // Number of data bytes received since the last window update.
  #taken = 0;
  #body: ContentLengthCheck | null = null;
  readonly #block = new HeaderBlock();
  readonly #control: ControlListener = {
    headerBlockReceived: (block) => this.#headersReceived(this.#headers.decode(block), this.#block.endsStream),
    settingsReceived: (flags, stream, payload) => this.#settings(flags, stream, payload),
    windowUpdateReceived: (stream, bytes) => this.#windowUpdated(stream, bytes),
    pingReceived: (payload) => this.#answer(FrameType.ping, payload),
    pingAcknowledged: () => this.#keepalive.answered(),
    resetReceived: (stream, code) => this.#reset(stream, code),
    goawayReceived: (last, code) => this.#goaway(last, code),
  };

  constructor(
    private readonly credentials: CredentialProvider,
    path: string,
    headers: Readonly<Record<string, string>>,
    settings: ConnectionSettings,
    private readonly listener: DuplexListener,
  ) {
    this.#reader = new Http2FrameReader(
      {
        data: (bytes) => this.#data(bytes),
        dataFrame: (stream, lengthBytes) => this.#dataFrame(stream, lengthBytes),
        dataEnded: () => this.#over(),
        frame: (type, flags, stream, payload) => this.#frame(type, flags, stream, payload),
      },
      ownMaxFrameBytes,
    );
    const request = this.#request(path, headers);
    const socket = connectSocket(credentials, (chunk) => this.#received(chunk));
    this.#socket = socket;
    this.#keepalive = new Keepalive(
      settings,
      () => socket.write(frameOf(FrameType.ping, 0, 0, Buffer.alloc(8))),
      (error) => this.#fail(error),
    );
    // The time is measured from the first packet until the server's first response arrives.
    const { connectTimeoutMs } = settings;
    const late = () => this.#fail(new Error(`no connection within ${connectTimeoutMs} ms`));
    this.#openTimeout = startTimer(late, connectTimeoutMs).unref();
    socket.on(credentials.tls ? "secureConnect" : "connect", () => {
      if (this.#ended) return;
      this.#connected = true;
      socket.write(request);
      this.#keepalive.start();
    });
    socket.on("error", (error) => this.#fail(error));
    socket.on("close", () => this.#end());
    // A connection does not keep the process alive. Pending calls keep it alive until their deadlines.
    socket.unref();
  }

  /**
   * Sends bytes. `written` is called when the bytes have been passed to the socket. It is not called if the stream ends
   * before that.
   */
  write(bytes: Uint8Array, written: () => void): void {
    if (this.#ended) return;
    const { length } = bytes;
    const fits = length <= this.#sendWindow && length <= this.#streamSendWindow && length <= this.#maxFrame;
    if (fits && length <= copiedBytes && this.#unsent.length === 0) {
      const frame = Buffer.allocUnsafe(frameHeaderBytes + length);
      this.#dataHeader(frame, length);
      frame.set(bytes, frameHeaderBytes);
      this.#socket.write(frame, whenDone(written));
      return;
    }
    this.#unsent.push({ bytes, position: 0, written });
    this.#pump();
  }

  /** Returns whether all bytes have been written. */
  get isDrained(): boolean {
    return this.#unsent.length === 0 && this.#socket.writableLength === 0;
  }

  /** Closes the connection. The listener's `ended` is called before this method returns. */
  close(): void {
    this.#end();
  }

  #request(path: string, headers: Readonly<Record<string, string>>): Buffer {
    const block = encodeHeaders([...requestFields(this.credentials, path), ...Object.entries(headers)]);
    return Buffer.concat([connectionOpening, ...headerFrames(block)]);
  }

  #dataHeader(into: Buffer, length: number): void {
    writeFrameHeader(into, length, FrameType.data, 0, streamId);
    this.#sendWindow -= length;
    this.#streamSendWindow -= length;
  }

  // Sends as many frames as the credit allows. The buffers belong to the session until the frames have been written.
  #pump(): void {
    const socket = this.#socket;
    socket.cork();
    for (let first = this.#unsent[0]; first !== undefined; first = this.#unsent[0]) {
      const { bytes, position, written } = first;
      const length = Math.min(bytes.length - position, this.#sendWindow, this.#streamSendWindow, this.#maxFrame);
      if (length <= 0) break;
      const header = Buffer.allocUnsafe(frameHeaderBytes);
      this.#dataHeader(header, length);
      socket.write(header);
      first.position += length;
      const isLast = first.position === bytes.length;
      if (isLast) this.#unsent.shift();
      socket.write(bytes.subarray(position, position + length), isLast ? whenDone(written) : undefined);
    }
    socket.uncork();
  }

  #received(chunk: Buffer): void {
    if (this.#ended) return;
    this.silence.received();
    if (!this.#hasHeard) {
      this.#hasHeard = true;
      const foreign = wrongProtocol(chunk);
      if (foreign !== null) {
        this.#fail(foreign);
        return;
      }
    }
    try {
      this.#reader.push(chunk);
    } catch (error) {
      this.#fail(new Error(`HTTP/2 protocol error from the server: ${(error as Error).message}`));
    }
  }

  #dataFrame(stream: number, lengthBytes: number): void {
    if (stream !== streamId || !this.#opened || this.#block.isOpen) throw new Http2Error("unexpected DATA frame");
    this.#taken += lengthBytes;
    if (this.#taken < ownWindowBytes / 2) return;
    this.#socket.write(Buffer.concat([windowUpdateFrame(0, this.#taken), windowUpdateFrame(streamId, this.#taken)]));
    this.#taken = 0;
  }

  #data(bytes: Buffer): void {
    if (this.#body?.count(bytes.length) === false) this.#fail(new Error(contentLengthMismatch));
    else this.listener.data(bytes);
  }

  // Called when the server has ended the stream.
  #over(): void {
    if (this.#body?.isWhole === false) {
      this.#status = null;
      this.#lastError = new Error(contentLengthMismatch);
    }
    this.#end();
  }

  #frame(type: number, flags: number, stream: number, payload: Buffer): void {
    this.#block.check(type);
    if (type === FrameType.headers && stream !== streamId)
      throw new Http2Error("a HEADERS frame arrived on a stream that was never opened");
    readControlFrame(this.#control, this.#block, type, flags, stream, payload);
  }

  #headersReceived(headers: Readonly<Record<string, string>>, endsStream: boolean): void {
    const http = headers[":status"];
    if (http?.startsWith("1") === true) return;
    this.#status = readStatus(headers) ?? this.#status;
    if (this.#status === null && !this.#opened && http !== "200") {
      this.#fail(new Error(`the server returned HTTP status ${http} instead of a gRPC response`));
      return;
    }
    this.#body ??= ContentLengthCheck.fromHeaders(headers);
    if (endsStream) {
      this.#over();
      return;
    }
    if (this.#opened || this.#status !== null) return;
    this.#opened = true;
    this.#stopOpenTimeout();
    this.listener.opened();
  }

  #settings(flags: number, stream: number, payload: Buffer): void {
    if ((flags & FrameFlag.ack) !== 0) return;
    readSettings(stream, payload, (setting, value) => {
      if (setting === Setting.initialWindowSize) {
        this.#streamSendWindow += value - this.#initialWindow;
        this.#initialWindow = value;
      } else if (setting === Setting.maxFrameSize) this.#maxFrame = value;
    });
    this.#answer(FrameType.settings);
    if (this.#unsent.length > 0) this.#pump();
  }

  #windowUpdated(stream: number, bytes: number): void {
    if (stream === 0) this.#sendWindow += bytes;
    else if (stream === streamId) this.#streamSendWindow += bytes;
    if (bytes === 0 || this.#sendWindow > maxWindow || this.#streamSendWindow > maxWindow)
      throw new Http2Error("a flow-control window is out of range");
    if (this.#unsent.length > 0) this.#pump();
  }

  #reset(stream: number, code: number): void {
    if (stream !== streamId) throw new Http2Error("invalid RST_STREAM frame");
    this.#refused(code === Http2Code.refusedStream, `the server reset the stream (HTTP/2 error ${code})`);
  }

  // Handles a GOAWAY frame. The stream continues if the server still processes it.
  #goaway(last: number, code: number): void {
    if (last < streamId) this.#refused(true, "the server is shutting down");
    else if (code !== 0) this.#lastError = new Error(`the server sent GOAWAY ${code}`);
  }

  #refused(notExecuted: boolean, message: string): void {
    this.#status ??= { status: Status.unavailable, message, notExecuted };
    this.#end();
  }

  // Acknowledges a frame. The unsent output is bounded, because a server may send pings and never read.
  #answer(type: number, payload?: Buffer): void {
    if (this.#socket.writableLength > maxControlBytes)
      throw new Http2Error("the server requests acknowledgements but does not read them");
    this.#socket.write(frameOf(type, FrameFlag.ack, 0, payload));
  }

  #stopOpenTimeout(): void {
    if (this.#openTimeout !== null) clearTimeout(this.#openTimeout);
    this.#openTimeout = null;
  }

  #fail(error: Error): void {
    this.#lastError = error;
    this.#end();
  }

  #end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#reader.close();
    this.#stopOpenTimeout();
    this.#keepalive.stop();
    this.#socket.destroy();
    this.#unsent.length = 0;
    const cause = this.#lastError;
    const message = connectionLossMessage(
      this.credentials,
      { connected: this.#connected, opened: this.#opened },
      cause,
    );
    this.listener.ended(this.#status ?? { status: Status.unavailable, message, cause, notExecuted: false });
  }
}

function whenDone(written: () => void): (error?: Error | null) => void {
  return (error) => {
    if (error === null || error === undefined) written();
  };
}
