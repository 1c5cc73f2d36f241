import type { Buffer } from "node:buffer";
import { gunzipSync, inflateSync } from "node:zlib";
import { type Failure, Status } from "../client/errors.js";
import { GrpcMessageReader, MessageTooLarge } from "../transport/grpc-message-reader.js";
import { unreadable } from "../transport/pipeline-session.js";
import { ProtoError, ProtoReader } from "./proto-reader.js";

// LIM-4: as much as the server reads.
const maxMessageBytes = 11_010_048;
const headerBytes = 5;

/** The messages of an answer as its data comes: so many at most, none larger than a server may make one. */
export class AnswerMessages {
  // Most answers are one chunk: it is not looked at before its end.
  #only: Buffer | null = null;
  #reader: GrpcMessageReader | null = null;
  readonly #messages: ProtoReader[] = [];

  /** `most`: how many there may be; `encoding`: what the answer's head says of those that are compressed. */
  constructor(
    private readonly most: number,
    private readonly encoding: unknown,
  ) {}

  /** Takes the next data, a view; answers why it is no answer, or null. */
  push(bytes: Buffer): Failure | null {
    if (this.#reader === null && this.#only === null) {
      this.#only = bytes;
      return bytes.length < headerBytes || bytes.length === headerBytes + bytes.readUInt32BE(1)
        ? null
        : this.#read(null);
    }
    return this.#read(bytes);
  }

  /** All of them, once `end` has found nothing wrong. */
  get all(): readonly ProtoReader[] {
    return this.#messages;
  }

  /** The data has ended: answers why it is no answer, or null. */
  end(): Failure | null {
    const only = this.#only;
    if (only !== null && only.length >= headerBytes && only[0] === 0) {
      this.#messages.push(new ProtoReader(only, headerBytes));
      return null;
    }
    const failure = only === null ? null : this.#read(null);
    if (failure !== null) return failure;
    return this.#reader !== null && this.#reader.heldBytes > 0
      ? broken("the answer ended before its message did")
      : null;
  }

  // Messages so far, of which those that are whole are taken out.
  #read(more: Buffer | null): Failure | null {
    this.#reader ??= new GrpcMessageReader(maxMessageBytes, (bytes) => this.#inflate(bytes));
    if (this.#only !== null) this.#reader.push(this.#only);
    this.#only = null;
    if (more !== null) this.#reader.push(more);
    try {
      for (let message = this.#reader.next(); message !== null; message = this.#reader.next()) {
        if (this.#messages.length === this.most) return broken(`the answer has more than ${this.most} messages`);
        this.#messages.push(new ProtoReader(message));
      }
    } catch (error) {
      if (!(error instanceof MessageTooLarge)) return unreadable(error);
      return { status: Status.resourceExhausted, message: error.message, notExecuted: false };
    }
    return null;
  }

  // LIM-5: limited by the size it inflates to. No Larder server sends any.
  #inflate(bytes: Buffer): Buffer {
    const encoding = this.encoding;
    const bound = { maxOutputLength: maxMessageBytes };
    try {
      if (encoding === "gzip") return gunzipSync(bytes, bound);
      if (encoding === "deflate") return inflateSync(bytes, bound);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") throw new MessageTooLarge(maxMessageBytes);
      throw new ProtoError(`a message is no ${encoding}: ${(error as Error).message}`);
    }
    throw new ProtoError(`a message is compressed with ${String(encoding)}`);
  }
}

/** The failure of a call whose answer is none. */
export function broken(message: string): Failure {
  return { status: Status.internal, message, notExecuted: false };
}
