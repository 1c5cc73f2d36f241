import type { Buffer } from "node:buffer";
import type { Socket } from "node:net";
import { monotonicMs, nextTick, overdueFlushMs } from "../calls/system-timers.js";
import { ProtoWriter } from "../operations/proto-writer.js";
import { frameHeaderBytes } from "./http2-frames.js";

// Initial size of the two buffers. It is small, so an idle connection takes little memory, and many lost connections do
// not trigger a full garbage collection. The buffers grow with the amount of data that is sent at once. A buffer over
// `keptBytes` is replaced after use.
const firstBytes = 1 << 12;
const keptBytes = 1 << 17;
// Limit of bytes that were passed to the socket and not yet sent. Above the limit, frames are collected here and sent
// together later.
const outstandingBytes = 1 << 18;
// Limit of collected bytes, in case a server does not read. Half of the limit is enough for a frame of maximum size and
// the headers on each of a hundred streams.
const maxWaitingBytes = 1 << 22;

/** The output of a connection. All frames of one event-loop turn are sent in one write. */
export class Http2Output {
  #writer = new ProtoWriter(firstBytes);
  readonly #idle: ProtoWriter[] = [new ProtoWriter(firstBytes)];
  // Number of bytes passed to the socket, and number of bytes that the socket has sent.
  #handed = 0;
  #takenUpTo = 0;
  #scheduled = false;
  #scheduledAt = 0;
  #writes = 0;
  #closed = false;

  /**
   * Creates the output of a connection.
   * @param taken - Called when the socket has sent data, so that there may be room for more.
   */
  constructor(
    private readonly socket: Socket,
    private readonly taken: () => void,
  ) {}

  /** Returns the number of writes so far. Frames added now are sent with the next write. */
  get writes(): number {
    return this.#writes;
  }

  /** Returns whether the number of unsent bytes is below the limit, so that data may be added. */
  get hasRoom(): boolean {
    return this.#outstanding + this.#writer.length < outstandingBytes;
  }

  /** Returns whether so many bytes are waiting that the server must have stopped reading. */
  get isStuck(): boolean {
    return this.#writer.length > maxWaitingBytes;
  }

  /** Returns the writer for complete frames. The frames are sent at the end of this turn. */
  get writer(): ProtoWriter {
    if (!this.#scheduled) {
      this.#scheduled = true;
      this.#scheduledAt = monotonicMs();
      // The flush runs after the promise callbacks of this turn, and after the calls that these callbacks made.
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

  /** Adds bytes that consist of complete frames. */
  raw(bytes: Buffer): void {
    const { writer } = this;
    writer.reserve(bytes.length + 16);
    writer.raw(bytes, bytes.length);
  }

  /** Runs a scheduled flush now if it is overdue. */
  recover(): void {
    if (this.#scheduled && monotonicMs() - this.#scheduledAt > overdueFlushMs) this.#flush();
  }

  /** Stops all further writes. */
  close(): void {
    this.#closed = true;
  }

  // Returns the number of bytes that were passed to the socket and not yet sent. The socket's callbacks update it in
  // order. With a fake `nextTick` the callbacks may never run, but an empty socket buffer shows that all bytes have
  // been sent.
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
