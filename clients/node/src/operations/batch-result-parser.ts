import { Buffer } from "node:buffer";
import { ProtoError, ProtoReader } from "./proto-reader.js";

/** Receives the contents of a stream of BatchResult messages. */
export interface BatchResultListener {
  /** Called for each `Result`. The reader is limited to the bytes of this result. */
  result(reader: ProtoReader): void;
  draining(): void;
}

const resultTag = 10;
const drainingTag = 16;
const frameHeaderBytes = 5;
// PIPE-8: maximum size of a message.
const maxMessageBytes = 11_010_048;
// Maximum size of a field's tag and length: one byte, and a varint of a 32-bit number.
const fieldHeaderBytes = 6;
const empty = Buffer.alloc(0);

/**
 * Parses gRPC frames of `BatchResult` as their bytes arrive. Each result is delivered as soon as it is complete,
 * regardless of the boundaries of chunks. Only data that spans two chunks is copied.
 */
export class BatchResultParser {
  #rest: Buffer = empty;
  // Number of bytes that remain in the current message.
  #messageLeft = 0;
  readonly #reader = new ProtoReader(empty);

  constructor(private readonly listener: BatchResultListener) {}

  /**
   * Parses the next bytes of the stream.
   * @throws ProtoError if the bytes violate the protocol.
   */
  push(chunk: Buffer): void {
    const buffer = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    let position = 0;
    for (;;) {
      if (this.#messageLeft === 0) {
        if (buffer.length - position < frameHeaderBytes) break;
        if (buffer[position] !== 0)
          throw new ProtoError("the server sent a compressed message, which this client does not support");
        this.#messageLeft = buffer.readUInt32BE(position + 1);
        if (this.#messageLeft > maxMessageBytes)
          throw new ProtoError(`a message of ${this.#messageLeft} bytes exceeds the limit of ${maxMessageBytes} bytes`);
        position += frameHeaderBytes;
        continue;
      }
      const used = this.#field(buffer, position);
      if (used === 0) break;
      position += used;
      this.#messageLeft -= used;
    }
    this.#rest = position === buffer.length ? empty : buffer.subarray(position);
  }

  /** Reads one field of a BatchResult. Returns the field's length, or 0 if the field is incomplete. */
  #field(buffer: Buffer, start: number): number {
    const available = Math.min(buffer.length - start, this.#messageLeft);
    if (available < fieldHeaderBytes && available < this.#messageLeft) return 0;
    const reader = this.#reader;
    reader.buffer = buffer;
    reader.position = start;
    reader.end = start + available;
    const tag = reader.varint();
    if (tag === resultTag) {
      const length = reader.varint();
      const end = reader.position + length;
      if (end - start > this.#messageLeft) throw new ProtoError("a result extends past the end of its message");
      if (end > buffer.length) return 0;
      reader.end = end;
      this.listener.result(reader);
      return end - start;
    }
    // An unknown field may be truncated at the end of the chunk. Such fields are small, so they are parsed again when
    // they are complete.
    try {
      if (tag === drainingTag) {
        if (reader.varint() !== 0) this.listener.draining();
      } else reader.skip(tag);
    } catch (error) {
      if (available < this.#messageLeft) return 0;
      throw error;
    }
    return reader.position - start;
  }
}
