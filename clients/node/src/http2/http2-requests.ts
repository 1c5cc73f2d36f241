import { Buffer } from "node:buffer";
import { Http2Error } from "./http2-frame-reader.js";
import { defaultFrameBytes, defaultWindowBytes, FrameFlag, FrameType } from "./http2-frames.js";
import type { Http2Output } from "./http2-output.js";
import { maxWindow } from "./http2-settings.js";
import type { Http2Stream } from "./http2-stream.js";

/** A request, or the rest of a request, that waits for flow-control credit. */
interface Unsent {
  readonly stream: Http2Stream;
  readonly bytes: Buffer;
  position: number;
}

/**
 * Sends the data of a connection's requests within the flow-control credit. If a request does not fit in one frame, it
 * waits in a queue, and the waiting requests send one frame each in turn. The queue is bounded by the number of
 * streams.
 */
export class Http2Requests {
  readonly #unsent: Unsent[] = [];
  #sendWindow = defaultWindowBytes;
  #initialWindow = defaultWindowBytes;

  constructor(private readonly output: Http2Output) {}

  /** Returns the initial credit of a stream. */
  get initialWindow(): number {
    return this.#initialWindow;
  }

  /** Sends a request's only message, which ends the request. The bytes are copied. */
  send(stream: Http2Stream, bytes: Buffer): void {
    const { length } = bytes;
    if (length <= this.#sendWindow && length <= stream.sendWindow && length <= defaultFrameBytes) {
      this.#frame(stream, bytes, 0, length);
      return;
    }
    this.#unsent.push({ stream, bytes: Buffer.from(bytes), position: 0 });
    this.pump();
  }

  /** Discards the unsent part of a stream's request. Returns whether there was an unsent part. */
  drop(stream: Http2Stream): boolean {
    if (this.#unsent.length === 0) return false;
    const place = this.#unsent.findIndex((each) => each.stream === stream);
    if (place >= 0) this.#unsent.splice(place, 1);
    return place >= 0;
  }

  /** Sends frames of the waiting requests, as far as the credit and the socket allow. */
  pump(): void {
    const unsent = this.#unsent;
    for (let idle = 0; idle < unsent.length && this.#sendWindow > 0 && this.output.hasRoom; ) {
      const first = unsent.shift()!;
      const { stream, bytes, position } = first;
      // Frames have the default maximum size, even if the server allows larger frames. As a result, a large message
      // does not block the connection for other calls.
      const length = Math.min(bytes.length - position, this.#sendWindow, stream.sendWindow, defaultFrameBytes);
      if (length > 0) {
        this.#frame(stream, bytes, position, length);
        first.position += length;
        idle = 0;
      } else idle++;
      if (first.position < bytes.length) unsent.push(first);
    }
  }

  /** Adds credit to a stream, or to the connection if `stream` is null. */
  windowUpdated(stream: Http2Stream | null, bytes: number): void {
    if (stream === null) this.#sendWindow += bytes;
    else stream.sendWindow += bytes;
    if (bytes === 0 || this.#sendWindow > maxWindow || (stream?.sendWindow ?? 0) > maxWindow)
      throw new Http2Error("a flow-control window is out of range");
    if (this.#unsent.length > 0) this.pump();
  }

  /**
   * Changes the initial credit of streams, and changes the credit of all open streams by the difference (RFC 9113,
   * 6.9.2).
   */
  resize(window: number, streams: Iterable<Http2Stream>): void {
    const difference = window - this.#initialWindow;
    this.#initialWindow = window;
    if (difference === 0) return;
    for (const stream of streams) {
      stream.sendWindow += difference;
      if (stream.sendWindow > maxWindow) throw new Http2Error("a flow-control window is out of range");
    }
    this.pump();
  }

  #frame(stream: Http2Stream, bytes: Buffer, position: number, length: number): void {
    this.#sendWindow -= length;
    stream.sendWindow -= length;
    const isLast = position + length === bytes.length;
    const part = length === bytes.length ? bytes : bytes.subarray(position, position + length);
    this.output.frame(FrameType.data, isLast ? FrameFlag.endStream : 0, stream.id, part);
  }
}
