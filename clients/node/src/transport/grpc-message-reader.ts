import { Buffer } from "node:buffer";
import { ProtoError } from "../operations/proto-reader.js";

/** Thrown if a message exceeds the reader's limit. */
export class MessageTooLarge extends ProtoError {
  constructor(maxMessageBytes: number, lengthBytes?: number) {
    super(`a message has ${lengthBytes ?? "too many"} bytes; at most ${maxMessageBytes} are allowed`);
  }
}

const headerBytes = 5;
const nothing = Buffer.alloc(0);

/** Splits a byte stream into gRPC messages. A message is parsed only when `next` is called. */
export class GrpcMessageReader {
  #buffer: Buffer = nothing;
  #position = 0;
  #later: Buffer[] = [];
  #laterBytes = 0;

  /**
   * Creates a reader.
   * @param inflate - Decompresses a message. Without this function, compressed messages are rejected.
   */
  constructor(
    private readonly maxMessageBytes: number,
    private readonly inflate: ((bytes: Buffer) => Buffer) | null = null,
  ) {}

  /** Returns the number of buffered bytes. */
  get heldBytes(): number {
    return this.#buffer.length - this.#position + this.#laterBytes;
  }

  push(chunk: Buffer): void {
    this.#later.push(chunk);
    this.#laterBytes += chunk.length;
  }

  /**
   * Returns the next message, which is a view of the buffer. Null if the message is incomplete.
   * @throws ProtoError if the message is too large, or if it is compressed and cannot be decompressed.
   */
  next(): Buffer | null {
    if (!this.#gather(headerBytes)) return null;
    const flag = this.#buffer[this.#position]!;
    if (flag > 1 || (flag === 1 && this.inflate === null))
      throw new ProtoError("the server sent a compressed message, which this client does not support");
    const length = this.#buffer.readUInt32BE(this.#position + 1);
    if (length > this.maxMessageBytes) throw new MessageTooLarge(this.maxMessageBytes, length);
    if (!this.#gather(headerBytes + length)) return null;
    const start = this.#position + headerBytes;
    this.#position = start + length;
    const message = this.#buffer.subarray(start, this.#position);
    return flag === 1 ? this.inflate!(message) : message;
  }

  // Returns whether this number of bytes is buffered. If it is, makes the bytes contiguous. Each byte is copied at most
  // twice: chunks are concatenated when their message is complete, and before that when its header is complete.
  #gather(bytes: number): boolean {
    if (this.heldBytes < bytes) return false;
    if (this.#buffer.length - this.#position >= bytes) return true;
    const rest = this.#buffer.subarray(this.#position);
    this.#buffer =
      rest.length === 0 && this.#later.length === 1 ? this.#later[0]! : Buffer.concat([rest, ...this.#later]);
    this.#position = 0;
    this.#later = [];
    this.#laterBytes = 0;
    return true;
  }
}
