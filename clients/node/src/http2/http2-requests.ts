import { Buffer } from "node:buffer";
import { Http2Error } from "./http2-frame-reader.js";
import { defaultFrameBytes, defaultWindowBytes, FrameFlag, FrameType } from "./http2-frames.js";
import type { Http2Output } from "./http2-output.js";
import { maxWindow } from "./http2-settings.js";
import type { Http2Stream } from "./http2-stream.js";

/** A request, or the rest of one, that waits for credit. */
interface Unsent {
  readonly stream: Http2Stream;
  readonly bytes: Buffer;
  position: number;
}

/**
 * The data of a connection's requests, within what the server has credit for. A request that does not fit into one frame
 * waits, and those that wait send a frame each in turn. At most as many as there are streams.
 */
export class Http2Requests {
  readonly #unsent: Unsent[] = [];
  #credit = defaultWindowBytes;
  #initialWindow = defaultWindowBytes;

  constructor(private readonly output: Http2Output) {}

  /** What a stream may send when it begins. */
  get initialWindow(): number {
    return this.#initialWindow;
  }

  /** Sends a request's only data, which ends it; the bytes are copied. */
  send(stream: Http2Stream, bytes: Buffer): void {
    const { length } = bytes;
    if (length <= this.#credit && length <= stream.credit && length <= defaultFrameBytes) {
      this.#frame(stream, bytes, 0, length);
      return;
    }
    this.#unsent.push({ stream, bytes: Buffer.from(bytes), position: 0 });
    this.pump();
  }

  /** What is left of a stream's request is not sent; answers whether anything was. */
  drop(stream: Http2Stream): boolean {
    if (this.#unsent.length === 0) return false;
    const place = this.#unsent.findIndex((each) => each.stream === stream);
    if (place >= 0) this.#unsent.splice(place, 1);
    return place >= 0;
  }

  /** Sends frames of what waits, as credit and the socket allow. */
  pump(): void {
    const unsent = this.#unsent;
    for (let idle = 0; idle < unsent.length && this.#credit > 0 && this.output.hasRoom; ) {
      const first = unsent.shift()!;
      const { stream, bytes, position } = first;
      // Frames are never larger than the least that a server may ask for, so that a large message shares the connection.
      const length = Math.min(bytes.length - position, this.#credit, stream.credit, defaultFrameBytes);
      if (length > 0) {
        this.#frame(stream, bytes, position, length);
        first.position += length;
        idle = 0;
      } else idle++;
      if (first.position < bytes.length) unsent.push(first);
    }
  }

  /** The server gives credit: for the connection, where there is no stream. */
  credit(stream: Http2Stream | null, bytes: number): void {
    if (stream === null) this.#credit += bytes;
    else stream.credit += bytes;
    if (bytes === 0 || this.#credit > maxWindow || (stream?.credit ?? 0) > maxWindow)
      throw new Http2Error("a window out of its bounds");
    if (this.#unsent.length > 0) this.pump();
  }

  /** The window that streams begin with has changed, and with it those of all that there are (RFC 9113, 6.9.2). */
  resize(window: number, streams: Iterable<Http2Stream>): void {
    const difference = window - this.#initialWindow;
    this.#initialWindow = window;
    if (difference === 0) return;
    for (const stream of streams) {
      stream.credit += difference;
      if (stream.credit > maxWindow) throw new Http2Error("a window out of its bounds");
    }
    this.pump();
  }

  #frame(stream: Http2Stream, bytes: Buffer, position: number, length: number): void {
    this.#credit -= length;
    stream.credit -= length;
    const isLast = position + length === bytes.length;
    const part = length === bytes.length ? bytes : bytes.subarray(position, position + length);
    this.output.frame(FrameType.data, isLast ? FrameFlag.endStream : 0, stream.id, part);
  }
}
