import { encodedBytes, writeList } from "./collection-fields.js";
import { KeyOperation, Operation, type OperationKind } from "./operation.js";
import { kinds } from "./operation-kinds.js";
import { ProtoError, type ProtoReader } from "./proto-reader.js";
import { type Bytes, byteLength, fieldLength, type ProtoWriter, varintLength } from "./proto-writer.js";
import { type Success, success } from "./responses.js";

const storedTag = 10;

/** A set with tags: a SetWithLease without a lease, which stores whatever is there. */
export class SetWithTagsOperation extends KeyOperation<Success> {
  get kind(): OperationKind {
    return kinds.setWithLease;
  }
  readonly #tags;

  constructor(
    cacheName: string,
    key: Bytes,
    readonly value: Bytes,
    readonly ttlMs: number,
    tags: readonly Bytes[],
  ) {
    super(cacheName, key);
    this.#tags = encodedBytes(50, tags);
  }
  measure(): number {
    return (
      fieldLength(this.keyLengthBytes) +
      fieldLength(byteLength(this.value)) +
      1 +
      varintLength(this.ttlMs) +
      this.#tags.bytes.length
    );
  }
  encode(writer: ProtoWriter): void {
    writer.bytesField(10, this.key, this.keyLengthBytes);
    writer.bytesField(18, this.value, byteLength(this.value));
    writer.byte(24);
    writer.varint(this.ttlMs);
    writeList(writer, this.#tags);
  }
  decode(reader: ProtoReader): Success {
    let outcome = 0;
    while (reader.more) {
      outcome = reader.varint();
      reader.skip(outcome);
    }
    if (outcome !== storedTag)
      throw new ProtoError("the server did not store what nothing was to keep from being stored");
    return success;
  }
}

export class RemoveByTagOperation extends Operation<Success> {
  get kind(): OperationKind {
    return kinds.removeByTag;
  }
  readonly #tags;

  constructor(cacheName: string, tags: readonly Bytes[]) {
    super(cacheName, 0);
    this.#tags = encodedBytes(10, tags);
  }
  measure(): number {
    return this.#tags.bytes.length;
  }
  encode(writer: ProtoWriter): void {
    writeList(writer, this.#tags);
  }
  decode(reader: ProtoReader): Success {
    while (reader.more) reader.skip(reader.varint());
    return success;
  }
}
