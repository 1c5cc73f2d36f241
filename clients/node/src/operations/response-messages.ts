import type { Buffer } from "node:buffer";
import { gunzipSync, inflateSync } from "node:zlib";
import { type Failure, Status } from "../client/errors.js";
import { GrpcMessageReader, MessageTooLarge } from "../transport/grpc-message-reader.js";
import { unreadable } from "../transport/pipeline-session.js";
import { ProtoError, ProtoReader } from "./proto-reader.js";

// LIM-4: maximum size of a message. It is the same as the server's limit.
const maxMessageBytes = 11_010_048;
const headerBytes = 5;

/** Collects the messages of a response from its data. The number and the size of the messages are limited. */
export class ResponseMessages {
  // The only chunk so far. Most responses consist of one chunk, which is parsed when the response ends.
  #only: Buffer | null = null;
  #reader: GrpcMessageReader | null = null;
  readonly #messages: ProtoReader[] = [];

  /**
   * Creates an empty collection of messages.
   * @param maxMessages - Maximum number of messages.
   * @param encoding - The compression that the response headers announce.
   */
  constructor(
    private readonly maxMessages: number,
    private readonly encoding: unknown,
  ) {}

  /**
   * Adds data, which is a view of the connection's buffer. Returns the failure if the response is invalid, otherwise
   * null.
   */
  push(bytes: Buffer): Failure | null {
    if (this.#reader === null && this.#only === null) {
      this.#only = bytes;
      return bytes.length < headerBytes || bytes.length === headerBytes + bytes.readUInt32BE(1)
        ? null
        : this.#read(null);
    }
    return this.#read(bytes);
  }

  /** Returns all messages. They are complete after `end` has returned null. */
  get all(): readonly ProtoReader[] {
    return this.#messages;
  }

  /** Called when the data is complete. Returns the failure if the response is invalid, otherwise null. */
  end(): Failure | null {
    const only = this.#only;
    if (only !== null && only.length >= headerBytes && only[0] === 0) {
      this.#messages.push(new ProtoReader(only, headerBytes));
      return null;
    }
    const failure = only === null ? null : this.#read(null);
    if (failure !== null) return failure;
    return this.#reader !== null && this.#reader.heldBytes > 0
      ? broken("the response ended in the middle of a message")
      : null;
  }

  // Parses the data received so far, and moves complete messages to the list.
  #read(more: Buffer | null): Failure | null {
    this.#reader ??= new GrpcMessageReader(maxMessageBytes, (bytes) => this.#inflate(bytes));
    if (this.#only !== null) this.#reader.push(this.#only);
    this.#only = null;
    if (more !== null) this.#reader.push(more);
    try {
      for (let message = this.#reader.next(); message !== null; message = this.#reader.next()) {
        if (this.#messages.length === this.maxMessages)
          return broken(`the response has more than ${this.maxMessages} messages`);
        this.#messages.push(new ProtoReader(message));
      }
    } catch (error) {
      if (!(error instanceof MessageTooLarge)) return unreadable(error);
      return { status: Status.resourceExhausted, message: error.message, notExecuted: false };
    }
    return null;
  }

  // Decompresses a message. LIM-5: the limit applies to the decompressed size. Larder servers do not send compressed
  // messages.
  #inflate(bytes: Buffer): Buffer {
    const encoding = this.encoding;
    const bound = { maxOutputLength: maxMessageBytes };
    try {
      if (encoding === "gzip") return gunzipSync(bytes, bound);
      if (encoding === "deflate") return inflateSync(bytes, bound);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") throw new MessageTooLarge(maxMessageBytes);
      throw new ProtoError(`invalid ${encoding} payload: ${(error as Error).message}`);
    }
    throw new ProtoError(`a message has the unsupported compression ${String(encoding)}`);
  }
}

/** Returns the failure of a call with an invalid response. */
export function broken(message: string): Failure {
  return { status: Status.internal, message, notExecuted: false };
}
