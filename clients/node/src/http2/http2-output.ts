import type { Buffer } from "node:buffer";
import type { Socket } from "node:net";
import { monotonicMs, nextTick, overdueFlushMs } from "../calls/system-timers.js";
import { ProtoWriter } from "../operations/proto-writer.js";
import { frameHeaderBytes } from "./http2-frames.js";

// Initial size of the two buffers. It is small, so that a quiet connection costs little memory, and lost connections do
// not trigger a full garbage collection. The buffers grow with the amount sent at once; a buffer over `keptBytes` is
// not kept.
const firstBytes = 1 << 12;
const keptBytes = 1 << 17;
// Limit of bytes handed to the socket but not yet sent. Beyond it, frames are collected here and sent together.
const outstandingBytes = 1 << 18;
// Limit for a server that does not read. A hundred streams with the largest frame and headers each are half of it.
const maxWaitingBytes = 1 << 22;

/** The output of a connection. All frames of one event-loop turn are sent in one write. */
export class Http2Output {
  #writer = new ProtoWriter(firstBytes);
  readonly #idle: ProtoWriter[] = [new ProtoWriter(firstBytes)];
  // Bytes handed to the socket, and bytes that the socket has sent.
  #handed = 0;
  #takenUpTo = 0;
  #scheduled = false;
  #scheduledAt = 0;
  #writes = 0;
  #closed = false;

  /**
   * Creates the output of a connection.
   * @param taken - Called when the socket has sent something, so that there may be room for more.
   */
  constructor(
    private readonly socket: Socket,
    private readonly taken: () => void,
  ) {}

  /** Returns the number of writes so far. Frames added now are sent with the next write. */
  get writes(): number {
    return this.#writes;
  }

  /** Returns whether data may be added, because less is waiting than the limit. */
  get hasRoom(): boolean {
    return this.#outstanding + this.#writer.length < outstandingBytes;
  }

  /** Returns whether so much is waiting that the server cannot be reading. */
  get isStuck(): boolean {
    return this.#writer.length > maxWaitingBytes;
  }

  /** Returns the writer for complete frames. They are sent at the end of this turn. */
  get writer(): ProtoWriter {
    if (!this.#scheduled) {
      this.#scheduled = true;
      this.#scheduledAt = monotonicMs();
      // Runs after the promise callbacks of this turn and the calls that they made.
      nextTick(this.#flush);
    }
    return this.#writer;
  }

  /** Adds a frame header. The caller adds the payload. */
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

  /** Adds bytes that are already frames. */
  raw(bytes: Buffer): void {
    const { writer } = this;
    writer.reserve(bytes.length + 16);
    writer.raw(bytes, bytes.length);
  }

  /** Runs a flush that was scheduled but never ran. */
  recover(): void {
    if (this.#scheduled && monotonicMs() - this.#scheduledAt > overdueFlushMs) this.#flush();
  }

  /** Stops all further writes. */
  close(): void {
    this.#closed = true;
  }

  // The socket's callbacks run in order. With a fake `nextTick` they may never run; an empty socket buffer shows it.
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
