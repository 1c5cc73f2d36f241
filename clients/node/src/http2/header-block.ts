import { Buffer } from "node:buffer";
import { Http2Error } from "./http2-frame-reader.js";
import { FrameFlag, FrameType } from "./http2-frames.js";

// Maximum size of the header block of a response or of trailers. A larger block is an attack or a bug.
const maxHeaderBytes = 1 << 16;

/** Assembles a header block from its frames. No other frame may be between these frames. */
export class HeaderBlock {
  #parts: Buffer[] | null = null;
  #bytes = 0;
  #stream = 0;
  #flags = 0;

  /** Returns whether a block has begun and not yet ended. */
  get isOpen(): boolean {
    return this.#parts !== null;
  }

  /** Returns the stream of the last block. */
  get stream(): number {
    return this.#stream;
  }

  /** Returns whether the last block ends its stream. */
  get endsStream(): boolean {
    return (this.#flags & FrameFlag.endStream) !== 0;
  }

  /**
   * Checks the order of the frames.
   * @throws Http2Error if another frame is between the frames of a block.
   */
  check(type: number): void {
    if (this.#parts !== null && type !== FrameType.continuation)
      throw new Http2Error("a header block is interrupted by another frame");
  }

  /** Adds a HEADERS frame. Returns the block if it is complete, otherwise null. */
  begin(flags: number, stream: number, payload: Buffer): Buffer | null {
    const padded = (flags & FrameFlag.padded) !== 0;
    const start = (padded ? 1 : 0) + ((flags & FrameFlag.priority) === 0 ? 0 : 5);
    const end = payload.length - (padded ? (payload[0] ?? 0) : 0);
    if (end < start) throw new Http2Error("the padding is longer than its frame");
    this.#stream = stream;
    this.#flags = flags;
    const part = start === 0 && end === payload.length ? payload : payload.subarray(start, end);
    if ((flags & FrameFlag.endHeaders) !== 0) return part;
    this.#parts = [];
    this.#bytes = 0;
    this.#add(part);
    return null;
  }

  /** Adds a CONTINUATION frame. Returns the block if it is complete, otherwise null. */
  continue(flags: number, stream: number, payload: Buffer): Buffer | null {
    if (this.#parts === null || stream !== this.#stream || payload.length === 0)
      throw new Http2Error("unexpected CONTINUATION frame");
    this.#add(payload);
    if ((flags & FrameFlag.endHeaders) === 0) return null;
    const block = Buffer.concat(this.#parts);
    this.#parts = null;
    return block;
  }

  #add(part: Buffer): void {
    this.#bytes += part.length;
    if (this.#bytes > maxHeaderBytes) throw new Http2Error(`a header block exceeds ${maxHeaderBytes} bytes`);
    // Copy the bytes, because a block that never ends must not keep a chunk's memory alive.
    this.#parts!.push(Buffer.from(part));
  }
}
