import type { Hit, Miss, Success } from "../client/responses.js";
import { success } from "../client/responses.js";
import { kinds } from "./_generated/operation-kinds.js";
import { Operation, type OperationKind } from "./operation.js";
import { ProtoError, ProtoReader } from "./proto-reader.js";
import { type Bytes, byteLength, copyBytes, fieldLength, type ProtoWriter } from "./proto-writer.js";
import { readGetResponse, readSetResponse, type SetOperation } from "./scalar-operations.js";

export class KeysExistOperation extends Operation<{ readonly result: "success"; readonly exists: readonly boolean[] }> {
  get kind(): OperationKind {
    return kinds.keysExist;
  }
  readonly #lengths: readonly number[];
  readonly #length: number;

  constructor(
    cacheName: string,
    public keys: readonly Bytes[],
  ) {
    const lengths = keys.map(byteLength);
    super(cacheName, lengths[0] ?? 0);
    this.#lengths = lengths;
    this.#length = lengths.reduce((sum, length) => sum + fieldLength(length), 0);
  }
  override get batchSize(): number {
    return this.keys.length;
  }
  override eachKey(tell: (key: Bytes) => void): void {
    for (const key of this.keys) tell(key);
  }
  override copyKeys(): void {
    this.keys = this.keys.map(copyBytes);
  }
  /** Returns the number of bytes that a key adds to the request message. */
  static lengthOf(key: Bytes): number {
    return fieldLength(byteLength(key));
  }
  measure(): number {
    return this.#length;
  }
  encode(writer: ProtoWriter): void {
    this.keys.forEach((key, i) => {
      writer.bytesField(10, key, this.#lengths[i]!);
    });
  }
  decode(reader: ProtoReader): { readonly result: "success"; readonly exists: readonly boolean[] } {
    const exists: boolean[] = [];
    while (reader.more) {
      const tag = reader.varint();
      if (tag === 8) exists.push(reader.varint() !== 0);
      else if (tag === 10) reader.nested((packed) => readBooleans(packed, exists));
      else reader.skip(tag);
    }
    if (exists.length !== this.keys.length)
      throw new ProtoError(`the response has ${exists.length} results for ${this.keys.length} keys`);
    return { result: "success", exists };
  }
}

function readBooleans(reader: ProtoReader, into: boolean[]): void {
  while (reader.more) into.push(reader.varint() !== 0);
}

/**
 * Base class of batch operations. On the pipeline, the response is one message with a repeated field 1, which has one
 * entry per key or item. A unary response is a stream with one message per key or item.
 */
export abstract class BatchOperation<R> extends Operation<R> {
  /** Combines the results of the single keys or items into one response. */
  abstract decodeMessages(messages: readonly ProtoReader[]): R;

  decode(reader: ProtoReader): R {
    const parts: { readonly start: number; readonly end: number }[] = [];
    while (reader.more) {
      const tag = reader.varint();
      if (tag !== 10) {
        reader.skip(tag);
        continue;
      }
      const end = reader.fieldEnd();
      parts.push({ start: reader.position, end });
      reader.position = end;
    }
    const { buffer } = reader;
    return this.decodeMessages(parts.map(({ start, end }) => new ProtoReader(buffer, start, end)));
  }
}

type GetBatchSuccess = { readonly result: "success"; readonly responses: readonly (Hit | Miss)[] };

export class GetBatchOperation extends BatchOperation<GetBatchSuccess> {
  get kind(): OperationKind {
    return kinds.getBatch;
  }
  readonly #lengths: readonly number[];
  readonly #length: number;

  constructor(
    cacheName: string,
    public keys: readonly Bytes[],
  ) {
    const lengths = keys.map(byteLength);
    super(cacheName, lengths[0] ?? 0);
    this.#lengths = lengths;
    this.#length = lengths.reduce((sum, length) => sum + fieldLength(fieldLength(length)), 0);
  }
  override get batchSize(): number {
    return this.keys.length;
  }
  override eachKey(tell: (key: Bytes) => void): void {
    for (const key of this.keys) tell(key);
  }
  override copyKeys(): void {
    this.keys = this.keys.map(copyBytes);
  }
  /** Returns the number of bytes that a key adds to the request message. */
  static lengthOf(key: Bytes): number {
    return fieldLength(fieldLength(byteLength(key)));
  }
  measure(): number {
    return this.#length;
  }
  override hitsOf(response: GetBatchSuccess): { readonly hits: number; readonly misses: number } {
    const hits = response.responses.filter(({ result }) => result === "hit").length;
    return { hits, misses: response.responses.length - hits };
  }
  encode(writer: ProtoWriter): void {
    this.keys.forEach((key, i) => {
      const length = this.#lengths[i]!;
      writer.byte(10);
      writer.varint(fieldLength(length));
      writer.bytesField(10, key, length);
    });
  }
  decodeMessages(messages: readonly ProtoReader[]): GetBatchSuccess {
    if (messages.length !== this.keys.length)
      throw new ProtoError(`the response has ${messages.length} results for ${this.keys.length} keys`);
    return { result: "success", responses: messages.map(readGetResponse) };
  }
}

export class SetBatchOperation extends BatchOperation<Success> {
  get kind(): OperationKind {
    return kinds.setBatch;
  }
  readonly #length: number;

  constructor(
    cacheName: string,
    readonly items: readonly SetOperation[],
  ) {
    super(cacheName, items[0]?.keyLengthBytes ?? 0);
    this.#length = items.reduce((sum, item) => sum + SetBatchOperation.lengthOf(item), 0);
  }
  override get batchSize(): number {
    return this.items.length;
  }
  override eachKey(tell: (key: Bytes) => void): void {
    for (const item of this.items) item.eachKey(tell);
  }
  override copyKeys(): void {
    for (const item of this.items) item.copyKeys();
  }
  /** Returns the encoded size of an item in the message. */
  static lengthOf(item: SetOperation): number {
    return fieldLength(item.measure());
  }
  measure(): number {
    return this.#length;
  }
  encode(writer: ProtoWriter): void {
    for (const item of this.items) {
      writer.byte(10);
      writer.varint(item.measure());
      item.encode(writer);
    }
  }
  decodeMessages(messages: readonly ProtoReader[]): Success {
    if (messages.length !== this.items.length)
      throw new ProtoError(`the response has ${messages.length} results for ${this.items.length} items`);
    for (const message of messages) readSetResponse(message);
    return success;
  }
}
