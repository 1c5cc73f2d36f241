import { Buffer } from "node:buffer";
import { maxMessageBytes } from "../calls/batch-parts.js";
import type { BatchResultListener } from "../operations/batch-result-parser.js";
import { ProtoError, ProtoReader } from "../operations/proto-reader.js";

/** Receives the contents of a near stream's messages. For each message, the invalidations are delivered first. */
export interface NearBatchListener extends BatchResultListener {
  /** Called with the tickets of keys that may have changed. The array is reused after the call. */
  invalidated(tickets: readonly number[]): void;
  /** Called when any key may have changed, so that the listener must drop all copies. */
  cleared(): void;
}

const resultTag = 10;
const drainingTag = 16;
const invalidatedTag = 24;
const packedInvalidatedTag = 26;
const clearTag = 32;
const frameHeaderBytes = 5;
// Tickets are passed on in groups of at most this size. As a result, a message with many tickets needs no extra memory.
const maxTicketsPerEvent = 4_096;
const empty = Buffer.alloc(0);

/**
 * Parses gRPC frames of `BatchResult`, one complete message at a time. The invalidations of a message are delivered
 * before its results, regardless of their order in the message (NEAR-6). Only messages that span several chunks are
 * copied.
 */
export class NearBatchParser {
  // The first bytes of a frame header that is not complete yet.
  #rest: Buffer = empty;
  // A frame that is not complete yet, and the number of its bytes that were received.
  #frame: Buffer | null = null;
  #filled = 0;
  readonly #tickets: number[] = [];
  readonly #reader = new ProtoReader(empty);

  constructor(private readonly listener: NearBatchListener) {}

  /**
   * Parses the next bytes of the stream.
   * @throws ProtoError if the bytes violate the protocol.
   */
  push(chunk: Buffer): void {
    const buffer = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    this.#rest = empty;
    let position = this.#fill(buffer, 0);
    while (buffer.length - position >= frameHeaderBytes) {
      const length = frameLength(buffer, position);
      if (position + length > buffer.length) {
        this.#frame = Buffer.allocUnsafe(length);
        position = this.#fill(buffer, position);
      } else {
        this.#message(buffer, position + frameHeaderBytes, position + length);
        position += length;
      }
    }
    if (position < buffer.length) this.#rest = Buffer.from(buffer.subarray(position));
  }

  // Continues the incomplete frame. Returns the position after the bytes that belong to the frame.
  #fill(buffer: Buffer, start: number): number {
    const whole = this.#frame;
    if (whole === null) return start;
    const end = Math.min(buffer.length, start + whole.length - this.#filled);
    this.#filled += buffer.copy(whole, this.#filled, start, end);
    if (this.#filled === whole.length) {
      this.#frame = null;
      this.#filled = 0;
      this.#message(whole, frameHeaderBytes, whole.length);
    }
    return end;
  }

  #message(buffer: Buffer, start: number, end: number): void {
    if (this.#readCopies(buffer, start, end)) this.#readResults(buffer, start, end);
  }

  // Passes on the invalidations of a message. Returns whether the message contains anything else.
  #readCopies(buffer: Buffer, start: number, end: number): boolean {
    const reader = this.#at(buffer, start, end);
    let more = false;
    while (reader.more) {
      const tag = reader.varint();
      if (tag === invalidatedTag) this.#ticket(reader);
      else if (tag === packedInvalidatedTag) reader.nested((packed) => this.#packed(packed));
      else if (tag === clearTag) {
        if (reader.varint() !== 0) this.listener.cleared();
      } else {
        reader.skip(tag);
        more = true;
      }
    }
    this.#reportTickets();
    return more;
  }

  #packed(reader: ProtoReader): void {
    while (reader.more) this.#ticket(reader);
  }

  #ticket(reader: ProtoReader): void {
    if (this.#tickets.push(reader.varint()) === maxTicketsPerEvent) this.#reportTickets();
  }

  #reportTickets(): void {
    if (this.#tickets.length > 0) this.listener.invalidated(this.#tickets);
    this.#tickets.length = 0;
  }

  #readResults(buffer: Buffer, start: number, end: number): void {
    let position = start;
    while (position < end) {
      const reader = this.#at(buffer, position, end);
      const tag = reader.varint();
      if (tag === resultTag) {
        position = reader.fieldEnd();
        reader.end = position;
        this.listener.result(reader);
        continue;
      }
      if (tag !== drainingTag) reader.skip(tag);
      else if (reader.varint() !== 0) this.listener.draining();
      position = reader.position;
    }
  }

  #at(buffer: Buffer, start: number, end: number): ProtoReader {
    const reader = this.#reader;
    reader.buffer = buffer;
    reader.position = start;
    reader.end = end;
    return reader;
  }
}

// Returns the length of the frame at `position`, including the frame's header.
function frameLength(buffer: Buffer, position: number): number {
  if (buffer[position] !== 0)
    throw new ProtoError("the server sent a compressed message, which this client does not support");
  const length = buffer.readUInt32BE(position + 1);
  if (length > maxMessageBytes)
    throw new ProtoError(`a message of ${length} bytes exceeds the limit of ${maxMessageBytes} bytes`);
  return frameHeaderBytes + length;
}
