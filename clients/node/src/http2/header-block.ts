import { Buffer } from "node:buffer";
import { Http2Error } from "./http2-frame-reader.js";
import { FrameFlag, FrameType } from "./http2-frames.js";

// A header block of a response or of trailers; more is an attack or a mistake.
const maxHeaderBytes = 1 << 16;

/** Puts a header block together from its frames, which nothing may come between. */
export class HeaderBlock {
  #parts: Buffer[] | null = null;
  #bytes = 0;
  #stream = 0;
  #flags = 0;

  /** Whether one has begun and has not ended. */
  get isOpen(): boolean {
    return this.#parts !== null;
  }

  /** The stream that the last block is of. */
  get stream(): number {
    return this.#stream;
  }

  /** Whether the last block ends its stream. */
  get endsStream(): boolean {
    return (this.#flags & FrameFlag.endStream) !== 0;
  }

  /** Looks at the order of frames: throws `Http2Error` where another comes between those of a block. */
  check(type: number): void {
    if (this.#parts !== null && type !== FrameType.continuation) throw new Http2Error("a header block is cut short");
  }

  /** Takes a HEADERS frame; answers the block where it is whole. */
  begin(flags: number, stream: number, payload: Buffer): Buffer | null {
    const padded = (flags & FrameFlag.padded) !== 0;
    const start = (padded ? 1 : 0) + ((flags & FrameFlag.priority) === 0 ? 0 : 5);
    const end = payload.length - (padded ? (payload[0] ?? 0) : 0);
    if (end < start) throw new Http2Error("padding longer than its frame");
    this.#stream = stream;
    this.#flags = flags;
    const part = start === 0 && end === payload.length ? payload : payload.subarray(start, end);
    if ((flags & FrameFlag.endHeaders) !== 0) return part;
    this.#parts = [];
    this.#bytes = 0;
    this.#add(part);
    return null;
  }

  /** Takes a CONTINUATION frame; answers the block where it is whole. */
  continue(flags: number, stream: number, payload: Buffer): Buffer | null {
    if (this.#parts === null || stream !== this.#stream || payload.length === 0)
      throw new Http2Error("a continuation out of place");
    this.#add(payload);
    if ((flags & FrameFlag.endHeaders) === 0) return null;
    const block = Buffer.concat(this.#parts);
    this.#parts = null;
    return block;
  }

  #add(part: Buffer): void {
    this.#bytes += part.length;
    if (this.#bytes > maxHeaderBytes) throw new Http2Error("endless headers");
    // A chunk's memory is not kept for a block that may never end.
    this.#parts!.push(Buffer.from(part));
  }
}
