import type { Buffer } from "node:buffer";
import type { Socket } from "node:net";
import { SilenceDetector } from "../calls/silence-detector.js";
import { clearTimeout, nextTick, startTimer } from "../calls/system-timers.js";
import { type Failure, Status } from "../client/errors.js";
import type { CredentialProvider } from "../configuration/credential-provider.js";
import { ContentLengthCheck, contentLengthMismatch } from "../operations/content-length-check.js";
import { maxStreamsPerChannel } from "../transport/channel-pool.js";
import { connectSocket } from "../transport/connect-socket.js";
import { connectionLossMessage, wrongProtocol } from "../transport/connection-loss.js";
import { Keepalive } from "../transport/keepalive.js";
import { type ControlListener, readControlFrame } from "./control-frames.js";
import { HeaderBlock } from "./header-block.js";
import { HeaderBlocks } from "./header-blocks.js";
import { HeaderDecoder } from "./hpack.js";
import type { ConnectionListener, ConnectionSettings, StreamRequest } from "./http2-connection-types.js";
import { failureOfReset, Http2Code, nameOfCode } from "./http2-errors.js";
import { Http2Error, Http2FrameReader } from "./http2-frame-reader.js";
import {
  connectionOpening,
  defaultFrameBytes,
  FrameFlag,
  FrameType,
  frameHeaderBytes,
  headerFrames,
  ownMaxFrameBytes,
  ownWindowBytes,
  Setting,
} from "./http2-frames.js";
import { Http2Output } from "./http2-output.js";
import { Http2Requests } from "./http2-requests.js";
import { maxWindow, readSettings } from "./http2-settings.js";
import type { Http2Stream } from "./http2-stream.js";

const nothing = new Uint8Array(0);
const wrongLength: Failure = { status: Status.internal, message: contentLengthMismatch, notExecuted: false };

/**
 * A client's HTTP/2 connection, implemented directly on the socket. Each stream sends one request message. Node's own
 * HTTP/2 implementation takes several times as long per call (ADR-0100).
 */
