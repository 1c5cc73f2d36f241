import { Buffer } from "node:buffer";
import { ProtoError, ProtoReader } from "./proto-reader.js";

/** Who is told what a stream of BatchResult messages holds. */
export interface BatchResultListener {
  /** One `Result`: its bytes are the reader's, from its position to its end. */
  result(reader: ProtoReader): void;
  draining(): void;
}

const resultTag = 10;
const drainingTag = 16;
const frameHeaderBytes = 5;
// PIPE-8.
const maxMessageBytes = 11_010_048;
// The longest a field's tag and length can be: one byte and a varint of 32 bits.
const fieldHeaderBytes = 6;
const empty = Buffer.alloc(0);

/**
 * Takes gRPC frames of `BatchResult` apart as their bytes arrive: each result is handed on as soon as it is whole,
 * wherever the chunks were cut. Only what straddles two chunks is copied.
 */
export class BatchResultParser {
  #rest: Buffer = empty;
  // What is still to come of the message that is being read.
  #messageLeft = 0;
  readonly #reader = new ProtoReader(empty);

  constructor(private readonly listener: BatchResultListener) {}

  /** Takes the next bytes of the stream; throws `ProtoError` if they are not what the contract says. */
  push(chunk: Buffer): void {
    const buffer = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    let position = 0;
    for (;;) {
      if (this.#messageLeft === 0) {
        if (buffer.length - position < frameHeaderBytes) break;
        if (buffer[position] !== 0) throw new ProtoError("a message is compressed, which was not agreed");
        this.#messageLeft = buffer.readUInt32BE(position + 1);
        if (this.#messageLeft > maxMessageBytes) throw new ProtoError(`a message of ${this.#messageLeft} bytes`);
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

  /** Reads one field of a BatchResult; answers its length, 0 if it is not whole yet. */
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
      if (end - start > this.#messageLeft) throw new ProtoError("a result is longer than its message");
      if (end > buffer.length) return 0;
      reader.end = end;
      this.listener.result(reader);
      return end - start;
    }
    // Fields that are not known may be cut by the chunk's end: they are small, and read again when whole.
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
