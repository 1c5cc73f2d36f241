import type { Buffer } from "node:buffer";
import type { Socket } from "node:net";
import { lostFlushMs, monotonicMs, nextTick } from "../calls/system-timers.js";
import { ProtoWriter } from "../operations/proto-writer.js";
import { frameHeaderBytes } from "./http2-frames.js";

// Two buffers are kept, which begin so small: a connection that says little costs little, and many that are lost no collection of the
// whole heap. They grow with what is sent at once; one that is larger than this is let go.
const firstBytes = 1 << 12;
const keptBytes = 1 << 17;
// Bytes handed to the socket and not yet taken by it, past which frames wait here and travel together.
const outstandingBytes = 1 << 18;
// A hundred streams with the largest frame and headers each are half of it: a server that takes nothing is not written to for ever.
const mostWaitingBytes = 1 << 22;

/** What a connection sends: frames of one turn of the event loop leave in one write. */
export class Http2Output {
  #writer = new ProtoWriter(firstBytes);
  readonly #idle: ProtoWriter[] = [new ProtoWriter(firstBytes)];
  // Bytes that the socket was handed, and those that it has taken.
  #handed = 0;
  #takenUpTo = 0;
  #scheduled = false;
  #scheduledAt = 0;
  #writes = 0;
  #closed = false;

  /** `taken`: the socket has taken something, and there may be room for more. */
  constructor(
    private readonly socket: Socket,
    private readonly taken: () => void,
  ) {}

  /** Writes so far: what is written now leaves with the next. */
  get writes(): number {
    return this.#writes;
  }

  /** Whether data may be added: there is not more waiting than a write takes. */
  get hasRoom(): boolean {
    return this.#outstanding + this.#writer.length < outstandingBytes;
  }

  /** Whether so much waits that the server cannot be reading. */
  get isStuck(): boolean {
    return this.#writer.length > mostWaitingBytes;
  }

  /** Where frames are written, whole; they leave at the end of this turn. */
  get writer(): ProtoWriter {
    if (!this.#scheduled) {
      this.#scheduled = true;
      this.#scheduledAt = monotonicMs();
      // After the promises that this turn has settled, and the calls that they made.
      nextTick(this.#flush);
    }
    return this.#writer;
  }

  /** Adds the header of a frame; its content is to follow. */
  frameHeader(length: number, type: number, flags: number, stream: number): ProtoWriter {
    const { writer } = this;
    writer.reserve(frameHeaderBytes + length + 16);
    writer.byte(length >>> 16);
    writer.byte(length >>> 8);
    writer.byte(length);
    writer.byte(type);
    writer.byte(flags);
    writer.byte(stream >>> 24);
    writer.byte(stream >>> 16);
    writer.byte(stream >>> 8);
    writer.byte(stream);
    return writer;
  }

  /** Adds a frame. */
  frame(type: number, flags: number, stream: number, payload: Uint8Array): void {
    this.frameHeader(payload.length, type, flags, stream).raw(payload, payload.length);
  }

  /** Adds a frame whose payload is a number. */
  numberFrame(type: number, stream: number, number: number): void {
    const writer = this.frameHeader(4, type, 0, stream);
    const at = writer.length;
    for (let i = 0; i < 4; i++) writer.byte(0);
    writer.patchUint32(at, number);
  }

  /** Adds bytes that are frames already. */
  raw(bytes: Buffer): void {
    const { writer } = this;
    writer.reserve(bytes.length + 16);
    writer.raw(bytes, bytes.length);
  }

  /** Sends what a flush should have sent that was never run. */
  recover(): void {
    if (this.#scheduled && monotonicMs() - this.#scheduledAt > lostFlushMs) this.#flush();
  }

  /** Nothing more is written. */
  close(): void {
    this.#closed = true;
  }

  // The socket's callbacks come in order. Under a fake `nextTick` they may never come: a socket that holds nothing tells.
  get #outstanding(): number {
    const outstanding = this.#handed - this.#takenUpTo;
    const isLess = outstanding + this.#writer.length < outstandingBytes;
    if (isLess || this.socket.writableLength !== 0) return outstanding;
    this.#takenUpTo = this.#handed;
    return 0;
  }

  readonly #flush = (): void => {
    this.#scheduled = false;
    if (this.#closed || this.#writer.length === 0 || this.#outstanding >= outstandingBytes) return;
    const full = this.#writer;
    const bytes = full.written();
    this.#writer = this.#idle.pop() ?? new ProtoWriter(firstBytes);
    this.#handed += bytes.length;
    const handed = this.#handed;
    this.#writes++;
    this.socket.write(bytes, () => {
      this.#takenUpTo = handed;
      full.clear(keptBytes);
      if (this.#idle.length < 2) this.#idle.push(full);
      if (this.#closed) return;
      this.taken();
      if (this.#writer.length > 0) this.#flush();
    });
  };
}