export class Http2Connection {
  readonly silence = new SilenceDetector();
  readonly #socket: Socket;
  readonly #reader: Http2FrameReader;
  readonly #decoder = new HeaderDecoder();
  readonly #block = new HeaderBlock();
  readonly #blocks: HeaderBlocks;
  readonly #output: Http2Output;
  readonly #requests: Http2Requests;
  readonly #keepalive: Keepalive;
  readonly #streams = new Map<number, Http2Stream>();
  readonly #control: ControlListener = {
    headerBlockReceived: (block) => this.#headerBlockReceived(block),
    settingsReceived: (flags, stream, payload) => this.#settings(flags, stream, payload),
    windowUpdateReceived: (stream, bytes) =>
      this.#requests.windowUpdated(stream === 0 ? null : this.#streamOf(stream), bytes),
    pingReceived: (payload) => this.#answer(FrameType.ping, payload),
    pingAcknowledged: () => this.#keepalive.answered(),
    resetReceived: (stream, code) => this.#resetReceived(stream, code),
    goawayReceived: (last, code) => this.#goaway(last, code),
  };
  #state: "connecting" | "open" | "draining" | "ended" = "connecting";
  #connected = false;
  #hasResponded = false;
  #late: NodeJS.Timeout | null;
  #lastError: Error | null = null;
  #maxStreams = maxStreamsPerChannel;
  // Number of data bytes received since the last window update.
  #taken = 0;
  // The stream whose data is being read. Null if that stream has already ended.
  #reading: Http2Stream | null = null;

  constructor(
    private readonly credentials: CredentialProvider,
    settings: ConnectionSettings,
    private readonly listener: ConnectionListener,
    /** The id of the first stream. Tests pass a high id, so that the 2^30 ids run out after a few streams. */
    private nextId = 1,
  ) {
    this.#reader = new Http2FrameReader(
      {
        data: (bytes) => this.#data(bytes),
        dataFrame: (stream, lengthBytes) => this.#dataFrame(stream, lengthBytes),
        dataEnded: () => this.#dataEnded(),
        frame: (type, flags, stream, payload) => this.#frame(type, flags, stream, payload),
      },
      ownMaxFrameBytes,
    );
    const { connectTimeoutMs } = settings;
    this.#blocks = new HeaderBlocks(credentials);
    const socket = connectSocket(credentials, (chunk) => this.#received(chunk));
    this.#socket = socket;
    this.#output = new Http2Output(socket, () => this.#requests.pump());
    this.#requests = new Http2Requests(this.#output);
    this.#keepalive = new Keepalive(
      settings,
      () => this.#output.frame(FrameType.ping, 0, 0, new Uint8Array(8)),
      (error) => this.#fail(error),
    );
    // The time is measured from the first packet until the server's settings arrive.
    const late = () => this.#fail(new Error(`no connection within ${connectTimeoutMs} ms`));
    this.#late = startTimer(late, connectTimeoutMs).unref();
    socket.on(credentials.tls ? "secureConnect" : "connect", () => this.#connectedNow());
    socket.on("error", (error) => this.#fail(error));
    socket.on("close", () => this.#end());
    // A connection does not keep the process alive. Pending calls keep it alive until their deadlines.
    socket.unref();
  }

  /** Returns whether the connection accepts new streams. Does not check the stream limit; see `hasCapacity`. */
  get isOpen(): boolean {
    return this.#state === "open";
  }

  /** Returns whether the server has sent data on a stream, or has completed a stream. */
  get hasResponded(): boolean {
    return this.#hasResponded;
  }

  /** Returns whether another stream may start now. */
  get hasCapacity(): boolean {
    return this.#state === "open" && this.#streams.size < this.#maxStreams;
  }

  /** Starts a stream. The caller must check `hasCapacity` first. */
  start(stream: Http2Stream, { path, metadata, timeoutMs, message }: StreamRequest): void {
    const id = this.nextId;
    this.nextId += 2;
    stream.id = id;
    stream.sendWindow = this.#requests.initialWindow;
    stream.taken = 0;
    stream.contentLength = null;
    stream.sentWith = this.#output.writes;
    this.#streams.set(id, stream);
    const writer = this.#output.frameHeader(0, FrameType.headers, FrameFlag.endHeaders, id);
    const start = writer.length;
    this.#blocks.write(writer, path, metadata, timeoutMs);
    const length = writer.length - start;
    if (length <= defaultFrameBytes) writer.patchUint32(start - frameHeaderBytes, length * 256 + FrameType.headers);
    else {
      const frames = headerFrames(writer.written().subarray(start), id);
      writer.truncate(start - frameHeaderBytes);
      for (const frame of frames) this.#output.raw(frame);
    }
    this.#requests.send(stream, message);
    if (this.#output.isStuck)
      nextTick(() => this.#fail(new Error("the server does not read the data that this client sends")));
    if (this.nextId > maxWindow) this.#drain(false);
  }

  /** Resets the stream of a call that was cancelled or has timed out. The stream receives no more events. */
  cancel(stream: Http2Stream): void {
    if (!this.#removeStream(stream)) return;
    this.#output.recover();
    this.#reset(stream, Http2Code.cancel);
    this.#streamRemoved();
  }

  /** Stops accepting new streams. The connection ends after the existing streams have ended. */
  retire(): void {
    this.#drain(false);
    if (this.#state === "draining" && this.#streams.size === 0) this.#end();
  }

  /** Closes the connection. Its streams fail before this call returns. */
  close(): void {
    this.#end();
  }

  #connectedNow(): void {
    if (this.#state === "ended") return;
    this.#connected = true;
    this.#output.raw(connectionOpening);
    this.#keepalive.start();
  }

  #received(chunk: Buffer): void {
    if (this.#state === "ended") return;
    this.silence.received();
    if (this.#state === "connecting") {
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

  // Returns the stream of a frame. Null if the client has already ended that stream.
  #streamOf(id: number): Http2Stream | null {
    const stream = this.#streams.get(id);
    if (stream !== undefined) return stream;
    if (id >= this.nextId || id % 2 === 0)
      throw new Http2Error(`a frame has the id of stream ${id}, which was never opened`);
    return null;
  }

  #dataFrame(id: number, lengthBytes: number): void {
    if (this.#state === "connecting") throw new Http2Error("the first frame is not SETTINGS");
    this.#block.check(FrameType.data);
    this.#taken += lengthBytes;
    if (this.#taken >= ownWindowBytes / 2) {
      this.#output.numberFrame(FrameType.windowUpdate, 0, this.#taken);
      this.#taken = 0;
    }
    const stream = this.#streamOf(id);
    this.#reading = stream;
    if (stream === null) return;
    this.#hasResponded = true;
    stream.taken += lengthBytes;
    if (stream.taken < ownWindowBytes / 2) return;
    this.#output.numberFrame(FrameType.windowUpdate, id, stream.taken);
    stream.taken = 0;
  }

  #data(bytes: Buffer): void {
    const stream = this.#reading;
    if (stream === null) return;
    const failure = stream.contentLength?.count(bytes.length) === false ? wrongLength : stream.dataReceived(bytes);
    if (failure !== null) this.#refuse(stream, failure);
  }

  #dataEnded(): void {
    const stream = this.#reading;
    if (stream !== null) this.#streamEnded(stream);
  }

  #frame(type: number, flags: number, stream: number, payload: Buffer): void {
    if (this.#state === "connecting" && type !== FrameType.settings)
      throw new Http2Error("the first frame is not SETTINGS");
    this.#block.check(type);
    readControlFrame(this.#control, this.#block, type, flags, stream, payload);
  }

  #headerBlockReceived(block: Buffer): void {
    // Also decode the headers of ended streams, because all streams of the connection share the header table.
    const headers = this.#decoder.decode(block);
    const stream = this.#streamOf(this.#block.stream);
    if (stream === null) return;
    const { endsStream } = this.#block;
    stream.contentLength ??= ContentLengthCheck.fromHeaders(headers);
    const failure = stream.headersReceived(headers, endsStream);
    if (failure !== null) this.#refuse(stream, failure, endsStream);
    else if (endsStream) this.#streamEnded(stream);
  }

  #settings(flags: number, stream: number, payload: Buffer): void {
    if ((flags & FrameFlag.ack) !== 0) {
      if (this.#state === "connecting")
        throw new Http2Error("the first frame is a SETTINGS acknowledgement instead of SETTINGS");
      return;
    }
    readSettings(stream, payload, (setting, value) => {
      if (setting === Setting.initialWindowSize) this.#requests.resize(value, this.#streams.values());
      else if (setting === Setting.headerTableSize) this.#blocks.resize(value);
      else if (setting === Setting.maxConcurrentStreams) this.#maxStreams = Math.min(value, maxStreamsPerChannel);
    });
    this.#answer(FrameType.settings, nothing);
    if (this.#state !== "connecting") {
      this.listener.capacityAvailable();
      return;
    }
    this.#state = "open";
    this.#stopLate();
    this.listener.opened();
  }

  #resetReceived(id: number, code: number): void {
    const stream = this.#streamOf(id);
    if (stream === null || !this.#removeStream(stream)) return;
    stream.failed(failureOfReset(code));
    this.#streamRemoved();
  }

  // RFC 9113, section 6.8: the server did not and will not process streams above `last`.
  #goaway(last: number, code: number): void {
    if (code !== Http2Code.noError) this.#lastError = new Error(`the server sent GOAWAY ${nameOfCode(code)}`);
    this.#drain(true);
    const message = "the server is shutting down and did not start the call";
    for (const stream of [...this.#streams.values()])
      if (stream.id > last && this.#removeStream(stream))
        stream.failed({ status: Status.unavailable, message, notExecuted: true });
    this.#streamRemoved();
  }

  // Acknowledges a frame. The unsent output is bounded, because a server may send pings and never read.
  #answer(type: number, payload: Uint8Array): void {
    if (this.#output.isStuck) throw new Http2Error("the server requests acknowledgements but does not read them");
    this.#output.frame(type, FrameFlag.ack, 0, payload);
  }

  // Called when the server has ended a stream.
  #streamEnded(stream: Http2Stream): void {
    this.#hasResponded = true;
    if (stream.contentLength?.isWhole === false) this.#refuse(stream, wrongLength, true);
    else this.#complete(stream);
  }

  #complete(stream: Http2Stream): void {
    if (!this.#removeStream(stream)) return;
    // The response may be complete before the whole request was sent. In that case, drop the rest of the request.
    if (this.#requests.drop(stream)) this.#reset(stream, Http2Code.noError);
    stream.completed();
    this.#streamRemoved();
  }

  // Fails a stream whose response is invalid. `isOver` is true if the server has already ended the stream.
  #refuse(stream: Http2Stream, failure: Failure, isOver = false): void {
    if (!this.#removeStream(stream)) return;
    if (this.#requests.drop(stream) || !isOver) this.#reset(stream, Http2Code.cancel);
    stream.failed(failure);
    this.#streamRemoved();
  }

  // Removes a stream. Returns whether it was still open.
  #removeStream(stream: Http2Stream): boolean {
    if (this.#reading === stream) this.#reading = null;
    return this.#streams.delete(stream.id);
  }

  #streamRemoved(): void {
    if (this.#state === "draining" && this.#streams.size === 0) this.#end();
    else this.listener.capacityAvailable();
  }

  #reset(stream: Http2Stream, code: number): void {
    this.#requests.drop(stream);
    this.#output.numberFrame(FrameType.rstStream, stream.id, code);
  }

  #drain(isByServer: boolean): void {
    if (this.#state !== "open") return;
    this.#state = "draining";
    this.listener.draining(isByServer);
  }

  #stopLate(): void {
    if (this.#late !== null) clearTimeout(this.#late);
    this.#late = null;
  }

  #fail(error: Error): void {
    this.#lastError ??= error;
    this.#end();
  }

  #end(): void {
    const before = this.#state;
    if (before === "ended") return;
    this.#state = "ended";
    this.#reader.close();
    this.#output.close();
    this.#keepalive.stop();
    this.#stopLate();
    this.#socket.destroy();
    const cause = this.#lastError;
    const message = connectionLossMessage(
      this.credentials,
      { connected: this.#connected, opened: before !== "connecting" },
      cause,
    );
    const failure = { status: Status.unavailable, message, cause, notExecuted: false };
    const streams = [...this.#streams.values()];
    this.#streams.clear();
    this.listener.ended(failure);
    // If a stream was never written to the socket, its call was not executed.
    const { writes } = this.#output;
    for (const stream of streams) stream.failed(stream.sentWith < writes ? failure : { ...failure, notExecuted: true });
  }
}
