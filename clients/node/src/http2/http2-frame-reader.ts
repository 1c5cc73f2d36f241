import { Buffer } from "node:buffer";
import { FrameFlag, FrameType, frameHeaderBytes } from "./http2-frames.js";

/** Receives the parsed frames. */
export interface FrameListener {
  /**
   * Called with data of a DATA frame as soon as the data arrives. If the frame spans several chunks, this method is
   * called once for each piece.
   */
  data(bytes: Buffer): void;
  /** Called at the start of a DATA frame of `lengthBytes` bytes. The frame may end its stream. */
  dataFrame(stream: number, lengthBytes: number): void;
  /** Called when a DATA frame has ended its stream, after all data of the frame has been passed to `data`. */
  dataEnded(): void;
  frame(type: number, flags: number, stream: number, payload: Buffer): void;
}

/** Thrown if the server violates RFC 9113. The connection cannot continue after it. */
export class Http2Error extends Error {}

const empty = Buffer.alloc(0);

/** Splits a connection's bytes into frames. A frame that spans two chunks is copied, unless it is a DATA frame. */
export class Http2FrameReader {
  #rest: Buffer = empty;
  #dataLeft = 0;
  #paddingLeft = 0;
  #endsStream = false;
  #closed = false;

  constructor(
    private readonly listener: FrameListener,
    private readonly maxFrameBytes: number,
  ) {}

  /** Stops all further events. */
  close(): void {
    this.#closed = true;
  }

  /**
   * Parses the next bytes.
   * @throws Http2Error if a frame is invalid.
   */
  push(chunk: Buffer): void {
    const buffer = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    let at = 0;
    while (!this.#closed) {
      const used = this.#dataLeft + this.#paddingLeft > 0 ? this.#data(buffer, at) : this.#frame(buffer, at);
      if (used === 0) break;
      at += used;
    }
    this.#rest = at === buffer.length ? empty : buffer.subarray(at);
  }

  #data(buffer: Buffer, at: number): number {
    const data = Math.min(this.#dataLeft, buffer.length - at);
    const padding = Math.min(this.#paddingLeft, buffer.length - at - data);
    this.#dataLeft -= data;
    this.#paddingLeft -= padding;
    const ends = this.#endsStream && this.#dataLeft + this.#paddingLeft === 0;
    if (data > 0) this.listener.data(data === buffer.length ? buffer : buffer.subarray(at, at + data));
    if (ends) this.listener.dataEnded();
    return data + padding;
  }

  #frame(buffer: Buffer, at: number): number {
    if (buffer.length - at < frameHeaderBytes) return 0;
    const length = buffer.readUIntBE(at, 3);
    if (length > this.maxFrameBytes)
      throw new Http2Error(`a frame of ${length} bytes exceeds the limit of ${this.maxFrameBytes} bytes`);
    const type = buffer[at + 3]!;
    const flags = buffer[at + 4]!;
    const stream = buffer.readUInt32BE(at + 5) & 0x7fffffff;
    if (type === FrameType.data) return this.#dataHeader(buffer, at, length, flags, stream);
    if (buffer.length - at < frameHeaderBytes + length) return 0;
    const start = at + frameHeaderBytes;
    this.listener.frame(type, flags, stream, buffer.subarray(start, start + length));
    return frameHeaderBytes + length;
  }

  #dataHeader(buffer: Buffer, at: number, length: number, flags: number, stream: number): number {
    const isPadded = (flags & FrameFlag.padded) !== 0;
    if (isPadded && length > 0 && buffer.length - at <= frameHeaderBytes) return 0;
    const padding = isPadded ? (length === 0 ? 0 : buffer[at + frameHeaderBytes]!) : 0;
    const lengthByte = isPadded ? 1 : 0;
    if (length < lengthByte + padding) throw new Http2Error("the padding is longer than its frame");
    this.#dataLeft = length - lengthByte - padding;
    this.#paddingLeft = padding;
    this.#endsStream = (flags & FrameFlag.endStream) !== 0;
    this.listener.dataFrame(stream, length);
    if (this.#endsStream && this.#dataLeft + padding === 0) this.listener.dataEnded();
    return frameHeaderBytes + lengthByte;
  }
}
